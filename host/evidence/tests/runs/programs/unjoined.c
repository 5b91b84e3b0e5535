/* Main does not wait for what a thread computes: it fails unless the thread happens to be fast. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int result;

static void *compute(void *unused)
{
    (void)unused;
    atomic_store(&result, 7); /* @compute */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    int seen = atomic_load(&result); /* @look */
    pthread_join(thread, NULL);
    return seen == 7 ? 0 : 3;
}
