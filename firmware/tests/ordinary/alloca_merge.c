/* Merge sort with its scratch memory on the stack. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static void merge_sort(int *a, int n)
{
    if (n < 2)
        return;
    int half = n / 2, i = 0, j = half, k = 0;
    merge_sort(a, half);
    merge_sort(a + half, n - half);
    int *scratch = alloca((size_t)n * sizeof *scratch);
    while (i < half && j < n)
        scratch[k++] = a[i] <= a[j] ? a[i++] : a[j++];
    while (i < half)
        scratch[k++] = a[i++];
    while (j < n)
        scratch[k++] = a[j++];
    memcpy(a, scratch, (size_t)n * sizeof *a);
}

int main(void)
{
    int a[200];
    unsigned x = 12345;
    for (int i = 0; i < 200; i++) {
        x = x * 1103515245u + 12345u;
        a[i] = (int)(x >> 16) % 1000;
    }
    merge_sort(a, 200);
    int ordered = 1;
    for (int i = 1; i < 200; i++)
        ordered &= a[i - 1] <= a[i];
    printf("%s: %d %d ... %d\n", ordered ? "ordered" : "wrong", a[0], a[1], a[199]);
    return !ordered;
}
