/*
 * The widths of a font's glyphs, in a list that is searched from the front.
 * A glyph that was asked for comes to the front. Several threads lay out text;
 * another changes the size.
 *
 * Bug: glyph_width() moves the glyph within the list, but holds the lock for
 * reading only. Two readers that move glyphs at once lose one, or make a ring.
 *
 * validate:
 *   kind: readers-writers
 *   variable: font.first, glyph->next
 *   threads: 5
 *   fails-by: assertion
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define GLYPHS 8
#define LAYOUTS 3
#define RESIZES 3

struct glyph {
    char letter;
    int width;
    struct glyph *next;
};

static struct {
    pthread_rwlock_t lock;
    struct glyph *first;
    struct glyph glyphs[GLYPHS];
    int size;
} font = { .lock = PTHREAD_RWLOCK_INITIALIZER, .size = 1 };

static const int units[GLYPHS] = { 7, 9, 8, 9, 6, 5, 9, 10 };

static const char *const texts[LAYOUTS] = {
    "cabbagefacehad", "headbeachdeafeg", "gabfedbadcafeha",
};

static void font_init(void)
{
    for (int i = GLYPHS - 1; i >= 0; i--) {
        font.glyphs[i] = (struct glyph){ (char)('a' + i), units[i], font.first };
        font.first = &font.glyphs[i];
    }
}

/* Its width in units of the font's size. */
static int glyph_width(char letter)
{
    struct glyph *g, *before = NULL;
    int seen = 1, width;

#ifdef FIXED
    pthread_rwlock_wrlock(&font.lock);
#else
    pthread_rwlock_rdlock(&font.lock);          /* bug */
#endif
    g = font.first;
    while (g && g->letter != letter) {
        before = g;
        g = g->next;                            /* bug: 4 */
        seen++;
        assert(seen <= GLYPHS + 1);             /* bug */
    }
    assert(g);                                  /* bug */
    if (before) {
        before->next = g->next;                 /* bug */
        g->next = font.first;                   /* bug: 1 */
        font.first = g;                         /* bug: 2, 3 */
    }
    width = g->width / font.size;
    pthread_rwlock_unlock(&font.lock);
    return width;
}

static void font_resize(int size)
{
    pthread_rwlock_wrlock(&font.lock);
    for (int i = 0; i < GLYPHS; i++)
        font.glyphs[i].width = units[i] * size;
    font.size = size;
    pthread_rwlock_unlock(&font.lock);
}

struct layout {
    pthread_t thread;
    const char *text;
    int width;
};

static void *lay_out(void *arg)
{
    struct layout *l = arg;

    for (const char *c = l->text; *c; c++)
        l->width += glyph_width(*c);
    return NULL;
}

static void *zoom(void *arg)
{
    for (int i = 0; i < RESIZES; i++)
        font_resize(2 + i);
    return arg;
}

int main(void)
{
    struct layout layouts[LAYOUTS];
    pthread_t zoomer;
    int wrong = 0;

    font_init();
    for (int i = 0; i < LAYOUTS; i++) {
        layouts[i] = (struct layout){ .text = texts[i] };
        if (pthread_create(&layouts[i].thread, NULL, lay_out, &layouts[i]) != 0)
            abort();
    }
    if (pthread_create(&zoomer, NULL, zoom, NULL) != 0)
        abort();
    pthread_join(zoomer, NULL);
    for (int i = 0; i < LAYOUTS; i++) {
        int expected = 0;

        pthread_join(layouts[i].thread, NULL);
        for (const char *c = texts[i]; *c; c++)
            expected += units[*c - 'a'];
        wrong += layouts[i].width != expected;
    }
    for (char letter = 'a'; letter < 'a' + GLYPHS; letter++)
        wrong += glyph_width(letter) != units[letter - 'a'];
    printf("%d widths wrong\n", wrong);
    return wrong ? 1 : 0;
}
