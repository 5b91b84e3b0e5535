/* Who meets whom, and in which order they go on. */
#include "scenario.h"

#include <errno.h>
#include <stdlib.h>

static int x, y;

/* Two parties at one object. The second started comes first or not: the order is the same. */
static void *conflict(void *given) {
    struct thread *self = given;
    self->hit = crosstalk_breakpoint_until("conflict", self->number, &x, NULL, LONG);
    step((char)('a' + self->number));
    crosstalk_passed("conflict");
    return NULL;
}

/* The same without `until`: the test gives a pause that is long enough. */
static void *paused(void *given) {
    struct thread *self = given;
    self->hit = crosstalk_breakpoint("paused", self->number, &x, NULL, LONG);
    step((char)('a' + self->number));
    return NULL;
}

/* Both are there, at different objects. */
static void *apart(void *given) {
    struct thread *self = given;
    self->hit = crosstalk_breakpoint("apart", self->number, self->number ? &x : &y, NULL, SHORT);
    return NULL;
}

/* Each holds what the other asks for. */
static void *crossed(void *given) {
    struct thread *self = given;
    int *wanted = self->number ? &x : &y, *held = self->number ? &y : &x;
    self->hit = crosstalk_breakpoint_until("crossed", self->number, wanted, held, LONG);
    step((char)('a' + self->number));
    crosstalk_passed("crossed");
    return NULL;
}

/* Both ask for the same lock and hold the same: no deadlock. */
static void *parallel(void *given) {
    struct thread *self = given;
    self->hit = crosstalk_breakpoint("parallel", self->number, &x, &y, SHORT);
    return NULL;
}

/* One with a lock and one without never meet. */
static void *mixed(void *given) {
    struct thread *self = given;
    self->hit = crosstalk_breakpoint("mixed", self->number, &x, self->number ? &x : NULL, SHORT);
    return NULL;
}

static int parties;

/* All parties, in their order. */
static void *many(void *given) {
    struct thread *self = given;
    struct crosstalk_visit visit = {
        .name = "many", .party = self->number, .parties = parties, .object = &x, .timeout = LONG, .until = 1,
    };
    self->hit = crosstalk_breakpoint_visit(&visit);
    step((char)('a' + self->number));
    crosstalk_passed("many");
    return NULL;
}

/* One statement for all: whoever waits longest goes first. */
static void *any(void *given) {
    struct thread *self = given;
    struct crosstalk_visit visit = {
        .name = "any", .party = CROSSTALK_ANY_PARTY, .parties = parties, .object = &x, .timeout = LONG, .until = 1,
    };
    self->hit = crosstalk_breakpoint_visit(&visit);
    step((char)('a' + self->number));
    crosstalk_passed("any");
    return NULL;
}

/* Each comes when the one before it waits. */
static void in_turn(void) {
    struct thread threads[CROSSTALK_PARTIES];
    for (int number = 0; number < parties; number++) {
        threads[number].number = number;
        pthread_create(&threads[number].handle, NULL, any, &threads[number]);
        if (number + 1 < parties)
            until_waiting("any", CROSSTALK_ANY_PARTY, parties, number + 1);
    }
    for (int number = 0; number < parties; number++)
        pthread_join(threads[number].handle, NULL);
    printf("%s\n", steps);
    memset(steps, 0, sizeof steps);
}

static int is_odd(const struct crosstalk_visit *self) {
    return *(const int *)self->data % 2;
}

static int sum_is_ten(const struct crosstalk_visit *self, const struct crosstalk_visit *other) {
    return *(const int *)self->data + *(const int *)other->data == 10;
}

/* 0 and 3 are odd and have the sum 10; 2 is not odd; 1 finds nobody. */
static void *general(void *given) {
    static const int values[4] = {3, 9, 6, 7};
    struct thread *self = given;
    int party = self->number == 0 ? 0 : 1;
    struct crosstalk_visit visit = {
        .name = "general", .party = party, .timeout = self->number == 1 ? SHORT : LONG, .until = 1,
        .local = is_odd, .joint = sum_is_ten, .data = &values[self->number],
    };
    self->hit = crosstalk_breakpoint_visit(&visit);
    if (self->hit)
        step((char)('a' + self->number));
    crosstalk_passed("general");
    return NULL;
}

/* errno is the program's, after a hit and after a wait. */
static void *kept(void *given) {
    struct thread *self = given;
    errno = 71 + self->number;
    int hit = crosstalk_breakpoint("kept", self->number, &x, NULL, LONG);
    int waited = crosstalk_breakpoint(self->number ? "kept one" : "kept two", 0, &x, NULL, SHORT);
    self->hit = hit && !waited && errno == 71 + self->number;
    crosstalk_passed("kept");
    self->hit = self->hit && errno == 71 + self->number;
    return NULL;
}


int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    int times = count > 2 ? atoi(arguments[2]) : 1;
    for (int time = 0; time < times; time++) {
        if (!strcmp(what, "conflict")) together(2, conflict);
        if (!strcmp(what, "paused")) together(2, paused);
        if (!strcmp(what, "apart")) together(2, apart);
        if (!strcmp(what, "crossed")) together(2, crossed);
        if (!strcmp(what, "parallel")) together(2, parallel);
        if (!strcmp(what, "mixed")) together(2, mixed);
        for (parties = 2; parties <= CROSSTALK_PARTIES; parties++) {
            if (!strcmp(what, "many")) together(parties, many);
            if (!strcmp(what, "any")) in_turn();
        }
        if (!strcmp(what, "general")) together(4, general);
        if (!strcmp(what, "kept")) together(2, kept);
    }
    if (strcmp(what, "any")) /* where the probes count as timeouts */
        counted(what);
    return 0;
}
