/* What keeps threads from waiting, or ends it. */
#include "scenario.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int x, y;

/* Nobody comes. */
static void alone(void) {
    printf("%d\n", crosstalk_breakpoint("alone", 0, &x, NULL, SHORT));
}

/* The first three arrivals of party 1 go on; the fourth meets. */
static void *skipping(void *given) {
    struct thread *self = given;
    struct crosstalk_visit visit = {.name = "skipping", .party = self->number, .object = &x, .timeout = LONG};
    visit.skip = self->number ? 3 : 0;
    self->hit = 0;
    for (int round = 0; round < (self->number ? 4 : 1); round++)
        self->hit = self->hit * 10 + crosstalk_breakpoint_visit(&visit);
    return NULL;
}

/* Two hits, then nobody waits any more. */
static void *bounded(void *given) {
    struct thread *self = given;
    struct crosstalk_visit visit = {
        .name = "bounded", .party = self->number, .object = &x, .timeout = LONG, .bound = 2, .until = 1,
    };
    self->hit = 0;
    for (int round = 0; round < 4; round++) {
        self->hit = self->hit * 10 + crosstalk_breakpoint_visit(&visit);
        crosstalk_passed("bounded");
    }
    return NULL;
}

static void *one_of_three(void *given) {
    struct thread *self = given;
    struct crosstalk_visit visit = {
        .name = "released", .party = self->number ? 1 : 0, .object = &x, .timeout = LONG, .bound = 1,
    };
    self->hit = crosstalk_breakpoint_visit(&visit);
    return NULL;
}

/* Two wait, one of them is met, and the other is not kept: it would wait for a minute. */
static void released(void) {
    struct thread threads[3];
    for (int number = 2; number >= 0; number--) {
        threads[number].number = number;
        if (number == 0)
            until_waiting("released", 1, 2, 2);
        pthread_create(&threads[number].handle, NULL, one_of_three, &threads[number]);
    }
    int hits = 0;
    for (int number = 0; number < 3; number++) {
        pthread_join(threads[number].handle, NULL);
        hits += threads[number].hit;
    }
    printf("%d\n", hits);
}

/* The second breakpoint waits for the first. */
static void *sequence(void *given) {
    struct thread *self = given;
    struct crosstalk_visit later = {
        .name = "sequence", .party = self->number, .object = &x, .timeout = LONG, .after = "first",
    };
    int early = crosstalk_breakpoint_visit(&later);
    int first = crosstalk_breakpoint("first", self->number, &x, NULL, LONG);
    self->hit = early * 100 + first * 10 + crosstalk_breakpoint_visit(&later);
    return NULL;
}

/* Only those who hold the lock stop. */
static void *holding(void *given) {
    struct thread *self = given;
    struct crosstalk_visit visit = {
        .name = "holding", .party = self->number, .object = &x, .timeout = LONG, .holding = &y,
    };
    int without = crosstalk_breakpoint_visit(&visit);
    crosstalk_locked(&x);
    crosstalk_locked(&y);
    crosstalk_locked(&y);
    crosstalk_unlocked(&y);
    int with = crosstalk_breakpoint_visit(&visit);
    crosstalk_unlocked(&y);
    int again = crosstalk_breakpoint_visit(&visit);
    self->hit = without * 100 + with * 10 + again + (crosstalk_holds(&x) && !crosstalk_holds(&y) ? 0 : 1000);
    return NULL;
}

/* Party 0 never says that it has passed: the other goes on by itself. */
static void *silent(void *given) {
    struct thread *self = given;
    struct crosstalk_visit visit = {
        .name = "silent", .party = self->number, .object = &x, .timeout = self->number ? SHORT : LONG, .until = 1,
    };
    while (!crosstalk_breakpoint_visit(&visit))
        ;
    self->hit = 1;
    return NULL;
}

/* A visit that makes no sense, three times. */
static void senseless(void) {
    struct crosstalk_visit visit = {.name = "senseless", .party = 2, .timeout = LONG};
    printf("%d", crosstalk_breakpoint_visit(&visit));
    visit.parties = 5;
    printf("%d", crosstalk_breakpoint_visit(&visit));
    visit.party = -2;
    printf("%d\n", crosstalk_breakpoint_visit(&visit));
}

/* More names than there is room for: the last ones are ignored. */
static void names(void) {
    char name[80];
    int hits = 0;
    for (int number = 0; number < 70; number++) {
        snprintf(name, sizeof name, "name %d", number);
        hits += crosstalk_breakpoint(name, 0, &x, NULL, 0);
    }
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    hits += crosstalk_breakpoint(name, 0, &x, NULL, LONG);
    hits += crosstalk_breakpoint("", 0, &x, NULL, LONG);
    printf("%d\n", hits);
    counted("name 63");
    counted("name 64");
}

static void *forever(void *given) {
    struct thread *self = given;
    self->hit = crosstalk_breakpoint("fork", 0, &x, NULL, LONG);
    return NULL;
}

/* A child process has none of its parent's waiting threads, and a mutex that can be taken. */
static void forked(void) {
    struct thread waiting = {.number = 0};
    int status = 0;
    pthread_create(&waiting.handle, NULL, forever, &waiting);
    until_waiting("fork", 0, 2, 1);
    pid_t child = fork();
    if (child == 0)
        _exit(crosstalk_breakpoint("fork", 1, &x, NULL, 0));
    waitpid(child, &status, 0);
    int hit = crosstalk_breakpoint("fork", 1, &x, NULL, LONG);
    pthread_join(waiting.handle, NULL);
    printf("%d %d %d\n", status, hit, waiting.hit);
}

static void *canceled_body(void *given) {
    struct thread *self = given;
    self->hit = crosstalk_breakpoint("canceled", 0, &x, NULL, LONG);
    step('h');
    pthread_testcancel();
    step('!');
    return NULL;
}

/* A thread that is canceled while it waits stays until its partner came. */
static void canceled(void) {
    struct thread waiting = {.number = 0};
    void *result;
    pthread_create(&waiting.handle, NULL, canceled_body, &waiting);
    until_waiting("canceled", 0, 2, 1);
    pthread_cancel(waiting.handle);
    int hit = crosstalk_breakpoint("canceled", 1, &x, NULL, LONG);
    pthread_join(waiting.handle, &result);
    printf("%d %s %s\n", hit, steps, result == PTHREAD_CANCELED ? "canceled" : "lived");
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    if (!strcmp(what, "alone")) alone();
    if (!strcmp(what, "skipping")) together(2, skipping);
    if (!strcmp(what, "bounded")) together(2, bounded);
    if (!strcmp(what, "released")) released();
    if (!strcmp(what, "sequence")) together(2, sequence);
    if (!strcmp(what, "holding")) together(2, holding);
    if (!strcmp(what, "silent")) together(2, silent);
    if (!strcmp(what, "senseless")) senseless();
    if (!strcmp(what, "names")) names();
    if (!strcmp(what, "forked")) forked();
    if (!strcmp(what, "canceled")) canceled();
    counted(what);
    return 0;
}
