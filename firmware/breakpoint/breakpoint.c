/*
 * Concurrent breakpoints with POSIX threads alone: docs/breakpoints.md is the contract.
 *
 * One static mutex guards fixed tables. A thread that waits has a condition of its own, so that only
 * those are woken who can go on. No memory is allocated, and stdio, whose locks the program
 * may hold, is not used for output.
 *
 * This is the one file to compile. The parts that it includes are static, so that a program meets
 * none of their names: tables.h has what is guarded by the mutex, settings.h reads the environment.
 */
#define _POSIX_C_SOURCE 200809L
#ifndef CROSSTALK_BREAKPOINTS
#define CROSSTALK_BREAKPOINTS
#endif
#include "crosstalk/breakpoint.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "settings.h"
#include "tables.h"

/* ---- start, fork ---- */

static void before_fork(void) {
    pthread_mutex_lock(&mutex);
}

static void in_parent(void) {
    pthread_mutex_unlock(&mutex);
}

/* Only the thread that forked exists here. */
static void in_child(void) {
    for (int index = 0; index < WAITERS; index++)
        waiters[index].state = FREE;
    memset(groups, 0, sizeof groups);
    pthread_mutex_unlock(&mutex);
}

static void start(void) {
    const char *given = getenv(VARIABLE);
    struct entry all = {{0}, {0}, {0}, 0, {0}, 0, 0, 0, 0};
    pthread_condattr_t monotonic;
    if (given && strlen(given) < sizeof settings)
        strcpy(settings, given);
    else if (given)
        say("%s has more than %d bytes; all its settings are ignored", VARIABLE, SETTING_BYTES - 1);
    configure(&all);
    /* `name: on` can still switch one breakpoint on. */
    switched_off = all.off == 1 && strchr(settings, ':') == NULL;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    for (int index = 0; index < WAITERS; index++)
        pthread_cond_init(&waiters[index].wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_atfork(before_fork, in_parent, in_child);
}

/* ---- entries; from here on the mutex is held ---- */

/* The entry of that name, or with `make` a new one; NULL if there is none. */
static struct entry *find(const char *name, int make) {
    static int said_name, said_full;
    if (name == NULL || name[0] == 0 || strlen(name) >= NAME_BYTES) {
        if (make && !said_name++)
            say("the name of a breakpoint has 1 to %d bytes; `%.80s` is ignored", NAME_BYTES - 1,
                name ? name : "");
        return NULL;
    }
    for (int index = 0; index < ENTRIES; index++) {
        struct entry *entry = &entries[index];
        if (entry->name[0] == 0 && make) {
            strcpy(entry->name, name);
            configure(entry);
            return entry;
        }
        if (strcmp(entry->name, name) == 0)
            return entry;
    }
    if (make && !said_full++)
        say("more than %d breakpoints; `%s` and those after it are ignored", ENTRIES, name);
    return NULL;
}

static int parties_of(const struct crosstalk_visit *visit) {
    return visit->parties ? visit->parties : 2;
}

static unsigned long either(long setting, unsigned own) {
    return setting == UNSET ? own : (unsigned long)setting;
}

static unsigned long bound_of(const struct entry *entry, const struct crosstalk_visit *visit) {
    return either(entry->bound, visit->bound);
}

static unsigned long timeout_of(const struct waiter *waiter) {
    return either(waiter->entry->timeout, waiter->visit->timeout);
}

/* An arrival that makes no sense is told, once for each breakpoint. */
static int is_sound(struct entry *entry, const struct crosstalk_visit *visit) {
    int parties = parties_of(visit);
    int is_party = visit->party == CROSSTALK_ANY_PARTY || (visit->party >= 0 && visit->party < parties);
    if (parties >= 2 && parties <= CROSSTALK_PARTIES && is_party)
        return 1;
    if (entry->counts.refused++ == 0)
        say("breakpoint `%s`: invalid party %d of %d; expected 2 to %d parties, "
            "numbered from 0", entry->name, visit->party, parties, CROSSTALK_PARTIES);
    return 0;
}

/* Whether a thread that arrives waits for others. */
static int is_armed(const struct entry *entry, const struct crosstalk_visit *visit) {
    unsigned long bound = bound_of(entry, visit);
    if (entry->off == 1 || (bound > 0 && entry->counts.hits >= bound))
        return 0;
    if (visit->after == NULL)
        return 1;
    const struct entry *before = find(visit->after, 0);
    return before != NULL && before->counts.hits > 0;
}

/* Whether this arrival is one of the first that go on. */
static int is_skipped(struct entry *entry, const struct crosstalk_visit *visit) {
    int party = visit->party < 0 ? 0 : visit->party;
    if (entry->skipped[party] >= either(entry->skip[party], visit->skip))
        return 0;
    entry->skipped[party]++;
    entry->counts.skipped++;
    return 1;
}

/* ---- meeting ---- */

/* Whether two arrivals at one breakpoint, of different parties, satisfy the joint predicate. */
static int agree(const struct crosstalk_visit *self, const struct crosstalk_visit *other) {
    if (parties_of(self) != parties_of(other))
        return 0;
    if (self->joint)
        return self->joint(self, other) != 0;
    if (self->lock == NULL || other->lock == NULL)
        return self->lock == other->lock && self->object == other->object;
    return self->object == other->lock && self->lock == other->object;
}

/* The thread that waits longest as this party and agrees with `self`, of those after `later_than`. */
static struct waiter *partner(struct waiter *self, int party, unsigned long later_than) {
    struct waiter *found = NULL;
    for (int index = 0; index < WAITERS; index++) {
        struct waiter *other = &waiters[index];
        int is_candidate = other != self && other->state == POSTPONED && other->entry == self->entry
            && other->visit->party == party && other->arrival > later_than;
        if (is_candidate && (!found || other->arrival < found->arrival) && agree(self->visit, other->visit))
            found = other;
    }
    return found;
}

/* Everybody else who waits at a breakpoint that is not armed any more goes on. */
static void release(struct entry *entry) {
    for (int index = 0; index < WAITERS; index++) {
        struct waiter *waiter = &waiters[index];
        if (waiter->state == POSTPONED && waiter->entry == entry && !is_armed(entry, waiter->visit)) {
            waiter->state = RELEASED;
            pthread_cond_signal(&waiter->wake);
        }
    }
}

/* A hit, if all other parties wait: they and `self` become a group. */
static int complete(struct waiter *self) {
    struct waiter *members[CROSSTALK_PARTIES];
    int parties = parties_of(self->visit);
    unsigned long later_than = 0;
    struct group *group = groups;
    for (int place = 0; place < parties; place++) {
        int is_any = self->visit->party == CROSSTALK_ANY_PARTY;
        int is_self = is_any ? place == parties - 1 : self->visit->party == place;
        members[place] = is_self ? self : partner(self, is_any ? CROSSTALK_ANY_PARTY : place, later_than);
        if (members[place] == NULL)
            return 0;
        later_than = is_any ? members[place]->arrival : 0;
    }
    while (group->parties) /* a group has two waiters or more, so one is free */
        group++;
    memset(group, 0, sizeof *group);
    group->parties = parties;
    group->entry = self->entry;
    self->entry->counts.hits++;
    for (int place = 0; place < parties; place++) {
        group->waiter[place] = members[place];
        members[place]->state = CHOSEN;
        members[place]->group = group;
        members[place]->place = place;
    }
    if (members[0] != self)
        pthread_cond_signal(&members[0]->wake);
    release(self->entry);
    return 1;
}

static struct timespec now_and(unsigned long milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += (time_t)(milliseconds / 1000);
    time.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Waits for its turn in the group, and goes on. */
static void go_in_turn(struct waiter *self) {
    struct group *group = self->group;
    int is_late = 0;
    while (self->place > 0 && (group->gone < self->place || (!group->passed && !is_late))) {
        if (group->gone < self->place)
            pthread_cond_wait(&self->wake, &mutex); /* each before it goes within its own limit */
        else
            is_late = pthread_cond_timedwait(&self->wake, &mutex, &group->limit) == ETIMEDOUT;
    }
    group->gone++;
    group->last = pthread_self();
    group->passed = 0;
    if (group->gone == group->parties) {
        group->parties = 0;
        return;
    }
    struct waiter *next = group->waiter[group->gone];
    int until = self->visit->until || self->entry->until == 1;
    group->limit = now_and(until ? timeout_of(next) : either(self->entry->pause, DEFAULT_PAUSE));
    pthread_cond_signal(&next->wake);
}

/* Waits for the other parties. Gives 1 after a hit. */
static int postpone(struct waiter *self) {
    struct timespec limit = now_and(timeout_of(self));
    int is_late = timeout_of(self) == 0;
    while (self->state == POSTPONED && !is_late)
        is_late = pthread_cond_timedwait(&self->wake, &mutex, &limit) == ETIMEDOUT;
    if (self->state == POSTPONED)
        self->entry->counts.timeouts++;
    return self->state == CHOSEN;
}

/* Meets the others, or waits for them. Gives 1 after a hit. */
static int meet(struct entry *entry, const struct crosstalk_visit *visit) {
    struct waiter *self = waiters;
    while (self < waiters + WAITERS && self->state != FREE)
        self++;
    if (self == waiters + WAITERS) {
        if (entry->counts.refused++ == 0)
            say("breakpoint `%s`: %d threads are waiting already, so this thread goes on", entry->name, WAITERS);
        return 0;
    }
    self->state = POSTPONED;
    self->entry = entry;
    self->visit = visit;
    self->arrival = ++arrivals;
    int hit = complete(self) || postpone(self);
    if (hit)
        go_in_turn(self);
    if (logging)
        say("breakpoint `%s`, party %d: %s", entry->name, hit ? self->place : visit->party,
            hit ? "hit" : self->state == RELEASED ? "bound reached" : "timeout");
    self->state = FREE;
    return hit;
}

/* ---- what programs call ---- */

int crosstalk_breakpoint_visit(const struct crosstalk_visit *visit) {
    int error = errno, cancel, hit = 0;
    pthread_once(&once, start);
    int is_meant = !switched_off && (visit->holding == NULL || crosstalk_holds(visit->holding))
        && (visit->local == NULL || visit->local(visit));
    if (is_meant) {
        /* Waiting is a cancellation point; a thread that was canceled would stay in the tables. */
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
        pthread_mutex_lock(&mutex);
        struct entry *entry = find(visit->name, 1);
        if (entry && is_sound(entry, visit) && is_armed(entry, visit) && !is_skipped(entry, visit))
            hit = meet(entry, visit);
        pthread_mutex_unlock(&mutex);
        pthread_setcancelstate(cancel, NULL);
    }
    errno = error;
    return hit;
}

static int simple(const char *name, int party, const void *object, const void *lock, unsigned timeout,
                  int until) {
    struct crosstalk_visit visit;
    memset(&visit, 0, sizeof visit);
    visit.name = name;
    visit.party = party;
    visit.object = object;
    visit.lock = lock;
    visit.timeout = timeout;
    visit.until = until;
    return crosstalk_breakpoint_visit(&visit);
}

int crosstalk_breakpoint(const char *name, int party, const void *object, const void *lock,
                         unsigned timeout) {
    return simple(name, party, object, lock, timeout, 0);
}

int crosstalk_breakpoint_until(const char *name, int party, const void *object, const void *lock,
                               unsigned timeout) {
    return simple(name, party, object, lock, timeout, 1);
}

void crosstalk_passed(const char *name) {
    int error = errno;
    pthread_mutex_lock(&mutex);
    const struct entry *entry = find(name, 0);
    for (size_t index = 0; entry && index < sizeof groups / sizeof *groups; index++) {
        struct group *group = &groups[index];
        if (group->parties == 0 || group->entry != entry || group->gone == 0)
            continue;
        if (pthread_equal(group->last, pthread_self())) {
            group->passed = 1;
            pthread_cond_signal(&group->waiter[group->gone]->wake);
        }
    }
    pthread_mutex_unlock(&mutex);
    errno = error;
}

void crosstalk_locked(const void *lock) {
    for (int index = 0; index < LOCKS; index++)
        if (held[index] == NULL) {
            held[index] = lock;
            return;
        }
    say("a thread holds more than %d locks; those beyond are not tracked", LOCKS);
}

/* The newest first: a lock that is taken twice is held until it is given back twice. */
void crosstalk_unlocked(const void *lock) {
    for (int index = LOCKS - 1; index >= 0; index--)
        if (held[index] == lock) {
            held[index] = NULL;
            return;
        }
}

int crosstalk_holds(const void *lock) {
    for (int index = 0; index < LOCKS; index++)
        if (held[index] != NULL && held[index] == lock)
            return 1;
    return 0;
}

struct crosstalk_breakpoint_counts crosstalk_breakpoint_count(const char *name) {
    struct crosstalk_breakpoint_counts counts = {0, 0, 0, 0};
    pthread_mutex_lock(&mutex);
    const struct entry *entry = find(name, 0);
    if (entry)
        counts = entry->counts;
    pthread_mutex_unlock(&mutex);
    return counts;
}
