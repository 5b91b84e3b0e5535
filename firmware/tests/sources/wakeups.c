/* Threads wait in all kinds of ways; whoever misses a wake-up waits for ever. Last, three threads draw from a
 * semaphore, once each; main raises it by three and waits until all have drawn. Then they meet at a
 * condition, and again. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 3, DRAWS = 40 };

static sem_t tokens, back;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived, round_number;
static volatile int sink;

static void linger(int turns) {
    for (int i = 0; i < turns; i++) sink = i;
}

static void meet(void) {
    pthread_mutex_lock(&lock);
    int mine = round_number;
    if (++arrived == THREADS) {
        arrived = 0;
        round_number++;
        pthread_cond_broadcast(&changed);
    }
    while (round_number == mine) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    int self = (int)(long)argument;
    for (int i = 0; i < DRAWS; i++) {
        sem_wait(&tokens);
        linger((self + i) % 3 * 20);
        sem_post(&back);
        meet();
    }
    return NULL;
}

static sem_t timed_out, waiting, release;
static int ready;

/* Its time is over before it begins. */
static void *give_up(void *unused) {
    struct timespec past = {0, 0};
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&changed, &lock, &past);
    pthread_mutex_unlock(&lock);
    sem_post(&timed_out);
    sem_wait(&release);
    return unused;
}

static void *wait_on(void *unused) {
    pthread_mutex_lock(&lock);
    sem_post(&waiting);
    while (!ready) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

/* A signal is not for somebody who no longer waits. */
static void signal_past_one_that_gave_up(void) {
    pthread_t first, second;
    sem_init(&timed_out, 0, 0);
    sem_init(&waiting, 0, 0);
    sem_init(&release, 0, 0);
    pthread_create(&first, NULL, give_up, NULL);
    sem_wait(&timed_out);
    pthread_create(&second, NULL, wait_on, NULL);
    sem_wait(&waiting);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(second, NULL);
    sem_post(&release);
    pthread_join(first, NULL);
}

static pthread_rwlock_t guarded = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t inside;

static void *read_beside_the_others(void *unused) {
    pthread_rwlock_rdlock(&guarded);
    pthread_barrier_wait(&inside);
    pthread_rwlock_unlock(&guarded);
    return unused;
}

/* When a writer leaves, all readers that wait come in, not one after the other. */
static void readers_come_in_together(void) {
    pthread_t readers[THREADS];
    pthread_barrier_init(&inside, NULL, THREADS);
    pthread_rwlock_wrlock(&guarded);
    for (int i = 0; i < THREADS; i++) pthread_create(&readers[i], NULL, read_beside_the_others, NULL);
    usleep(20000); /* until all of them wait */
    pthread_rwlock_unlock(&guarded);
    for (int i = 0; i < THREADS; i++) pthread_join(readers[i], NULL);
}

int main(void) {
    pthread_t threads[THREADS];
    signal_past_one_that_gave_up();
    readers_come_in_together();
    sem_init(&tokens, 0, 0);
    sem_init(&back, 0, 0);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < DRAWS; i++) {
        linger(i % 4 * 300);
        for (int j = 0; j < THREADS; j++) sem_post(&tokens);
        for (int j = 0; j < THREADS; j++) sem_wait(&back);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("%d rounds\n", round_number);
    return 0;
}
