/* Two locks in opposite orders, taken in a function of the program's own, which the compiler puts into its callers. */
#include <pthread.h>

struct shelf {
    pthread_mutex_t lock;
    int boxes;
};

static struct shelf left = { PTHREAD_MUTEX_INITIALIZER, 3 };
static struct shelf right = { PTHREAD_MUTEX_INITIALIZER, 3 };

static inline __attribute__((always_inline)) void enter(struct shelf *shelf)
{
    pthread_mutex_lock(&shelf->lock);
}

static void leave(struct shelf *shelf)
{
    pthread_mutex_unlock(&shelf->lock);
}

static void *to_the_right(void *unused)
{
    enter(&left); /* @left first */
    left.boxes--;
    enter(&right); /* @right second */
    right.boxes++;
    leave(&right);
    leave(&left);
    return unused;
}

static void *to_the_left(void *unused)
{
    enter(&right); /* @right first */
    right.boxes--;
    enter(&left); /* @left second */
    left.boxes++;
    leave(&left);
    leave(&right);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, to_the_right, NULL);
    pthread_create(&threads[1], NULL, to_the_left, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
