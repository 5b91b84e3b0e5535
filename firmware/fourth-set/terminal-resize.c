/*
 * A terminal. One thread writes lines, which scrolls a region of the screen;
 * main makes the window larger and smaller.
 *
 * Bug: a new size is set in two calls, one for the rows and one for the region
 * within them. Each takes the lock, but between them a smaller screen has the
 * region of the larger one.
 *
 * validate:
 *   kind: several-variables
 *   variable: term.rows, term.bottom
 *   threads: 2
 *   fails-by: assertion
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 12
#define COLUMNS 10
#define LINES 24
#define RESIZES 16

static struct {
    pthread_mutex_t lock;
    int rows;
    int top, bottom;            /* first and last row of the region */
    char cells[MAX_ROWS][COLUMNS];
    int scrolled;
} term = { .lock = PTHREAD_MUTEX_INITIALIZER, .rows = MAX_ROWS, .bottom = MAX_ROWS - 1 };

static const int sizes[] = { 8, 12, 5, 9, 6, 11, 4, 10 };

/* With the lock. Rows that come into sight are empty. */
static void set_rows(int rows)
{
    for (int row = term.rows; row < rows; row++)
        memset(term.cells[row], ' ', COLUMNS);
    term.rows = rows;                           /* bug: 1 */
}

/* With the lock. */
static void set_region(int top, int bottom)
{
    term.top = top;
    term.bottom = bottom;                       /* bug: 3 */
}

static void term_resize(int rows)
{
    pthread_mutex_lock(&term.lock);
    set_rows(rows);
#ifndef FIXED
    pthread_mutex_unlock(&term.lock);           /* bug */

    pthread_mutex_lock(&term.lock);             /* bug */
#endif
    set_region(rows > 6 ? 1 : 0, rows - 1);
    pthread_mutex_unlock(&term.lock);
}

/* With the lock. */
static void scroll(void)
{
    assert(term.top >= 0 && term.bottom < term.rows);           /* bug: 2 */
    for (int row = term.top; row < term.bottom; row++)
        memcpy(term.cells[row], term.cells[row + 1], COLUMNS);
    memset(term.cells[term.bottom], ' ', COLUMNS);
    term.scrolled++;
}

static void term_line(const char *text)
{
    size_t length = strlen(text);

    pthread_mutex_lock(&term.lock);
    scroll();
    memcpy(term.cells[term.bottom], text, length < COLUMNS ? length : COLUMNS);
    pthread_mutex_unlock(&term.lock);
}

static void *shell(void *arg)
{
    char text[COLUMNS];

    for (int i = 0; i < LINES; i++) {
        for (int c = 0; c < COLUMNS - 1; c++)
            text[c] = (char)('a' + (i + c) % 26);
        text[COLUMNS - 1] = '\0';
        term_line(text);
    }
    return arg;
}

/* What main does between two sizes: the window's frame. */
static unsigned draw_frame(int rows)
{
    unsigned pixels = 0;

    for (int i = 0; i < rows * 4; i++)
        pixels = pixels * 5 + (unsigned)i;
    return pixels;
}

int main(void)
{
    pthread_t thread;
    unsigned frame = 0;

    memset(term.cells, ' ', sizeof term.cells);
    if (pthread_create(&thread, NULL, shell, NULL) != 0)
        abort();
    for (int i = 0; i < RESIZES; i++) {
        int rows = sizes[i % (int)(sizeof sizes / sizeof *sizes)];

        frame ^= draw_frame(rows);
        term_resize(rows);
    }
    pthread_join(thread, NULL);
    printf("%d lines, %d rows, frame %08x\n", term.scrolled, term.rows, frame);
    return term.scrolled == LINES ? 0 : 1;
}
