/*
 * A game server: members of a guild buy equipment from the common vault, and each
 * purchase is written to the guild's ledger.
 *
 * Bug: whether the gold suffices is asked in one critical section and the gold is
 * taken in another, so that two buyers spend the same gold.
 *
 * validate:
 *   kind: check-then-act
 *   variable: vault->gold
 *   threads: 6
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS 5
#define TRIPS   4

enum slot { HELM, BOOTS, SHIELD, LANCE, NSLOTS };

static const struct { const char *name; int price; } shop[NSLOTS] = {
    [HELM]   = { "helm", 30 },
    [BOOTS]  = { "boots", 20 },
    [SHIELD] = { "shield", 45 },
    [LANCE]  = { "lance", 60 },
};

struct ledger_line {
    int member;
    enum slot what;
    struct ledger_line *next;
};

struct vault {
    pthread_mutex_t lock;
    int gold;
    int refused;
};

struct guild {
    struct vault *vault;
    pthread_mutex_t ledger_lock;
    struct ledger_line *ledger;
    int lines;
};

struct member {
    int id;
    struct guild *guild;
    unsigned char bag[NSLOTS];
    pthread_t thread;
};

#ifndef FIXED
static bool vault_can_pay(struct vault *vault, int price)
{
    bool ok;

    pthread_mutex_lock(&vault->lock);
    ok = vault->gold >= price;              /* bug: 1 */
    if (!ok)
        vault->refused++;
    pthread_mutex_unlock(&vault->lock);
    return ok;
}
#endif

static void vault_pay(struct vault *vault, int price)
{
    pthread_mutex_lock(&vault->lock);
    vault->gold -= price;                   /* bug: 2, 3 */
    pthread_mutex_unlock(&vault->lock);
}

#ifdef FIXED
static bool vault_try_pay(struct vault *vault, int price)
{
    bool ok;

    pthread_mutex_lock(&vault->lock);
    ok = vault->gold >= price;
    if (ok)
        vault->gold -= price;
    else
        vault->refused++;
    pthread_mutex_unlock(&vault->lock);
    return ok;
}
#endif

static void ledger_add(struct guild *g, int member, enum slot what)
{
    struct ledger_line *l = malloc(sizeof *l);

    if (!l)
        abort();
    l->member = member;
    l->what = what;
    pthread_mutex_lock(&g->ledger_lock);
    l->next = g->ledger;
    g->ledger = l;
    g->lines++;
    pthread_mutex_unlock(&g->ledger_lock);
}

static bool buy(struct member *m, enum slot what)
{
    struct guild *g = m->guild;
    int price = shop[what].price;

#ifdef FIXED
    if (!vault_try_pay(g->vault, price))
        return false;
#else
    if (!vault_can_pay(g->vault, price))    /* bug */
        return false;
    vault_pay(g->vault, price);             /* bug */
#endif
    m->bag[what]++;
    ledger_add(g, m->id, what);
    return true;
}

static void *member_main(void *arg)
{
    struct member *m = arg;

    for (int i = 0; i < TRIPS; i++) {
        enum slot what = (enum slot)((m->id + i) % NSLOTS);
        if (m->bag[what] == 0)
            buy(m, what);
    }
    return NULL;
}

int main(void)
{
    struct guild g = { .ledger_lock = PTHREAD_MUTEX_INITIALIZER };
    struct member *members = calloc(MEMBERS, sizeof *members);
    int spent = 0, carried = 0, rc = 0;
    const int start = 400;

    g.vault = calloc(1, sizeof *g.vault);
    if (!g.vault || !members)
        return 2;
    pthread_mutex_init(&g.vault->lock, NULL);
    vault_pay(g.vault, -start);

    for (int i = 0; i < MEMBERS; i++) {
        members[i].id = i;
        members[i].guild = &g;
        pthread_create(&members[i].thread, NULL, member_main, &members[i]);
    }
    for (int i = 0; i < MEMBERS; i++)
        pthread_join(members[i].thread, NULL);

    for (int i = 0; i < MEMBERS; i++)
        for (int s = 0; s < NSLOTS; s++)
            carried += members[i].bag[s];
    if (carried != g.lines)
        rc = 3;
    while (g.ledger) {
        struct ledger_line *l = g.ledger;
        g.ledger = l->next;
        spent += shop[l->what].price;
        free(l);
    }
    if (g.vault->gold != start - spent)
        rc = 4;
    if (g.vault->gold < 0) {
        fprintf(stderr, "the guild is %d gold in debt\n", -g.vault->gold);
        rc = 1;
    }
    free(g.vault);
    free(members);
    return rc;
}
