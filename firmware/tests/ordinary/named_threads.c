/* Threads with names. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t named;

static void *run(void *arg)
{
    char name[16];
    if (arg)
        pthread_setname_np(pthread_self(), arg);
    pthread_barrier_wait(&named);
    pthread_barrier_wait(&named);
    pthread_getname_np(pthread_self(), name, sizeof name);
    return (void *)(size_t)name[0];
}

int main(void)
{
    pthread_t reader, writer;
    char name[16];
    void *first;
    pthread_barrier_init(&named, NULL, 3);
    pthread_create(&reader, NULL, run, "reader");
    pthread_create(&writer, NULL, run, NULL);
    pthread_barrier_wait(&named);
    pthread_getname_np(reader, name, sizeof name);
    printf("%s\n", name);
    printf("%d\n", pthread_setname_np(writer, "Writer"));
    printf("too long: %d\n", pthread_setname_np(writer, "a name that is too long") == ERANGE);
    pthread_getname_np(writer, name, sizeof name);
    printf("%s\n", name);
    pthread_barrier_wait(&named);
    pthread_join(reader, &first);
    printf("%c", (int)(size_t)first);
    pthread_join(writer, &first);
    printf("%c\n", (int)(size_t)first);
    pthread_barrier_destroy(&named);
    return 0;
}
