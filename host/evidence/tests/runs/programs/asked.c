/* Things to ask about. */
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    short key;
    char name[6];
    union {
        int number;
        unsigned char raw[4];
    };
};

struct pool {
    int used;
    struct node nodes[3];
    struct node *head;
    void *any;
};

struct pool pool;
int table[2][3];
struct node *lost;
static int total;
char *text = "fixed";
int never;

static void link_up(struct node *node, int key) {
    node->next = pool.head;
    node->key = (short)key; /* @key */
    pool.head = node;       /* @head */
}

static void *worker(void *argument) {
    static int calls;
    calls++;
    struct node *node = malloc(sizeof *node);
    node->number = 0x01020304; /* @number */
    node->raw[2] = 9;          /* @raw */
    link_up(node, 42);         /* @call */
    pool.any = node;
    table[1][2] = 7;           /* @table */
    lost = malloc(sizeof *lost);
    lost->key = 5;             /* @before */
    free(lost);                /* @free */
    lost->key = 6;             /* @after */
    return argument;
}

int main(void) {
    pthread_t thread;
    total = 1;
    pool.used = 3;              /* @used */
    link_up(&pool.nodes[1], 8); /* @first */
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    total += pool.head->key;
    return total == 43 ? 3 : 0;
}
