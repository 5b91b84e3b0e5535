/*
 * The ledger of a small bank. Tellers post deposits and withdrawals; at night
 * interest is added to every account, by a rule that the account's product
 * brings along.
 *
 * Bug: the night run reads a balance with the account's lock held, lets the
 * rule compute without it (rules may be slow), and writes back the sum with
 * the lock held again. A posting in between is overwritten.
 *
 * validate:
 *   kind: lost-update
 *   variable: account->balance
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 4
#define POSTINGS 6

typedef long (*interest_rule)(long balance);

struct account {
    pthread_mutex_t lock;
    long balance;               /* cents */
    long interest;              /* of this year */
    interest_rule rule;
    int postings;
};

struct posting {
    int account;
    long amount;
};

struct ledger {
    struct account *accounts[ACCOUNTS];
    pthread_mutex_t journal_lock;
    long journal_sum;
};

struct teller {
    struct ledger *ledger;
    const struct posting *postings;
};

static long flat_rule(long balance)
{
    return balance / 100;
}

static long tiered_rule(long balance)
{
    long interest = 0, step = 1000;

    for (int percent = 1; percent <= 3 && balance > 0; percent++) {
        long part = balance < step ? balance : step;

        interest += part * percent / 100;
        balance -= part;
        step *= 2;
    }
    return interest;
}

static void journal(struct ledger *l, long amount)
{
    pthread_mutex_lock(&l->journal_lock);
    l->journal_sum += amount;
    pthread_mutex_unlock(&l->journal_lock);
}

static void post(struct ledger *l, const struct posting *p)
{
    struct account *a = l->accounts[p->account];

    pthread_mutex_lock(&a->lock);
    a->balance += p->amount;                    /* bug: 2 */
    a->postings++;
    pthread_mutex_unlock(&a->lock);
    journal(l, p->amount);
}

static void add_interest(struct ledger *l, struct account *a)
{
    long balance, interest;

    pthread_mutex_lock(&a->lock);
    balance = a->balance;                       /* bug: 1 */
#ifndef FIXED
    pthread_mutex_unlock(&a->lock);             /* bug */
#endif
    interest = a->rule(balance);
#ifndef FIXED
    pthread_mutex_lock(&a->lock);               /* bug */
#endif
    a->balance = balance + interest;            /* bug: 3 */
    a->interest += interest;
    pthread_mutex_unlock(&a->lock);
    journal(l, interest);
}

static void *teller(void *arg)
{
    struct teller *t = arg;

    for (int i = 0; i < POSTINGS; i++)
        post(t->ledger, &t->postings[i]);
    return NULL;
}

static void *night_run(void *arg)
{
    struct ledger *l = arg;

    for (int i = 0; i < ACCOUNTS; i++)
        add_interest(l, l->accounts[i]);
    return NULL;
}

int main(void)
{
    static const struct posting first[POSTINGS] = {
        { 0, 500 }, { 2, -40 }, { 1, 75 }, { 3, 1000 }, { 2, 5 }, { 0, -20 },
    };
    static const struct posting second[POSTINGS] = {
        { 3, -60 }, { 1, 900 }, { 0, 15 }, { 2, 330 }, { 1, -5 }, { 3, 10 },
    };
    struct ledger *l = calloc(1, sizeof *l);
    struct teller tellers[2] = { { l, first }, { l, second } };
    pthread_t threads[3];
    long sum = 0;

    if (!l)
        return 2;
    pthread_mutex_init(&l->journal_lock, NULL);
    for (int i = 0; i < ACCOUNTS; i++) {
        struct account *a = calloc(1, sizeof *a);

        if (!a)
            return 2;
        pthread_mutex_init(&a->lock, NULL);
        a->rule = i & 1 ? tiered_rule : flat_rule;
        a->balance = 2000 * i;
        l->journal_sum += a->balance;
        l->accounts[i] = a;
    }
    pthread_create(&threads[0], NULL, teller, &tellers[0]);
    pthread_create(&threads[1], NULL, night_run, l);
    pthread_create(&threads[2], NULL, teller, &tellers[1]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++) {
        sum += l->accounts[i]->balance;
        free(l->accounts[i]);
    }
    printf("accounts %ld, journal %ld\n", sum, l->journal_sum);
    sum -= l->journal_sum;
    free(l);
    return sum == 0 ? 0 : 1;
}
