/*
 * arena-scores: eight bots fire at targets and collect points for two teams.
 *
 * Team scores live in heap objects, each with its own mutex.  add_points()
 * takes it.  Only the bonus for a "streak" (five good hits in a row) was
 * added later by somebody else and goes to the score directly, without the
 * lock.  When that bonus falls into another bot's locked update (or another
 * bonus), points are lost.
 *
 * validate:
 *   kind: lost-update
 *   variable: team->score
 *   threads: 9
 *   fails-by: exit
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BOTS     8
#define SHOTS    20
#define STREAK   5
#define BONUS    50

typedef struct team {
    const char *name;
    unsigned score;
    pthread_mutex_t lock;
} team;

typedef struct bot {
    int id;
    team *team;
    unsigned lcg;
    unsigned earned;
} bot;

static team *make_team(const char *name)
{
    team *t = calloc(1, sizeof *t);
    if (!t) { fputs("out of memory\n", stderr); exit(2); }
    t->name = name;
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

/* the display has four digits */
static unsigned capped(unsigned score)
{
    return score > 9999 ? 9999 : score;
}

static void add_points(team *team, unsigned pts)
{
    pthread_mutex_lock(&team->lock);
    team->score = capped(team->score + pts);            /* bug: 2, 3 */
    pthread_mutex_unlock(&team->lock);
}

static unsigned shoot(bot *b)
{
    b->lcg = b->lcg * 1103515245u + 12345u;
    return 1 + ((b->lcg >> 16) & 3);
}

static void *play(void *arg)
{
    bot *b = arg;
    int hits = 0;

    for (int i = 0; i < SHOTS; i++) {
        unsigned pts = shoot(b);

        add_points(b->team, pts);
        b->earned += pts;
        hits = pts >= 3 ? hits + 1 : 0;
        if (hits == STREAK) {
            hits = 0;
#ifdef FIXED
            add_points(b->team, BONUS);
#else
            b->team->score = capped(b->team->score + BONUS);    /* bug: 1, 4 */
#endif
            b->earned += BONUS;
        }
    }
    return NULL;
}

int main(void)
{
    team *red = make_team("red"), *blue = make_team("blue");
    bot bots[BOTS];
    pthread_t tid[BOTS];
    unsigned want_red = 0, want_blue = 0;
    int rc = 0;

    for (int i = 0; i < BOTS; i++) {
        bots[i] = (bot){ .id = i, .team = i % 2 ? red : blue,
                         .lcg = 77u * (unsigned)i + 1u, .earned = 0 };
        if (pthread_create(&tid[i], NULL, play, &bots[i]) != 0)
            return 2;
    }
    for (int i = 0; i < BOTS; i++) {
        pthread_join(tid[i], NULL);
        if (bots[i].team == red)
            want_red += bots[i].earned;
        else
            want_blue += bots[i].earned;
    }
    printf("%s %u, %s %u\n", red->name, red->score, blue->name, blue->score);
    if (red->score != want_red || blue->score != want_blue)
        rc = 1;
    free(red);
    free(blue);
    return rc;
}
