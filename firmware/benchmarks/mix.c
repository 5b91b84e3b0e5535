/* A mix as in programs of systems: records, pointers, small functions, text that is compared and copied, arrays in two
 * dimensions, a few divisions. The proportions are in the manner of Dhrystone; nothing of it is taken from there. */
#include "benchmark.h"

#include <string.h>

enum color { RED, GREEN, BLUE, GREY };

struct item {
    struct item *partner;
    enum color color;
    int weight;
    char label[24];
};

static struct item left, right;
static int table[10][10];
static int row[10];
static int last_weight;
static char last_letter;
static _Bool matched;

__attribute__((noinline)) static enum color mixed(enum color a, enum color b) {
    if (a == b) return GREY;
    return (enum color)((a + b) & 3);
}

__attribute__((noinline)) static int is_before(const char *a, const char *b) {
    int place = 2;
    char letter = 'A';
    while (place <= 2)
        if (a[place] == b[place + 1]) letter = 'B';
        else place++;
    if (letter >= 'W' && letter < 'Z') place = 7;
    if (letter == 'R') return 1;
    return strcmp(a, b) < 0 ? (last_weight = place + 5, 1) : 0;
}

__attribute__((noinline)) static void put(int to[10], int grid[10][10], int at, int value) {
    int place = at + 3;
    to[place] = value;
    to[place + 1] = to[place];
    to[place + 3 < 10 ? place + 3 : 9] = place;
    for (int i = place; i <= place + 1; i++) grid[place][i] = place;
    grid[place][place - 1] += 1;
    grid[place + 2 < 10 ? place + 2 : 9][place] = to[place];
    last_weight = 5;
}

__attribute__((noinline)) static void exchange(struct item *item) {
    struct item *partner = item->partner;
    struct item *own = partner->partner;
    *partner = *item;
    partner->partner = own;
    item->weight = 5;
    partner->weight = item->weight + last_weight;
    item->partner = partner;
    if (partner->color == RED) {
        partner->weight = 6;
        partner->color = mixed(item->color, BLUE);
    } else {
        item->color = mixed(partner->color, item->color);
    }
}

__attribute__((noinline)) static char next_letter(char letter) {
    matched = last_letter == letter;
    last_letter = (char)('A' + (letter - 'A' + 7) % 26);
    return last_letter;
}

static uint32_t work(void) {
    memset(table, 0, sizeof table);
    memset(row, 0, sizeof row);
    left = (struct item){&right, GREEN, 40, "THE ITEM ON THE LEFT"};
    right = (struct item){&left, RED, 17, "THE ITEM AT RIGHT"};
    last_letter = 'A';
    uint32_t sum = 0;
    for (int round = 1; round <= 150; round++) {
        char first[24], second[24];
        strcpy(first, "THE ITEM, FIRST ROUND");
        strcpy(second, "THE ITEM, OTHER ROUND");
        second[10] = (char)('A' + round % 26);
        int a = 2, b = 3, c = 0;
        matched = !is_before(first, second);
        while (a < b) {
            c = 5 * a - b;
            put(row, table, a, c);
            a++;
        }
        exchange(round & 1 ? &left : &right);
        for (char letter = 'A'; letter <= next_letter(last_letter); letter++) {
            if (left.color == mixed(RED, GREEN)) left.color = BLUE;
            if (letter > 'M') break;
        }
        b = b * a;
        a = b / (c ? c : 1);
        b = 7 * (b - c) - a;
        sum = fold(sum, (uint32_t)(a + 31 * b + 101 * c + left.weight + right.weight));
        sum = fold(sum, (uint32_t)(left.color + 4 * right.color + 16 * matched) + (unsigned char)last_letter);
    }
    for (int i = 0; i < 10; i++) sum = fold(sum, (uint32_t)(row[i] + table[i][i]));
    return fold(sum, (uint32_t)strlen(left.label) + (uint32_t)strlen(right.label));
}

int main(void) {
    return measure(work, 0x9489f539u);
}
