/*
 * The access lists of a file server: groups with their members, under a
 * readers-writer lock. Many threads ask whether a user may do something; some
 * make users members of a group.
 *
 * Bug: acl_grant() was made from acl_allows() and takes the lock for reading,
 * as that does, since it also only looks for the group. But it then adds the
 * user to it. Two grants at the same time give both users one place.
 *
 * validate:
 *   kind: readers-writers
 *   variable: group->count, group->members[]
 *   threads: 7
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRANTERS 4
#define READERS 2
#define GRANTS 3
#define MEMBERS 16

struct group {
    struct group *next;
    const char *name;
    int members[MEMBERS];
    int count;
};

static struct {
    pthread_rwlock_t lock;
    struct group *groups;
} acl = { .lock = PTHREAD_RWLOCK_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    int asked, allowed;
} audit = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void acl_add_group(const char *name)
{
    struct group *g = calloc(1, sizeof *g);

    if (!g)
        abort();
    g->name = name;
    pthread_rwlock_wrlock(&acl.lock);
    g->next = acl.groups;
    acl.groups = g;
    pthread_rwlock_unlock(&acl.lock);
}

static struct group *find_group(const char *name)
{
    struct group *g = acl.groups;

    while (g && strcmp(g->name, name) != 0)
        g = g->next;
    return g;
}

static int acl_allows(const char *name, int user)
{
    int allowed = 0;

    pthread_rwlock_rdlock(&acl.lock);
    struct group *g = find_group(name);

    for (int i = 0; g && i < g->count; i++)
        allowed |= g->members[i] == user;
    pthread_rwlock_unlock(&acl.lock);
    pthread_mutex_lock(&audit.lock);
    audit.asked++;
    audit.allowed += allowed;
    pthread_mutex_unlock(&audit.lock);
    return allowed;
}

static void acl_grant(const char *name, int user)
{
#ifdef FIXED
    pthread_rwlock_wrlock(&acl.lock);
#else
    pthread_rwlock_rdlock(&acl.lock);           /* bug */
#endif
    struct group *g = find_group(name);
    int at = g->count;                          /* bug: 1 */

    g->members[at] = user;                      /* bug */
    g->count = at + 1;                          /* bug: 2, 3 */
    pthread_rwlock_unlock(&acl.lock);
}

static void *granter(void *arg)
{
    int base = *(int *)arg;

    for (int i = 0; i < GRANTS; i++)
        acl_grant(i == 1 ? "staff" : "printers", base + i);
    return NULL;
}

static void *reader(void *arg)
{
    int user = *(int *)arg;

    for (int i = 0; i < 3; i++)
        acl_allows("staff", user + i);
    return NULL;
}

int main(void)
{
    pthread_t threads[GRANTERS + READERS];
    int bases[GRANTERS + READERS];
    int lost = 0;

    acl_add_group("printers");
    acl_add_group("staff");
    for (int i = 0; i < GRANTERS + READERS; i++) {
        bases[i] = 100 * (i + 1);
        pthread_create(&threads[i], NULL, i < GRANTERS ? granter : reader, &bases[i]);
    }
    for (int i = 0; i < GRANTERS + READERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < GRANTERS; i++)
        for (int k = 0; k < GRANTS; k++)
            lost += !acl_allows(k == 1 ? "staff" : "printers", bases[i] + k);
    printf("%d asked, %d grants lost\n", audit.asked, lost);
    while (acl.groups) {
        struct group *g = acl.groups;

        acl.groups = g->next;
        free(g);
    }
    return lost ? 1 : 0;
}
