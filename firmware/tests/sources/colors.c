/* What crosstalk/color.h does, as a program sees it: the first argument says what to show. */
#include <crosstalk/color.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 4096
#define ROUNDS 300

_Alignas(4096) int words[WORDS];

struct account {
    _Alignas(64) volatile int checking;
    _Alignas(64) volatile int savings;
};
struct account account;

static int is_colored(int first, int last, unsigned color) {
    for (int i = first; i < last; i++)
        if (crosstalk_color_of(&words[i]) != color) return 0;
    return 1;
}

static void show_ranges(void) {
    printf("last %u\n", (unsigned)crosstalk_last_color());
    crosstalk_color(&words[10], 4 * 90, 5);
    printf("%d\n", is_colored(0, 10, 0) && is_colored(10, 100, 5) && is_colored(100, 1024, 0));
    crosstalk_color(&words[50], 8, 6);
    printf("%d\n", is_colored(10, 50, 5) && is_colored(50, 52, 6) && is_colored(52, 100, 5));
    crosstalk_color(&words[1000], 4 * 2000, 7); /* a whole page in the middle */
    printf("%d\n", is_colored(1000, 3000, 7) && is_colored(3000, WORDS, 0));
    crosstalk_uncolor(&words[1500], 1); /* a byte counts as its word */
    printf("%d\n", is_colored(1000, 1500, 7) && is_colored(1500, 1501, 0) && is_colored(1501, 3000, 7));
    printf("%d %d\n", crosstalk_color(words, 4, 1 << 20), crosstalk_color(words, 0, 5));
}

static void show_numbers(void) {
    unsigned first = crosstalk_new_color(), second = crosstalk_new_color();
    crosstalk_give_color(first);
    unsigned given = 2;
    while (crosstalk_new_color()) given++;
    printf("%u %u, %u given\n", first, second, given);
    crosstalk_give_color(second);
    printf("%u again, then %u\n", (unsigned)crosstalk_new_color(), (unsigned)crosstalk_new_color());
}

/* Each block has a color, no two that are there the same. */
static void show_blocks(void) {
    char *blocks[8];
    int distinct = 1, whole = 1;
    for (int i = 0; i < 8; i++) {
        blocks[i] = i % 2 ? calloc(i, 9) : malloc(24 * i);
        whole &= i == 0 || crosstalk_color_of(blocks[i]) == crosstalk_color_of(blocks[i] + 8 * i);
        for (int j = 0; j < i; j++) distinct &= crosstalk_color_of(blocks[i]) != crosstalk_color_of(blocks[j]);
    }
    printf("%d %d", distinct && crosstalk_color_of(blocks[0]), whole);
    unsigned color = crosstalk_color_of(blocks[3]);
    blocks[3] = realloc(blocks[3], 1000);
    printf(" %d", crosstalk_color_of(blocks[3] + 999) && crosstalk_color_of(blocks[3]) != color);
    free(blocks[4]);
    printf(" %d\n", crosstalk_color_of(blocks[4]) == 0);
    for (int i = 0; i < 10000; i++) free(malloc(40)); /* many more than there are colors */
    printf("%d\n", crosstalk_color_of(malloc(40)) != 0);
}

static int seen;
static const char *how;

static void choose(void) {
    if (!strncmp(how, "quiet", 5)) crosstalk_avoid(0);
    if (strstr(how, "loud")) crosstalk_avoid(1);
}

static void *move(void *unused) {
    (void)unused;
    choose();
    for (int i = 0; i < ROUNDS; i++) {
        account.checking = i;
        for (volatile int pause = 0; pause < 60; pause++) {}
        account.savings = -i;
        for (volatile int pause = 0; pause < 20; pause++) {}
    }
    return NULL;
}

static void *look(void *unused) {
    (void)unused;
    choose();
    for (int i = 0; i < ROUNDS; i++) {
        int checking = account.checking;
        for (volatile int pause = 0; pause < 5; pause++) {}
        seen += checking + account.savings != 0;
    }
    return NULL;
}

/* Reads that do not fit together are seen now and then; how often goes to the exit code. */
static void move_and_look(void) {
    pthread_t threads[2];
    crosstalk_color(&account, sizeof account, crosstalk_new_color());
    crosstalk_flush_colors();
    pthread_create(&threads[0], NULL, move, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

int main(int count, char **arguments) {
    if (count < 2) return 1;
    how = arguments[1];
    choose();
    if (!strcmp(arguments[1], "ranges")) show_ranges();
    else if (!strcmp(arguments[1], "numbers")) show_numbers();
    else if (!strcmp(arguments[1], "blocks")) show_blocks();
    else move_and_look();
    return seen < 250 ? seen : 250;
}
