#include "host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CALLS 5

struct lut {
    unsigned char entries[16];
};

static int lut_run(void *state, int input)
{
    struct lut *l = state;

    return l->entries[input & 15];              /* bug */
}

static int invert_run(void *state, int input)
{
    (void)state;
    return 255 - input;
}

static const struct plugin_ops lut_ops = { lut_run, free };
static const struct plugin_ops invert_ops = { invert_run, free };

static void *painter(void *arg)
{
    int *wrong = arg;

    for (int i = 0; i < CALLS; i++) {
        int out = plugin_call(i % 2, i);

        if (out != MISSING && out != (i % 2 ? 255 - i : 3 * i))
            ++*wrong;
    }
    return NULL;
}

static void *administrator(void *arg)
{
    int *left = arg;

    *left -= plugin_unload(2) == 0;
    *left -= plugin_unload(0) == 0;
    *left -= plugin_unload(1) == 0;
    return NULL;
}

int main(void)
{
    pthread_t painters[3], admin;
    int wrong[3] = { 0, 0, 0 }, left = 3;
    struct lut *lut = malloc(sizeof *lut);

    if (!lut)
        return 2;
    for (int i = 0; i < 16; i++)
        lut->entries[i] = (unsigned char)(3 * i);
    plugin_load(0, &lut_ops, lut);
    plugin_load(1, &invert_ops, NULL);
    plugin_load(2, &invert_ops, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&painters[i], NULL, painter, &wrong[i]);
    pthread_create(&admin, NULL, administrator, &left);
    pthread_create(&painters[2], NULL, painter, &wrong[2]);
    for (int i = 0; i < 3; i++)
        pthread_join(painters[i], NULL);
    pthread_join(admin, NULL);
    printf("%d plugins left\n", left);
    return wrong[0] + wrong[1] + wrong[2] + left;
}
