/* Heap sort: in place, no recursion, never quadratic. */
#include "../internal.h"

#include <stdlib.h>

typedef int comparison(const void *, const void *);

static void swap(char *a, char *b, size_t bytes) {
    while (bytes--) {
        char kept = *a;
        *a++ = *b;
        *b++ = kept;
    }
}

static void sift_down(char *base, size_t root, size_t count, size_t bytes, comparison *compare) {
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare(base + child * bytes, base + (child + 1) * bytes) < 0) child++;
        if (compare(base + root * bytes, base + child * bytes) >= 0) return;
        swap(base + root * bytes, base + child * bytes, bytes);
    }
}

void qsort(void *array, size_t count, size_t bytes, comparison *compare) {
    char *base = array;
    for (size_t root = count / 2; root-- > 0;) sift_down(base, root, count, bytes, compare);
    while (count-- > 1) {
        swap(base, base + count * bytes, bytes);
        sift_down(base, 0, count, bytes, compare);
    }
}

void *bsearch(const void *key, const void *array, size_t count, size_t bytes, comparison *compare) {
    const char *base = array;
    while (count) {
        const char *middle = base + count / 2 * bytes;
        int order = compare(key, middle);
        if (!order) return (void *)middle;
        if (order > 0) {
            base = middle + bytes;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}
