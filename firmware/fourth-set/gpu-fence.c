/*
 * A graphics driver. The program submits a frame and waits at the fence until
 * the graphics processor, here a thread, has passed it.
 *
 * Bug: fence_wait() looks at the fence's value without its lock, and takes the
 * lock only to wait. If the frame is finished in between, the broadcast comes
 * before the wait, and there will be no other.
 *
 * validate:
 *   kind: missed-signal
 *   variable: fence->value
 *   threads: 2
 *   fails-by: hang
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAMES 10
#define VERTICES 12

struct fence {
    pthread_mutex_t lock;
    pthread_cond_t passed;
    atomic_uint value;          /* the last frame that is finished */
};

struct frame {
    unsigned number;
    int vertices[VERTICES];
    int area;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t submitted;
    struct frame *pending;
    int closed;
    struct fence fence;
} gpu = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .submitted = PTHREAD_COND_INITIALIZER,
    .fence = { .lock = PTHREAD_MUTEX_INITIALIZER, .passed = PTHREAD_COND_INITIALIZER },
};

static void fence_signal(struct fence *f, unsigned value)
{
#ifdef FIXED
    pthread_mutex_lock(&f->lock);
    atomic_store(&f->value, value);
    pthread_cond_broadcast(&f->passed);
    pthread_mutex_unlock(&f->lock);
#else
    atomic_store(&f->value, value);             /* bug: 2 */
    pthread_cond_broadcast(&f->passed);         /* bug: 3 */
#endif
}

static void fence_wait(struct fence *f, unsigned value)
{
#ifdef FIXED
    pthread_mutex_lock(&f->lock);
    while (atomic_load(&f->value) < value)
        pthread_cond_wait(&f->passed, &f->lock);
    pthread_mutex_unlock(&f->lock);
#else
    while (atomic_load(&f->value) < value) {    /* bug: 1 */
        pthread_mutex_lock(&f->lock);
        pthread_cond_wait(&f->passed, &f->lock);                /* bug: 4 */
        pthread_mutex_unlock(&f->lock);
    }
#endif
}

static void gpu_submit(struct frame *f)
{
    pthread_mutex_lock(&gpu.lock);
    gpu.pending = f;
    pthread_cond_signal(&gpu.submitted);
    pthread_mutex_unlock(&gpu.lock);
}

static void gpu_close(void)
{
    pthread_mutex_lock(&gpu.lock);
    gpu.closed = 1;
    pthread_cond_signal(&gpu.submitted);
    pthread_mutex_unlock(&gpu.lock);
}

static int area_of(const int *v)
{
    int twice = 0;

    for (int i = 0; i < VERTICES; i += 2) {
        int next = (i + 2) % VERTICES;

        twice += v[i] * v[next + 1] - v[next] * v[i + 1];
    }
    return twice < 0 ? -twice / 2 : twice / 2;
}

static void *gpu_thread(void *arg)
{
    for (;;) {
        struct frame *f;

        pthread_mutex_lock(&gpu.lock);
        while (!gpu.pending && !gpu.closed)
            pthread_cond_wait(&gpu.submitted, &gpu.lock);
        f = gpu.pending;
        gpu.pending = NULL;
        pthread_mutex_unlock(&gpu.lock);
        if (!f)
            return arg;
        f->area = area_of(f->vertices);
        fence_signal(&gpu.fence, f->number);
    }
}

/* The program's side: turns a polygon a bit further. */
static void build(struct frame *f, unsigned number)
{
    f->number = number;
    f->area = -1;
    for (int i = 0; i < VERTICES; i++)
        f->vertices[i] = (i * 13 + (int)number * 5) % 40 - 20;
}

int main(void)
{
    static struct frame frame;
    pthread_t thread;
    int wrong = 0;

    if (pthread_create(&thread, NULL, gpu_thread, NULL) != 0)
        abort();
    for (unsigned number = 1; number <= FRAMES; number++) {
        unsigned sound = number;

        build(&frame, number);
        gpu_submit(&frame);
        for (int i = 0; i < 20; i++)    /* meanwhile, the music */
            sound = sound * 3 + 1;
        fence_wait(&gpu.fence, number);
        if (frame.area != area_of(frame.vertices) || sound == 0)
            wrong++;
    }
    gpu_close();
    pthread_join(thread, NULL);
    printf("%d frames, %d wrong\n", FRAMES, wrong);
    return wrong ? 1 : 0;
}
