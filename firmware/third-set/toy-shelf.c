/*
 * Children borrow toys from a shelf, an aunt brings new ones. The shelf has a
 * readers-writer lock: the aunt locks it for writing.
 *
 * Bug: borrow() "only takes a toy", so it locks for reading, and yet it moves
 * the mark of the next toy. Two children can get the same one.
 *
 * validate:
 *   kind: readers-writers
 *   variable: shelf.next
 *   threads: 6
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define MAX_TOYS 20
#define CHILDREN 4

struct toy {
    int id;
    char tag;                   /* letter of the child */
};

static struct {
    pthread_rwlock_t lock;
    struct toy toys[MAX_TOYS];
    int count;                  /* on the shelf so far */
    int next;                   /* the next one to be borrowed */
} shelf;

struct child {
    pthread_t thread;
    char letter;
    int borrowed;
    int tries;
};

static void add_toy(int id)
{
    pthread_rwlock_wrlock(&shelf.lock);
    shelf.toys[shelf.count].id = id;
    shelf.count++;
    pthread_rwlock_unlock(&shelf.lock);
}

static int borrow(struct child *c)
{
    int at, got = 0;

#ifdef FIXED
    pthread_rwlock_wrlock(&shelf.lock);
#else
    pthread_rwlock_rdlock(&shelf.lock);     /* bug */
#endif
    at = shelf.next;                        /* bug: 1 */
    if (at < shelf.count) {
        shelf.toys[at].tag = c->letter;
        shelf.next = at + 1;                /* bug: 2, 3 */
        got = 1;
    }
    pthread_rwlock_unlock(&shelf.lock);
    return got;
}

static pthread_barrier_t party;

static void *play(void *arg)
{
    struct child *c = arg;

    pthread_barrier_wait(&party);
    for (c->tries = 0; c->tries < 3; c->tries++)
        c->borrowed += borrow(c);
    return NULL;
}

static void *aunt(void *arg)
{
    for (int id = 12; id < MAX_TOYS; id++)
        add_toy(id);
    return arg;
}

int main(void)
{
    struct child children[CHILDREN] = { { .letter = 0 } };
    pthread_t visitor;
    int borrowed = 0, tagged = 0;

    pthread_rwlock_init(&shelf.lock, NULL);
    for (int id = 0; id < 12; id++)
        add_toy(id);
    pthread_barrier_init(&party, NULL, CHILDREN);
    for (int i = 0; i < CHILDREN; i++) {
        children[i].letter = (char)('a' + i);
        pthread_create(&children[i].thread, NULL, play, &children[i]);
    }
    pthread_create(&visitor, NULL, aunt, NULL);
    for (int i = 0; i < CHILDREN; i++) {
        pthread_join(children[i].thread, NULL);
        borrowed += children[i].borrowed;
    }
    pthread_join(visitor, NULL);
    for (int i = 0; i < shelf.count; i++)
        tagged += shelf.toys[i].tag != 0;
    printf("%d of %d toys borrowed\n", tagged, shelf.count);
    return borrowed == tagged && shelf.next == tagged ? 0 : 3;
}
