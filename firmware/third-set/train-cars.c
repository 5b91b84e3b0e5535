/*
 * A train is a list of cars with a lock in each. A shunter takes cars out of
 * the train while two inspectors walk through it, hand over hand.
 *
 * Bug: the inspector lets go of one car before it holds the next one. In
 * between the shunter can uncouple and free just that car.
 *
 * validate:
 *   kind: lifetime
 *   variable: car->next, car->weight
 *   threads: 4
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CARS 6
#define SCRAP (-1)

struct car {
    int number;
    int weight;
    struct car *next;
    pthread_mutex_t lock;
};

static struct car *engine;          /* is never taken out */

static struct car *couple(int number, struct car *next)
{
    struct car *car = malloc(sizeof *car);

    if (car == NULL)
        abort();
    car->number = number;
    car->weight = 10 + number;
    car->next = next;
    pthread_mutex_init(&car->lock, NULL);
    return car;
}

static void scrap(struct car *car)
{
    car->weight = SCRAP;                            /* bug: 3 */
    free(car);                                      /* bug */
}

static void uncouple(int number)
{
    struct car *before = engine;

    pthread_mutex_lock(&before->lock);
    for (;;) {
        struct car *car = before->next;

        if (car == NULL)
            break;
        pthread_mutex_lock(&car->lock);
        if (car->number == number) {
            before->next = car->next;               /* bug: 2 */
            pthread_mutex_unlock(&car->lock);
            scrap(car);
            break;
        }
        pthread_mutex_unlock(&before->lock);
        before = car;
    }
    pthread_mutex_unlock(&before->lock);
}

static int inspect(void)
{
    struct car *car = engine;
    int sum = 0;

    pthread_mutex_lock(&car->lock);
    for (;;) {
        struct car *next = car->next;               /* bug: 1 */

        assert(car->weight != SCRAP);               /* bug: 4 */
        sum += car->weight;
        if (next == NULL)
            break;
#ifdef FIXED
        pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&car->lock);
#else
        pthread_mutex_unlock(&car->lock);           /* bug */
        pthread_mutex_lock(&next->lock);            /* bug */
#endif
        car = next;
    }
    pthread_mutex_unlock(&car->lock);
    return sum;
}

static void *inspector(void *arg)
{
    int *last = arg;

    for (int i = 0; i < 2; i++)
        *last = inspect();
    return NULL;
}

static void *shunter(void *arg)
{
    uncouple(4);
    uncouple(2);
    return arg;
}

int main(void)
{
    pthread_t a, b, s;
    int first = 0, second = 0;

    for (int n = CARS; n >= 0; n--)
        engine = couple(n, engine);
    pthread_create(&a, NULL, inspector, &first);
    pthread_create(&s, NULL, shunter, NULL);
    pthread_create(&b, NULL, inspector, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(s, NULL);
    printf("%d tons left\n", inspect());
    assert(first >= 65 && second >= 65);
    return 0;
}
