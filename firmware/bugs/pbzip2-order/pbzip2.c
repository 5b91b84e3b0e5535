/* A parallel compressor: a producer, consumers that compress, and a writer that keeps the order.
 *
 * The main thread cuts the input into blocks and queues them. Consumers compress blocks and put them where
 * the writer, who needs them in order, finds them. When the writer is done the main thread deletes the
 * queue and checks the output by unpacking it.
 *
 * After PBZip2-Order of Bugaboo, Table 1: that the writer is done does not mean that the consumers are. One
 * that comes back to the queue for more finds its mutex and its condition variables deleted. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONSUMERS 2
#define INPUT_BYTES 432
#define BLOCK_BYTES 48
#define BLOCKS (INPUT_BYTES / BLOCK_BYTES)
#define QUEUE_SLOTS 3
#define LINE 64

struct block {
    unsigned number;
    unsigned length;
    unsigned check;
    unsigned char bytes[2 * BLOCK_BYTES];
};

/* ---- the queue of blocks to compress ---- */

struct queue {
    struct block *slots[QUEUE_SLOTS];
    unsigned head, count;
    int producer_done;
    pthread_mutex_t *mutex;
    pthread_cond_t *not_full;
    pthread_cond_t *not_empty;
};

static void *allocate(size_t bytes) {
    void *block = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (!block) abort();
    return block;
}

static struct queue *queue_create(void) {
    struct queue *queue = allocate(sizeof *queue);
    queue->head = 0;
    queue->count = 0;
    queue->producer_done = 0;
    queue->mutex = allocate(sizeof *queue->mutex);
    queue->not_full = allocate(sizeof *queue->not_full);
    queue->not_empty = allocate(sizeof *queue->not_empty);
    pthread_mutex_init(queue->mutex, NULL);
    pthread_cond_init(queue->not_full, NULL);
    pthread_cond_init(queue->not_empty, NULL);
    return queue;
}

static void queue_delete(struct queue *queue) {
    pthread_mutex_destroy(queue->mutex);
    free(queue->mutex);
    queue->mutex = NULL; /* bug: 2 */
    pthread_cond_destroy(queue->not_full);
    free(queue->not_full);
    queue->not_full = NULL;
    pthread_cond_destroy(queue->not_empty);
    free(queue->not_empty);
    queue->not_empty = NULL;
}

static void queue_add(struct queue *queue, struct block *block) {
    pthread_mutex_lock(queue->mutex);
    while (queue->count == QUEUE_SLOTS) pthread_cond_wait(queue->not_full, queue->mutex);
    queue->slots[(queue->head + queue->count) % QUEUE_SLOTS] = block;
    queue->count++;
    pthread_cond_signal(queue->not_empty);
    pthread_mutex_unlock(queue->mutex);
}

/* There will be no more blocks. */
static void queue_finish(struct queue *queue) {
    pthread_mutex_lock(queue->mutex);
    queue->producer_done = 1;
    pthread_cond_broadcast(queue->not_empty);
    pthread_mutex_unlock(queue->mutex);
}

/* The next block, or NULL after the last. */
static struct block *queue_remove(struct queue *queue) {
    struct block *block = NULL;
    pthread_mutex_t *mutex = queue->mutex; /* bug: 3 */
    pthread_mutex_lock(mutex);
    while (queue->count == 0 && !queue->producer_done) {
        pthread_cond_wait(queue->not_empty, mutex);
    }
    if (queue->count > 0) {
        block = queue->slots[queue->head];
        queue->head = (queue->head + 1) % QUEUE_SLOTS;
        queue->count--;
        pthread_cond_signal(queue->not_full);
    }
    pthread_mutex_unlock(mutex);
    return block;
}

/* ---- compressed blocks, on their way to the writer ---- */

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t ready;
    _Alignas(LINE) struct block *blocks[BLOCKS];
} output = {.mutex = PTHREAD_MUTEX_INITIALIZER, .ready = PTHREAD_COND_INITIALIZER};

static void output_put(struct block *block) {
    pthread_mutex_lock(&output.mutex);
    output.blocks[block->number] = block; /* bug: 1 */
    pthread_cond_signal(&output.ready);
    pthread_mutex_unlock(&output.mutex);
}

static struct block *output_get(unsigned number) {
    pthread_mutex_lock(&output.mutex);
    while (!output.blocks[number]) pthread_cond_wait(&output.ready, &output.mutex);
    struct block *block = output.blocks[number];
    pthread_mutex_unlock(&output.mutex);
    return block;
}

/* ---- compression: runs, as a byte and how often ---- */

static unsigned pack(unsigned char *to, const unsigned char *from, unsigned length) {
    unsigned packed = 0;
    for (unsigned at = 0; at < length;) {
        unsigned run = 1;
        while (at + run < length && run < 255 && from[at + run] == from[at]) run++;
        to[packed++] = (unsigned char)run;
        to[packed++] = from[at];
        at += run;
    }
    return packed;
}

static unsigned unpack(unsigned char *to, const unsigned char *from, unsigned length) {
    unsigned unpacked = 0;
    for (unsigned at = 0; at + 1 < length; at += 2) {
        memset(to + unpacked, from[at + 1], from[at]);
        unpacked += from[at];
    }
    return unpacked;
}

/* The CRC that goes with every block. */
static unsigned check_of(const unsigned char *bytes, unsigned length) {
    unsigned check = ~0u;
    for (unsigned at = 0; at < length; at++) {
        check ^= (unsigned)bytes[at] << 24;
        for (int bit = 0; bit < 8; bit++) check = check << 1 ^ (check >> 31) * 0x04c11db7u;
    }
    return ~check;
}

static struct block *pack_block(const struct block *block) {
    struct block *packed = allocate(sizeof *packed);
    packed->number = block->number;
    packed->check = check_of(block->bytes, block->length);
    packed->length = pack(packed->bytes, block->bytes, block->length);
    return packed;
}

/* Whether a packed block can be unpacked again. */
static int verify(const struct block *packed) {
    unsigned char bytes[2 * BLOCK_BYTES];
    unsigned length = unpack(bytes, packed->bytes, packed->length);
    return check_of(bytes, length) == packed->check;
}

/* ---- consumers ---- */

struct consumer {
    _Alignas(LINE) struct queue *queue;
    unsigned blocks;
};

/* What the user sees of the progress. */
static struct {
    pthread_mutex_t mutex;
    _Alignas(LINE) unsigned bytes_in, bytes_out;
    char bar[11];
} status = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Shows how much is done. */
static void show_progress(unsigned before, unsigned after) {
    pthread_mutex_lock(&status.mutex);
    status.bytes_in += before;
    status.bytes_out += after;
    unsigned percent = 100 * status.bytes_in / INPUT_BYTES;
    for (unsigned tenth = 0; tenth < 10; tenth++) status.bar[tenth] = 10 * tenth < percent ? '#' : '.';
    pthread_mutex_unlock(&status.mutex);
}

static void *run_consumer(void *argument) {
    struct consumer *self = argument;
    struct block *block;
    while ((block = queue_remove(self->queue))) {
        struct block *packed = pack_block(block);
        output_put(packed);
        /* The writer need not wait for this: a block that is wrong ends everything. */
        if (!verify(packed)) abort();
        show_progress(block->length, packed->length);
        self->blocks++;
        free(block);
    }
    return NULL;
}

/* ---- the writer ---- */

struct file {
    unsigned length;
    unsigned char bytes[2 * INPUT_BYTES];
};

static void *run_writer(void *argument) {
    struct file *file = argument;
    for (unsigned number = 0; number < BLOCKS; number++) {
        struct block *block = output_get(number);
        memcpy(file->bytes + file->length, block->bytes, block->length);
        file->length += block->length;
    }
    return NULL;
}

/* ---- the producer ---- */

/* Text with runs, as tables and drawings have them. */
static void make_input(unsigned char *bytes) {
    unsigned seed = 9;
    for (unsigned at = 0; at < INPUT_BYTES;) {
        seed = seed * 1103515245u + 12345u;
        unsigned run = 1 + (seed >> 16) % 9;
        unsigned char byte = (unsigned char)('a' + (seed >> 24) % 26);
        while (run-- && at < INPUT_BYTES) bytes[at++] = byte;
    }
}

static void produce(struct queue *queue, const unsigned char *input) {
    for (unsigned number = 0; number < BLOCKS; number++) {
        struct block *block = allocate(sizeof *block);
        block->number = number;
        block->length = BLOCK_BYTES;
        memcpy(block->bytes, input + number * BLOCK_BYTES, BLOCK_BYTES);
        queue_add(queue, block);
    }
    queue_finish(queue);
}

int main(void) {
    static unsigned char input[INPUT_BYTES], again[INPUT_BYTES];
    static struct consumer consumers[CONSUMERS];
    static struct file file;
    pthread_t consuming[CONSUMERS], writer;
    unsigned blocks = 0;
    struct queue *queue = queue_create();
    make_input(input);
    for (int i = 0; i < CONSUMERS; i++) {
        consumers[i].queue = queue;
        pthread_create(&consuming[i], NULL, run_consumer, &consumers[i]);
    }
    pthread_create(&writer, NULL, run_writer, &file);
    produce(queue, input);
    pthread_join(writer, NULL);
#ifdef FIXED
    for (int i = 0; i < CONSUMERS; i++) pthread_join(consuming[i], NULL);
#endif
    queue_delete(queue);
#ifndef FIXED
    for (int i = 0; i < CONSUMERS; i++) pthread_join(consuming[i], NULL);
#endif
    free(queue);
    for (int i = 0; i < CONSUMERS; i++) blocks += consumers[i].blocks;
    assert(status.bytes_in == INPUT_BYTES && status.bytes_out == file.length);
    assert(unpack(again, file.bytes, file.length) == INPUT_BYTES);
    assert(memcmp(input, again, INPUT_BYTES) == 0);
    printf("%u blocks, %u bytes to %u\n", blocks, INPUT_BYTES, file.length);
    return EXIT_SUCCESS;
}
