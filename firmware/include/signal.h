/* A signal that a thread sends itself (raise, pthread_kill, abort) is a call of its handler. One that comes from outside
 * (alarm; `--signal NAME@TIME`) is handled on a thread of its own, which needs a hart. */
#ifndef CROSSTALK_SIGNAL_H
#define CROSSTALK_SIGNAL_H

#include <pthread.h>
#include <sys/types.h>
#include <time.h>

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGWINCH 28
#define NSIG 32
#define _NSIG NSIG

typedef int sig_atomic_t;
typedef unsigned sigset_t;
typedef void (*sighandler_t)(int);
typedef sighandler_t __sighandler_t;

#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
#define SIG_ERR ((sighandler_t)-1)
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NOCLDSTOP 1
#define SA_SIGINFO 4
#define SA_RESTART (1 << 28)
#define SA_NODEFER (1 << 30)
#define SA_RESETHAND (1u << 31)

union sigval {
    int sival_int;
    void *sival_ptr;
};

typedef struct {
    int si_signo, si_errno, si_code;
    pid_t si_pid;
    void *si_addr;
    union sigval si_value;
} siginfo_t;

struct sigaction {
    union {
        sighandler_t sa_handler;
        void (*sa_sigaction)(int, siginfo_t *, void *);
    };
    sigset_t sa_mask;
    unsigned sa_flags;
};

sighandler_t signal(int signal, sighandler_t handler);
int sigaction(int signal, const struct sigaction *__restrict action, struct sigaction *__restrict before);
int raise(int signal);
int kill(pid_t process, int signal);
int pthread_kill(pthread_t thread, int signal);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int signal);
int sigdelset(sigset_t *set, int signal);
int sigismember(const sigset_t *set, int signal);
int sigprocmask(int how, const sigset_t *__restrict set, sigset_t *__restrict before);
int pthread_sigmask(int how, const sigset_t *__restrict set, sigset_t *__restrict before);
int sigpending(sigset_t *set);
int sigwait(const sigset_t *__restrict set, int *__restrict signal);
int sigsuspend(const sigset_t *mask);
void psignal(int signal, const char *text);

#endif
