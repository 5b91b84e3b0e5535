/* Functions that run at the end, last registered first. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first registered, last run"); }
static void second(void) { puts("second"); }

static void third(void)
{
    puts("third registers another");
    atexit(second);
}

static void *leave(void *arg)
{
    (void)arg;
    printf("a thread ends the program\n");
    exit(5);
}

int main(void)
{
    pthread_t t;
    atexit(first);
    atexit(third);
    pthread_create(&t, NULL, leave, NULL);
    pthread_join(t, NULL);
    return 1;
}
