/* dungeon-npcs.c
 *
 * Every non-player character of a dungeon runs in a thread of its own.  An
 * npc walks its patrol and greets its partner (the next npc) when both stand
 * on the same field.
 *
 * All wait at the gate until the dungeon opens.
 *
 * Bug: main() closes the ring (the last npc's partner is the first one) only
 * after it has opened the gate.  If the last npc starts walking at once, its
 * partner is still -1 and it takes itself for a hermit.
 *
 * validate:
 *   kind: order
 *   variable: npc->partner
 *   threads: 5
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define NPCS  4
#define STEPS 12

typedef struct npc Npc;
struct npc {
    pthread_t thread;
    const char *name;
    int partner;
    int start;
    int stride;
    int greetings;
};

static Npc npcs[NPCS];
static atomic_int gate_open;

/* position is a pure function of time, so nobody has to be asked */
static int field_at(const Npc *n, int step)
{
    return (n->start + n->stride * step) % 7;
}

static void *walk(void *arg)
{
    Npc *npc = arg;
    int path[STEPS];
    int step, partner;

    for (step = 0; step < STEPS; step++)
        path[step] = field_at(npc, step);
    while (!atomic_load(&gate_open))
        sched_yield();

    partner = npc->partner;                         /* bug: 1 */
    if (partner < 0)                                /* a hermit */
        return NULL;
    for (step = 0; step < STEPS; step++)
        if (path[step] == field_at(&npcs[partner], step))
            npc->greetings++;
    return NULL;
}

static void spawn(int i)
{
    if (i > 0)
        npcs[i - 1].partner = i;
    pthread_create(&npcs[i].thread, NULL, walk, &npcs[i]);
}

int main(void)
{
    static const char *names[NPCS] = { "orc", "imp", "bat", "rat" };
    int i, step, total = 0, want = 0;

    for (i = 0; i < NPCS; i++) {
        npcs[i].name = names[i];
        npcs[i].partner = -1;
        npcs[i].start = i;
        npcs[i].stride = i + 1;
    }
    for (i = 0; i < NPCS; i++)
        spawn(i);
#ifdef FIXED
    npcs[NPCS - 1].partner = 0;
    atomic_store(&gate_open, 1);
#else
    atomic_store(&gate_open, 1);                    /* bug */
    npcs[NPCS - 1].partner = 0;                     /* bug: 2 */
#endif
    for (i = 0; i < NPCS; i++) {
        pthread_join(npcs[i].thread, NULL);
        total += npcs[i].greetings;
    }
    for (i = 0; i < NPCS; i++)
        for (step = 0; step < STEPS; step++)
            want += field_at(&npcs[i], step) == field_at(&npcs[(i + 1) % NPCS], step);
    printf("%d greetings\n", total);
    assert(total == want);
    return 0;
}
