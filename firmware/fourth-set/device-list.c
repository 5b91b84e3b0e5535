/*
 * The devices of a small kernel. Devices are plugged in while others poll all
 * there are; the list only grows, so it is read without a lock.
 *
 * Bug: device_add() puts the device into the list and then probes it. Who
 * polls in between finds a device without operations.
 *
 * validate:
 *   kind: publication
 *   variable: devices, device->ops
 *   threads: 4
 *   fails-by: fault
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define POLLERS 3
#define POLLS 12
#define SLOTS 6

struct device;

struct operations {
    const char *class_name;
    int (*pending)(const struct device *);
};

struct device {
    int slot;
    unsigned signature;
    const struct operations *ops;
    struct device *next;
};

static struct device *_Atomic devices;

static int keys_pending(const struct device *d)
{
    return d->slot & 1;
}

static int blocks_pending(const struct device *d)
{
    return (int)(d->signature >> 3 & 3);
}

static int packets_pending(const struct device *d)
{
    return (int)(d->signature & 3) + d->slot;
}

static const struct operations classes[] = {
    { "input", keys_pending },
    { "disk", blocks_pending },
    { "network", packets_pending },
};

/* Asks the device in a slot what it is. */
static unsigned read_signature(int slot)
{
    unsigned crc = 0xffffu;

    for (int byte = 0; byte < 6; byte++) {
        crc ^= (unsigned)(slot * 17 + byte);
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xa001u : crc >> 1;
    }
    return crc;
}

static void device_add(int slot)
{
    struct device *d = calloc(1, sizeof *d);

    if (!d)
        abort();
    d->slot = slot;
    d->next = atomic_load(&devices);
#ifndef FIXED
    atomic_store(&devices, d);                  /* bug: 1 */
#endif
    d->signature = read_signature(slot);        /* bug */
    d->ops = &classes[d->signature % 3];        /* bug: 3 */
#ifdef FIXED
    atomic_store(&devices, d);
#endif
}

static int poll_all(void)
{
    int pending = 0;

    for (struct device *d = atomic_load(&devices); d; d = d->next) {
        const struct operations *ops = d->ops;  /* bug: 2 */

        pending += ops->pending(d);             /* bug */
    }
    return pending;
}

static void *poller(void *arg)
{
    int *most = arg;

    for (int i = 0; i < POLLS; i++) {
        int pending = poll_all();

        if (pending > *most)
            *most = pending;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[POLLERS];
    int most[POLLERS] = { 0 };
    int found = 0, all;

    device_add(0);
    for (int i = 0; i < POLLERS; i++)
        if (pthread_create(&threads[i], NULL, poller, &most[i]) != 0)
            abort();
    for (int slot = 1; slot < SLOTS; slot++)
        device_add(slot);
    for (int i = 0; i < POLLERS; i++)
        pthread_join(threads[i], NULL);

    all = poll_all();
    for (int i = 0; i < POLLERS; i++)
        if (most[i] > all)
            return 1;
    for (struct device *d = atomic_load(&devices), *next; d; d = next, found++) {
        next = d->next;
        free(d);
    }
    printf("%d devices, %d pending\n", found, all);
    return found == SLOTS ? 0 : 1;
}
