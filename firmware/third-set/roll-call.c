/*
 * Roll call: the teacher starts a thread for each pupil, tells it its seat and
 * writes the name into the class register meanwhile; each pupil ticks its seat
 * off. "Why are some seats ticked twice?"
 *
 * Bug: all threads get the address of the same loop variable. The loop has
 * gone on when the new thread reads it.
 *
 * validate:
 *   kind: order
 *   variable: i
 *   threads: 5
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define PUPILS 4

const char *names[PUPILS] = { "Ada Byron", "Grace Murray", "Edsger Wybe", "Barbara Jane" };
char class_register[PUPILS][24];

int present[PUPILS + 1];
pthread_mutex_t tick_lock = PTHREAD_MUTEX_INITIALIZER;
int ticks;
unsigned letters;

void *pupil(void *arg)
{
    int seat = *(int *)arg;                                 /* bug: 2 */

    pthread_mutex_lock(&tick_lock);
    present[seat]++;
    ticks++;
    pthread_mutex_unlock(&tick_lock);
    return NULL;
}

void write_down(int seat)
{
    char *line = class_register[seat];

    line[0] = 'A' + seat;
    line[1] = ' ';
    strcpy(line + 2, names[seat]);
    strcat(line, " (here)");
    letters += strlen(line);
}

int main(void)
{
    pthread_t tid[PUPILS];
    int i, k, wrong = 0;
#ifdef FIXED
    int seats[PUPILS];
#endif

    for (i = 0; i < PUPILS; i++) {                          /* bug: 1 */
#ifdef FIXED
        seats[i] = i;
        pthread_create(&tid[i], NULL, pupil, &seats[i]);
#else
        pthread_create(&tid[i], NULL, pupil, &i);           /* bug */
#endif
        write_down(i);
    }
    for (k = 0; k < PUPILS; k++)
        pthread_join(tid[k], NULL);

    for (k = 0; k < PUPILS; k++)
        if (present[k] != 1)
            wrong++;
    printf("%d ticks, %d seats wrong, %u letters\n", ticks, wrong, letters);
    return wrong ? 1 : 0;
}
