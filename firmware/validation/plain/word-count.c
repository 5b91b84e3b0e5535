/*
 * word-count.c - counts words of chapters in parallel.
 *
 * A word begins where a letter follows a non-letter.  The state is set to
 * "inside a word" before the text has begun, so a chapter that begins with a
 * letter is one word short.
 *
 * validate:
 *   kind: plain
 *   variable: in_word
 *   threads: 4
 *   fails-by: assert
 */
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static struct chapter {
    const char *text;
    int expect;
} book[] = {
    { "  It was a dark and stormy night", 7 },
    { "(the rain fell in torrents)", 5 },
    { "except at occasional intervals", 4 },
};
enum { CHAPTERS = sizeof book / sizeof book[0] };

static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static int words;

static int count_words(const char *s)
{
    int n = 0;
#ifdef FIXED
    bool in_word = false;
#else
    bool in_word = true; /* bug */
#endif
    for (; *s; s++) {
        bool letter = isalpha((unsigned char)*s) != 0;
        if (letter && !in_word)
            n++;
        in_word = letter;
    }
    return n;
}

static void *reader(void *arg)
{
    struct chapter *c = arg;
    int n = count_words(c->text);
    pthread_mutex_lock(&sum_lock);
    words += n;
    pthread_mutex_unlock(&sum_lock);
    return NULL;
}

int main(void)
{
    pthread_t t[CHAPTERS];
    int expect = 0;

    for (int i = 0; i < CHAPTERS; i++) {
        expect += book[i].expect;
        pthread_create(&t[i], NULL, reader, &book[i]);
    }
    for (int i = 0; i < CHAPTERS; i++)
        pthread_join(t[i], NULL);
    printf("%d words\n", words);
    assert(words == expect);
    return 0;
}
