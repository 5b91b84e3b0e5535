#ifndef STOCK_H
#define STOCK_H
#include <pthread.h>

#define BINS  5
#define START 20

void stock_init(void);
void carry(int from, int to, int n);
int count_all(void);
#endif
