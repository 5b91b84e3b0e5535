/* A script interpreter with a cache of global variables.
 *
 * Two interpreters execute bytecode that reads globals; the loader defines more of them meanwhile. A
 * definition moves all variables to a larger vector, so cached positions become worthless and the cache
 * is emptied, unless its flag says that it is empty already: most definitions come in rows.
 *
 * After Moz-jsInterp of Bugaboo, Table 1: filling an entry and clearing the flag `empty` are not one step. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERPRETERS 2
#define ROUNDS 9
#define CACHE_ENTRIES 4
#define NAMES 12
#define PREDEFINED 4
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
    unsigned hits;
};

struct property_cache {
    _Alignas(LINE) struct cache_entry table[CACHE_ENTRIES];
    _Alignas(LINE) int empty;
};

struct runtime {
    pthread_mutex_t lock;
    struct property_cache cache;
    struct scope globals;
};

static struct runtime runtime = {.lock = PTHREAD_MUTEX_INITIALIZER, .cache = {.empty = 1}};

/* Where a variable is; the runtime is locked. */
static const struct variable *search_scope(const struct scope *scope, unsigned name) {
    const struct variable *variable = scope->variables;
    for (unsigned i = 0; i < scope->count; i++, variable++) {
        if (variable->name == name) return variable;
    }
    return NULL;
}

/* Whether a position belongs to the scope's present vector. */
static int in_scope(const struct scope *scope, const struct variable *variable) {
    const struct variable *first = scope->variables;
    return variable >= first && variable < first + scope->count;
}

/* ---- the cache ---- */

static struct cache_entry *entry_of(unsigned name) {
    return &runtime.cache.table[name % CACHE_ENTRIES];
}

static void fill_entry(struct cache_entry *entry, const struct scope *scope, unsigned name,
                       const struct variable *variable) {
    entry->scope = scope; /* bug: 1 */
    entry->name = name;
    entry->variable = variable;
    entry->hits = 0;
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

/* Reads a variable, from the cache if it is there. */
static int get_variable(const struct scope *scope, unsigned name) {
    pthread_mutex_lock(&runtime.lock);
    struct cache_entry *entry = entry_of(name);
    const struct variable *variable;
    int filled = 0;
    if (entry->scope == scope && entry->name == name) {
        variable = entry->variable;
        assert(in_scope(scope, variable)); /* bug */
        entry->hits++;
    } else {
        variable = search_scope(scope, name);
        assert(variable);
        fill_entry(entry, scope, name, variable);
        filled = 1;
    }
    int value = variable->value;
#ifndef FIXED
    pthread_mutex_unlock(&runtime.lock);
#endif
    if (filled) {
        runtime.cache.empty = 0; /* bug: 4 */
    }
#ifdef FIXED
    pthread_mutex_unlock(&runtime.lock);
#endif
    return value;
}

/* Adds a variable to a scope, which moves to a larger vector. */
static void define_variable(struct scope *scope, unsigned name, int value) {
    pthread_mutex_lock(&runtime.lock);
    flush_cache(&runtime.cache);
    unsigned count = scope->count;
    struct variable *larger = malloc((count + 1) * sizeof *larger);
    struct variable *old = scope->variables;
    if (!larger) abort();
    if (count) memcpy(larger, old, count * sizeof *larger);
    larger[count].name = name;
    larger[count].value = value;
    scope->variables = larger; /* bug: 3 */
    scope->count = count + 1;
    pthread_mutex_unlock(&runtime.lock);
    free(old);
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
    const struct instruction *script;
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
        case GET: push(self, get_variable(&runtime.globals, (unsigned)at->operand)); break;
        case ADD: right = pop(self); push(self, pop(self) + right); break;
        case MULTIPLY: right = pop(self); push(self, pop(self) * right); break;
        case MODULO: right = pop(self); push(self, pop(self) % right); break;
        case KEEP: self->kept = render(pop(self)); push(self, self->kept); break;
        case LOOP: if (--self->rounds > 0) at = self->script - 1; break;
        case END: return NULL;
        }
    }
}

/* ---- the loader ---- */

static const char declarations[] =
    "var left=3;var right=14;var top=15;var bottom=92;"
    "var title=65;var status=35;var history=89;var frames=79;";

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

static unsigned load_script(struct scope *scope) {
    unsigned name = scope->count;
    for (const char *at = declarations; *at; name++) define_variable(scope, name, parse_declaration(&at));
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
    static struct interpreter interpreters[INTERPRETERS] = {
        {.script = first_script, .rounds = ROUNDS},
        {.script = second_script, .rounds = ROUNDS},
    };
    static const int values[PREDEFINED] = {7, 11, 13, 17};
    pthread_t threads[INTERPRETERS];
    unsigned executed = 0;
    for (unsigned name = 0; name < PREDEFINED; name++) {
        define_variable(&runtime.globals, name, values[name]);
    }
    for (int i = 0; i < INTERPRETERS; i++) pthread_create(&threads[i], NULL, interpret, &interpreters[i]);
    unsigned names = load_script(&runtime.globals);
    for (int i = 0; i < INTERPRETERS; i++) {
        pthread_join(threads[i], NULL);
        executed += interpreters[i].executed;
        if (interpreters[i].kept != expected(&interpreters[i])) return EXIT_FAILURE;
    }
    printf("%u variables, %u instructions\n", names, executed);
    return names == NAMES ? EXIT_SUCCESS : EXIT_FAILURE;
}
