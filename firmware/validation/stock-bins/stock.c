#include "stock.h"

static struct bin {
    int screws;
    pthread_mutex_t lock;
} bins[BINS];

void stock_init(void)
{
    for (int i = 0; i < BINS; i++) {
        bins[i].screws = START;
        pthread_mutex_init(&bins[i].lock, NULL);
    }
}

/* both bins are locked, the one with the lower number first */
void carry(int from, int to, int n)
{
    int lo = from < to ? from : to;
    int hi = from < to ? to : from;

    pthread_mutex_lock(&bins[lo].lock);
    pthread_mutex_lock(&bins[hi].lock);
    if (bins[from].screws >= n) {
        bins[from].screws -= n;                 /* bug: 2 */
        bins[to].screws += n;                   /* bug: 3 */
    }
    pthread_mutex_unlock(&bins[hi].lock);
    pthread_mutex_unlock(&bins[lo].lock);
}

int count_all(void)
{
    int total = 0;

#ifdef FIXED
    for (int i = 0; i < BINS; i++)
        pthread_mutex_lock(&bins[i].lock);
    for (int i = 0; i < BINS; i++)
        total += bins[i].screws;
    for (int i = BINS - 1; i >= 0; i--)
        pthread_mutex_unlock(&bins[i].lock);
#else
    for (int i = 0; i < BINS; i++) {
        pthread_mutex_lock(&bins[i].lock);
        total += bins[i].screws;                /* bug: 1, 4 */
        pthread_mutex_unlock(&bins[i].lock);
    }
#endif
    return total;
}
