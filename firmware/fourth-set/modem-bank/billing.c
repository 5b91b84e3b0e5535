#include "bank.h"
#include <pthread.h>

#define HISTORY 16

static struct {
    pthread_mutex_t lock;
    int charges;
    long units;
    unsigned digest;
    struct { long units; int busy; } audits[HISTORY];
    int audit_count;
} books = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Called with the lock of the calls. */
void billing_charge(int caller, int units)
{
    pthread_mutex_lock(&books.lock);            /* bug: 5 */
    books.charges++;
    books.units += units;
    books.digest = books.digest * 31 + (unsigned)caller;
    pthread_mutex_unlock(&books.lock);
}

/* Notes down how much was charged, and how busy the bank is. */
int billing_audit(void)
{
    int busy, charges;

#ifdef FIXED
    busy = lines_busy();
    pthread_mutex_lock(&books.lock);
#else
    pthread_mutex_lock(&books.lock);            /* bug: 3 */
    busy = lines_busy();                        /* bug */
#endif
    books.audits[books.audit_count % HISTORY].units = books.units;
    books.audits[books.audit_count % HISTORY].busy = busy;
    books.audit_count++;
    charges = books.charges;
    pthread_mutex_unlock(&books.lock);
    return charges;
}
