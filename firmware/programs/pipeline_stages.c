/* Numbers flow through three stages, each a thread; main feeds the first and prints what the last gives. */
#include <pthread.h>
#include <stdio.h>

#define STAGES 3
#define ITEMS 15
#define END (-1)

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int full, value;
};

static struct channel channels[STAGES + 1];

static void send(struct channel *channel, int value) {
    pthread_mutex_lock(&channel->lock);
    while (channel->full) pthread_cond_wait(&channel->changed, &channel->lock);
    channel->value = value;
    channel->full = 1;
    pthread_cond_broadcast(&channel->changed);
    pthread_mutex_unlock(&channel->lock);
}

static int receive(struct channel *channel) {
    pthread_mutex_lock(&channel->lock);
    while (!channel->full) pthread_cond_wait(&channel->changed, &channel->lock);
    int value = channel->value;
    channel->full = 0;
    pthread_cond_broadcast(&channel->changed);
    pthread_mutex_unlock(&channel->lock);
    return value;
}

static int apply(int stage, int value) {
    switch (stage) {
    case 0: return value + 1;
    case 1: return value * value;
    default: return value % 97;
    }
}

static void *run_stage(void *argument) {
    int stage = (int)(long)argument, value;
    while ((value = receive(&channels[stage])) != END) send(&channels[stage + 1], apply(stage, value));
    send(&channels[stage + 1], END);
    return NULL;
}

int main(void) {
    pthread_t stages[STAGES];
    for (int i = 0; i <= STAGES; i++) {
        pthread_mutex_init(&channels[i].lock, NULL);
        pthread_cond_init(&channels[i].changed, NULL);
    }
    for (long i = 0; i < STAGES; i++) pthread_create(&stages[i], NULL, run_stage, (void *)i);
    /* The pipeline holds more than two numbers, so this never blocks itself. */
    int sent = 0, received = 0, value;
    send(&channels[0], sent++);
    send(&channels[0], sent++);
    while ((value = receive(&channels[STAGES])) != END) {
        printf("%d%s", value, ++received == ITEMS ? "\n" : " ");
        if (sent < ITEMS) send(&channels[0], sent++);
        else if (sent++ == ITEMS) send(&channels[0], END);
    }
    for (int i = 0; i < STAGES; i++) pthread_join(stages[i], NULL);
    printf("%d numbers\n", received);
    return 0;
}
