/*
 * shelf-tree.c
 *
 * A tree of warehouse areas, each with a mutex and a number of boxes.  A box
 * that arrives somewhere is counted in the area and in its parent.  A
 * stocktaker collects the boxes of children from the parent downwards.
 *
 * Bug: deliver() locks the child, then the parent; collect() locks the
 * parent, then the child.
 *
 * validate:
 *   kind: deadlock
 *   variable: child->lock, parent->lock
 *   threads: 3
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct area {
    const char *name;
    pthread_mutex_t lock;
    int boxes;                  /* in this area, children included */
    struct area *parent;
    struct area *kid[2];
};

static struct area hall, rack, cage;

static void setup(struct area *a, const char *name, struct area *parent)
{
    a->name = name;
    a->parent = parent;
    pthread_mutex_init(&a->lock, NULL);
    if (parent)
        parent->kid[parent->kid[0] != NULL] = a;
}

static void deliver(struct area *child, int n)
{
    struct area *parent = child->parent;

#ifdef FIXED
    /* order: from the root to the leaves */
    pthread_mutex_lock(&parent->lock);
    pthread_mutex_lock(&child->lock);
#else
    pthread_mutex_lock(&child->lock);                   /* bug: 1 */
    pthread_mutex_lock(&parent->lock);                  /* bug: 3 */
#endif
    child->boxes += n;
    parent->boxes += n;
    pthread_mutex_unlock(&parent->lock);
    pthread_mutex_unlock(&child->lock);
}

static int collect(struct area *parent)
{
    int taken = 0;

    pthread_mutex_lock(&parent->lock);                  /* bug: 2 */
    for (int i = 0; i < 2; i++) {
        struct area *child = parent->kid[i];

        pthread_mutex_lock(&child->lock);               /* bug: 4 */
        taken += child->boxes;
        parent->boxes -= child->boxes;
        child->boxes = 0;
        pthread_mutex_unlock(&child->lock);
    }
    pthread_mutex_unlock(&parent->lock);
    return taken;
}

static void *truck(void *arg)
{
    (void)arg;
    for (int i = 0; i < 10; i++)
        deliver(i % 3 ? &rack : &cage, i + 1);
    return NULL;
}

static void *stocktaker(void *arg)
{
    int *taken = arg;

    for (int i = 0; i < 4; i++)
        *taken += collect(&hall);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int taken = 0;

    setup(&hall, "hall", NULL);
    setup(&rack, "rack", &hall);
    setup(&cage, "cage", &hall);
    pthread_create(&a, NULL, truck, NULL);
    pthread_create(&b, NULL, stocktaker, &taken);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    taken += collect(&hall);
    printf("%d boxes collected from %s\n", taken, hall.name);
    assert(taken == 55 && hall.boxes == 0);
    return 0;
}
