/*
 * "I use a mutex everywhere and my total is still wrong." A family saves in
 * one piggy bank; every access to the balance goes through a getter and a
 * setter that lock.
 *
 * Bug: save() gets, adds and sets. Each half is locked, the whole is not: two
 * people get the same balance and one deposit disappears.
 *
 * validate:
 *   kind: lost-update
 *   variable: balance
 *   threads: 4
 *   fails-by: exit code
 *   rare: no
 */
#include <stdio.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int balance = 0;
int deposits = 0;

#ifndef FIXED
int get_balance(void)
{
    int b;
    pthread_mutex_lock(&m);
    b = balance;                        /* bug: 1 */
    pthread_mutex_unlock(&m);
    return b;
}

void set_balance(int b)
{
    pthread_mutex_lock(&m);
    balance = b;                        /* bug: 2, 3 */
    deposits++;
    pthread_mutex_unlock(&m);
}
#endif

void save(int cents)
{
#ifdef FIXED
    pthread_mutex_lock(&m);
    balance += cents;
    deposits++;
    pthread_mutex_unlock(&m);
#else
    set_balance(get_balance() + cents); /* bug */
#endif
}

void *mother(void *p)
{
    int i;
    for (i = 0; i < 4; i++)
        save(100);
    return p;
}

void *father(void *p)
{
    int i;
    for (i = 0; i < 2; i++)
        save(200);
    return p;
}

void *child(void *p)
{
    int i;
    for (i = 0; i < 5; i++)
        save(i);
    return p;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, mother, NULL);
    pthread_create(&t2, NULL, father, NULL);
    pthread_create(&t3, NULL, child, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    printf("%d cents in %d deposits\n", balance, deposits);
    if (balance != 810 || deposits != 11)
        return 1;
    return 0;
}
