/*
 * dir-move.c - moving files between directories of an in-memory file system.
 *
 * fs_move() opens the source directory for editing (which locks it), unlinks
 * the file and attaches it to the target directory (which locks that one).
 * Two moves in opposite directions between the same pair of directories take
 * the two locks in opposite order.
 *
 * validate:
 *   kind: deadlock
 *   variable: src->lock, dst->lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file {
    struct file *next;
    char name[12];
};

struct dir {
    pthread_mutex_t lock;
    const char *name;
    struct file *files;
    int nfiles;
};

static struct dir dirs[3] = {
    { PTHREAD_MUTEX_INITIALIZER, "inbox", NULL, 0 },
    { PTHREAD_MUTEX_INITIALIZER, "work", NULL, 0 },
    { PTHREAD_MUTEX_INITIALIZER, "done", NULL, 0 },
};

#ifndef FIXED
static void dir_edit(struct dir *d)
{
    pthread_mutex_lock(&d->lock); /* bug: 1, 2 */
}
#endif

static void dir_close(struct dir *d)
{
    pthread_mutex_unlock(&d->lock);
}

static struct file *unlink_file(struct dir *d, const char *name)
{
    for (struct file **pp = &d->files; *pp; pp = &(*pp)->next)
        if (strcmp((*pp)->name, name) == 0) {
            struct file *f = *pp;
            *pp = f->next;
            d->nfiles--;
            return f;
        }
    return NULL;
}

static void attach(struct dir *d, struct file *f)
{
#ifndef FIXED
    pthread_mutex_lock(&d->lock); /* bug: 3, 4 */
#endif
    f->next = d->files;
    d->files = f;
    d->nfiles++;
#ifndef FIXED
    pthread_mutex_unlock(&d->lock);
#endif
}

static int fs_move(const char *name, struct dir *src, struct dir *dst)
{
    struct file *f;

#ifdef FIXED
    struct dir *first = src < dst ? src : dst;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(first == src ? &dst->lock : &src->lock);
#else
    dir_edit(src);
#endif
    f = unlink_file(src, name);
    if (f != NULL)
        attach(dst, f);
#ifdef FIXED
    dir_close(dst);
#endif
    dir_close(src);
    return f ? 0 : -1;
}

struct script { int from, to; const char *prefix; };

static void *mover(void *arg)
{
    struct script *s = arg;
    char name[12];
    int moved = 0;
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%d", s->prefix, i);
        if (fs_move(name, &dirs[s->from], &dirs[s->to]) == 0)
            moved++;
    }
    return (void *)(long)moved;
}

int main(void)
{
    static struct script sc[3] = { { 0, 1, "a" }, { 1, 0, "b" }, { 1, 2, "c" } };
    pthread_t t[3];
    int moved = 0, left = 0;

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++) {
            struct file *f = calloc(1, sizeof *f);
            assert(f);
            snprintf(f->name, sizeof f->name, "%s%d", sc[k].prefix, i);
            f->next = dirs[sc[k].from].files;
            dirs[sc[k].from].files = f;
            dirs[sc[k].from].nfiles++;
        }
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, mover, &sc[i]);
    for (int i = 0; i < 3; i++) {
        void *m;
        pthread_join(t[i], &m);
        moved += (int)(long)m;
    }
    for (int i = 0; i < 3; i++)
        left += dirs[i].nfiles;
    printf("%d files moved\n", moved);
    assert(moved == 12 && left == 12);
    return 0;
}
