/*
 * lazy-locale.c
 *
 * Message catalogue that is loaded when the first thread needs it.  Threads
 * register extra messages in it afterwards.
 *
 * Bug: "double-checked" initialization with the second check forgotten.  A
 * thread that saw NULL waits for the lock, and then loads the catalogue once
 * more, throwing away what has been registered in the first one.
 *
 * validate:
 *   kind: check-then-act
 *   variable: catalog
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct message {
    int number;
    const char *text;
};

struct catalog {
    int used;
    struct message msg[16];
};

static _Atomic(struct catalog *) catalog;
static pthread_mutex_t catalog_lock = PTHREAD_MUTEX_INITIALIZER;
static struct catalog *all[4];          /* for cleaning up */
static int loads;

static struct catalog *load(void)
{
    struct catalog *c = calloc(1, sizeof *c);

    if (c == NULL)
        abort();
    c->msg[c->used++] = (struct message){ 1, "file not found" };
    c->msg[c->used++] = (struct message){ 2, "disk full" };
    all[loads++] = c;
    return c;
}

static struct catalog *get_catalog(void)
{
    if (atomic_load(&catalog) == NULL) {                        /* bug: 1, 2 */
        pthread_mutex_lock(&catalog_lock);
#ifdef FIXED
        if (atomic_load(&catalog) == NULL)
#endif
            atomic_store(&catalog, load());                     /* bug: 3, 4 */
        pthread_mutex_unlock(&catalog_lock);
    }
    return atomic_load(&catalog);
}

static void register_message(int number, const char *text)
{
    struct catalog *c = get_catalog();

    pthread_mutex_lock(&catalog_lock);
    c->msg[c->used].number = number;
    c->msg[c->used].text = text;
    c->used++;
    pthread_mutex_unlock(&catalog_lock);
}

static void *module(void *arg)
{
    int base = *(int *)arg;

    register_message(base, "module loaded");
    register_message(base + 1, "module failed");
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int base[3] = { 100, 200, 300 };
    int sum = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, module, &base[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);

    struct catalog *c = get_catalog();
    for (int i = 0; i < c->used; i++)
        sum += c->msg[i].number;
    printf("%d messages\n", c->used);
    assert(c->used == 8);
    assert(sum == 3 + 1203);
    while (loads > 0)
        free(all[--loads]);
    return 0;
}
