/*
 * Texture pool of a small game engine.
 *
 * Draw threads share textures and drop their reference when their frame is
 * finished; whoever drops the last one gives the texture's VRAM page back.
 * TexRelease() decrements and tests in two separate atomic steps, so two
 * threads may both see zero and the page goes back twice.
 *
 * validate:
 *   kind: lifetime
 *   variable: tex->refs
 *   threads: 4
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define TEX_COUNT   4
#define DRAW_THREADS 3

typedef struct Texture {
    atomic_int refs;
    int page;
    int draws[DRAW_THREADS];
} Texture;

typedef struct Vram {
    pthread_mutex_t mutex;
    int used[TEX_COUNT];
    int pages_free;
} Vram;

static Vram    s_vram = { PTHREAD_MUTEX_INITIALIZER, { 0 }, TEX_COUNT };
static Texture s_tex[TEX_COUNT];

static void VramGiveBack(Vram *v, int page)
{
    pthread_mutex_lock(&v->mutex);
    assert(v->used[page]);      /* double free of a page */
    v->used[page] = 0;
    v->pages_free++;
    pthread_mutex_unlock(&v->mutex);
}

static int VramTake(Vram *v)
{
    int page = -1;
    pthread_mutex_lock(&v->mutex);
    for (int i = 0; i < TEX_COUNT && page < 0; i++)
        if (!v->used[i])
            page = i;
    if (page >= 0) {
        v->used[page] = 1;
        v->pages_free--;
    }
    pthread_mutex_unlock(&v->mutex);
    return page;
}

static void TexRelease(Texture *tex)
{
#ifdef FIXED
    if (atomic_fetch_sub(&tex->refs, 1) == 1)
#else
    atomic_fetch_sub(&tex->refs, 1); /* bug: 1, 2 */
    if (atomic_load(&tex->refs) == 0) /* bug: 3, 4 */
#endif
        VramGiveBack(&s_vram, tex->page);
}

static void *DrawThread(void *arg)
{
    int me = (int)(long)arg;
    for (int i = 0; i < TEX_COUNT; i++) {
        Texture *tex = &s_tex[(i + me) % TEX_COUNT];
        for (int tri = 0; tri < 6 + me * 2; tri++)
            tex->draws[me]++;
        TexRelease(tex);
    }
    return NULL;
}

int main(void)
{
    pthread_t th[DRAW_THREADS];
    int draws = 0;

    for (int i = 0; i < TEX_COUNT; i++) {
        s_tex[i].page = VramTake(&s_vram);
        atomic_init(&s_tex[i].refs, DRAW_THREADS);
    }
    for (long i = 0; i < DRAW_THREADS; i++)
        pthread_create(&th[i], NULL, DrawThread, (void *)i);
    for (int i = 0; i < DRAW_THREADS; i++)
        pthread_join(th[i], NULL);
    for (int i = 0; i < TEX_COUNT; i++)
        for (int k = 0; k < DRAW_THREADS; k++)
            draws += s_tex[i].draws[k];
    printf("%d triangles, %d pages free\n", draws, s_vram.pages_free);
    assert(s_vram.pages_free == TEX_COUNT);
    return 0;
}
