/* Sorting: quicksort, heapsort and insertion sort of the same numbers. */
#include "benchmark.h"

#include <string.h>

enum { COUNT = 600, SMALL = 60 };

static int numbers[COUNT];
static int sorted[COUNT];

static void swap(int *a, int *b) {
    int other = *a;
    *a = *b;
    *b = other;
}

static void insertion_sort(int *items, int count) {
    for (int i = 1; i < count; i++) {
        int item = items[i];
        int place = i;
        while (place > 0 && items[place - 1] > item) {
            items[place] = items[place - 1];
            place--;
        }
        items[place] = item;
    }
}

static void quicksort(int *items, int count) {
    if (count <= 8) {
        insertion_sort(items, count);
        return;
    }
    int pivot = items[count / 2];
    int low = 0, high = count - 1;
    while (low <= high) {
        while (items[low] < pivot) low++;
        while (items[high] > pivot) high--;
        if (low <= high) swap(&items[low++], &items[high--]);
    }
    quicksort(items, high + 1);
    quicksort(items + low, count - low);
}

static void sift_down(int *heap, int root, int count) {
    for (;;) {
        int child = 2 * root + 1;
        if (child >= count) return;
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[root] >= heap[child]) return;
        swap(&heap[root], &heap[child]);
        root = child;
    }
}

static void heapsort_all(int *items, int count) {
    for (int root = count / 2 - 1; root >= 0; root--) sift_down(items, root, count);
    for (int end = count - 1; end > 0; end--) {
        swap(&items[0], &items[end]);
        sift_down(items, 0, end);
    }
}

static uint32_t checked(int count) {
    uint32_t sum = 2166136261u;
    for (int i = 0; i < count; i++) {
        if (i > 0 && sorted[i - 1] > sorted[i]) return 0;
        sum = fold(sum, (uint32_t)sorted[i]);
    }
    return sum;
}

static uint32_t work(void) {
    uint32_t seed = 2463534242u;
    for (int i = 0; i < COUNT; i++) numbers[i] = (int)(next_random(&seed) % 10000) - 5000;
    uint32_t sum = 0;
    memcpy(sorted, numbers, sizeof numbers);
    quicksort(sorted, COUNT);
    sum = fold(sum, checked(COUNT));
    memcpy(sorted, numbers, sizeof numbers);
    heapsort_all(sorted, COUNT);
    sum = fold(sum, checked(COUNT));
    memcpy(sorted, numbers, sizeof numbers);
    insertion_sort(sorted, SMALL);
    return fold(sum, checked(SMALL));
}

int main(void) {
    return measure(work, 0xb2928620u);
}
