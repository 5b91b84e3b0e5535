/*
 * A backup tool: one thread for each volume copies the volume's files, adds
 * them to the manifest of the job and counts what it copied, for the volume
 * and for the whole job.
 *
 * Bug: the job's sum of bytes is changed with the lock of the volume held.
 * Each volume has its own, so two volumes can add at the same time, and what
 * one of them added is lost.
 *
 * validate:
 *   kind: lost-update
 *   variable: job.total_bytes
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define VOLUMES 3
#define FILES 3

struct file {
    const char *path;
    unsigned size;
};

struct manifest_line {
    const char *path;
    unsigned sum;
};

struct job {
    pthread_mutex_t lock;
    struct manifest_line lines[VOLUMES * FILES];
    int nlines;
    unsigned total_bytes;
};

struct volume {
    const char *label;
    const struct file *files;
    pthread_mutex_t lock;
    unsigned bytes;
    int done;
};

static struct job job = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const struct file home[FILES] = {
    { "home/letter.txt", 310 }, { "home/photo.raw", 4800 }, { "home/tax.ods", 95 },
};
static const struct file var[FILES] = {
    { "var/log", 1200 }, { "var/mail", 640 }, { "var/cache", 77 },
};
static const struct file etc[FILES] = {
    { "etc/fstab", 21 }, { "etc/passwd", 34 }, { "etc/hosts", 12 },
};

static struct volume volumes[VOLUMES] = {
    { "home", home, PTHREAD_MUTEX_INITIALIZER, 0, 0 },
    { "var", var, PTHREAD_MUTEX_INITIALIZER, 0, 0 },
    { "etc", etc, PTHREAD_MUTEX_INITIALIZER, 0, 0 },
};

static unsigned copy_file(const struct file *f)
{
    unsigned sum = f->size;

    for (const char *p = f->path; *p; p++)
        sum = sum * 31 + (unsigned char)*p;
    return sum;
}

static void manifest_add(const struct file *f, unsigned sum)
{
    pthread_mutex_lock(&job.lock);
    job.lines[job.nlines].path = f->path;
    job.lines[job.nlines].sum = sum;
    job.nlines++;
    pthread_mutex_unlock(&job.lock);
}

static void account(struct volume *v, const struct file *f)
{
#ifdef FIXED
    pthread_mutex_lock(&v->lock);
    v->bytes += f->size;
    pthread_mutex_unlock(&v->lock);
    pthread_mutex_lock(&job.lock);
    job.total_bytes += f->size;
    pthread_mutex_unlock(&job.lock);
#else
    pthread_mutex_lock(&v->lock);       /* bug */
    v->bytes += f->size;
    job.total_bytes += f->size;         /* bug: 1, 2, 3 */
    pthread_mutex_unlock(&v->lock);
#endif
}

static void *copy_volume(void *arg)
{
    struct volume *v = arg;

    for (int i = 0; i < FILES; i++) {
        unsigned sum = copy_file(&v->files[i]);

        manifest_add(&v->files[i], sum);
        account(v, &v->files[i]);
    }
    pthread_mutex_lock(&v->lock);
    v->done = 1;
    pthread_mutex_unlock(&v->lock);
    return NULL;
}

int main(void)
{
    pthread_t workers[VOLUMES];
    unsigned sum = 0;

    for (int i = 0; i < VOLUMES; i++)
        pthread_create(&workers[i], NULL, copy_volume, &volumes[i]);
    for (int i = 0; i < VOLUMES; i++)
        pthread_join(workers[i], NULL);
    for (int i = 0; i < VOLUMES; i++)
        sum += volumes[i].bytes;
    printf("%d files, %u bytes\n", job.nlines, job.total_bytes);
    if (job.total_bytes != sum) {
        printf("volumes say %u\n", sum);
        return 1;
    }
    return job.nlines == VOLUMES * FILES ? 0 : 2;
}
