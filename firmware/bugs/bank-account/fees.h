/* The price list. */
#ifndef FEES_H
#define FEES_H

/* What the bank keeps of an amount. */
int fee(int amount);

#endif
