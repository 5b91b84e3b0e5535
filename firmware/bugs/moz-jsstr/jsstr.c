/* The strings of a script engine, and how long they are on average.
 *
 * Two contexts run a script that makes color names and interns them. Every new string is counted, and so is
 * its length; the memory reporter watches the mean, by which the engine sizes its string arenas. A third
 * thread sweeps the table of atoms. All colors are seven characters long, so the mean must always be seven.
 *
 * After Moz-jsStr of Bugaboo, Table 1: the two totals are each updated atomically, but not together. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXTS 2
#define COLORS 14
#define COLOR_LENGTH 7
#define SAMPLES 34
#define SWEEPS 5
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
    pthread_mutex_t atom_lock;
    _Alignas(LINE) struct atom *buckets[BUCKETS];
    unsigned atoms;
    /* Every context counts in these, so each has a line to itself. */
    _Alignas(LINE) atomic_uint total_strings;
    _Alignas(LINE) atomic_uint total_length;
    _Alignas(LINE) pthread_mutex_t meter_lock;
};

struct context {
    struct runtime *runtime;
    struct arena arena;
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

static struct atom *find_atom(struct runtime *runtime, const struct string *string, unsigned hash) {
    struct atom *atom = runtime->buckets[hash % BUCKETS];
    while (atom && !(atom->hash == hash && same_string(atom->string, string))) atom = atom->next;
    return atom;
}

/* The atom of a string: the one that is there, or a new one. */
static struct atom *intern(struct context *context, struct string *string) {
    struct runtime *runtime = context->runtime;
    unsigned hash = hash_string(string);
    pthread_mutex_lock(&runtime->atom_lock);
    struct atom *atom = find_atom(runtime, string, hash);
    if (atom) {
        context->reused++;
    } else {
        atom = arena_allocate(&context->arena, sizeof *atom);
        atom->string = string;
        atom->hash = hash;
        atom->uses = 0;
        atom->next = runtime->buckets[hash % BUCKETS];
        runtime->buckets[hash % BUCKETS] = atom;
        runtime->atoms++;
    }
    atom->uses++;
    pthread_mutex_unlock(&runtime->atom_lock);
    return atom;
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
    for (int step = 0; step < 24; step++) {
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
        intern(context, new_string(context, chars, length));
    }
    return NULL;
}

/* ---- the sweeper ---- */

/* Ages every atom, as the mark phase of a collection does; gives how many there are. */
static unsigned sweep_atoms(struct runtime *runtime) {
    unsigned alive = 0;
    pthread_mutex_lock(&runtime->atom_lock);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        for (struct atom *atom = runtime->buckets[bucket]; atom; atom = atom->next) {
            alive += atom->uses > 0;
        }
    }
    if (alive != runtime->atoms) abort();
    pthread_mutex_unlock(&runtime->atom_lock);
    return alive;
}

static void *run_sweeper(void *argument) {
    struct runtime *runtime = argument;
    unsigned pause = 1;
    for (int i = 0; i < SWEEPS; i++) {
        for (int turn = 0; turn < 1200; turn++) pause = pause * 69069u + 1;
        sweep_atoms(runtime);
    }
    return (void *)(uintptr_t)(pause & 1);
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
    static struct runtime runtime = {
        .atom_lock = PTHREAD_MUTEX_INITIALIZER,
        .meter_lock = PTHREAD_MUTEX_INITIALIZER,
    };
    static struct context contexts[CONTEXTS];
    pthread_t scripts[CONTEXTS], sweeper;
    struct report report = {0};
    unsigned pixels = 0, reused = 0;
    for (unsigned i = 0; i < CONTEXTS; i++) {
        contexts[i] = (struct context){.runtime = &runtime, .seed = 17 + 29 * i};
        pthread_create(&scripts[i], NULL, run_script, &contexts[i]);
    }
    pthread_create(&sweeper, NULL, run_sweeper, &runtime);
    for (unsigned i = 0; i < SAMPLES; i++) {
        sample_strings(&runtime, &report);
        pixels += draw_chart(i, report.arena_hint);
    }
    for (int i = 0; i < CONTEXTS; i++) {
        pthread_join(scripts[i], NULL);
        reused += contexts[i].reused;
    }
    pthread_join(sweeper, NULL);
    sample_strings(&runtime, &report);
    printf("%u atoms, %u reused, %u samples, %u wrong, %u pixels\n", sweep_atoms(&runtime), reused,
           report.samples, report.wrong, pixels);
    return report.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
