#ifndef CROSSTALK_ERROR_H
#define CROSSTALK_ERROR_H

void error(int code, int number, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
