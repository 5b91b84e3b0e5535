/*
 * Telegraph clerks share one code book. It is made when the first clerk asks
 * for it, and each clerk writes one code word into it per telegram.
 *
 * Bug: two clerks may both find no book and both make one; words written
 * into the book that is replaced are gone.
 *
 * validate:
 *   kind: check-then-act
 *   variable: the_book
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CLERKS 3
#define TELEGRAMS 4

struct book {
    pthread_mutex_t lock;
    int count;
    int words[CLERKS * TELEGRAMS];
};

static struct book *the_book;
static pthread_mutex_t sent_lock = PTHREAD_MUTEX_INITIALIZER;
static int sent;

static struct book *make_book(void)
{
    struct book *b = calloc(1, sizeof *b);
    if (b == NULL)
        abort();
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

#ifdef FIXED
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void first_book(void) { the_book = make_book(); }
static struct book *get_book(void)
{
    pthread_once(&once, first_book);
    return the_book;
}
#else
static struct book *get_book(void)
{
    if (the_book == NULL)               /* bug: 1, 2 */
        the_book = make_book();         /* bug: 3, 4 */
    return the_book;
}
#endif

static void write_word(int word)
{
    struct book *b = get_book();

    pthread_mutex_lock(&b->lock);
    b->words[b->count++] = word;
    pthread_mutex_unlock(&b->lock);
}

static void *clerk(void *arg)
{
    int id = (int)(long)arg;

    for (int i = 0; i < TELEGRAMS; i++) {
        write_word(id * 1000 + i);
        pthread_mutex_lock(&sent_lock);
        sent++;
        pthread_mutex_unlock(&sent_lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[CLERKS];
    long i;

    for (i = 0; i < CLERKS; i++)
        pthread_create(&t[i], NULL, clerk, (void *)i);
    for (i = 0; i < CLERKS; i++)
        pthread_join(t[i], NULL);

    if (the_book->count != sent) {
        fprintf(stderr, "%d words for %d telegrams\n", the_book->count, sent);
        return EXIT_FAILURE;
    }
    free(the_book);
    return EXIT_SUCCESS;
}
