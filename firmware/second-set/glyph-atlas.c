/*
 * A text renderer of a game: the first thread that needs a font size builds its glyph
 * atlas; others see in `ready` that it is there and lay out their strings with it.
 *
 * Bug: `ready` is set after the glyph widths are in, but before the kerning table is
 * filled; a reader in between lays out with zero kerning.
 *
 * validate:
 *   kind: publication
 *   variable: a->ready, a->kern[]
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 26
#define SIZES 4
#define DRAWERS 3

struct atlas {
    atomic_int ready;
    int px;
    unsigned char width[LETTERS];
    signed char kern[LETTERS];
    struct atlas *next;
};

struct font {
    pthread_mutex_t list_lock;
    struct atlas *atlases;
    pthread_mutex_t build_lock;
    int built;
};

struct label {
    const char *text;
    int px;
    int extent;
    struct label *next;
};

static struct {
    pthread_mutex_t lock;
    struct label *done;
    int count;
} screen = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct font font = {
    .list_lock = PTHREAD_MUTEX_INITIALIZER,
    .build_lock = PTHREAD_MUTEX_INITIALIZER,
};
static const char *const words[] = { "pause", "resume", "options", "quit" };

static int glyph_width(int px, int c) { return px / 2 + c % 3; }
static int glyph_kern(int px, int c)  { return 1 + (px + c) % 2; }

static struct atlas *atlas_find(int px)
{
    struct atlas *a;

    pthread_mutex_lock(&font.list_lock);
    for (a = font.atlases; a; a = a->next)
        if (a->px == px)
            break;
    if (!a) {
        a = calloc(1, sizeof *a);
        assert(a);
        atomic_init(&a->ready, 0);
        a->px = px;
        a->next = font.atlases;
        font.atlases = a;
    }
    pthread_mutex_unlock(&font.list_lock);
    return a;
}

static void atlas_build(struct atlas *a)
{
    pthread_mutex_lock(&font.build_lock);
    if (atomic_load(&a->ready)) {
        pthread_mutex_unlock(&font.build_lock);
        return;
    }
    for (int c = 0; c < LETTERS; c++)
        a->width[c] = (unsigned char)glyph_width(a->px, c);
#ifndef FIXED
    atomic_store(&a->ready, 1);                                 /* bug: 1 */
#endif
    for (int c = 0; c < LETTERS; c++)
        a->kern[c] = (signed char)glyph_kern(a->px, c);         /* bug: 3 */
    font.built++;
#ifdef FIXED
    atomic_store(&a->ready, 1);
#endif
    pthread_mutex_unlock(&font.build_lock);
}

static int layout(struct atlas *a, const char *text)
{
    int x = 0;

    for (; *text; text++) {
        int c = *text - 'a';
        x += a->width[c] - a->kern[c];                          /* bug: 2 */
    }
    return x;
}

static void draw(const char *text, int px)
{
    struct label *l = malloc(sizeof *l);
    struct atlas *a = atlas_find(px);

    assert(l);
    if (!atomic_load(&a->ready))
        atlas_build(a);
    l->text = text;
    l->px = px;
    l->extent = layout(a, text);

    pthread_mutex_lock(&screen.lock);
    l->next = screen.done;
    screen.done = l;
    screen.count++;
    pthread_mutex_unlock(&screen.lock);
}

static void *drawer(void *arg)
{
    int id = (int)(size_t)arg;

    for (int s = 0; s < SIZES; s++)
        for (int w = 0; w < 2; w++)
            draw(words[(id + w) % 4], 8 + 2 * s);
    return NULL;
}

int main(void)
{
    pthread_t tid[DRAWERS];

    for (size_t i = 0; i < DRAWERS; i++)
        pthread_create(&tid[i], NULL, drawer, (void *)i);
    for (int i = 0; i < DRAWERS; i++)
        pthread_join(tid[i], NULL);

    assert(screen.count == DRAWERS * SIZES * 2);
    assert(font.built == SIZES);
    while (screen.done) {
        struct label *l = screen.done;
        int want = 0;
        for (const char *t = l->text; *t; t++)
            want += glyph_width(l->px, *t - 'a') - glyph_kern(l->px, *t - 'a');
        assert(l->extent == want);
        screen.done = l->next;
        free(l);
    }
    while (font.atlases) {
        struct atlas *a = font.atlases;
        font.atlases = a->next;
        free(a);
    }
    return 0;
}
