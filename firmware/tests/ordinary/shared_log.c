/* Threads append to one log file under a lock; afterwards the file is counted. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRITERS 3
#define ENTRIES 20

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *logfile;

static void log_line(int who, int what)
{
    pthread_mutex_lock(&lock);
    fprintf(logfile, "writer %d", who);
    fprintf(logfile, " entry %d\n", what);
    pthread_mutex_unlock(&lock);
}

static void *writer(void *arg)
{
    int me = *(int *)arg;
    for (int i = 0; i < ENTRIES; i++)
        log_line(me, i);
    free(arg);
    return NULL;
}

int main(void)
{
    pthread_t t[WRITERS];
    logfile = fopen("threads.log", "w");
    fputs("begin\n", logfile);
    fflush(NULL);
    logfile = freopen("threads.log", "r", logfile);
    printf("%c\n", getc(logfile));
    fclose(logfile);
    logfile = fopen("threads.log", "a");
    if (!logfile) return 1;
    setvbuf(logfile, NULL, _IOLBF, BUFSIZ);
    for (int i = 0; i < WRITERS; i++) {
        int *me = malloc(sizeof *me);
        *me = i;
        pthread_create(&t[i], NULL, writer, me);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(t[i], NULL);
    fclose(logfile);

    int next[WRITERS] = {0}, lines = 0, who, what;
    char line[64];
    FILE *in = fopen("threads.log", "r");
    while (fgets(line, sizeof line, in)) {
        lines++;
        if (sscanf(line, "writer %d entry %d", &who, &what) == 2 && what == next[who])
            next[who]++;
    }
    fclose(in);
    remove("threads.log");
    printf("%d lines:", lines);
    for (int i = 0; i < WRITERS; i++)
        printf(" %d", next[i]);
    printf(" in order\n");
    return 0;
}
