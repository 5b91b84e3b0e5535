/* Accesses of many kinds to globals, heap blocks and stacks; the tests know what each should be called. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
    pthread_mutex_t lock;
    atomic_int refs;
    char label[8];
};

typedef struct {
    int x, y, z;
} point;

struct table {
    int used;
    struct node **slots;
    struct node inside[4];
    struct {
        int a, b;
    } pair;
    union {
        int number;
        char letters[4];
    };
    int (*hook)(int);
    int tail[];
};

struct board {
    int points;
    pthread_mutex_t lock;
};

static struct table *table;
static point *path;
static volatile int flag;
static int counter;
point corners[4];
int rows[8][2];

#define LOCK(object) pthread_mutex_lock(&(object)->lock)

static void *zeroed(size_t bytes) {
    void *block = calloc(1, bytes); /* @zeroed */
    if (!block)
        abort();
    return block;
}

static void bump(int *which) {
    *which += 1; /* @bump */
}

static int twice(int n) {
    return n * 2;
}

static struct node *node_new(int value) {
    struct node *made = zeroed(sizeof *made); /* @made */
    made->value = value;                      /* @value */
    return made;
}

static void *worker(void *argument) {
    struct table *t = argument;
    struct node *n = node_new(3);
    pthread_mutex_lock(&n->lock); /* @lock */
    n->value += t->used;          /* @compound */
    pthread_mutex_unlock(&n->lock);
    LOCK(t->slots[0]);           /* @macro */
    pthread_mutex_lock(&t->inside[t->used % 2].lock); /* @lock-inside */
    atomic_fetch_add(&n->refs, 1);      /* @fetch-add */
    n->refs++;                          /* @atomic-step */
    int seen = atomic_load(&n->refs);   /* @atomic-load */
    atomic_store_explicit(&n->refs, seen - 2, memory_order_release); /* @atomic-store */
    t->slots[t->used % 4] = n;          /* @slot */
    ++t->used;                          /* @step */
    bump(&t->pair.b);
    if (t->slots[0]->value != seen && (*t).inside[2].value != 5) /* @chain */
        t->pair.a = ((struct node *)t->slots[0])->value;         /* @cast */
    t->number = flag;               /* @union */
    t->tail[2] = t->hook(seen);     /* @tail */
    path[1] = corners[2];           /* @copy */
    path[t->used % 2].y = 4;        /* @element */
    rows[3][1] = t->used;           /* @rows */
    memcpy(n->label, "abc", 4);     /* @label */
    strcpy(t->inside[1].label, n->label); /* @copy-label */
    *(path + 2) = (point){1, 2, seen};    /* @sum */
    counter += path->z + path[2].x;       /* @reads */
    return NULL;
}

static void *player(void *argument) { /* @saved */
    struct board *board = argument;
    pthread_mutex_lock(&board->lock); /* @lock-board */
    board->points++;                  /* @points */
    pthread_mutex_unlock(&board->lock);
    return NULL;
}

int main(void) {
    static int calls;
    struct board mine = {0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[2];
    calls++;                                                /* @static */
    table = zeroed(sizeof *table + 4 * sizeof(int));        /* @table */
    table->hook = twice;                                    /* @hook */
    table->slots = calloc(4, sizeof(struct node *));        /* @slots */
    table->slots[0] = node_new(1);
    path = (point *)malloc(3 * sizeof(point));
    memset(path, 0, 3 * sizeof(point));                     /* @clear */
    pthread_create(&threads[0], NULL, worker, table);
    pthread_create(&threads[1], NULL, player, &mine);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d\n", counter, calls, mine.points);
    return 0;
}
