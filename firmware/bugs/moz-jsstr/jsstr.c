/* The strings of a script engine, and how long they are on average.
 *
 * Two contexts run a script that makes color names and interns them; some go to a painter, who mixes them.
 * Every new string is counted, and so is its length; the memory reporter watches the mean, by which the
 * engine sizes its string arenas. All colors are seven characters long, so the mean must always be seven.
 *
 * After Moz-jsStr of Bugaboo, Table 1: the two totals are each updated atomically, but not together. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXTS 2
#define COLORS 10
#define PAINTED 5
#define PAINTS (CONTEXTS * COLORS / PAINTED)
#define COLOR_LENGTH 7
#define SAMPLES 34
#define BUCKETS 16
#define ARENA_BYTES 512
#define LINE 64

/* Strings are counted, not terminated. */
struct string {
    unsigned length;
    char *chars;
};

/* An interned string: there is one atom for each sequence of characters. */
struct atom {
    struct string *string;
    unsigned hash;
    unsigned uses;
    struct atom *next;
};

/* Memory that only one context allocates from. */
struct arena {
    char *free;
    char *limit;
};

struct runtime {
    /* Every context counts in these, so each has a line to itself. */
    _Alignas(LINE) atomic_uint total_strings;
    _Alignas(LINE) atomic_uint total_length;
    _Alignas(LINE) pthread_mutex_t meter_lock;
};

struct context {
    _Alignas(LINE) struct runtime *runtime;
    struct arena arena;
    struct atom *buckets[BUCKETS];
    unsigned atoms;
    unsigned seed;
    unsigned stack[8];
    unsigned depth;
    unsigned reused;
};

/* ---- arenas ---- */

static void arena_open(struct arena *arena) {
    arena->free = malloc(ARENA_BYTES);
    if (!arena->free) abort();
    arena->limit = arena->free + ARENA_BYTES;
}

static void *arena_allocate(struct arena *arena, size_t bytes) {
    bytes = (bytes + 7) & ~(size_t)7;
    if ((size_t)(arena->limit - arena->free) < bytes) arena_open(arena);
    void *block = arena->free;
    arena->free += bytes;
    return block;
}

/* ---- strings ---- */

/* Makes a string, and counts it in the runtime's totals. */
static struct string *new_string(struct context *context, const char *chars, unsigned length) {
    struct runtime *runtime = context->runtime;
    struct string *string = arena_allocate(&context->arena, sizeof *string);
#ifdef FIXED
    pthread_mutex_lock(&runtime->meter_lock);
#endif
    atomic_fetch_add(&runtime->total_strings, 1); /* bug: 1 */
    string->chars = arena_allocate(&context->arena, length);
    string->length = length;
    atomic_fetch_add(&runtime->total_length, length); /* bug: 4 */
#ifdef FIXED
    pthread_mutex_unlock(&runtime->meter_lock);
#endif
    memcpy(string->chars, chars, length);
    return string;
}

static int same_string(const struct string *a, const struct string *b) {
    return a->length == b->length && memcmp(a->chars, b->chars, a->length) == 0;
}

static unsigned hash_string(const struct string *string) {
    unsigned hash = 2166136261u;
    for (unsigned i = 0; i < string->length; i++) {
        hash ^= (unsigned char)string->chars[i];
        hash *= 16777619u;
    }
    return hash;
}

/* ---- atoms ---- */

static struct atom *find_atom(struct context *context, const struct string *string, unsigned hash) {
    struct atom *atom = context->buckets[hash % BUCKETS];
    while (atom && !(atom->hash == hash && same_string(atom->string, string))) atom = atom->next;
    return atom;
}

/* The atom of a string: the one that is there, or a new one. */
static struct atom *intern(struct context *context, struct string *string) {
    unsigned hash = hash_string(string);
    struct atom *atom = find_atom(context, string, hash);
    if (atom) {
        context->reused++;
    } else {
        atom = arena_allocate(&context->arena, sizeof *atom);
        atom->string = string;
        atom->hash = hash;
        atom->uses = 0;
        atom->next = context->buckets[hash % BUCKETS];
        context->buckets[hash % BUCKETS] = atom;
        context->atoms++;
    }
    atom->uses++;
    return atom;
}

/* ---- colors on their way to the painter ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    _Alignas(LINE) unsigned count;
    unsigned colors[PAINTS];
} palette = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

static void hand_over(unsigned color) {
    pthread_mutex_lock(&palette.lock);
    palette.colors[palette.count++] = color;
    pthread_cond_signal(&palette.filled);
    pthread_mutex_unlock(&palette.lock);
}

static void *run_painter(void *argument) {
    unsigned *canvas = argument;
    for (unsigned painted = 0; painted < PAINTS; painted++) {
        pthread_mutex_lock(&palette.lock);
        while (palette.count == 0) pthread_cond_wait(&palette.filled, &palette.lock);
        unsigned color = palette.colors[--palette.count];
        pthread_mutex_unlock(&palette.lock);
        for (int stroke = 0; stroke < 60; stroke++) *canvas += (color >> stroke % 24) % 5;
    }
    return NULL;
}

/* ---- the script ---- */

static void push(struct context *context, unsigned value) {
    context->stack[context->depth++ % 8] = value;
}

static unsigned pop(struct context *context) {
    return context->stack[--context->depth % 8];
}

/* A component of the next color: a step of a generator, as the script computes it. */
static void next_component(struct context *context) {
    push(context, context->seed);
    push(context, 1103515245u);
    unsigned product = pop(context) * pop(context);
    push(context, product + 12345u);
    context->seed = pop(context);
    push(context, context->seed >> 16 & 0xff);
}

/* Mixes two components until they agree in brightness; keeps a context busy as scripts do. */
static unsigned blend(unsigned a, unsigned b) {
    for (int step = 0; step < 44; step++) {
        unsigned mean = (a + b) / 2;
        if (a > b) {
            a = mean + (step & 1);
        } else {
            b = mean + (step & 3);
        }
        a = (a * 5 + b) / 6;
    }
    return (a ^ b) & 0xff;
}

static unsigned write_color(char *to, const unsigned component[3]) {
    static const char digits[] = "0123456789abcdef";
    unsigned length = 0;
    to[length++] = '#';
    for (int i = 0; i < 3; i++) {
        to[length++] = digits[component[i] >> 4];
        to[length++] = digits[component[i] & 15];
    }
    return length;
}

static void *run_script(void *argument) {
    struct context *context = argument;
    arena_open(&context->arena);
    for (int i = 0; i < COLORS; i++) {
        unsigned component[3];
        char chars[COLOR_LENGTH];
        for (int part = 0; part < 3; part++) {
            next_component(context);
            next_component(context);
            component[part] = blend(pop(context), pop(context));
        }
        unsigned length = write_color(chars, component);
        struct atom *atom = intern(context, new_string(context, chars, length));
        if (i % PAINTED == PAINTED - 1) hand_over(atom->hash);
    }
    return NULL;
}

/* ---- the memory reporter ---- */

struct report {
    unsigned samples;
    unsigned wrong;
    unsigned arena_hint;
};

/* Looks at the mean length of all strings so far, in hundredths. */
static void sample_strings(struct runtime *runtime, struct report *report) {
#ifdef FIXED
    pthread_mutex_lock(&runtime->meter_lock);
#endif
    unsigned strings = atomic_load(&runtime->total_strings); /* bug: 2 */
    unsigned length = atomic_load(&runtime->total_length);   /* bug: 3 */
#ifdef FIXED
    pthread_mutex_unlock(&runtime->meter_lock);
#endif
    if (strings == 0) return;
    unsigned mean = 100 * length / strings;
    if (mean != 100 * COLOR_LENGTH) report->wrong++;
    report->samples++;
    report->arena_hint = (mean * strings / 100 + ARENA_BYTES - 1) / ARENA_BYTES;
}

/* Between two samples the reporter draws its chart. */
static unsigned draw_chart(unsigned column, unsigned height) {
    unsigned pixels = 0;
    for (unsigned y = 0; y < 120; y++) pixels += (y * height + column) % 7 < 3;
    return pixels;
}

int main(void) {
    static struct runtime runtime = {.meter_lock = PTHREAD_MUTEX_INITIALIZER};
    static struct context contexts[CONTEXTS];
    pthread_t scripts[CONTEXTS], painter;
    struct report report = {0};
    unsigned pixels = 0, canvas = 0, atoms = 0, reused = 0;
    for (unsigned i = 0; i < CONTEXTS; i++) {
        contexts[i].runtime = &runtime;
        contexts[i].seed = 17 + 29 * i;
        pthread_create(&scripts[i], NULL, run_script, &contexts[i]);
    }
    pthread_create(&painter, NULL, run_painter, &canvas);
    for (unsigned i = 0; i < SAMPLES; i++) {
        sample_strings(&runtime, &report);
        pixels += draw_chart(i, report.arena_hint);
    }
    for (int i = 0; i < CONTEXTS; i++) {
        pthread_join(scripts[i], NULL);
        atoms += contexts[i].atoms;
        reused += contexts[i].reused;
    }
    pthread_join(painter, NULL);
    printf("%u atoms, %u reused, %u samples, %u wrong, %u pixels, canvas %u\n", atoms, reused,
           report.samples, report.wrong, pixels, canvas);
    return report.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
