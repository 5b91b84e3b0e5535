/* A part of breakpoint.c: its tables, and how it says something. */
#ifndef CROSSTALK_BREAKPOINT_TABLES_H
#define CROSSTALK_BREAKPOINT_TABLES_H

#include "crosstalk/breakpoint.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
    ENTRIES = 64,
    WAITERS = 64,
    NAME_BYTES = 64,
    SETTING_BYTES = 2048,
    LOCKS = 32,
    DEFAULT_PAUSE = 1, /* milliseconds */
};

/* A setting that the environment does not have. */
#define UNSET (-1L)

static const char VARIABLE[] = "CROSSTALK_BREAKPOINTS";

/* A breakpoint, found by its name. */
struct entry {
    char name[NAME_BYTES]; /* empty: free */
    struct crosstalk_breakpoint_counts counts;
    unsigned long skipped[CROSSTALK_PARTIES];
    /* From the environment, or UNSET. */
    long off, skip[CROSSTALK_PARTIES], bound, timeout, pause, until;
};

enum state { FREE, POSTPONED, RELEASED, CHOSEN };

/* A thread that waits at a breakpoint. */
struct waiter {
    enum state state;
    pthread_cond_t wake;
    struct entry *entry;
    const struct crosstalk_visit *visit; /* the thread's own: valid while it waits */
    unsigned long arrival;               /* in which order they came */
    struct group *group;                 /* with CHOSEN */
    int place;                           /* with CHOSEN: its place in the order */
};

/* The threads of one hit, from the hit until the last of them has gone on. */
struct group {
    int parties; /* 0: free */
    struct entry *entry;
    struct waiter *waiter[CROSSTALK_PARTIES]; /* by place; valid from `gone` on */
    int gone;                                 /* how many have gone on */
    pthread_t last;                           /* with gone > 0: who went last */
    int passed;                               /* that thread has passed */
    struct timespec limit;                    /* when the next goes on at the latest */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct entry entries[ENTRIES];
static struct waiter waiters[WAITERS];
static struct group groups[WAITERS / 2];
static unsigned long arrivals;
static int switched_off, logging;
static char settings[SETTING_BYTES];
static _Thread_local const void *held[LOCKS];

/* A line on standard error, without stdio. */
static void say(const char *format, ...) {
    char line[256];
    va_list rest;
    int bytes = snprintf(line, sizeof line, "crosstalk: ");
    va_start(rest, format);
    bytes += vsnprintf(line + bytes, sizeof line - (size_t)bytes - 1, format, rest);
    va_end(rest);
    if (bytes > (int)sizeof line - 2)
        bytes = sizeof line - 2;
    line[bytes] = '\n';
    ssize_t written = write(STDERR_FILENO, line, (size_t)bytes + 1);
    (void)written; /* nobody is left to tell */
}

#endif
