/* What the parts of the library know of each other. Included first by every file of the library: it puts
 * their code into a section of its own, so that the monitored range can leave it out. */
#ifndef CROSSTALK_LIBRARY_INTERNAL_H
#define CROSSTALK_LIBRARY_INTERNAL_H

#ifdef __riscv
#pragma clang section text = ".text.crosstalk_library"
#endif

/* A name that C leaves to programs, though POSIX does not: a program's own function of that name wins. */
#define POSIX_ONLY __attribute__((weak))

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* stdio/format.c: printf's work, piece by piece */
typedef void crosstalk_put(void *to, const char *bytes, size_t count);
int __crosstalk_format(crosstalk_put *put, void *to, const char *format, va_list arguments);

/* stdio/decimal.c: digits of a double */
struct crosstalk_decimal {
    char *digits;  /* no leading zeros; "" for zero */
    int count;
    int exponent; /* of the first digit: 0.d1d2d3… × 10^exponent */
};
enum { CROSSTALK_DECIMAL_BYTES = 1100 };
void __crosstalk_decimal(double value, char *room, struct crosstalk_decimal *result);
void __crosstalk_round(struct crosstalk_decimal *number, int keep);

/* stdio/file.c */
int32_t __crosstalk_write(int descriptor, const void *bytes, size_t count);
void __crosstalk_flush_all(void);
_Noreturn void __crosstalk_fail(int code, const char *format, ...);

#endif
