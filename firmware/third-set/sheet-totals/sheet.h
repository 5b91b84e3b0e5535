#ifndef SHEET_H
#define SHEET_H

#define ROWS 4
#define COLUMNS 2

void sheet_set(int row, int column, int value);
int sheet_get(int row, int column);

/* Whether the total of a column is the sum of its cells. */
int sheet_check(int column);

#endif
