/* A bank: two tellers serve customers, who draw tickets, and book what they bring or take on one account.
 *
 * A booking reads the balance, works out the new one and stores it, and nothing makes that one step: if
 * both tellers book at a time, one of the bookings is lost. */
#include "fees.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define OWN_LINE _Alignas(64)

enum { TELLERS = 2, CUSTOMERS = 10, OPENING = 5000 };

static struct {
    OWN_LINE int balance;
    OWN_LINE pthread_mutex_t lock;
} account = {.balance = OPENING, .lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
    OWN_LINE int next;
    OWN_LINE pthread_mutex_t lock;
} tickets = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Less than CUSTOMERS, or all have been served. */
static int draw_ticket(void) {
    pthread_mutex_lock(&tickets.lock);
    int ticket = tickets.next;
    tickets.next = ticket + 1;
    pthread_mutex_unlock(&tickets.lock);
    return ticket;
}

/* What the customer with this ticket brings, or takes: that takes a while to find out. */
static int ask(int ticket) {
    unsigned wish = (unsigned)ticket + 5u;
    for (int i = 0; i < 200 + 40 * (ticket % 4); i++) wish = wish * 1103515245u + 12345u;
    return (int)(wish >> 20) % 900 - 300;
}

static void book(int amount) {
#ifdef FIXED
    pthread_mutex_lock(&account.lock);
#endif
    int balance = account.balance; /* bug: 1, 2 */
    balance += amount - fee(amount);
    account.balance = balance; /* bug: 3, 4 */
#ifdef FIXED
    pthread_mutex_unlock(&account.lock);
#endif
}

static void *teller(void *argument) {
    int *served = argument;
    for (int ticket = draw_ticket(); ticket < CUSTOMERS; ticket = draw_ticket()) {
        book(ask(ticket));
        ++*served;
    }
    return NULL;
}

int main(void) {
    pthread_t tellers[TELLERS];
    OWN_LINE int served[TELLERS][16] = {{0}};
    int expected = OPENING;
    for (int i = 0; i < CUSTOMERS; i++) expected += ask(i) - fee(ask(i));
    for (int i = 0; i < TELLERS; i++) pthread_create(&tellers[i], NULL, teller, served[i]);
    for (int i = 0; i < TELLERS; i++) pthread_join(tellers[i], NULL);
    assert(served[0][0] + served[1][0] == CUSTOMERS);
    assert(account.balance == expected);
    printf("%d customers, %d in the account\n", CUSTOMERS, account.balance);
    return 0;
}
