/* A script interpreter with a cache of global variables.
 *
 * Two windows each execute a script that reads globals and prints to one console; meanwhile the loader
 * defines more globals of the first. A definition moves all variables to a larger vector, so cached
 * positions become worthless and the cache is emptied, unless its flag says that it is empty already: most
 * definitions come in rows.
 *
 * After Moz-jsInterp of Bugaboo, Table 1: filling an entry and clearing the flag `empty` are not one step. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOWS 2
#define ROUNDS 9
#define CACHE_ENTRIES 4
#define NAMES 20
#define PREDEFINED 4
#define PROFILED 16
#define CONSOLE_LINES 4
#define LINE 64

/* ---- variables ---- */

struct variable {
    unsigned name;
    int value;
};

struct scope {
    _Alignas(LINE) struct variable *variables;
    unsigned count;
};

struct cache_entry {
    const struct scope *scope;
    unsigned name;
    const struct variable *variable;
    unsigned reserved;
};

struct property_cache {
    _Alignas(LINE) struct cache_entry table[CACHE_ENTRIES];
    _Alignas(LINE) int empty;
};

struct runtime {
    _Alignas(LINE) pthread_mutex_t lock;
    struct property_cache cache;
    struct scope globals;
};

#define RUNTIME {.lock = PTHREAD_MUTEX_INITIALIZER, .cache = {.empty = 1}}
static struct runtime runtimes[WINDOWS] = {RUNTIME, RUNTIME};

/* Where a variable is; the runtime is locked. */
static const struct variable *search_scope(const struct scope *scope, unsigned name) {
    const struct variable *variable = scope->variables;
    for (unsigned i = 0; i < scope->count; i++, variable++) {
        if (variable->name == name) return variable;
    }
    return NULL;
}

/* ---- the cache ---- */

static struct cache_entry *entry_of(struct property_cache *cache, unsigned name) {
    return &cache->table[name % CACHE_ENTRIES];
}

static void fill_entry(struct cache_entry *entry, const struct scope *scope, unsigned name,
                       const struct variable *variable) {
    entry->scope = scope; /* bug: 1 */
    entry->name = name;
    entry->variable = variable;
}

/* Forgets everything; the runtime is locked. */
static void flush_cache(struct property_cache *cache) {
    if (cache->empty) return; /* bug: 2 */
    for (int i = 0; i < CACHE_ENTRIES; i++) {
        cache->table[i].scope = NULL;
        cache->table[i].variable = NULL;
    }
    cache->empty = 1;
}

/* How often variables were not in the cache; old counts fade, so that it tells what is slow now. */
struct profile {
    unsigned slow[PROFILED];
};

static void note_slow(struct profile *profile, unsigned name) {
    for (unsigned i = 0; i < PROFILED; i++) profile->slow[i] -= profile->slow[i] >> 3;
    profile->slow[name % PROFILED] += 64;
}

/* Reads a variable, from the cache if it is there. */
static int get_variable(struct runtime *runtime, unsigned name, struct profile *profile) {
    const struct scope *scope = &runtime->globals;
    pthread_mutex_lock(&runtime->lock);
    struct cache_entry *entry = entry_of(&runtime->cache, name);
    const struct variable *variable;
    int filled = 0;
    if (entry->scope == scope && entry->name == name) { /* bug */
        variable = entry->variable; /* bug */
        /* It must be in the scope's present vector. */
        assert((size_t)(variable - scope->variables) < scope->count); /* bug */
    } else {
        variable = search_scope(scope, name);
        assert(variable);
        fill_entry(entry, scope, name, variable);
        filled = 1;
    }
    int value = variable->value;
#ifndef FIXED
    pthread_mutex_unlock(&runtime->lock);
#endif
    if (filled) {
        note_slow(profile, name);
        runtime->cache.empty = 0; /* bug: 4 */
    }
#ifdef FIXED
    pthread_mutex_unlock(&runtime->lock);
#endif
    return value;
}

/* Adds a variable to a scope, which moves to a larger vector. */
static void define_variable(struct runtime *runtime, struct scope *scope, unsigned name, int value) {
    pthread_mutex_lock(&runtime->lock);
    flush_cache(&runtime->cache);
    unsigned count = scope->count;
    struct variable *larger = malloc((count + 1) * sizeof *larger);
    struct variable *old = scope->variables;
    if (!larger) abort();
    if (count) memcpy(larger, old, count * sizeof *larger);
    larger[count].name = name;
    larger[count].value = value;
    scope->variables = larger; /* bug: 3 */
    scope->count = count + 1;
    pthread_mutex_unlock(&runtime->lock);
    free(old);
}

/* ---- the console, which all windows print to ---- */

static struct {
    pthread_mutex_t lock;
    _Alignas(LINE) unsigned count;
    int last[CONSOLE_LINES];
} console = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void print(int value) {
    pthread_mutex_lock(&console.lock);
    console.last[console.count % CONSOLE_LINES] = value;
    console.count++;
    pthread_mutex_unlock(&console.lock);
}

/* ---- bytecode ---- */

enum operation { PUSH, GET, ADD, MULTIPLY, MODULO, KEEP, LOOP, END };

struct instruction {
    enum operation operation;
    int operand;
};

/* sum = (sum + a) * b % 1009; sum = (sum + c) * d % 1013; for each round. */
static const struct instruction first_script[] = {
    {GET, 0}, {ADD, 0}, {GET, 1}, {MULTIPLY, 0}, {PUSH, 1009}, {MODULO, 0},
    {KEEP, 0}, {GET, 2}, {ADD, 0}, {GET, 3}, {MULTIPLY, 0}, {PUSH, 1013},
    {MODULO, 0}, {KEEP, 0}, {LOOP, 0}, {END, 0},
};

/* The same variables in another order, with more arithmetic between. */
static const struct instruction second_script[] = {
    {GET, 3}, {ADD, 0}, {PUSH, 37}, {MULTIPLY, 0}, {PUSH, 991}, {MODULO, 0},
    {GET, 2}, {ADD, 0}, {PUSH, 41}, {MULTIPLY, 0}, {PUSH, 997}, {MODULO, 0},
    {KEEP, 0}, {GET, 0}, {ADD, 0}, {GET, 1}, {MULTIPLY, 0}, {PUSH, 1019},
    {MODULO, 0}, {KEEP, 0}, {LOOP, 0}, {END, 0},
};

struct interpreter {
    _Alignas(LINE) const struct instruction *script;
    struct runtime *runtime;
    struct profile profile;
    int rounds;
    int stack[16];
    int depth;
    int kept;
    unsigned executed;
};

static void push(struct interpreter *self, int value) {
    self->stack[self->depth++] = value;
}

static int pop(struct interpreter *self) {
    return self->stack[--self->depth];
}

/* What a result leaves behind: a digest, as a script's output would be rendered. */
static int render(int value) {
    unsigned digest = (unsigned)value;
    for (int i = 0; i < 40; i++) digest = digest * 33 + (digest >> 7);
    return (int)(digest % 1009);
}

static void *interpret(void *argument) {
    struct interpreter *self = argument;
    const struct instruction *at = self->script;
    push(self, 1);
    for (;; at++) {
        int right;
        self->executed++;
        switch (at->operation) {
        case PUSH: push(self, at->operand); break;
        case GET: push(self, get_variable(self->runtime, (unsigned)at->operand, &self->profile)); break;
        case ADD: right = pop(self); push(self, pop(self) + right); break;
        case MULTIPLY: right = pop(self); push(self, pop(self) * right); break;
        case MODULO: right = pop(self); push(self, pop(self) % right); break;
        case KEEP: self->kept = render(pop(self)); print(self->kept); push(self, self->kept); break;
        case LOOP: if (--self->rounds > 0) at = self->script - 1; break;
        case END: return NULL;
        }
    }
}

/* ---- the loader ---- */

static const char declarations[] =
    "var left=3;var right=14;var top=15;var bottom=92;"
    "var title=65;var status=35;var history=89;var frames=79;"
    "var parent=32;var self=38;var opener=46;var name=26;"
    "var screen=43;var menubar=38;var images=32;var forms=79;";

/* The number at the end of the next declaration; moves on behind it. */
static int parse_declaration(const char **at) {
    int value = 0, digits = 0;
    unsigned hash = 5381;
    for (; **at != ';'; ++*at) {
        if (digits) value = 10 * value + **at - '0';
        if (**at == '=') digits = 1;
        hash = hash * 33 + (unsigned char)**at;
    }
    ++*at;
    return hash ? value : 0;
}

static unsigned load_script(struct runtime *runtime, struct scope *scope) {
    unsigned name = scope->count;
    for (const char *at = declarations; *at; name++) {
        define_variable(runtime, scope, name, parse_declaration(&at));
    }
    return name;
}

/* What a script must come to, computed without the interpreter. */
static int expected(const struct interpreter *other) {
    static const int values[PREDEFINED] = {7, 11, 13, 17};
    int sum = 1;
    for (int round = 0; round < ROUNDS; round++) {
        if (other->script == first_script) {
            sum = render((sum + values[0]) * values[1] % 1009);
            sum = render((sum + values[2]) * values[3] % 1013);
        } else {
            sum = render(((sum + values[3]) * 37 % 991 + values[2]) * 41 % 997);
            sum = render((sum + values[0]) * values[1] % 1019);
        }
    }
    return sum;
}

int main(void) {
    static struct interpreter interpreters[WINDOWS] = {
        {.script = first_script, .runtime = &runtimes[0], .rounds = ROUNDS},
        {.script = second_script, .runtime = &runtimes[1], .rounds = ROUNDS},
    };
    static const int values[PREDEFINED] = {7, 11, 13, 17};
    pthread_t threads[WINDOWS];
    unsigned executed = 0;
    for (unsigned name = 0; name < WINDOWS * PREDEFINED; name++) {
        struct runtime *runtime = &runtimes[name % WINDOWS];
        define_variable(runtime, &runtime->globals, name / WINDOWS, values[name / WINDOWS]);
    }
    for (int i = 0; i < WINDOWS; i++) pthread_create(&threads[i], NULL, interpret, &interpreters[i]);
    unsigned names = load_script(&runtimes[0], &runtimes[0].globals);
    for (int i = 0; i < WINDOWS; i++) {
        pthread_join(threads[i], NULL);
        executed += interpreters[i].executed;
        if (interpreters[i].kept != expected(&interpreters[i])) return EXIT_FAILURE;
    }
    printf("%u variables, %u instructions, %u printed\n", names, executed, console.count);
    return names == NAMES && console.count == 2 * WINDOWS * ROUNDS ? EXIT_SUCCESS : EXIT_FAILURE;
}
