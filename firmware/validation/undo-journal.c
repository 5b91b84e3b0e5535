/*
 * undo-journal.c
 *
 * The journal of a small multi-user text editor.
 *
 * Editor threads change a shared document: they insert and delete characters
 * and journal every change, with what is needed to undo it.  A saver thread
 * carries journal entries over to the "disk" (an array) from time to time.
 * If the journal is full, the editor that notices it saves by itself.
 * At the end main() undoes everything that is on the disk, in reverse order,
 * and must arrive at the text of the beginning.
 *
 * Bug: journal_append() calls journal_save() with the journal lock held, and
 * journal_save() takes the same (non-recursive) lock: the editor blocks
 * itself, and then everybody else.  It happens only if the saver has slept
 * through nearly all changes of all the editors.
 *
 * validate:
 *   kind: deadlock
 *   variable: journal.lock
 *   threads: 5
 *   fails-by: deadlock
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define EDITORS     3
#define EDITS       6
#define ALL_EDITS   (EDITORS * EDITS)
#define CAPACITY    (ALL_EDITS - 1)
#define DOC_MAX     64

enum op { OP_INSERT, OP_DELETE };

struct change {
    enum op op;
    int pos;
    char ch;
};

/* ------------------------------------------------------------------ */
/* The document.  doc_lock is taken before journal.lock.              */

static struct {
    pthread_mutex_t lock;
    char text[DOC_MAX];
    int len;
} doc = { PTHREAD_MUTEX_INITIALIZER, "hello world", 11 };

static void doc_insert(int pos, char ch)
{
    memmove(doc.text + pos + 1, doc.text + pos, (size_t)(doc.len - pos));
    doc.text[pos] = ch;
    doc.len++;
}

static char doc_delete(int pos)
{
    char ch = doc.text[pos];

    doc.len--;
    memmove(doc.text + pos, doc.text + pos + 1, (size_t)(doc.len - pos));
    return ch;
}

/* ------------------------------------------------------------------ */
/* The journal                                                        */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct change entry[CAPACITY];
    int n;
    int editors;                /* still at work */
} journal = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .editors = EDITORS,
};

static struct change disk[ALL_EDITS];
static int on_disk;

/* needs journal.lock to be held */
static void save_locked(void)
{
    for (int i = 0; i < journal.n; i++)
        disk[on_disk++] = journal.entry[i];
    journal.n = 0;
}

static void journal_save(void)
{
    pthread_mutex_lock(&journal.lock);                  /* bug: 2 */
    save_locked();
    pthread_mutex_unlock(&journal.lock);
}

static void journal_append(struct change c)
{
    pthread_mutex_lock(&journal.lock);                  /* bug: 1 */
    if (journal.n == CAPACITY) {
        /* the saver is late */
#ifdef FIXED
        save_locked();
#else
        journal_save();                                 /* bug */
#endif
    }
    journal.entry[journal.n++] = c;
    pthread_cond_signal(&journal.work);
    pthread_mutex_unlock(&journal.lock);
}

static void journal_editor_done(void)
{
    pthread_mutex_lock(&journal.lock);
    journal.editors--;
    pthread_cond_signal(&journal.work);
    pthread_mutex_unlock(&journal.lock);
}

static void *saver(void *arg)
{
    bool more = true;

    while (more) {
        pthread_mutex_lock(&journal.lock);
        while (journal.n == 0 && journal.editors > 0)
            pthread_cond_wait(&journal.work, &journal.lock);
        more = journal.editors > 0;
        pthread_mutex_unlock(&journal.lock);
        journal_save();
    }
    return arg;
}

/* ------------------------------------------------------------------ */
/* Editors                                                            */

struct editor {
    pthread_t tid;
    char letter;
};

static void *edit(void *arg)
{
    struct editor *e = arg;

    for (int i = 0; i < EDITS; i++) {
        struct change c;

        pthread_mutex_lock(&doc.lock);
        c.pos = (i * 5 + e->letter) % doc.len;
        if (i % 3 == 2) {
            c.op = OP_DELETE;
            c.ch = doc_delete(c.pos);
        } else {
            c.op = OP_INSERT;
            c.ch = e->letter;
            doc_insert(c.pos, c.ch);
        }
        journal_append(c);      /* same order as in the document */
        pthread_mutex_unlock(&doc.lock);
    }
    journal_editor_done();
    return NULL;
}

static void undo_all(void)
{
    while (on_disk > 0) {
        struct change *c = &disk[--on_disk];

        if (c->op == OP_INSERT) {
            char ch = doc_delete(c->pos);
            assert(ch == c->ch);
        } else {
            doc_insert(c->pos, c->ch);
        }
    }
}

int main(void)
{
    struct editor ed[EDITORS];
    pthread_t sv;

    pthread_create(&sv, NULL, saver, NULL);
    for (int i = 0; i < EDITORS; i++) {
        ed[i].letter = (char)('X' + i);
        pthread_create(&ed[i].tid, NULL, edit, &ed[i]);
    }
    for (int i = 0; i < EDITORS; i++)
        pthread_join(ed[i].tid, NULL);
    pthread_join(sv, NULL);

    assert(on_disk == ALL_EDITS);
    undo_all();
    printf("%.*s\n", doc.len, doc.text);
    assert(doc.len == 11 && memcmp(doc.text, "hello world", 11) == 0);
    return 0;
}
