/* seat-map.c - small theatre booking.  Six agents book pairs of seats that
 * are side by side.
 *
 * Bug: the agent looks for a free pair, and takes it only afterwards, without
 * asking again; each step locks the row, but not both together.  Two agents
 * can sell the same seat.
 *
 * validate:
 *   kind: check-then-act
 *   variable: row->seat[]
 *   threads: 7
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ROWS   3
#define SEATS  10
#define AGENTS 6

typedef struct {
    pthread_mutex_t lock;
    char seat[SEATS];               /* 0 = free, else agent's letter */
} Row;

static Row hall[ROWS];

static int free_pair(Row *row)
{
    for (int i = 0; i + 1 < SEATS; i += 2)
        if (!row->seat[i] && !row->seat[i + 1])             /* bug: 1, 2 */
            return i;
    return -1;
}

static void occupy(Row *row, int at, char who)
{
    row->seat[at] = who;                                    /* bug: 3, 4 */
    row->seat[at + 1] = who;
}

static int book(Row *row, char who)
{
    int at;

    pthread_mutex_lock(&row->lock);
    at = free_pair(row);
#ifdef FIXED
    if (at >= 0)
        occupy(row, at, who);
    pthread_mutex_unlock(&row->lock);
#else
    pthread_mutex_unlock(&row->lock);
    if (at < 0)
        return -1;
    pthread_mutex_lock(&row->lock);
    occupy(row, at, who);
    pthread_mutex_unlock(&row->lock);
#endif
    return at;
}

struct agent { char letter; int sold; pthread_t tid; };

static void *agent_main(void *arg)
{
    struct agent *a = arg;
    int first = a->letter % ROWS;

    /* every agent tries his favourite row first, two pairs at most */
    for (int k = 0; k < ROWS && a->sold < 2; k++) {
        Row *r = &hall[(first + k) % ROWS];
        while (a->sold < 2 && book(r, a->letter) >= 0)
            a->sold++;
    }
    return NULL;
}

int main(void)
{
    struct agent ag[AGENTS];
    int per_agent[AGENTS] = { 0 };

    for (int r = 0; r < ROWS; r++)
        pthread_mutex_init(&hall[r].lock, NULL);
    for (int i = 0; i < AGENTS; i++) {
        ag[i].letter = (char)('A' + i);
        ag[i].sold = 0;
        pthread_create(&ag[i].tid, NULL, agent_main, &ag[i]);
    }
    for (int i = 0; i < AGENTS; i++)
        pthread_join(ag[i].tid, NULL);

    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < SEATS; s++)
            if (hall[r].seat[s])
                per_agent[hall[r].seat[s] - 'A']++;
    for (int i = 0; i < AGENTS; i++)
        assert(per_agent[i] == 2 * ag[i].sold);
    puts("everybody sits");
    return 0;
}
