/*
 * Sensor hub of a weather station.
 *
 * There is one polling thread per sensor; they sit idle until hub_start()
 * lets them go.  The calibration data is loaded from "EEPROM" afterwards,
 * since that used to be fast enough.  A poller that gets going early converts
 * raw readings with a scale of zero.
 *
 * validate:
 *   kind: order
 *   variable: hub.sensor[].scale
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define SENSORS 4
#define READS   5

struct sensor {
    const char *name;
    int scale;                  /* milli-units per count, 0 = uncalibrated */
    int offset;
    int out[READS];
    int uncalibrated;           /* readings taken without calibration */
    pthread_t poller;
};

static struct hub {
    pthread_mutex_t lock;
    pthread_cond_t go;
    int running;
    struct sensor sensor[SENSORS];
} hub = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0,
    { { .name = "temp" }, { .name = "humidity" }, { .name = "pressure" }, { .name = "wind" } }
};

static const struct { int scale, offset; } eeprom[SENSORS] = {
    { 62, -40000 }, { 12, 0 }, { 5, 800000 }, { 98, 0 },
};

static int raw_read(const struct sensor *s, int i)
{
    return 200 + s->name[0] + 3 * i;
}

static void *poll_sensor(void *arg)
{
    struct sensor *s = arg;

    pthread_mutex_lock(&hub.lock);
    while (!hub.running)
        pthread_cond_wait(&hub.go, &hub.lock);
    pthread_mutex_unlock(&hub.lock);
    for (int i = 0; i < READS; i++) {
        int scale = s->scale; /* bug: 1 */
        s->out[i] = raw_read(s, i) * scale + s->offset;
        if (scale == 0)
            s->uncalibrated++;
    }
    return NULL;
}

static void hub_calibrate(struct hub *h)
{
    for (int i = 0; i < SENSORS; i++) {
        h->sensor[i].offset = eeprom[i].offset;
        h->sensor[i].scale = eeprom[i].scale; /* bug: 2 */
    }
}

static void hub_init(struct hub *h)
{
    for (int i = 0; i < SENSORS; i++)
        pthread_create(&h->sensor[i].poller, NULL, poll_sensor, &h->sensor[i]);
}

static void hub_start(struct hub *h)
{
    pthread_mutex_lock(&h->lock);
    h->running = 1; /* bug */
    pthread_cond_broadcast(&h->go);
    pthread_mutex_unlock(&h->lock);
}

static void hub_wait(struct hub *h)
{
    for (int i = 0; i < SENSORS; i++)
        pthread_join(h->sensor[i].poller, NULL);
}

int main(void)
{
    hub_init(&hub);
#ifdef FIXED
    hub_calibrate(&hub);
    hub_start(&hub);
#else
    hub_start(&hub);
    hub_calibrate(&hub); /* bug */
#endif
    hub_wait(&hub);
    for (int i = 0; i < SENSORS; i++)
        printf("%s=%d%c", hub.sensor[i].name, hub.sensor[i].out[READS - 1],
               i == SENSORS - 1 ? '\n' : ' ');
    for (int i = 0; i < SENSORS; i++)
        assert(hub.sensor[i].uncalibrated == 0);
    return 0;
}
