/* The first function of a program in U mode: makes the first thread, then calls main. */
#include "threads/internal.h"

#include <stdlib.h>

#include "stdlib/heap.h"

struct crosstalk_start __crosstalk_start;

extern char __heap_start[];
extern void (*const __init_start[])(void), (*const __init_end[])(void);
int main(int count, char **arguments);

enum { MOST_ARGUMENTS = 64 };

static char *arguments[MOST_ARGUMENTS + 1];

static int split_arguments(void) {
    int count = 0;
    char *next = __crosstalk_start.arguments;
    while (count < MOST_ARGUMENTS && count < (int)__crosstalk_start.argument_count) {
        arguments[count++] = next;
        while (*next++) {}
    }
    return count;
}

_Noreturn void __crosstalk_main(void) {
    __crosstalk_heap_begin(__crosstalk_become_main(__heap_start), (char *)__crosstalk_start.heap_end);
    for (void (*const *function)(void) = __init_start; function != __init_end; function++) (*function)();
    exit(main(split_arguments(), arguments));
}
