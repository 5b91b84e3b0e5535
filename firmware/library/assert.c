#include "internal.h"

#include <assert.h>
#include <crosstalk/calls.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void __assert_fail(const char *condition, const char *file, unsigned line,
                             const char *function) {
    fflush(NULL);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
    crosstalk_call(CROSSTALK_ASSERTION, (uintptr_t)file, line, 0, 0);
    abort();
}
