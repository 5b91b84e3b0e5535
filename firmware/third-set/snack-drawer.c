/*
 * One parent fills a drawer with snacks, two children empty it. The drawer is
 * large enough for everything, so only the children ever wait.
 *
 * Bug: the child waits inside an `if`. When it comes back from the wait, the
 * other child may have taken the snack it was woken for.
 *
 * validate:
 *   kind: check-then-act
 *   variable: drawer.count
 *   threads: 4
 *   fails-by: assertion
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define EACH 4
#define CHILDREN 2
#define SNACKS (EACH * CHILDREN)

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    int count;
    int snack[SNACKS];
} drawer = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, { 0 } };

static int eaten[CHILDREN];

static void drawer_put(int snack)
{
    pthread_mutex_lock(&drawer.lock);
    drawer.snack[drawer.count] = snack;
    drawer.count++;                                         /* bug: 2 */
    pthread_cond_signal(&drawer.filled);
    pthread_mutex_unlock(&drawer.lock);
}

static int drawer_take(void)
{
    int snack;

    pthread_mutex_lock(&drawer.lock);
#ifdef FIXED
    while (drawer.count == 0)
#else
    if (drawer.count == 0)                                  /* bug: 1 */
#endif
        pthread_cond_wait(&drawer.filled, &drawer.lock);    /* bug */
    assert(drawer.count > 0);                               /* bug: 4 */
    drawer.count--;                                         /* bug: 3 */
    snack = drawer.snack[drawer.count];
    pthread_mutex_unlock(&drawer.lock);
    return snack;
}

static void *parent(void *unused)
{
    (void)unused;
    for (int i = 1; i <= SNACKS; i++)
        drawer_put(i);
    return NULL;
}

static void *child(void *arg)
{
    int *mine = arg;

    for (int i = 0; i < EACH; i++)
        *mine += drawer_take();
    return NULL;
}

int main(void)
{
    pthread_t p, c[CHILDREN];

    for (int i = 0; i < CHILDREN; i++)
        pthread_create(&c[i], NULL, child, &eaten[i]);
    pthread_create(&p, NULL, parent, NULL);
    pthread_join(p, NULL);
    for (int i = 0; i < CHILDREN; i++)
        pthread_join(c[i], NULL);
    assert(eaten[0] + eaten[1] == SNACKS * (SNACKS + 1) / 2);
    puts("drawer empty");
    return 0;
}
