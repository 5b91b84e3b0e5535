/*
 * Three street meters report every parked car to one till: number of cars
 * and money taken. At closing time both are compared with what was paid.
 *
 * Bug: the money is added after the lock has already been released.
 *
 * validate:
 *   kind: lost-update
 *   variable: till.revenue
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define METERS 3
#define CARS   6

struct till {
    pthread_mutex_t lock;
    int  cars;
    long revenue;
};

static struct till till = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int log_lines[METERS * CARS];
static int log_used;

static void write_log(int cents)
{
    pthread_mutex_lock(&log_lock);
    log_lines[log_used++] = cents;
    pthread_mutex_unlock(&log_lock);
}

static void pay(int cents)
{
    pthread_mutex_lock(&till.lock);
    till.cars++;
#ifdef FIXED
    till.revenue += cents;
    pthread_mutex_unlock(&till.lock);
#else
    pthread_mutex_unlock(&till.lock);
    till.revenue += cents;              /* bug: 1, 2, 3 */
#endif
    write_log(cents);
}

static void *meter(void *arg)
{
    int id = *(int *)arg;
    for (int i = 0; i < CARS; i++)
        pay(50 + 10 * id + i);
    return NULL;
}

int main(void)
{
    pthread_t tid[METERS];
    int ids[METERS];
    long logged = 0;

    for (int i = 0; i < METERS; i++) {
        ids[i] = i;
        pthread_create(&tid[i], NULL, meter, &ids[i]);
    }
    for (int i = 0; i < METERS; i++)
        pthread_join(tid[i], NULL);

    for (int i = 0; i < log_used; i++)
        logged += log_lines[i];
    assert(till.cars == METERS * CARS);
    printf("%d cars, %ld cents\n", till.cars, till.revenue);
    assert(till.revenue == logged);
    return 0;
}
