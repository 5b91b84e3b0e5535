/* Linked lists: building, searching, reversing, merge sort, removing. */
#include "benchmark.h"

#include <stddef.h>

enum { COUNT = 300 };

struct node {
    struct node *next;
    int key;
    int value;
};

static struct node nodes[COUNT];

static struct node *built(void) {
    uint32_t seed = 362436069u;
    struct node *list = NULL;
    for (int i = 0; i < COUNT; i++) {
        /* Not in the order of their addresses. */
        struct node *node = &nodes[(i * 97) % COUNT];
        node->key = (int)(next_random(&seed) % 1000);
        node->value = i;
        node->next = list;
        list = node;
    }
    return list;
}

static struct node *reversed(struct node *list) {
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

static struct node *merged(struct node *a, struct node *b) {
    struct node head, *last = &head;
    while (a && b) {
        struct node **first = b->key < a->key ? &b : &a;
        last->next = *first;
        last = *first;
        *first = (*first)->next;
    }
    last->next = a ? a : b;
    return head.next;
}

static struct node *sorted(struct node *list) {
    if (!list || !list->next) return list;
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *half = slow->next;
    slow->next = NULL;
    return merged(sorted(list), sorted(half));
}

static struct node *found(struct node *list, int key) {
    while (list && list->key != key) list = list->next;
    return list;
}

static struct node *without_odd(struct node *list) {
    struct node **link = &list;
    while (*link) {
        if ((*link)->key & 1) *link = (*link)->next;
        else link = &(*link)->next;
    }
    return list;
}

static uint32_t folded(uint32_t sum, const struct node *list) {
    for (; list; list = list->next) sum = fold(sum, (uint32_t)(list->key * 1000 + list->value));
    return sum;
}

static uint32_t work(void) {
    struct node *list = reversed(built());
    uint32_t sum = folded(0, list);
    for (int key = 0; key < 1000; key += 50) {
        struct node *node = found(list, key);
        sum = fold(sum, node ? (uint32_t)node->value : 0xffffffffu);
    }
    list = sorted(list);
    for (struct node *node = list; node->next; node = node->next)
        if (node->key > node->next->key) return 0;
    sum = folded(sum, list);
    return folded(sum, without_odd(list));
}

int main(void) {
    return measure(work, 0x92f169a1u);
}
