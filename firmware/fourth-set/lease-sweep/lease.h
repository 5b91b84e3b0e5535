/* Leases of addresses, in the order in which they were granted. */
#ifndef LEASE_H
#define LEASE_H

#define LEASE_CLIENTS 2

int lease_grant(int client, int term);          /* its number */
int lease_release(int number);                  /* 0: it has expired before */
void lease_sweep(void (*tell)(int client, int number));
int lease_expired(void);
void lease_free_all(void);

#endif
