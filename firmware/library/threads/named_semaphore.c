/* Semaphores with names. They live as long as the run: there is nobody else to open one. */
#include "internal.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

struct named {
    sem_t semaphore; /* first: what is opened is the semaphore */
    struct named *next;
    char name[];
};

static struct named *all;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct named **find(const char *name) {
    struct named **link = &all;
    while (*link && strcmp((*link)->name, name)) link = &(*link)->next;
    return link;
}

static sem_t *fail(int error) {
    errno = error;
    return SEM_FAILED;
}

static sem_t *make(const char *name, unsigned value) {
    struct named *made = malloc(sizeof *made + strlen(name) + 1);
    if (!made) return fail(ENOMEM);
    if (sem_init(&made->semaphore, 0, value)) {
        free(made);
        return SEM_FAILED;
    }
    strcpy(made->name, name);
    made->next = all;
    all = made;
    return &made->semaphore;
}

sem_t *sem_open(const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    if (flags & O_CREAT) (void)va_arg(arguments, unsigned); /* the mode */
    unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    pthread_mutex_lock(&mutex);
    struct named *there = *find(name);
    sem_t *result = there ? flags & O_CREAT && flags & O_EXCL ? fail(EEXIST) : &there->semaphore
                    : flags & O_CREAT ? make(name, value)
                                      : fail(ENOENT);
    pthread_mutex_unlock(&mutex);
    return result;
}

int sem_close(sem_t *semaphore) {
    (void)semaphore;
    return 0;
}

/* Who has it open goes on using it. */
int sem_unlink(const char *name) {
    pthread_mutex_lock(&mutex);
    struct named **link = find(name);
    bool there = *link;
    if (there) *link = (*link)->next;
    pthread_mutex_unlock(&mutex);
    if (there) return 0;
    errno = ENOENT;
    return -1;
}
