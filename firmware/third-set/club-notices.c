/*
 * A club sends notices to its members: the observer pattern with a linked list
 * and a callback in each member. Members may leave at any time.
 *
 * Bug: the list is locked only while the chair steps from one member to the
 * next, not during the callback ("never call back with a lock held"). A member
 * who leaves at that moment is freed while the chair still points to it.
 *
 * validate:
 *   kind: lifetime
 *   variable: member->notify, member->next
 *   threads: 3
 *   fails-by: crash
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct member member;
typedef void callback(member *self, int notice);

struct member {
    char name[12];
    int received;
    callback *notify;
    member *next;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static member *members;         /* the founder is first and never leaves */

static void read_it(member *self, int notice)
{
    self->received += notice;
}

static void frame_it(member *self, int notice)
{
    for (int i = 0; i < 8; i++)
        self->received ^= notice << i;
}

static void join(const char *name, callback *notify)
{
    member *m = calloc(1, sizeof *m);

    if (m == NULL)
        abort();
    strcpy(m->name, name);
    m->notify = notify;
    m->next = members;
    members = m;
}

static void leave(const char *name)
{
    member *m, **link = &members;

    pthread_mutex_lock(&list_lock);
    while ((m = *link) != NULL && strcmp(m->name, name) != 0)
        link = &m->next;
    if (m != NULL)
        *link = m->next;                    /* bug: 2 */
    pthread_mutex_unlock(&list_lock);
    if (m != NULL) {
        m->notify = NULL;                   /* bug: 3 */
        free(m);                            /* bug */
    }
}

static void announce(int notice)
{
    member *m = members;

#ifdef FIXED
    pthread_mutex_lock(&list_lock);
    for (; m != NULL; m = m->next)
        m->notify(m, notice);
    pthread_mutex_unlock(&list_lock);
#else
    while (m != NULL) {
        m->notify(m, notice);               /* bug: 4 */
        pthread_mutex_lock(&list_lock);
        m = m->next;                        /* bug: 1 */
        pthread_mutex_unlock(&list_lock);   /* bug */
    }
#endif
}

static void *chair(void *arg)
{
    for (int notice = 1; notice <= 3; notice++)
        announce(notice);
    return arg;
}

static void *secretary(void *arg)
{
    leave("Dora");
    leave("Bert");
    leave("Ede");
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int left = 0;

    join("Fritz", read_it);
    join("Ede", read_it);
    join("Dora", frame_it);
    join("Carla", read_it);
    join("Bert", frame_it);
    join("Anna", read_it);
    pthread_create(&a, NULL, chair, NULL);
    pthread_create(&b, NULL, secretary, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (member *m = members; m != NULL; m = m->next)
        left++;
    printf("%d members\n", left);
    return left == 3 ? 0 : 1;
}
