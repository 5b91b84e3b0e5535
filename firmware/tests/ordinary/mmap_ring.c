/* A ring buffer in mapped memory between two threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 8
#define ITEMS 100

struct ring {
    volatile unsigned head, tail;
    int items[SLOTS];
};

static struct ring *ring;

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        while (__atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) == SLOTS)
            usleep(10);
        ring->items[ring->head % SLOTS] = i;
        __atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    long sum = 0;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ring == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    printf("aligned %d, zeroed %d\n", (uintptr_t)ring % page == 0, ring->head == 0 && ring->items[7] == 0);
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < ITEMS; i++) {
        while (__atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) == ring->tail)
            usleep(10);
        sum += ring->items[ring->tail % SLOTS];
        __atomic_store_n(&ring->tail, ring->tail + 1, __ATOMIC_RELEASE);
    }
    pthread_join(t, NULL);
    printf("sum %ld, unmapped %d\n", sum, munmap(ring, sizeof *ring));
    return 0;
}
