/* Map and reduce: threads count words of their part of a text, main merges and sorts the counts. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAPPERS 3
#define MOST_WORDS 40

static const char *const text[] = {
    "the cat sat on the mat and the dog sat on the cat",
    "a dog and a cat and a mat make a house a home",
    "on the mat the cat dreams of the dog and the house",
    "no dog no cat no mat: the house is empty",
    "The home is where the cat is, says the cat",
    "and the dog says nothing at all",
};
enum { LINES = sizeof text / sizeof *text };

struct counts {
    int used;
    struct entry {
        char *word;
        int count;
    } entries[MOST_WORDS];
};

static void add(struct counts *counts, const char *word, int count) {
    for (int i = 0; i < counts->used; i++)
        if (!strcmp(counts->entries[i].word, word)) {
            counts->entries[i].count += count;
            return;
        }
    counts->entries[counts->used++] = (struct entry){strdup(word), count};
}

static void *map(void *argument) {
    int part = (int)(long)argument;
    struct counts *counts = calloc(1, sizeof *counts);
    for (int line = part; line < LINES; line += MAPPERS) {
        char copy[80], *rest;
        strcpy(copy, text[line]);
        for (char *c = copy; *c; c++) *c = (char)tolower((unsigned char)*c);
        for (char *word = strtok_r(copy, " ,:", &rest); word; word = strtok_r(NULL, " ,:", &rest))
            add(counts, word, 1);
    }
    return counts;
}

static int by_count(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->word, y->word);
}

int main(void) {
    pthread_t mappers[MAPPERS];
    struct counts all = {0};
    for (long i = 0; i < MAPPERS; i++) pthread_create(&mappers[i], NULL, map, (void *)i);
    for (int i = 0; i < MAPPERS; i++) {
        void *result;
        pthread_join(mappers[i], &result);
        struct counts *counts = result;
        for (int j = 0; j < counts->used; j++) {
            add(&all, counts->entries[j].word, counts->entries[j].count);
            free(counts->entries[j].word);
        }
        free(counts);
    }
    qsort(all.entries, (size_t)all.used, sizeof *all.entries, by_count);
    for (int i = 0; i < all.used; i++) {
        if (i < 8) printf("%-6s %2d\n", all.entries[i].word, all.entries[i].count);
        free(all.entries[i].word);
    }
    printf("%d different words\n", all.used);
    return 0;
}
