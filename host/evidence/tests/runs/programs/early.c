/* A thread uses a pointer that main sets only after it has created the thread. */
#include <pthread.h>

static int value;
static int *volatile shared;

static void *user(void *unused)
{
    (void)unused;
    *shared = 1; /* @use */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    shared = &value; /* @set */
    pthread_join(thread, NULL);
    return 0;
}
