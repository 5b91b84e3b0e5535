/* One thread takes all signals with sigwait, and tells the others to stop. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stop, seen;
static sigset_t set;

static void *signal_thread(void *arg)
{
    (void)arg;
    for (;;) {
        int number;
        if (sigwait(&set, &number) != 0)
            return NULL;
        pthread_mutex_lock(&lock);
        seen++;
        if (number == SIGTERM)
            stop = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        if (number == SIGTERM)
            return NULL;
    }
}

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t taker, t;
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&taker, NULL, signal_thread, NULL);
    pthread_create(&t, NULL, worker, NULL);
    kill(getpid(), SIGHUP);
    pthread_mutex_lock(&lock);
    while (!seen)
        pthread_cond_wait(&changed, &lock);
    printf("hangup seen, stop is %d\n", stop);
    pthread_mutex_unlock(&lock);
    kill(getpid(), SIGTERM);
    pthread_join(t, NULL);
    pthread_join(taker, NULL);
    printf("stopped after %d signals\n", seen);
    return 0;
}
