/*
 * build-tracker.c: a build system's job tracker.
 *
 * Compile jobs run in threads of their own; the link step (one more thread)
 * compiles the start-up code, waits until no job is active and then adds up
 * the object sizes.  A job registers itself as active when it begins to run,
 * not when it is started, so the link step may find "nothing active" before
 * some job has begun.
 *
 * validate:
 *   kind: order
 *   variable: trk.active, trk.obj_size[]
 *   threads: 5
 *   fails-by: exit
 *   rare: yes
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define NJOBS 3

static const char *const unit[NJOBS] = { "lexer.c", "parser.c", "emit.c" };

static struct tracker {
    pthread_mutex_t mu;
    pthread_cond_t idle;
    int active;
    int obj_size[NJOBS];
} trk = { .mu = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER };

static void job_begin(void)
{
    pthread_mutex_lock(&trk.mu);
    trk.active++; /* bug: 3 */
    pthread_mutex_unlock(&trk.mu);
}

static void job_end(int n, int size)
{
    pthread_mutex_lock(&trk.mu);
    trk.obj_size[n] = size; /* bug: 4 */
    if (--trk.active == 0)
        pthread_cond_signal(&trk.idle);
    pthread_mutex_unlock(&trk.mu);
}

static int compile(const char *src, int passes)
{
    volatile int size = 64;
    while (passes-- > 0)
        for (size_t i = 0; src[i]; i++)
            size += (src[i] * 7 + passes) % 50 - 20;
    return size < 64 ? 64 : size;
}

static void *compile_job(void *arg)
{
    int n = *(int *)arg;
#ifndef FIXED
    job_begin(); /* bug */
#endif
    job_end(n, compile(unit[n], 4));
    return NULL;
}

static int link_objects(void)
{
    int total = 0;

    pthread_mutex_lock(&trk.mu);
    while (trk.active > 0) /* bug: 1 */
        pthread_cond_wait(&trk.idle, &trk.mu);
    for (int i = 0; i < NJOBS; i++) {
        if (trk.obj_size[i] == 0) { /* bug: 2 */
            fprintf(stderr, "%s: no object file\n", unit[i]);
            total = -1;
            break;
        }
        total += trk.obj_size[i];
    }
    pthread_mutex_unlock(&trk.mu);
    return total;
}

static void *link_step(void *arg)
{
    int crt0, size;
    (void)arg;
    crt0 = compile("crt0.c", 120);
    size = link_objects();
    return (void *)(intptr_t)(size < 0 ? size : size + crt0);
}

int main(void)
{
    static int num[NJOBS];
    pthread_t t[NJOBS], lt;
    void *r;
    int size;

    for (int i = 0; i < NJOBS; i++) {
        num[i] = i;
#ifdef FIXED
        job_begin();
#endif
        pthread_create(&t[i], NULL, compile_job, &num[i]);
    }
    pthread_create(&lt, NULL, link_step, NULL);
    pthread_join(lt, &r);
    size = (int)(intptr_t)r;
    for (int i = 0; i < NJOBS; i++)
        pthread_join(t[i], NULL);
    printf("a.out: %d bytes\n", size);
    return size < 0;
}
