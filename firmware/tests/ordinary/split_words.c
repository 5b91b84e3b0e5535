/* Splits text in the ways there are, and sorts what comes out. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int ignoring_case(const void *a, const void *b)
{
    return strcasecmp(*(char *const *)a, *(char *const *)b);
}

static int by_distance(const void *a, const void *b, void *origin)
{
    int from = *(int *)origin;
    return abs(*(const int *)a - from) - abs(*(const int *)b - from);
}

int main(void)
{
    char path[] = "/usr/local//bin:/usr/bin:/bin", *outer, *inner, *words[20];
    int n = 0;
    for (char *dir = strtok_r(path, ":", &outer); dir; dir = strtok_r(NULL, ":", &outer))
        for (char *part = strtok_r(dir, "/", &inner); part; part = strtok_r(NULL, "/", &inner))
            words[n++] = part;
    words[n++] = "Bin";
    words[n++] = "LOCAL2";
    qsort(words, (size_t)n, sizeof *words, ignoring_case);
    for (int i = 0; i < n; i++)
        printf("%s%c", strcasecmp(words[i], "bin") ? words[i] : "bin", i + 1 < n ? ' ' : '\n');

    char fields[] = "a,,c,", *rest = fields, *field;
    while ((field = strsep(&rest, ",")))
        printf("[%s]", field);
    printf("\n");
    printf("%s|%s|%d\n", strcasestr("Hello World", "WORLD"), strchrnul("a=b", '='), (int)strspn("aabbcc", "ab"));
    printf("%s\n", (char *)memmem("xxneedleyy", 10, "needle", 6));
    char copy[8];
    printf("%s", (char *)mempcpy(copy, "abc", 4) - 4);
    printf(" %s", stpcpy(copy + 1, "zz") - 2);
    printf(" %s\n", copy);

    int numbers[] = {1, 50, 12, 9, 31}, origin = 11;
    qsort_r(numbers, 5, sizeof *numbers, by_distance, &origin);
    for (int i = 0; i < 5; i++)
        printf("%d ", numbers[i]);
    printf("\n");
    return 0;
}
