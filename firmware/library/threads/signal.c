/* Signals: a thread's own are calls of their handlers; those from outside come on a thread that waits for their time. */
#include "theirs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct sigaction actions[NSIG];
static sigset_t pending;          /* for whichever thread takes them */
static sigset_t ever_blocked;     /* by any thread: such a one is kept for sigwait, it ends nothing */
static unsigned handled, waiters; /* how many handlers ran, and who waits for signals */

static _Thread_local sigset_t blocked, own_pending;

static const char *const names[NSIG] = {
    [SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",   [SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",   [SIGTRAP] = "SIGTRAP",
    [SIGABRT] = "SIGABRT", [SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",   [SIGKILL] = "SIGKILL", [SIGUSR1] = "SIGUSR1",
    [SIGSEGV] = "SIGSEGV", [SIGUSR2] = "SIGUSR2", [SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM", [SIGTERM] = "SIGTERM",
};

static const char *const texts[NSIG] = {
    [SIGHUP] = "Hangup",
    [SIGINT] = "Interrupt",
    [SIGQUIT] = "Quit",
    [SIGILL] = "Illegal instruction",
    [SIGTRAP] = "Trace/breakpoint trap",
    [SIGABRT] = "Aborted",
    [SIGBUS] = "Bus error",
    [SIGFPE] = "Floating point exception",
    [SIGKILL] = "Killed",
    [SIGUSR1] = "User defined signal 1",
    [SIGSEGV] = "Segmentation fault",
    [SIGUSR2] = "User defined signal 2",
    [SIGPIPE] = "Broken pipe",
    [SIGALRM] = "Alarm clock",
    [SIGTERM] = "Terminated",
    [SIGCHLD] = "Child exited",
    [SIGCONT] = "Continued",
};

static bool is_signal(int number) {
    return number > 0 && number < NSIG;
}

static int fail(int error) {
    errno = error;
    return -1;
}

static sigset_t bit(int number) {
    return 1u << number;
}

static bool ends_by_default(int number) {
    return !(bit(number) & (bit(SIGCHLD) | bit(SIGCONT) | bit(SIGWINCH)));
}

static void call(int number, struct sigaction action) {
    sigset_t before = blocked;
    int error = errno;
    blocked |= action.sa_mask | (action.sa_flags & SA_NODEFER ? 0 : bit(number));
    if (action.sa_flags & SA_RESETHAND) actions[number].sa_handler = SIG_DFL;
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number, .si_pid = getpid()};
        action.sa_sigaction(number, &info, NULL);
    } else {
        action.sa_handler(number);
    }
    blocked = before;
    errno = error;
    __atomic_fetch_add(&handled, 1, __ATOMIC_SEQ_CST);
    __crosstalk_wake_all(&waiters);
}

static void deliver(int number) {
    struct sigaction action = actions[number];
    if (action.sa_handler == SIG_IGN) return;
    if (action.sa_handler != SIG_DFL) call(number, action);
    else if (ends_by_default(number))
        __crosstalk_fail(128 + number, "crosstalk: signal %d (%s) ended the program\n", number,
                         names[number] ? names[number] : "no name");
}

/* Takes one of `wanted` that has arrived; 0 if none has. */
static int take(sigset_t wanted) {
    sigset_t ready;
    while ((ready = (own_pending | __atomic_load_n(&pending, __ATOMIC_SEQ_CST)) & wanted)) {
        sigset_t one = ready & -ready;
        bool mine = __atomic_fetch_and(&own_pending, ~one, __ATOMIC_SEQ_CST) & one;
        if (mine || __atomic_fetch_and(&pending, ~one, __ATOMIC_SEQ_CST) & one) return __builtin_ctz(one);
    }
    return 0;
}

static void deliver_pending(void) {
    for (int number; (number = take(~blocked));) deliver(number);
}

int raise(int number) {
    if (!is_signal(number)) return fail(EINVAL);
    if (blocked & bit(number)) own_pending |= bit(number);
    else deliver(number);
    return 0;
}

/* To the process: a thread that waits for it has it, or the calling one, unless it has blocked it. */
static void send(int number) {
    bool kept = blocked & bit(number);
    bool to_be_taken = __atomic_load_n(&ever_blocked, __ATOMIC_SEQ_CST) & bit(number);
    if (!kept && !(to_be_taken && actions[number].sa_handler == SIG_DFL)) {
        deliver(number);
        return;
    }
    __atomic_fetch_or(&pending, bit(number), __ATOMIC_SEQ_CST);
    __crosstalk_wake_all(&waiters);
}

POSIX_ONLY int kill(pid_t process, int number) {
    if (process != getpid() && process != 0 && process != -1) return fail(ESRCH);
    if (number && !is_signal(number)) return fail(EINVAL);
    if (number) send(number);
    return 0;
}

/* Another thread has it when it next waits for signals or changes its mask. */
int pthread_kill(pthread_t thread, int number) {
    if (number < 0 || number >= NSIG) return EINVAL;
    if (__atomic_load_n(&thread->state, __ATOMIC_SEQ_CST) == THREAD_DONE) return ESRCH;
    if (!number) return 0;
    if (thread == __crosstalk_self) return raise(number);
    __atomic_fetch_or((sigset_t *)theirs(thread, &own_pending), bit(number), __ATOMIC_SEQ_CST);
    __crosstalk_wake_all(&waiters);
    return 0;
}

POSIX_ONLY int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict before) {
    if (!is_signal(number) || (action && (number == SIGKILL || number == SIGSTOP))) return fail(EINVAL);
    if (before) *before = actions[number];
    if (action) actions[number] = *action;
    return 0;
}

sighandler_t signal(int number, sighandler_t handler) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    return sigaction(number, &action, &before) ? SIG_ERR : before.sa_handler;
}

POSIX_ONLY int sigemptyset(sigset_t *set) {
    *set = 0;
    return 0;
}

POSIX_ONLY int sigfillset(sigset_t *set) {
    *set = ~0u;
    return 0;
}

POSIX_ONLY int sigaddset(sigset_t *set, int number) {
    if (!is_signal(number)) return fail(EINVAL);
    *set |= bit(number);
    return 0;
}

POSIX_ONLY int sigdelset(sigset_t *set, int number) {
    if (!is_signal(number)) return fail(EINVAL);
    *set &= ~bit(number);
    return 0;
}

POSIX_ONLY int sigismember(const sigset_t *set, int number) {
    return is_signal(number) ? (*set & bit(number)) != 0 : fail(EINVAL);
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
    if (before) *before = blocked;
    if (!set) return 0;
    switch (how) {
    case SIG_BLOCK: blocked |= *set; break;
    case SIG_UNBLOCK: blocked &= ~*set; break;
    case SIG_SETMASK: blocked = *set; break;
    default: return EINVAL;
    }
    blocked &= ~(bit(SIGKILL) | bit(SIGSTOP));
    __atomic_fetch_or(&ever_blocked, blocked, __ATOMIC_SEQ_CST);
    deliver_pending();
    return 0;
}

POSIX_ONLY int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
    int error = pthread_sigmask(how, set, before);
    return error ? fail(error) : 0;
}

POSIX_ONLY int sigpending(sigset_t *set) {
    *set = (own_pending | __atomic_load_n(&pending, __ATOMIC_SEQ_CST)) & blocked;
    return 0;
}

struct wish {
    sigset_t wanted;
    int number;
    unsigned handled;
};

static bool take_wanted(void *object) {
    struct wish *wish = object;
    return (wish->number = take(wish->wanted)) != 0;
}

POSIX_ONLY int sigwait(const sigset_t *restrict set, int *restrict number) {
    struct wish wish = {.wanted = *set};
    __crosstalk_wait(&waiters, take_wanted, &wish, NEVER);
    *number = wish.number;
    return 0;
}

static bool take_or_handled(void *object) {
    struct wish *wish = object;
    return take_wanted(object) || __atomic_load_n(&handled, __ATOMIC_SEQ_CST) != wish->handled;
}

/* Until a handler has run, here or on the thread of a signal from outside. */
static int wait_for_handler(sigset_t mask) {
    struct wish wish = {.wanted = ~mask, .handled = __atomic_load_n(&handled, __ATOMIC_SEQ_CST)};
    __crosstalk_wait(&waiters, take_or_handled, &wish, NEVER);
    if (wish.number) deliver(wish.number);
    return fail(EINTR);
}

POSIX_ONLY int pause(void) {
    return wait_for_handler(blocked);
}

POSIX_ONLY int sigsuspend(const sigset_t *mask) {
    return wait_for_handler(*mask);
}

POSIX_ONLY char *strsignal(int number) {
    return is_signal(number) && texts[number] ? (char *)texts[number] : "Unknown signal";
}

POSIX_ONLY void psignal(int number, const char *text) {
    bool prefix = text && *text;
    fprintf(stderr, "%s%s%s\n", prefix ? text : "", prefix ? ": " : "", strsignal(number));
}

/* A signal that comes at a time, unless `revoked` has changed by then. */
struct coming {
    int number;
    ticks time;
    unsigned *revoked, was;
};

static void *wait_and_send(void *argument) {
    struct coming coming = *(struct coming *)argument;
    free(argument);
    while (__crosstalk_now() < coming.time) __crosstalk_park(coming.time);
    if (!coming.revoked || __atomic_load_n(coming.revoked, __ATOMIC_SEQ_CST) == coming.was) send(coming.number);
    return NULL;
}

static void send_at(struct coming coming) {
    pthread_t thread;
    struct coming *kept = malloc(sizeof *kept);
    if (!kept) abort();
    *kept = coming;
    if (!pthread_create(&thread, NULL, wait_and_send, kept)) pthread_detach(thread);
}

static unsigned alarms;
static ticks alarm_time;

POSIX_ONLY unsigned alarm(unsigned seconds) {
    ticks now = __crosstalk_now(), rate = __crosstalk_start.ticks_per_second;
    ticks left = alarm_time > now ? alarm_time - now : 0;
    unsigned number = __atomic_add_fetch(&alarms, 1, __ATOMIC_SEQ_CST);
    alarm_time = seconds ? now + seconds * rate : 0;
    if (seconds) send_at((struct coming){SIGALRM, alarm_time, &alarms, number});
    return (unsigned)((left + rate - 1) / rate);
}

/* The signals of `--signal`, each as number and time in microseconds; the table ends with the number 0. */
struct ordered {
    uint32_t number, time_low, time_high;
};
extern const struct ordered __crosstalk_signals[] __attribute__((weak));

void __crosstalk_begin_signals(void) {
    for (const struct ordered *one = __crosstalk_signals; one && one->number; one++) {
        uint64_t microseconds = (uint64_t)one->time_high << 32 | one->time_low;
        ticks time = microseconds * __crosstalk_start.ticks_per_second / 1000000;
        send_at((struct coming){.number = (int)one->number, .time = time});
    }
}

_Noreturn void __real_abort(void);

_Noreturn void __wrap_abort(void) {
    blocked &= ~bit(SIGABRT);
    if (actions[SIGABRT].sa_handler != SIG_DFL) raise(SIGABRT);
    __real_abort();
}
