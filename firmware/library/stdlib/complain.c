/* err.h and error.h. */
#include "../internal.h"

#include <crosstalk/calls.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern struct crosstalk_start __crosstalk_start;

char *program_invocation_name = __crosstalk_start.arguments;
char *program_invocation_short_name = __crosstalk_start.arguments;

static const char *own_name(void) {
    const char *slash = strrchr(__crosstalk_start.arguments, '/');
    return slash ? slash + 1 : __crosstalk_start.arguments;
}

static void say(int number, const char *format, va_list arguments) {
    flockfile(stderr);
    fprintf(stderr, "%s: ", own_name());
    if (format) vfprintf(stderr, format, arguments);
    if (format && number >= 0) fputs(": ", stderr);
    fprintf(stderr, "%s\n", number >= 0 ? strerror(number) : "");
    funlockfile(stderr);
}

POSIX_ONLY void vwarn(const char *format, va_list arguments) {
    say(errno, format, arguments);
}

POSIX_ONLY void vwarnx(const char *format, va_list arguments) {
    say(-1, format, arguments);
}

POSIX_ONLY _Noreturn void verr(int code, const char *format, va_list arguments) {
    say(errno, format, arguments);
    exit(code);
}

POSIX_ONLY _Noreturn void verrx(int code, const char *format, va_list arguments) {
    say(-1, format, arguments);
    exit(code);
}

#define WITH_ARGUMENTS(call)     \
    va_list arguments;           \
    va_start(arguments, format); \
    call;                        \
    va_end(arguments)

POSIX_ONLY void warn(const char *format, ...) {
    WITH_ARGUMENTS(vwarn(format, arguments));
}

POSIX_ONLY void warnx(const char *format, ...) {
    WITH_ARGUMENTS(vwarnx(format, arguments));
}

POSIX_ONLY _Noreturn void err(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    verr(code, format, arguments);
}

POSIX_ONLY _Noreturn void errx(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    verrx(code, format, arguments);
}

POSIX_ONLY void error(int code, int number, const char *format, ...) {
    fflush(stdout);
    WITH_ARGUMENTS(say(number ? number : -1, format, arguments));
    if (code) exit(code);
}
