/*
 * Concurrent breakpoints on Crosstalk's machine: docs/breakpoints.md.
 *
 * Threads that reach the statements of one breakpoint wait for each other, at most `wait` cycles, and then go on in the
 * order of their parties. Each macro is one instruction, a hint (slt x0, a, b) that does nothing on any core without the
 * breakpoint unit, and a record in a section that is not loaded, from which the host fills the unit.
 *
 * Compile with -DCROSSTALK_BREAKPOINTS. Without that definition every macro is nothing: its arguments are not evaluated.
 *
 * `name` is an identifier, the same at all places of a breakpoint; all numbers but a and b are constants. `skip`: visits of
 * this place that go on before the first that waits. `bound`: hits after which nobody waits any more; 0: no limit.
 */
#ifndef CROSSTALK_BREAKPOINT_H
#define CROSSTALK_BREAKPOINT_H

/* What two arrivals compare: numbers that the host knows. */
#define CROSSTALK_MEET_ALL 0      /* nothing */
#define CROSSTALK_MEET_EQUAL 1    /* a */
#define CROSSTALK_MEET_CROSSED 2  /* a with the other's b, and the reverse */
#define CROSSTALK_MEET_LOCAL 3    /* a; and only arrivals whose b is 1 count */

#ifdef CROSSTALK_BREAKPOINTS

#define CROSSTALK_MARK_(name, what, party, meet, a, b, wait, skip, bound)                              \
    __asm__ volatile("660: slt x0, %0, %1\n"                                                           \
                     ".pushsection .crosstalk_breakpoints,\"\",@progbits\n"                            \
                     ".balign 4\n"                                                                     \
                     "661: .word 662f - 661b, 660b, " #what ", %2, %3, %4, %5, %6\n"                   \
                     ".asciz \"" #name "\"\n"                                                          \
                     ".balign 4\n"                                                                     \
                     "662:\n"                                                                          \
                     ".popsection"                                                                     \
                     :                                                                                 \
                     : "r"(a), "r"(b), "i"(party), "i"(meet), "i"(wait), "i"(skip), "i"(bound)         \
                     : "memory")

/* The general form: one of two to four parties arrives. */
#define CROSSTALK_BREAKPOINT(name, party, meet, a, b, wait, skip, bound)                               \
    CROSSTALK_MARK_(name, 0, party, meet, a, b, wait, skip, bound)

/* The same; the next party waits until this thread comes to CROSSTALK_PASSED. */
#define CROSSTALK_BREAKPOINT_UNTIL(name, party, meet, a, b, wait, skip, bound)                         \
    CROSSTALK_MARK_(name, 1, party, meet, a, b, wait, skip, bound)

/* This thread has done what the next party waits for. */
#define CROSSTALK_PASSED(name) CROSSTALK_MARK_(name, 2, 0, 0, 0, 0, 0, 0, 0)

#else

#define CROSSTALK_BREAKPOINT(name, party, meet, a, b, wait, skip, bound) ((void)0)
#define CROSSTALK_BREAKPOINT_UNTIL(name, party, meet, a, b, wait, skip, bound) ((void)0)
#define CROSSTALK_PASSED(name) ((void)0)

#endif

/* Two threads that are about to access one object. */
#define CROSSTALK_CONFLICT(name, party, object, wait)                                                  \
    CROSSTALK_BREAKPOINT(name, party, CROSSTALK_MEET_EQUAL, object, 0, wait, 0, 0)

/* Two threads of which each holds the lock that the other is about to ask for. */
#define CROSSTALK_DEADLOCK(name, party, asked, held, wait)                                             \
    CROSSTALK_BREAKPOINT(name, party, CROSSTALK_MEET_CROSSED, asked, held, wait, 0, 0)

/* Two threads with equal values; an arrival counts if its condition is true. */
#define CROSSTALK_WHEN(name, party, condition, value, wait)                                            \
    CROSSTALK_BREAKPOINT(name, party, CROSSTALK_MEET_LOCAL, value, (condition) ? 1 : 0, wait, 0, 0)

#endif
