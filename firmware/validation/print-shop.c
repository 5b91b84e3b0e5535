/* print-shop.c
 * Three kinds of jobs use two of the three machines of a print shop each:
 *    books   print + cut
 *    leaflets cut + fold
 *    posters fold + print
 *
 * Bug: each job takes its two machines in the order in which it needs them,
 * and so the three together can form a ring: everybody has one machine and
 * waits for the next one.  All three threads must be inside at once.
 *
 * validate:
 *   kind: deadlock
 *   variable: printer.in_use, cutter.in_use, folder.in_use
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>

struct machine {
    const char *what;
    pthread_mutex_t in_use;
    int sheets;
};

static struct machine printer = { "printer", PTHREAD_MUTEX_INITIALIZER, 0 };
static struct machine cutter  = { "cutter",  PTHREAD_MUTEX_INITIALIZER, 0 };
static struct machine folder  = { "folder",  PTHREAD_MUTEX_INITIALIZER, 0 };

static void run(struct machine *a, struct machine *b, int sheets)
{
    a->sheets += sheets;
    b->sheets += sheets;
}

static void *books(void *n)
{
    for (int i = 0; i < *(int *)n; i++) {
        pthread_mutex_lock(&printer.in_use);            /* bug: 1 */
        pthread_mutex_lock(&cutter.in_use);             /* bug: 4 */
        run(&printer, &cutter, 12);
        pthread_mutex_unlock(&cutter.in_use);
        pthread_mutex_unlock(&printer.in_use);
    }
    return NULL;
}

static void *leaflets(void *n)
{
    for (int i = 0; i < *(int *)n; i++) {
        pthread_mutex_lock(&cutter.in_use);             /* bug: 2 */
        pthread_mutex_lock(&folder.in_use);             /* bug: 5 */
        run(&cutter, &folder, 1);
        pthread_mutex_unlock(&folder.in_use);
        pthread_mutex_unlock(&cutter.in_use);
    }
    return NULL;
}

static void *posters(void *n)
{
    for (int i = 0; i < *(int *)n; i++) {
#ifdef FIXED
        pthread_mutex_lock(&printer.in_use);
        pthread_mutex_lock(&folder.in_use);
#else
        pthread_mutex_lock(&folder.in_use);             /* bug: 3 */
        pthread_mutex_lock(&printer.in_use);            /* bug: 6 */
#endif
        run(&folder, &printer, 3);
        pthread_mutex_unlock(&printer.in_use);
        pthread_mutex_unlock(&folder.in_use);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int n[3] = { 2, 3, 2 };
    void *(*job[3])(void *) = { books, leaflets, posters };
    int total;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, job[i], &n[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);

    total = printer.sheets + cutter.sheets + folder.sheets;
    printf("%d sheets moved\n", total);
    return total == 2 * (2 * 12 + 3 * 1 + 2 * 3) ? 0 : 1;
}
