/* Waits for an alarm. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void ring(int number)
{
    rang = number;
}

int main(void)
{
    signal(SIGALRM, ring);
    printf("left: %u\n", alarm(100));
    printf("left: %u\n", alarm(1) > 90);
    while (!rang)
        pause();
    printf("rang: %d\n", rang == SIGALRM);
    printf("left: %u\n", alarm(0));
    return 0;
}
