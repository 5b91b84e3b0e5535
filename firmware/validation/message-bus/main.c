/*
 * message-bus: topic bus with subscribers (main.c, bus.c, bus.h).
 *
 * The shop publishes sales; the inventory subscribes and books them.  The bus
 * calls its subscribers with the bus lock held, and the inventory's callback
 * takes the inventory lock.  The auditor holds the inventory lock while it
 * asks the bus how many messages went out, which needs the bus lock.
 *
 * validate:
 *   kind: deadlock
 *   variable: bus->lock, inv.lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include "bus.h"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define TOPIC_SALE 1
#define TOPIC_CHAT 2

static bus_t *the_bus;

static struct {
    pthread_mutex_t lock;
    int stock;
    int booked;
} inv = { PTHREAD_MUTEX_INITIALIZER, 100, 0 };

static int chat_lines;

static void inv_on_sale(void *ctx, int amount)
{
    (void)ctx;
    pthread_mutex_lock(&inv.lock); /* bug: 4 */
    inv.stock -= amount;
    inv.booked++;
    pthread_mutex_unlock(&inv.lock);
}

static void chat_on_line(void *ctx, int len)
{
    (void)len;
    ++*(int *)ctx;
}

static void *shop(void *arg)
{
    (void)arg;
    for (int i = 0; i < 6; i++)
        bus_publish(the_bus, TOPIC_SALE, 1 + i % 3);
    return NULL;
}

static void *chatter(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5; i++)
        bus_publish(the_bus, TOPIC_CHAT, i);
    return NULL;
}

static void *auditor(void *arg)
{
    long worst = 0;
    (void)arg;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&inv.lock); /* bug: 2 */
        long lag = bus_sent(the_bus) - inv.booked;
        if (lag > worst)
            worst = lag;
        pthread_mutex_unlock(&inv.lock);
    }
    return (void *)worst;
}

int main(void)
{
    pthread_t t[3];
    void *(*const fn[3])(void *) = { shop, chatter, auditor };

    the_bus = bus_new();
    bus_subscribe(the_bus, TOPIC_SALE, inv_on_sale, NULL);
    bus_subscribe(the_bus, TOPIC_CHAT, chat_on_line, &chat_lines);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, fn[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("stock %d, %d lines of chat\n", inv.stock, chat_lines);
    assert(inv.stock == 100 - 12 && inv.booked == 6 && chat_lines == 5);
    bus_free(the_bus);
    return 0;
}
