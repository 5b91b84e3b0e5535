/*
 * Concurrent breakpoints for any computer with POSIX threads: docs/breakpoints.md.
 *
 * Threads that reach the statements of one breakpoint wait for each other, at most as long as they
 * were told to, and then go on in the order of their parties.
 *
 * Compile the program with -DCROSSTALK_BREAKPOINTS and link breakpoint.c. Without that
 * definition every call below is nothing: its arguments are not evaluated, no code is made.
 */
#ifndef CROSSTALK_BREAKPOINT_H
#define CROSSTALK_BREAKPOINT_H

#ifdef __cplusplus
extern "C" {
#endif

/* The party of a statement that several threads reach: the one that waits longest goes first. */
#define CROSSTALK_ANY_PARTY (-1)

/* The most parties that one breakpoint can have. */
#define CROSSTALK_PARTIES 4

/* One arrival of a thread at a breakpoint. What is left out is 0. */
struct crosstalk_visit {
    const char *name;   /* of the breakpoint: 1 to 63 bytes */
    int party;          /* 0 goes first; or CROSSTALK_ANY_PARTY */
    int parties;        /* how many meet, 2 to CROSSTALK_PARTIES; 0: 2 */
    const void *object; /* what they meet at; with a lock: the lock that is asked for */
    const void *lock;   /* the lock that is held; NULL: they meet at equal objects */
    unsigned timeout;   /* the longest wait, in milliseconds; 0: only meet those who wait already */
    unsigned skip;      /* arrivals of this party that go on at once, before the first that waits */
    unsigned bound;     /* hits after which nobody waits any more; 0: no limit */
    int until;          /* the next party waits for crosstalk_passed of this one */
    const char *after;  /* nobody waits before this other breakpoint was hit; NULL: at once */
    const void *holding; /* nobody waits who does not hold this lock; NULL: whatever they hold */

    /* Whether this arrival counts; NULL: it does. */
    int (*local)(const struct crosstalk_visit *self);
    /* Whether two arrivals meet, in place of object and lock. Called with the library's mutex held. */
    int (*joint)(const struct crosstalk_visit *self, const struct crosstalk_visit *other);
    const void *data; /* for the two */
};

/* What happened at a breakpoint so far. */
struct crosstalk_breakpoint_counts {
    unsigned long hits;     /* meetings of all parties */
    unsigned long timeouts; /* waits that nobody ended */
    unsigned long skipped;  /* arrivals that went on because of `skip` */
    unsigned long refused;  /* arrivals that made no sense, or found no room */
};

#ifdef CROSSTALK_BREAKPOINTS

/* Arguments 3 and 4 are compared, never read: what they point to need not be initialized. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define CROSSTALK_ONLY_ADDRESSES __attribute__((access(none, 3), access(none, 4)))
#else
#define CROSSTALK_ONLY_ADDRESSES
#endif

/* Arrives at a breakpoint. Gives 1 after a hit, else 0. Leaves errno as it was. */
int crosstalk_breakpoint_visit(const struct crosstalk_visit *visit);

/* The same for two parties: at equal objects, or, with a lock, crossed, which is a deadlock. */
CROSSTALK_ONLY_ADDRESSES
int crosstalk_breakpoint(const char *name, int party, const void *object, const void *lock,
                         unsigned timeout);

/* The same, and the next party waits until this one has called crosstalk_passed. */
CROSSTALK_ONLY_ADDRESSES
int crosstalk_breakpoint_until(const char *name, int party, const void *object, const void *lock,
                               unsigned timeout);

/* The calling thread has done what the next party waits for. */
void crosstalk_passed(const char *name);

/* The calling thread has taken a lock, or is about to give it back. */
void crosstalk_locked(const void *lock);
void crosstalk_unlocked(const void *lock);

/* Whether the calling thread holds a lock, by the two calls above. */
int crosstalk_holds(const void *lock);

/* What happened at a breakpoint so far; all 0 if nobody has arrived there. */
struct crosstalk_breakpoint_counts crosstalk_breakpoint_count(const char *name);

#else

#define crosstalk_breakpoint_visit(...) (0)
#define crosstalk_breakpoint(name, party, object, lock, timeout) (0)
#define crosstalk_breakpoint_until(name, party, object, lock, timeout) (0)
#define crosstalk_passed(name) ((void)0)
#define crosstalk_locked(lock) ((void)0)
#define crosstalk_unlocked(lock) ((void)0)
#define crosstalk_holds(lock) (0)

#endif

#ifdef __cplusplus
}
#endif

#endif
