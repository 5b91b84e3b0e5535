/* Words counted by threads in a tree, a hash table and a list, all of search.h. */
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

struct word {
    char *text;
    int count;
};

static const char *const texts[] = {
    "the quick brown fox jumps over the lazy dog.\nThe dog sleeps;",
    "a fox, a dog: the end.\nover and over",
    "lazy lazy dog",
};
static void *root;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int by_text(const void *a, const void *b) {
    return strcasecmp(((const struct word *)a)->text, ((const struct word *)b)->text);
}

static void count(char *line) {
    char *rest;
    for (char *text = strtok_r(line, " ,.;:\n", &rest); text; text = strtok_r(NULL, " ,.;:\n", &rest)) {
        struct word *word = malloc(sizeof *word);
        word->text = strdup(text);
        for (char *letter = word->text; *letter; letter++) *letter |= 0x20;
        word->count = 1;
        pthread_mutex_lock(&lock);
        struct word **found = tsearch(word, &root, by_text);
        if (*found != word) {
            (*found)->count++;
            free(word->text);
            free(word);
        }
        pthread_mutex_unlock(&lock);
    }
}

static void *read_text(void *argument) {
    FILE *file = fmemopen(argument, strlen(argument), "r");
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) count(line);
    free(line);
    fclose(file);
    return NULL;
}

static void show(const void *node, VISIT which, int depth) {
    (void)depth;
    const struct word *word = *(struct word *const *)node;
    if (which == postorder || which == leaf) printf("%-8s %d\n", word->text, word->count);
}

static int by_number(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void numbers(void) {
    static int values[200];
    void *tree = NULL;
    for (int i = 0; i < 200; i++) {
        values[i] = i * 37 % 200;
        tsearch(&values[i], &tree, by_number);
    }
    for (int i = 0; i < 200; i += 3) {
        if (!tdelete(&values[i], &tree, by_number)) puts("lost");
    }
    int left = 0, sum = 0;
    for (int i = 0; i < 200; i++) {
        int **found = tfind(&values[i], &tree, by_number);
        if (found) left++, sum += **found;
    }
    printf("%d left, sum %d\n", left, sum);
    while (tree) tdelete(*(int **)tree, &tree, by_number);
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, read_text, (void *)texts[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    twalk(root, show);
    numbers();
    static char *const keys[] = {"one", "two", "three", "four", "five"};
    hcreate(8);
    for (size_t i = 0; i < 5; i++) hsearch((ENTRY){.key = keys[i], .data = (void *)(i + 1)}, ENTER);
    ENTRY *three = hsearch((ENTRY){.key = "three"}, FIND), *six = hsearch((ENTRY){.key = "six"}, FIND);
    printf("three is %d, six is %s\n", (int)(size_t)three->data, six ? "there" : "not there");
    hdestroy();
    int list[8] = {5, 3, 8}, wanted[] = {3, 9, 9};
    size_t used = 3;
    for (int i = 0; i < 3; i++) lsearch(&wanted[i], list, &used, sizeof *list, by_number);
    printf("%zu in the list, the last is %d\n", used, list[used - 1]);
    return 0;
}
