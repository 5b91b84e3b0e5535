/* What a program does with files and signals that the command line gave it; its argument says which. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static volatile unsigned long turns;

static void on_signal(int number) {
    seen = number;
}

static void wait_for_signal(void) {
    signal(SIGINT, on_signal);
    while (!seen) turns++;
    printf("signal %d\n", (int)seen);
}

static void show(const char *name) {
    int c;
    FILE *file = fopen(name, "r");
    if (!file) {
        perror(name);
        exit(1);
    }
    while ((c = getc(file)) != EOF) putchar(c);
    fclose(file);
}

/* Changes a given file; who had it open before sees the change too. */
static void change(const char *name) {
    char start[6] = "";
    int reader = open(name, O_RDONLY);
    FILE *file = fopen(name, "r+");
    fputs("HELLO", file);
    fclose(file);
    read(reader, start, 5);
    printf("%s\n", start);
    file = fopen(name, "a");
    fputs("more\n", file);
    fclose(file);
    show(name);
}

static void fill(void) {
    char block[1000];
    long total = 0;
    memset(block, 'x', sizeof block);
    int out = open("large", O_WRONLY | O_CREAT, 0600);
    ssize_t sent;
    while ((sent = write(out, block, sizeof block)) > 0) total += sent;
    printf("full after %s bytes\n", total > 100000 ? "many" : "few");
    close(out);
    unlink("large");
    out = open("small", O_WRONLY | O_CREAT, 0600);
    printf("room again: %d\n", (int)write(out, block, sizeof block));
}

static void bad_calls(void) {
    printf("%d\n", (int)read(3, (void *)(1u << 31), 4));
    int file = open("words.txt", O_RDONLY);
    printf("%d %d\n", (int)read(file, (void *)(1u << 31), 4), errno == EFAULT);
    printf("%d %d\n", (int)read(file, (void *)show, 4), errno == EFAULT);
    printf("%d %d\n", open((const char *)(1u << 31), O_RDONLY), errno == EINVAL);
    char name[200];
    memset(name, 'n', sizeof name);
    name[199] = 0;
    printf("%d\n", open(name, O_WRONLY | O_CREAT, 0600));
    int last = -1, count = 0;
    for (int one; (one = open("words.txt", O_RDONLY)) >= 0; count++) last = one;
    printf("%d more, %d, %d\n", count, last, errno == EMFILE);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "show";
    if (!strcmp(what, "wait")) wait_for_signal();
    else if (!strcmp(what, "spin")) while (1) turns++;
    else if (!strcmp(what, "change")) change("words.txt");
    else if (!strcmp(what, "fill")) fill();
    else if (!strcmp(what, "bad")) bad_calls();
    else if (!strcmp(what, "input")) printf("%d\n", getchar());
    else show("words.txt");
    return 0;
}
