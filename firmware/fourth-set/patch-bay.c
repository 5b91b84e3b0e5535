/*
 * The patch bay of a sound mixer. Every module has an input, which one earlier
 * module can be connected to, and counts the inputs its own output feeds.
 *
 * Bug: connect() locks the source and then the destination; disconnect() has
 * only the destination, locks it, and then locks the source it finds there.
 *
 * validate:
 *   kind: deadlock
 *   variable: source->lock, destination->lock
 *   threads: 3
 *   fails-by: hang
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MODULES 5
#define TURNS 12

struct module {
    pthread_mutex_t lock;
    struct module *input;
    int fed;                    /* inputs that this module feeds */
    int gain;
};

static struct module modules[MODULES];

/* Sources stand before their destinations, so that there are no loops. */
static const struct { int from, to; } cables[] = {
    { 0, 2 }, { 1, 3 }, { 2, 4 }, { 0, 1 },
};
#define CABLES (int)(sizeof cables / sizeof *cables)

static int module_connect(struct module *source, struct module *destination)
{
    int done = 0;

    pthread_mutex_lock(&source->lock);          /* bug: 1 */
    pthread_mutex_lock(&destination->lock);     /* bug: 3 */
    if (!destination->input) {
        destination->input = source;
        source->fed++;
        destination->gain = source->gain + 1;
        done = 1;
    }
    pthread_mutex_unlock(&destination->lock);
    pthread_mutex_unlock(&source->lock);
    return done;
}

static int module_disconnect(struct module *destination)
{
    struct module *source;

#ifdef FIXED
    for (;;) {
        pthread_mutex_lock(&destination->lock);
        source = destination->input;
        pthread_mutex_unlock(&destination->lock);
        if (!source)
            return 0;
        pthread_mutex_lock(&source->lock);
        pthread_mutex_lock(&destination->lock);
        if (destination->input == source)
            break;
        pthread_mutex_unlock(&destination->lock);
        pthread_mutex_unlock(&source->lock);
    }
#else
    pthread_mutex_lock(&destination->lock);     /* bug: 2 */
    source = destination->input;
    if (!source) {
        pthread_mutex_unlock(&destination->lock);
        return 0;
    }
    pthread_mutex_lock(&source->lock);          /* bug: 4 */
#endif
    destination->input = NULL;
    destination->gain = 0;
    source->fed--;
    pthread_mutex_unlock(&source->lock);
    pthread_mutex_unlock(&destination->lock);
    return 1;
}

/* Puts cables in. */
static void *engineer(void *arg)
{
    int *connected = arg;

    for (int i = 0; i < TURNS; i++) {
        int c = i % CABLES;

        *connected += module_connect(&modules[cables[c].from], &modules[cables[c].to]);
    }
    return NULL;
}

/* Pulls them out again. */
static void *assistant(void *arg)
{
    int *disconnected = arg;

    for (int i = 0; i < TURNS; i++)
        *disconnected += module_disconnect(&modules[1 + i % (MODULES - 1)]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int connected = 0, disconnected = 0;
    int inputs = 0, fed = 0;

    for (int i = 0; i < MODULES; i++) {
        pthread_mutex_init(&modules[i].lock, NULL);
        modules[i].gain = i;
    }
    for (int c = 0; c < CABLES; c++)
        connected += module_connect(&modules[cables[c].from], &modules[cables[c].to]);

    if (pthread_create(&threads[0], NULL, engineer, &connected) != 0)
        abort();
    if (pthread_create(&threads[1], NULL, assistant, &disconnected) != 0)
        abort();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);

    for (int i = 0; i < MODULES; i++) {
        inputs += modules[i].input != NULL;
        fed += modules[i].fed;
    }
    printf("%d cables are in\n", inputs);
    return inputs == fed && connected - disconnected == inputs ? 0 : 1;
}
