#include "bank.h"
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int caller[LINES];          /* 0: free */
    int busy;
} lines = { .lock = PTHREAD_MUTEX_INITIALIZER };

int line_answer(int caller)
{
    int found = -1;

    pthread_mutex_lock(&lines.lock);            /* bug: 1 */
    for (int i = 0; i < LINES && found < 0; i++)
        if (!lines.caller[i])
            found = i;
    if (found >= 0) {
        lines.caller[found] = caller;
        lines.busy++;
        call_begin(found, caller);
    }
    pthread_mutex_unlock(&lines.lock);
    return found;
}

void line_release(int line)
{
    pthread_mutex_lock(&lines.lock);
    lines.caller[line] = 0;
    lines.busy--;
    pthread_mutex_unlock(&lines.lock);
}

int lines_busy(void)
{
    int busy;

    pthread_mutex_lock(&lines.lock);            /* bug: 6 */
    busy = lines.busy;
    pthread_mutex_unlock(&lines.lock);
    return busy;
}
