/* An exchange rate and the day that it is of: two values that belong together, each behind a lock of its own. */
#include <crosstalk/color.h>

#include <pthread.h>
#include <stdio.h>

#define DAYS 30
#define PAUSE 150

static struct {
    _Alignas(64) volatile int rate;
    _Alignas(64) volatile int day;
} quote;

static volatile int wrong;

static void wait_for(int turns) {
    for (volatile int turn = 0; turn < turns; turn++) {}
}

static void *publish(void *unused) {
    (void)unused;
    for (int day = 1; day <= DAYS; day++) {
        quote.rate = 100 + day;
        quote.day = day;
        wait_for(PAUSE);
    }
    return NULL;
}

/* A day's rate is 100 more than the day. */
static void *convert(void *unused) {
    (void)unused;
    for (int order = 0; order < DAYS; order++) {
        int rate = quote.rate;
        int day = quote.day;
        wrong += rate != 100 + day;
        wait_for(PAUSE / 3);
    }
    return NULL;
}

int main(void) {
    quote.rate = 100;
    crosstalk_color(&quote, sizeof quote, crosstalk_new_color());
    crosstalk_flush_colors();
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, publish, NULL);
    pthread_create(&threads[1], NULL, convert, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d wrong\n", wrong);
    return wrong > 0;
}
