/*
 * A file system keeps directories as heap objects with a lock each; renames move
 * entries from one directory to another.
 *
 * Bug: a rename locks the source and then the target, so that two renames in
 * opposite directions wait for each other.
 *
 * validate:
 *   kind: deadlock
 *   variable: from->lock, to->lock
 *   threads: 5
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NDIRS 3
#define NTHREADS 4
#define OPS 4

struct dentry {
	struct dentry *next;
	char name[12];
	unsigned ino;
};

struct dir {
	pthread_mutex_t lock;
	unsigned ino;
	int nentries;
	struct dentry *entries;
};

struct task {
	int id;
	int moved, missing;
	pthread_t tid;
};

static struct dir *dirs[NDIRS];
static atomic_uint next_ino = 2;

static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static int journal_records;

static void journal(void)
{
	pthread_mutex_lock(&journal_lock);
	journal_records++;
	pthread_mutex_unlock(&journal_lock);
}

static struct dir *dir_new(void)
{
	struct dir *d = calloc(1, sizeof *d);

	assert(d);
	pthread_mutex_init(&d->lock, NULL);
	d->ino = atomic_fetch_add(&next_ino, 1);
	return d;
}

static void dir_create(struct dir *d, const char *name)
{
	struct dentry *e = calloc(1, sizeof *e);

	assert(e);
	strncpy(e->name, name, sizeof e->name - 1);
	e->ino = atomic_fetch_add(&next_ino, 1);
	pthread_mutex_lock(&d->lock);
	e->next = d->entries;
	d->entries = e;
	d->nentries++;
	pthread_mutex_unlock(&d->lock);
	journal();
}

static struct dentry **lookup(struct dir *d, const char *name)
{
	struct dentry **pp;

	for (pp = &d->entries; *pp; pp = &(*pp)->next)
		if (strcmp((*pp)->name, name) == 0)
			return pp;
	return NULL;
}

static void lock_two(struct dir *from, struct dir *to)
{
#ifdef FIXED
	if (from->ino > to->ino) {
		struct dir *t = from;
		from = to;
		to = t;
	}
#endif
	pthread_mutex_lock(&from->lock);        /* bug: 1, 2 */
	pthread_mutex_lock(&to->lock);          /* bug: 3, 4 */
}

static int vfs_rename(struct dir *from, struct dir *to, const char *name)
{
	struct dentry **pp, *e;
	int err = 0;

	if (from == to)
		return 0;
	lock_two(from, to);                     /* bug */
	pp = lookup(from, name);
	if (pp) {
		e = *pp;
		*pp = e->next;
		from->nentries--;
		e->next = to->entries;
		to->entries = e;
		to->nentries++;
	} else {
		err = -ENOENT;
	}
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
	if (!err)
		journal();
	return err;
}

static void *task_main(void *arg)
{
	struct task *t = arg;
	char name[12];

	snprintf(name, sizeof name, "file%d", t->id);
	dir_create(dirs[t->id % NDIRS], name);
	for (int i = 0; i < OPS; i++) {
		int step = (t->id & 1) ? 2 : 1;
		struct dir *from = dirs[(t->id + i * step) % NDIRS];
		struct dir *to = dirs[(t->id + (i + 1) * step) % NDIRS];
		if (vfs_rename(from, to, name) == 0)
			t->moved++;
		else
			t->missing++;
	}
	return NULL;
}

int main(void)
{
	static struct task tasks[NTHREADS];
	int files = 0;

	for (int i = 0; i < NDIRS; i++)
		dirs[i] = dir_new();
	for (int i = 0; i < NTHREADS; i++) {
		tasks[i].id = i;
		pthread_create(&tasks[i].tid, NULL, task_main, &tasks[i]);
	}
	for (int i = 0; i < NTHREADS; i++) {
		pthread_join(tasks[i].tid, NULL);
		assert(tasks[i].moved == OPS && tasks[i].missing == 0);
	}
	assert(journal_records == NTHREADS * (OPS + 1));
	for (int i = 0; i < NDIRS; i++) {
		while (dirs[i]->entries) {
			struct dentry *e = dirs[i]->entries;
			dirs[i]->entries = e->next;
			dirs[i]->nentries--;
			files++;
			free(e);
		}
		assert(dirs[i]->nentries == 0);
		free(dirs[i]);
	}
	assert(files == NTHREADS);
	return 0;
}
