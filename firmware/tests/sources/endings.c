/* Ends in the way that its argument names. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *lock_the_other_way(void *unused) {
    pthread_mutex_lock(&second);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    return unused;
}

static int deadlock(void) {
    pthread_t other;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&other, NULL, lock_the_other_way, NULL);
    pthread_mutex_lock(&first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&second);
    return 0;
}

static void *wait_for_ever(void *unused) {
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&second);
    pthread_cond_wait(&never, &second);
    return unused;
}

static int too_many(void) {
    pthread_t threads[17];
    for (int i = 0; i < 17; i++) pthread_create(&threads[i], NULL, wait_for_ever, NULL);
    return 0;
}

static int fail_assertion(int answer) {
    assert(answer == 42);
    return 0;
}

static int recurse(int depth) {
    volatile char room[1000];
    room[depth % 1000] = (char)depth;
    return depth < 1000000 ? recurse(depth + 1) + room[depth % 1000] : 0;
}

static void *speak_last(void *unused) {
    usleep(100);
    puts("the last thread");
    return unused;
}

static int leave_main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, speak_last, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}

static void *return_at_once(void *argument) {
    return argument;
}

/* Far more threads than harts, but never more than one at a time. */
static int many_in_turn(void) {
    long sum = 0;
    for (long i = 0; i < 40; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, return_at_once, (void *)i);
        pthread_join(thread, &result);
        sum += (long)result;
    }
    printf("%ld\n", sum);
    return 0;
}

static jmp_buf place;

static void come_back(int value) {
    longjmp(place, value);
}

static int jump(void) {
    volatile int count = 0;
    int value = setjmp(place);
    count++;
    if (value < 3) come_back(value + 1);
    printf("%d %d\n", count, value);
    return 0;
}

static void say_goodbye(void) {
    printf("goodbye");
}

static void *spin(void *argument) {
    volatile int *stop = argument;
    while (!*stop) {}
    return NULL;
}

/* The run ends although another thread never does. */
static int exit_beside_a_busy_thread(void) {
    static int stop;
    pthread_t thread;
    pthread_create(&thread, NULL, spin, &stop);
    atexit(say_goodbye);
    exit(7);
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "";
    if (!strcmp(how, "return")) return -3;
    if (!strcmp(how, "exit")) return exit_beside_a_busy_thread();
    if (!strcmp(how, "assert")) return fail_assertion(count);
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "deadlock")) return deadlock();
    if (!strcmp(how, "too-many")) return too_many();
    if (!strcmp(how, "recurse")) return recurse(0);
    if (!strcmp(how, "illegal")) __asm__ volatile(".word 0");
    if (!strcmp(how, "leave-main")) return leave_main();
    if (!strcmp(how, "many-in-turn")) return many_in_turn();
    if (!strcmp(how, "jump")) return jump();
    return 99;
}
