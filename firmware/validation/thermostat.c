/* thermostat.c - sampling thread with a calibration record made by main().
 * Bug: the thread is started before `cal` points to anything.  If it gets to
 * its first sample early, it follows a null pointer.
 *
 * validate:
 *   kind: order
 *   variable: cal
 *   threads: 2
 *   fails-by: crash
 *   rare: yes
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

struct calibration { int gain, offset; };

static struct calibration *volatile cal;
static int on, switched;

static void control(int t)
{
    int want = t < 190 ? 1 : t > 205 ? 0 : on;
    switched += want != on;
    on = want;
}

static void *sampler(void *arg)
{
    static const int raw[] = { 512, 520, 533, 541, 540, 538, 479, 507, 0 };
    int smooth = 500;

    sched_yield();                      /* the sensor has to warm up */
    for (const int *r = raw; *r; r++) {
        smooth = (3 * smooth + *r) / 4;
        struct calibration *c = cal;                    /* bug: 1 */
        control(smooth * c->gain / 100 + c->offset);    /* bug: 2 */
    }
    return arg;
}

int main(void)
{
    struct calibration c;
    pthread_t tid;

#ifndef FIXED
    pthread_create(&tid, NULL, sampler, NULL);          /* bug */
#endif
    c.gain = 38;
    c.offset = 4;
    cal = &c;                                           /* bug */
#ifdef FIXED
    pthread_create(&tid, NULL, sampler, NULL);
#endif
    pthread_join(tid, NULL);
    printf("switched %d times, now %s\n", switched, on ? "on" : "off");
    return 0;
}
