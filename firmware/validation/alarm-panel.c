/*
 * Burglar alarm panel: zone scanners report to a panel which forwards every
 * alarm to a handler (function pointer).
 *
 * panel_arm() lets the scanners go; the application installs its handler only
 * after that.  Alarms raised before the handler is there are dropped on the
 * floor ("no handler, nobody interested").
 *
 * validate:
 *   kind: order
 *   variable: panel->handler
 *   threads: 3
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*alarm_fn)(void *ctx, int zone, int level);

typedef struct panel_s {
    pthread_mutex_t lock;
    alarm_fn handler;
    void *handler_ctx;
    int raised, dropped;
    int armed;
    pthread_cond_t arming;
    pthread_t scanner[2];
} panel_t;

typedef struct { panel_t *panel; int first_zone; } scan_arg_t;

static void panel_raise(panel_t *panel, int zone, int level)
{
    pthread_mutex_lock(&panel->lock);
    panel->raised++;
    if (panel->handler != NULL) /* bug: 1 */
        panel->handler(panel->handler_ctx, zone, level);
    else
        panel->dropped++;
    pthread_mutex_unlock(&panel->lock);
}

static int zone_level(int zone, int tick)
{
    return (zone * 13 + tick * 7) % 11;
}

static void *scan(void *p)
{
    scan_arg_t *a = p;

    pthread_mutex_lock(&a->panel->lock);
    while (!a->panel->armed)
        pthread_cond_wait(&a->panel->arming, &a->panel->lock);
    pthread_mutex_unlock(&a->panel->lock);
    for (int tick = 0; tick < 10; tick++)
        for (int z = a->first_zone; z < a->first_zone + 3; z++) {
            int lvl = zone_level(z, tick);
            if (lvl > 8)
                panel_raise(a->panel, z, lvl);
        }
    free(a);
    return NULL;
}

static void panel_set_handler(panel_t *panel, alarm_fn fn, void *ctx)
{
    pthread_mutex_lock(&panel->lock);
    panel->handler_ctx = ctx;
    panel->handler = fn; /* bug: 2 */
    pthread_mutex_unlock(&panel->lock);
}

static void panel_open(panel_t *panel)
{
    for (int i = 0; i < 2; i++) {
        scan_arg_t *a = malloc(sizeof *a);
        if (a == NULL)
            exit(3);
        a->panel = panel;
        a->first_zone = i * 3;
        pthread_create(&panel->scanner[i], NULL, scan, a);
    }
}

static void panel_arm(panel_t *panel)
{
    pthread_mutex_lock(&panel->lock);
    panel->armed = 1;
    pthread_cond_broadcast(&panel->arming);
    pthread_mutex_unlock(&panel->lock);
}

/* ---- application ---- */

struct siren { int count; int worst; };

static void on_alarm(void *ctx, int zone, int level)
{
    struct siren *s = ctx;
    (void)zone;
    s->count++;
    if (level > s->worst)
        s->worst = level;
}

int main(void)
{
    static panel_t panel = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .arming = PTHREAD_COND_INITIALIZER
    };
    struct siren siren = { 0, 0 };

    panel_open(&panel);
#ifdef FIXED
    panel_set_handler(&panel, on_alarm, &siren);
    panel_arm(&panel);
#else
    panel_arm(&panel); /* bug */
    panel_set_handler(&panel, on_alarm, &siren); /* bug */
#endif
    pthread_join(panel.scanner[0], NULL);
    pthread_join(panel.scanner[1], NULL);
    printf("%d alarms, worst %d\n", siren.count, siren.worst);
    return siren.count == panel.raised ? 0 : 1;
}
