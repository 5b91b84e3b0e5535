/* Counts words of a file: one thread reads, others count letters of what it read. */
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 64
#define WORKERS 2

static char words[MAX_WORDS][24];
static int word_count;
static int letters[WORKERS][26];

static int next_word(FILE *in, char *to, size_t size)
{
    int c;
    size_t n = 0;
    while ((c = fgetc(in)) != EOF && !isalpha(c))
        ;
    for (; c != EOF && isalpha(c); c = fgetc(in))
        if (n + 1 < size)
            to[n++] = (char)tolower(c);
    ungetc(c, in);
    to[n] = '\0';
    return n > 0;
}

static void *count_letters(void *arg)
{
    long me = (long)arg;
    for (int i = (int)me; i < word_count; i += WORKERS)
        for (char *p = words[i]; *p; p++)
            letters[me][*p - 'a']++;
    return NULL;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "words.txt";
    FILE *in = fopen(name, "r");
    if (!in) {
        fprintf(stderr, "%s: %s\n", name, strerror(errno));
        return EXIT_FAILURE;
    }
    while (word_count < MAX_WORDS && next_word(in, words[word_count], sizeof words[0]))
        word_count++;
    fclose(in);

    pthread_t t[WORKERS];
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, count_letters, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    printf("%d words\n", word_count);
    for (int c = 0; c < 26; c++)
        if (letters[0][c] + letters[1][c])
            printf("%c %d\n", 'a' + c, letters[0][c] + letters[1][c]);
    if (fopen("no-such-file", "r") || errno != ENOENT)
        return 2;
    printf("no-such-file: %s\n", strerror(errno));
    return EXIT_SUCCESS;
}
