/*
 * Three cooks share one ladle, one pot and one board. Each dish needs two of
 * them.
 *
 * Bug: soup takes ladle and pot, stew takes pot and board, salad takes board
 * and ladle. When each cook holds the first thing, nobody gets a second one.
 *
 * validate:
 *   kind: deadlock
 *   variable: ladle, pot, board
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t ladle = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t pot = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t board = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t menu_lock = PTHREAD_MUTEX_INITIALIZER;
static int dishes;
static pthread_barrier_t noon;

static int water = 12, vegetables = 12;     /* at the pot, on the board */
static int salt = 12;                       /* hangs on the ladle */

static void serve(void)
{
    pthread_mutex_lock(&menu_lock);
    dishes++;
    pthread_mutex_unlock(&menu_lock);
}

static void *soup(void *arg)
{
    pthread_barrier_wait(&noon);
    pthread_mutex_lock(&ladle);             /* bug: 1 */
    pthread_mutex_lock(&pot);               /* bug: 4 */
    salt--;
    water -= 2;
    pthread_mutex_unlock(&pot);
    pthread_mutex_unlock(&ladle);
    serve();
    return arg;
}

static void *stew(void *arg)
{
    pthread_barrier_wait(&noon);
    pthread_mutex_lock(&pot);               /* bug: 2 */
    pthread_mutex_lock(&board);             /* bug: 5 */
    water--;
    vegetables -= 2;
    pthread_mutex_unlock(&board);
    pthread_mutex_unlock(&pot);
    serve();
    return arg;
}

static void *salad(void *arg)
{
    pthread_barrier_wait(&noon);
#ifdef FIXED
    pthread_mutex_lock(&ladle);
    pthread_mutex_lock(&board);
#else
    pthread_mutex_lock(&board);             /* bug: 3 */
    pthread_mutex_lock(&ladle);             /* bug: 6 */
#endif
    vegetables--;
    salt--;
    pthread_mutex_unlock(&ladle);
    pthread_mutex_unlock(&board);
    serve();
    return arg;
}

int main(void)
{
    void *(*cooks[])(void *) = { soup, stew, salad };
    pthread_t t[3];

    pthread_barrier_init(&noon, NULL, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, cooks[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("%d dishes; left: %d %d %d\n", dishes, water, vegetables, salt);
    return dishes == 3 && water == 9 && vegetables == 9 && salt == 10 ? 0 : 1;
}
