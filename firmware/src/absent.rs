//! Functions that programs expect and that are not there: what a missing one is answered with.
//!
//! Headers that are missing say so themselves (`#error` in `firmware/include`).

/// Names, and what a program can use instead.
const ABSENT: &[(&[&str], &str)] = &[
    (
        &[
            "fork", "vfork", "wait", "waitpid", "execl", "execlp", "execle", "execv", "execvp",
            "execve",
        ],
        "there is one process; use pthread_create and pthread_join",
    ),
    (&["system", "popen", "pclose", "posix_spawn"], "there is one process and no shell"),
    (
        &[
            "socket",
            "bind",
            "listen",
            "accept",
            "connect",
            "send",
            "recv",
            "sendto",
            "recvfrom",
            "getaddrinfo",
        ],
        "there is no network; let threads talk through memory, or read a file given with --file",
    ),
    (
        &["pipe", "pipe2", "socketpair", "mkfifo"],
        "use a queue with pthread_mutex_lock and pthread_cond_wait",
    ),
    (
        &["poll", "ppoll", "select", "pselect", "epoll_create", "epoll_create1", "epoll_wait"],
        "wait with pthread_cond_timedwait or sem_timedwait",
    ),
    (&["dup", "dup2"], "use freopen for a standard stream"),
    (&["fcntl", "ioctl", "flock", "lockf"], "use pthread_mutex_lock between threads"),
    (
        &["opendir", "readdir", "closedir", "mkdir", "rmdir", "chdir", "getcwd", "realpath"],
        "there are no folders; open files given with --file by their names",
    ),
    (&["setenv", "putenv", "unsetenv", "environ"], "there is no environment; pass arguments"),
    (&["gets"], "use fgets"),
    (&["at_quick_exit"], "use atexit and exit"),
    (&["tmpnam", "mkstemp", "mkdtemp"], "use tmpfile, or any name: files are in memory"),
    (&["mprotect", "mremap", "brk", "sbrk"], "use malloc, or anonymous mmap"),
    (&["shm_open", "shm_unlink", "shmget", "shmat"], "all threads share their memory"),
    (
        &["sigaltstack", "sigqueue", "sigtimedwait", "sigwaitinfo"],
        "use sigwait, sigaction or alarm",
    ),
    (
        &["setitimer", "getitimer", "timer_create", "timer_settime", "ualarm"],
        "use alarm, or a thread with nanosleep",
    ),
    (
        &["pthread_mutex_consistent"],
        "mutexes are not robust: one that its thread holds when it ends stays locked",
    ),
    (
        &["pthread_attr_setstack", "pthread_attr_setstackaddr"],
        "each hart has its own stack; use pthread_attr_setstacksize",
    ),
    (&["pthread_getcpuclockid"], "use clock_gettime with CLOCK_THREAD_CPUTIME_ID"),
    (&["getcontext", "setcontext", "makecontext", "swapcontext"], "use pthread_create, or setjmp"),
    (&["dlopen", "dlsym", "dlclose"], "give all sources and archives to the compiler"),
    (&["backtrace", "backtrace_symbols"], "the report of a failed run shows its call stacks"),
    (&["erf", "erfc", "lgamma", "tgamma", "j0", "j1"], "math.h has only the usual functions"),
    (&["powl", "sqrtl", "expl", "logl", "sinl", "cosl"], "use double: the function without the l"),
    (
        &["mbstowcs", "wcstombs", "mbtowc", "wcslen", "wprintf"],
        "characters are bytes; use string.h",
    ),
    (&["initstate", "setstate"], "use srandom, or rand_r with a state of its own"),
];

/// How the linker begins the line about a function that is nowhere.
const UNDEFINED: &str = "undefined symbol: ";

/// The linker's messages, and after them a sentence for each function that is known to be absent.
pub(crate) fn explained(messages: String) -> String {
    let mut missing: Vec<&str> = undefined(&messages).collect();
    missing.dedup();
    let sentences: Vec<String> = missing.into_iter().filter_map(sentence).collect();
    match sentences.is_empty() {
        true => messages,
        false => format!("{messages}\n{}", sentences.join("\n")),
    }
}

/// The names that the linker did not find.
pub(crate) fn undefined(messages: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    messages.lines().filter_map(move |line| {
        let (_, name) = line.split_once(UNDEFINED)?;
        Some(name.split_once(|c| !is_part(c)).map_or(name, |(name, _)| name))
    })
}

fn sentence(name: &str) -> Option<String> {
    let (_, instead) = ABSENT.iter().find(|(names, _)| names.contains(&name))?;
    Some(format!("{name}: not available; {instead}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_not_there_is_named_with_the_nearest_thing() {
        let said = "error: undefined symbol: fork\n    note: referenced by a.c:3\nerror: undefined symbol: mine\n";
        assert_eq!(
            explained(said.into()),
            format!(
                "{said}\nfork: not available; there is one process; use pthread_create and pthread_join"
            )
        );
        assert_eq!(explained("all is well".into()), "all is well");
    }

    #[test]
    fn no_name_is_listed_twice() {
        let mut names: Vec<_> = ABSENT.iter().flat_map(|(names, _)| names.iter()).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
