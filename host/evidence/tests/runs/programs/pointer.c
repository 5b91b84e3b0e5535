/* A pointer that is used before it is set, cleared too early, or read from a freed block; to data, to a
 * function, and in the library's hands. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef CASE
#define CASE 0
#endif

struct node {
    int value;
    struct node *volatile next;
};

static struct node *volatile shared;
static volatile int sum, go;
static int (*volatile handler)(int);
static char *volatile text;

static void *reader(void *unused) {
#if CASE == 2
    struct node *first = shared;
    while (!go) {}
    sum += first->next->value; /* @use */
#elif CASE == 5
    sum += shared->next->value; /* @use */
#elif CASE == 3
    sum += handler(1) + 1; /* @use */
#elif CASE == 4
    sum += (int)strlen(text); /* @use */
#else
    sum += shared->value; /* @use */
#endif
    return unused;
}

static struct node *make(struct node *next) {
    struct node *made = malloc(sizeof *made); /* @allocate */
    made->value = 1;
    made->next = next; /* @no-next */
    return made;
}

int main(void) {
    pthread_t thread;
#if CASE == 0
    pthread_create(&thread, NULL, reader, NULL);
    shared = make(NULL); /* @publish */
    pthread_join(thread, NULL);
#elif CASE == 1
    shared = make(NULL);
    pthread_create(&thread, NULL, reader, NULL);
    shared = NULL; /* @clear */
    pthread_join(thread, NULL);
#elif CASE == 3
    pthread_create(&thread, NULL, reader, NULL);
    handler = abs; /* @publish */
    pthread_join(thread, NULL);
#elif CASE == 4
    pthread_create(&thread, NULL, reader, NULL);
    text = "text"; /* @publish */
    pthread_join(thread, NULL);
#elif CASE == 5
    free(make(NULL)); /* @freed-before */
    shared = realloc(make(NULL), sizeof *shared);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
#else
    shared = make(make(NULL));
    pthread_create(&thread, NULL, reader, NULL);
    memset(shared, 0xff, sizeof *shared); /* @scribble */
    free(shared); /* @free */
    go = 1;
    pthread_join(thread, NULL);
#endif
    return 0;
}
