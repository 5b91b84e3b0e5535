/*
 * build-gate.c - compile threads wait until the generated header is there.
 *
 * Bug: wait_header() tests `header_ready` before taking the lock, and then
 * waits without testing again.  If the generator announces the header between
 * the test and the wait, the announcement is missed for ever.
 *
 * validate:
 *   kind: missed-signal
 *   variable: header_ready, header_cond
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COMPILERS 2

static pthread_mutex_t header_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t header_cond = PTHREAD_COND_INITIALIZER;
static atomic_bool header_ready;
static char header[64];

static void wait_header(void)
{
#ifdef FIXED
    pthread_mutex_lock(&header_lock);
    while (!header_ready)
        pthread_cond_wait(&header_cond, &header_lock);
    pthread_mutex_unlock(&header_lock);
#else
    if (!header_ready) {                                    /* bug: 1 */
        pthread_mutex_lock(&header_lock);
        pthread_cond_wait(&header_cond, &header_lock);      /* bug: 4 */
        pthread_mutex_unlock(&header_lock);
    }
#endif
}

static void *generator(void *arg)
{
    const char *defs[] = { "#define A 1\n", "#define B 2\n", "#define C 3\n" };
    char text[64] = "";

    for (int i = 0; i < 3; i++)
        strcat(text, defs[i]);
    pthread_mutex_lock(&header_lock);
    memcpy(header, text, sizeof text);
    header_ready = true;                                    /* bug: 2 */
    pthread_cond_broadcast(&header_cond);                   /* bug: 3 */
    pthread_mutex_unlock(&header_lock);
    return arg;
}

static int preprocess(const char *src)
{
    int n = 0;

    for (; *src; src++)
        n += *src == ';';
    return n;
}

static void *compiler(void *arg)
{
    int *lines = arg;

    *lines = preprocess("int x; int y; char *p; long q;");
    wait_header();
    for (const char *p = header; *p; p++)
        *lines += *p == '\n';
    return NULL;
}

int main(void)
{
    pthread_t g, c[COMPILERS];
    int lines[COMPILERS];

    for (int i = 0; i < COMPILERS; i++)
        pthread_create(&c[i], NULL, compiler, &lines[i]);
    pthread_create(&g, NULL, generator, NULL);
    pthread_join(g, NULL);
    for (int i = 0; i < COMPILERS; i++)
        pthread_join(c[i], NULL);
    printf("%d and %d lines\n", lines[0], lines[1]);
    return lines[0] == 7 && lines[1] == 7 ? 0 : 1;
}
