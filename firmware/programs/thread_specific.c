/* Thread-specific data with a destructor, beside a thread-local variable. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3

static pthread_key_t key;
static _Thread_local int calls = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;
static char log_lines[THREADS][64];

static void destroy(void *value) {
    pthread_mutex_lock(&lock);
    destroyed++;
    pthread_mutex_unlock(&lock);
    free(value);
}

static void note(const char *word) {
    char *text = pthread_getspecific(key);
    if (!text) {
        text = calloc(1, 64);
        pthread_setspecific(key, text);
    }
    strcat(text, word);
    calls++;
}

static void *work(void *argument) {
    int self = (int)(long)argument;
    for (int i = 0; i <= self; i++) note(i % 2 ? "tock " : "tick ");
    snprintf(log_lines[self], sizeof log_lines[self], "%s(%d calls)", (char *)pthread_getspecific(key), calls);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_key_create(&key, destroy);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) printf("thread %d: %s\n", i, log_lines[i]);
    printf("destroyed %d, main: %s, %d\n", destroyed, pthread_getspecific(key) ? "set" : "unset", calls);
    pthread_key_delete(key);
    return 0;
}
