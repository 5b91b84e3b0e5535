/*
 * A mail server. Clients move messages between folders: the source folder is
 * locked to take the message off, and the destination as well, so that the
 * message is always in one of the two.
 *
 * Bug: folders are locked in the order source, destination. Three clients that
 * move from inbox to archive, from archive to trash and from trash back to the
 * inbox can each hold one folder and wait for the next.
 *
 * validate:
 *   kind: deadlock
 *   variable: folder->lock, inbox->lock, archive->lock, trash->lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MOVES 3

struct message {
    struct message *next;
    unsigned uid;
};

struct folder {
    pthread_mutex_t lock;
    int number;
    struct message *messages;
    int count;
    unsigned next_uid;
};

struct client {
    struct folder *from, *to;
    int moved;
};

static struct folder *folder_new(int number, int messages)
{
    struct folder *f = calloc(1, sizeof *f);

    if (!f)
        abort();
    pthread_mutex_init(&f->lock, NULL);
    f->number = number;
    f->next_uid = 1;
    while (f->count < messages) {
        struct message *m = malloc(sizeof *m);

        if (!m)
            abort();
        m->uid = f->next_uid++;
        m->next = f->messages;
        f->messages = m;
        f->count++;
    }
    return f;
}

static void lock_both(struct folder *from, struct folder *to)
{
#ifdef FIXED
    if (from->number > to->number) {
        struct folder *swap = from;

        from = to;
        to = swap;
    }
#endif
    pthread_mutex_lock(&from->lock);            /* bug: 1, 2, 3 */
    pthread_mutex_lock(&to->lock);              /* bug: 4, 5, 6 */
}

static int move_first(struct folder *from, struct folder *to)
{
    struct message *m;

    lock_both(from, to);                        /* bug */
    m = from->messages;
    if (m) {
        from->messages = m->next;
        from->count--;
        m->uid = to->next_uid++;
        m->next = to->messages;
        to->messages = m;
        to->count++;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    return m != NULL;
}

static void *client(void *arg)
{
    struct client *c = arg;

    for (int i = 0; i < MOVES; i++)
        c->moved += move_first(c->from, c->to);
    return NULL;
}

static int folder_free(struct folder *f)
{
    int count = 0;

    while (f->messages) {
        struct message *m = f->messages;

        f->messages = m->next;
        free(m);
        count++;
    }
    free(f);
    return count;
}

int main(void)
{
    struct folder *inbox = folder_new(0, 6), *archive = folder_new(1, 3), *trash = folder_new(2, 2);
    struct client clients[3] = {
        { inbox, archive, 0 }, { archive, trash, 0 }, { trash, inbox, 0 },
    };
    pthread_t threads[3];
    int messages;

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, client, &clients[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    messages = folder_free(inbox) + folder_free(archive) + folder_free(trash);
    printf("%d messages\n", messages);
    return messages == 11 && clients[0].moved == MOVES ? 0 : 1;
}
