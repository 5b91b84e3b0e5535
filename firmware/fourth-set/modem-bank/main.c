/*
 * The modem bank of a dial-in provider: lines are answered, calls end, and the
 * books are audited, each by a thread of its own.
 *
 * Bug: an answer holds the lines and locks the calls; the end of a call holds
 * the calls and locks the books; an audit holds the books and locks the lines.
 * Any two of them get along, but all three at once can stop each other.
 *
 * validate:
 *   kind: deadlock
 *   variable: lines.lock, table.lock, books.lock
 *   threads: 4
 *   fails-by: hang
 *   rare: yes
 */
#include "bank.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define RINGS 9
#define HANG_UPS 11
#define AUDITS 8

static int answered, ended;

static unsigned negotiate(unsigned state, int steps)
{
    for (int i = 0; i < steps; i++)
        state = state * 134775813u + 1;
    return state;
}

static void *answer_rings(void *arg)
{
    unsigned *tone = arg;

    for (int caller = 1; caller <= RINGS; caller++) {
        if (line_answer(caller) >= 0)
            answered++;
        *tone = negotiate(*tone, 25);
    }
    return NULL;
}

static void *hang_up(void *arg)
{
    unsigned *tone = arg;

    for (int i = 0; i < HANG_UPS; i++) {
        int line = call_end();

        if (line >= 0) {
            line_release(line);
            ended++;
        }
        *tone = negotiate(*tone, 15);
    }
    return NULL;
}

static void *audit(void *arg)
{
    unsigned *tone = arg;

    for (int i = 0; i < AUDITS; i++) {
        billing_audit();
        *tone = negotiate(*tone, 40);
    }
    return NULL;
}

int main(void)
{
    void *(*const jobs[])(void *) = { answer_rings, hang_up, audit };
    pthread_t threads[3];
    unsigned tones[3] = { 1, 2, 3 };

    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, jobs[i], &tones[i]) != 0)
            abort();
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d answered, %d ended, %d active\n", answered, ended, calls_active());
    if (answered != ended + calls_active() || lines_busy() != calls_active())
        return 1;
    return billing_audit() == ended ? 0 : 1;
}
