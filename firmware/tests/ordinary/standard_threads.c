/* The threads of C11. */
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t turn_changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t own;
static thread_local int visits;
static int turn, log_length, log_of_turns[12];

static void prepare(void)
{
    mtx_init(&lock, mtx_plain);
    cnd_init(&turn_changed);
    tss_create(&own, NULL);
}

static int player(void *arg)
{
    int me = *(int *)arg;
    call_once(&once, prepare);
    tss_set(own, arg);
    mtx_lock(&lock);
    for (int i = 0; i < 4; i++) {
        while (turn != me)
            cnd_wait(&turn_changed, &lock);
        log_of_turns[log_length++] = *(int *)tss_get(own);
        visits++;
        turn = (turn + 1) % 3;
        cnd_broadcast(&turn_changed);
    }
    mtx_unlock(&lock);
    return visits * 10 + me;
}

int main(void)
{
    thrd_t t[3];
    int numbers[3] = {0, 1, 2}, results[3];
    for (int i = 0; i < 3; i++)
        if (thrd_create(&t[i], player, &numbers[i]) != thrd_success)
            return 1;
    for (int i = 0; i < 3; i++)
        thrd_join(t[i], &results[i]);
    for (int i = 0; i < log_length; i++)
        printf("%d", log_of_turns[i]);
    printf(" %d %d %d, %d here\n", results[0], results[1], results[2], visits);
    int first = mtx_trylock(&lock), second = mtx_trylock(&lock);
    printf("%d %d\n", first == thrd_success, second == thrd_busy);
    mtx_unlock(&lock);
    thrd_sleep(&(struct timespec){0, 1000}, NULL);
    mtx_destroy(&lock);
    cnd_destroy(&turn_changed);
    return 0;
}
