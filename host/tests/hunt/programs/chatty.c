/* Prints more than anybody keeps, and fails now and then. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static volatile int turn;
static char text[8192];

static void *later(void *unused) {
    turn = turn + 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    memset(text, 'x', sizeof text - 2);
    text[sizeof text - 2] = '\n';
    pthread_create(&thread, NULL, later, NULL);
    int seen = turn;
    for (int i = 0; i < 10; i++) fputs(text, stdout);
    pthread_join(thread, NULL);
    puts(seen ? "it was there" : "it was late");
    return 0;
}
