/* A reader that asks for the writer's lock: it waits for itself, in every order. */
#include <pthread.h>

static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

static void *adder(void *unused)
{
    pthread_rwlock_rdlock(&table_lock);
    if (entries == 0) {
        pthread_rwlock_wrlock(&table_lock);
        entries++;
        pthread_rwlock_unlock(&table_lock);
    }
    pthread_rwlock_unlock(&table_lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, adder, NULL);
    pthread_join(thread, NULL);
    return 0;
}
