/* What programs for Linux do with threads beside the standard: places, numbers, yielding. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_spinlock_t spin;
static int counter, numbers[3];

static void *run(void *arg)
{
    long me = (long)arg;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    CPU_SET(1, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    numbers[me] = (int)syscall(SYS_gettid);
    for (int i = 0; i < 50; i++) {
        pthread_spin_lock(&spin);
        counter++;
        pthread_spin_unlock(&spin);
        if (i % 10 == 0)
            pthread_yield();
        else
            sched_yield();
    }
    return (void *)(long)(sched_getcpu() >= 0);
}

int main(void)
{
    pthread_t t[3];
    int known = 0, different;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    printf("%d %d %d\n", CPU_COUNT(&set), CPU_ISSET(3, &set) != 0, CPU_ISSET(2, &set) != 0);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(t[i], &result);
        known += (int)(long)result;
    }
    different = numbers[0] != getpid() && numbers[1] != getpid();
    printf("%d, %d known, different %d\n", counter, known, different);
    printf("processors: %d\n", sysconf(_SC_NPROCESSORS_ONLN) > 0);
    printf("policies: %d %d\n", sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_OTHER));
    return 0;
}
