#include <stdlib.h>
#include <string.h>
#include "room.h"

struct line {
    int msg;
    char to[16];
    struct line *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct line *lines;
static int count;

void history_add(int msg, const char *to)
{
    struct line *l = malloc(sizeof *l);

    if (!l)
        abort();
    l->msg = msg;
    strcpy(l->to, to);
    pthread_mutex_lock(&lock);
    l->next = lines;
    lines = l;
    count++;
    pthread_mutex_unlock(&lock);
}

int history_count(void)
{
    int n;

    pthread_mutex_lock(&lock);
    n = count;
    pthread_mutex_unlock(&lock);
    return n;
}

void history_clear(void)
{
    while (lines) {
        struct line *l = lines;
        lines = l->next;
        free(l);
    }
}
