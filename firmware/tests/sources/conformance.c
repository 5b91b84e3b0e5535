/* One line for each promise of the headers that the twenty programs do not touch. The output must be the same
 * as anywhere else. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct timespec passed(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec--;
    return time;
}

static void *try_to_unlock(void *mutex) {
    return (void *)(long)pthread_mutex_unlock(mutex);
}

static void *try_to_lock(void *mutex) {
    struct timespec late = passed();
    long both = pthread_mutex_trylock(mutex) * 1000L + pthread_mutex_timedlock(mutex, &late);
    return (void *)both;
}

static long elsewhere(void *(*function)(void *), void *argument) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, function, argument);
    pthread_join(thread, &result);
    return (long)result;
}

static void mutexes(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t recursive, checked;
    int kind;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&attributes, &kind);
    printf("recursive: %d", kind == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    for (int i = 0; i < 3; i++) printf(" %d", pthread_mutex_lock(&recursive));
    printf(" %d", pthread_mutex_trylock(&recursive));
    for (int i = 0; i < 3; i++) pthread_mutex_unlock(&recursive);
    long both = elsewhere(try_to_lock, &recursive);
    printf(" held: %d", both == EBUSY * 1000L + ETIMEDOUT);
    pthread_mutex_unlock(&recursive);
    printf(" free: %d\n", elsewhere(try_to_lock, &recursive) == 0);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    printf("checked: %d", pthread_mutex_lock(&checked));
    printf(" again: %d", pthread_mutex_lock(&checked) == EDEADLK);
    printf(" from elsewhere: %d", elsewhere(try_to_unlock, &checked) == EPERM);
    printf(" %d", pthread_mutex_unlock(&checked));
    printf(" once more: %d\n", pthread_mutex_unlock(&checked) == EPERM);
    pthread_mutex_destroy(&checked);
    pthread_mutexattr_destroy(&attributes);
}

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *try_rwlock(void *unused) {
    struct timespec late = passed();
    int write = pthread_rwlock_trywrlock(&lock), later = pthread_rwlock_timedwrlock(&lock, &late);
    int read = pthread_rwlock_tryrdlock(&lock);
    if (!read) pthread_rwlock_unlock(&lock);
    (void)unused;
    return (void *)(long)((write == EBUSY) * 100 + (later == ETIMEDOUT) * 10 + (read == 0));
}

static void *try_reading(void *unused) {
    struct timespec late = passed();
    int read = pthread_rwlock_tryrdlock(&lock), later = pthread_rwlock_timedrdlock(&lock, &late);
    (void)unused;
    return (void *)(long)((read == EBUSY) * 10 + (later == ETIMEDOUT));
}

static void rwlocks(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    printf("read twice: %ld", elsewhere(try_rwlock, NULL));
    pthread_rwlock_unlock(&lock);
    printf(" %ld", elsewhere(try_rwlock, NULL));
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    printf(" written: %ld\n", elsewhere(try_reading, NULL));
    pthread_rwlock_unlock(&lock);
}

static pthread_spinlock_t spin;

static void *try_spin(void *unused) {
    (void)unused;
    return (void *)(long)(pthread_spin_trylock(&spin) == EBUSY);
}

static void spins(void) {
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&spin);
    printf("spin: %ld", elsewhere(try_spin, NULL));
    pthread_spin_unlock(&spin);
    printf(" %d\n", pthread_spin_trylock(&spin));
    pthread_spin_destroy(&spin);
}

static void conditions(void) {
    pthread_condattr_t attributes;
    pthread_cond_t condition;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct timespec soon;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition, &attributes);
    pthread_mutex_lock(&mutex);
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_nsec += 1000000;
    if (soon.tv_nsec >= 1000000000) {
        soon.tv_sec++;
        soon.tv_nsec -= 1000000000;
    }
    printf("monotonic: %d", pthread_cond_timedwait(&condition, &mutex, &soon) == ETIMEDOUT);
    soon.tv_nsec = 1000000000;
    printf(" no time: %d\n", pthread_cond_timedwait(&condition, &mutex, &soon) == EINVAL);
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&condition);
    pthread_cond_broadcast(&condition);
    pthread_cond_destroy(&condition);
    pthread_condattr_destroy(&attributes);
}

static sem_t announced;
static atomic_int detached_ran;

static void *run_detached(void *unused) {
    atomic_fetch_add(&detached_ran, 1);
    sem_post(&announced);
    return unused;
}

static void *exit_early(void *value) {
    pthread_exit(value);
}

static void *compare_self(void *other) {
    return (void *)(long)(pthread_equal(pthread_self(), *(pthread_t *)other) != 0);
}

static void threads(void) {
    pthread_attr_t attributes;
    pthread_t thread, self = pthread_self();
    int state;
    size_t stack;
    sem_init(&announced, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    pthread_attr_setstacksize(&attributes, 65536);
    pthread_attr_getstacksize(&attributes, &stack);
    printf("detached: %d, stack %zu", state == PTHREAD_CREATE_DETACHED, stack);
    pthread_create(&thread, &attributes, run_detached, NULL);
    sem_wait(&announced);
    pthread_create(&thread, NULL, run_detached, NULL);
    pthread_detach(thread);
    sem_wait(&announced);
    printf(" ran: %d", atomic_load(&detached_ran));
    printf(" bad state: %d", pthread_attr_setdetachstate(&attributes, 77) == EINVAL);
    printf(" small stack: %d\n", pthread_attr_setstacksize(&attributes, 16) == EINVAL);
    pthread_attr_destroy(&attributes);
    printf("exit: %ld equal: %ld %d", elsewhere(exit_early, (void *)42L), elsewhere(compare_self, &self),
           pthread_equal(self, pthread_self()) != 0);
    printf(" join oneself: %d\n", pthread_join(pthread_self(), NULL) == EDEADLK);
}

static int destroyed;
static pthread_key_t again_key;

static void set_again(void *value) {
    if (++destroyed < 3) pthread_setspecific(again_key, value);
}

static void *use_key(void *value) {
    pthread_setspecific(again_key, value);
    return pthread_getspecific(again_key);
}

static void keys(void) {
    pthread_key_create(&again_key, set_again);
    int value = 5;
    printf("key: %d", elsewhere(use_key, &value) == (long)&value);
    printf(" destroyed: %d", destroyed);
    printf(" unset: %d", pthread_getspecific(again_key) == NULL);
    pthread_key_delete(again_key);
    printf(" deleted: %d\n", pthread_setspecific(again_key, &value) == EINVAL);
}

static void semaphores(void) {
    sem_t semaphore;
    int value;
    sem_init(&semaphore, 0, 2);
    printf("semaphore: %d %d", sem_trywait(&semaphore), sem_trywait(&semaphore));
    int result = sem_trywait(&semaphore);
    printf(" empty: %d %d", result, errno == EAGAIN);
    struct timespec bad = {0, -1};
    result = sem_timedwait(&semaphore, &bad);
    printf(" no time: %d %d", result, errno == EINVAL);
    sem_post(&semaphore);
    sem_getvalue(&semaphore, &value);
    printf(" value %d\n", value);
    sem_destroy(&semaphore);
}

static void times(void) {
    struct timespec before, after, short_time = {0, 2000000}, rest = {7, 7}, bad = {0, 1000000000};
    struct timeval now;
    clock_gettime(CLOCK_MONOTONIC, &before);
    printf("sleep: %d %d", nanosleep(&short_time, &rest), usleep(1000));
    clock_gettime(CLOCK_MONOTONIC, &after);
    long long passed = (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec;
    int result = nanosleep(&bad, NULL);
    printf(" long enough: %d bad: %d %d", passed >= 3000000, result, errno == EINVAL);
    gettimeofday(&now, NULL);
    time_t seconds = time(NULL);
    printf(" day: %d %d yield: %d difference %.1f\n", now.tv_sec >= 1000000000, seconds - now.tv_sec < 2,
           sched_yield(), difftime(100, 58));
}

static void atomics(void) {
    _Atomic long long wide = 1LL << 40;
    atomic_flag flag = ATOMIC_FLAG_INIT;
    atomic_bool truth = false;
    atomic_fetch_add(&wide, 1LL << 33);
    long long expected = (1LL << 40) + (1LL << 33);
    bool swapped = atomic_compare_exchange_strong(&wide, &expected, -5);
    bool first = atomic_flag_test_and_set(&flag), second = atomic_flag_test_and_set(&flag);
    atomic_store(&truth, true);
    printf("atomics: %d %lld %d %d %d\n", swapped, atomic_load(&wide), first, second, atomic_load(&truth));
}

static void numbers(void) {
    printf("numbers: %" PRIu64 " %" PRId32 " %zu %5.2f|%-8s|%08.3f %e %g %x %#o %c %%\n", UINT64_MAX,
           INT32_MIN, sizeof(int), 3.14159, "left", -2.5, 12345.678, 0.0001, 0xbeefu, 8, 'z');
    printf("limits: %d %d %u %lld\n", INT_MAX, INT_MIN, UINT_MAX, LLONG_MIN);
    printf("math: %.6f %.6f %.1f %.1f %.4f %.4f\n", sqrt(2.0), fabs(-1.5), floor(-1.5), ceil(1.2), sin(1.0),
           exp(1.0));
    printf("divided: %d %d %lld\n", div(-7, 2).quot, div(-7, 2).rem, lldiv(-7000000000LL, 3).quot);
}

static void memory(void) {
    char *text = malloc(10);
    strcpy(text, "grow");
    text = realloc(text, 1000);
    printf("memory: %s", text);
    int *zeros = calloc(50, sizeof *zeros), sum = 0;
    for (int i = 0; i < 50; i++) sum += zeros[i];
    void *aligned = NULL;
    int error = posix_memalign(&aligned, 256, 100);
    printf(" %d %d %d", sum, error, (int)((size_t)aligned % 256));
    void *none;
    printf(" bad: %d\n", posix_memalign(&none, 3, 100) == EINVAL);
    free(text);
    free(zeros);
    free(aligned);
}

int main(void) {
    mutexes();
    rwlocks();
    spins();
    conditions();
    threads();
    keys();
    semaphores();
    times();
    atomics();
    numbers();
    memory();
    fprintf(stdout, "%s", "no end of line");
    return 0;
}
