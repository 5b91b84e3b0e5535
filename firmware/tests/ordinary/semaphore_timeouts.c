/* Semaphores with deadlines, and with names. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t full, empty;
static int slot, received[10];

static struct timespec in_milliseconds(long ms)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += ms % 1000 * 1000000;
    t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static void *consumer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 10; i++) {
        struct timespec t = in_milliseconds(60000);
        if (sem_timedwait(&full, &t))
            return "late";
        received[i] = slot;
        sem_post(&empty);
    }
    return "done";
}

int main(void)
{
    pthread_t t;
    void *result;
    int value;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    struct timespec soon = in_milliseconds(5);
    value = sem_timedwait(&full, &soon);
    printf("timed out: %d %d\n", value, errno == ETIMEDOUT);
    value = sem_trywait(&full);
    printf("empty: %d %d\n", value, errno == EAGAIN);
    pthread_create(&t, NULL, consumer, NULL);
    for (int i = 0; i < 10; i++) {
        sem_wait(&empty);
        slot = i * i;
        sem_post(&full);
    }
    pthread_join(t, &result);
    for (int i = 0; i < 10; i++)
        printf("%d ", received[i]);
    printf("%s\n", (char *)result);

    sem_unlink("/ordinary-test");
    sem_t *named = sem_open("/ordinary-test", O_CREAT | O_EXCL, 0600, 2);
    if (named == SEM_FAILED) {
        perror("sem_open");
        return 1;
    }
    sem_t *same = sem_open("/ordinary-test", 0);
    sem_wait(same);
    sem_getvalue(named, &value);
    printf("named: %d\n", value);
    sem_close(same);
    sem_close(named);
    printf("unlinked: %d\n", sem_unlink("/ordinary-test"));
    named = sem_open("/ordinary-test", 0);
    printf("gone: %d %d\n", named == SEM_FAILED, errno == ENOENT);
    return 0;
}
