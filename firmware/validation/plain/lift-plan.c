/* lift-plan.c -- two lifts serve a list of calls; a dispatcher mutex hands
 * out the calls.  The distance a lift travels for a call is checked.
 *
 * Bug: the assertion is wrong for one of the calls: the call from floor 0 to
 * the roof travels TOP floors, which is allowed, but the check says "less".
 *
 * validate:
 *   kind: plain
 *   variable: way
 *   threads: 3
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define TOP 12

struct call { int from, to; };

static const struct call calls[] = {
    { 3, 7 }, { 9, 1 }, { 5, 5 }, { 2, 11 }, { 0, 12 }, { 12, 6 }, { 8, 4 },
};
#define NCALLS ((int)(sizeof calls / sizeof calls[0]))

static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static int next_call;
static int travelled;

static int serve(const struct call *c)
{
    int way = abs(c->to - c->from);

#ifdef FIXED
    assert(way <= TOP);
#else
    assert(way < TOP);                          /* bug */
#endif
    return way;
}

static void *lift(void *arg)
{
    int k, way;

    for (;;) {
        pthread_mutex_lock(&desk);
        k = next_call < NCALLS ? next_call++ : -1;
        pthread_mutex_unlock(&desk);
        if (k < 0)
            break;
        way = serve(&calls[k]);
        pthread_mutex_lock(&desk);
        travelled += way;
        pthread_mutex_unlock(&desk);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, lift, NULL);
    pthread_create(&b, NULL, lift, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d floors\n", travelled);
    return 0;
}
