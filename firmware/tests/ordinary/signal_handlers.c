/* Handlers for signals that a program sends itself. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t count, last;
static jmp_buf back;

static void on_signal(int number)
{
    count++;
    last = number;
}

static void on_info(int number, siginfo_t *info, void *context)
{
    (void)context;
    last = info->si_signo == number ? number : -1;
}

static void on_abort(int number)
{
    (void)number;
    longjmp(back, 1);
}

int main(void)
{
    if (signal(SIGINT, on_signal) != SIG_DFL) return 1;
    raise(SIGINT);
    kill(getpid(), SIGINT);
    printf("%d signals, last %s\n", (int)count, strsignal(last));

    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_info;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("with information: %d\n", last == SIGUSR1);

    action.sa_handler = on_signal;
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &before);
    printf("reset: %d\n", before.sa_handler == SIG_DFL);

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    count = 0;
    raise(SIGINT);
    printf("blocked: %d\n", (int)count);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("unblocked: %d\n", (int)count);

    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    printf("ignored\n");
    signal(SIGABRT, on_abort);
    if (!setjmp(back))
        abort();
    printf("back from abort\n");
    fflush(stdout);
    return 0;
}
