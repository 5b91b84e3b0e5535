#ifndef CROSSTALK_ERR_H
#define CROSSTALK_ERR_H

#include <stdarg.h>

#define CROSSTALK_SAYS(text, first) __attribute__((format(printf, text, first)))
void warn(const char *format, ...) CROSSTALK_SAYS(1, 2);
void warnx(const char *format, ...) CROSSTALK_SAYS(1, 2);
void vwarn(const char *format, va_list arguments) CROSSTALK_SAYS(1, 0);
void vwarnx(const char *format, va_list arguments) CROSSTALK_SAYS(1, 0);
_Noreturn void err(int code, const char *format, ...) CROSSTALK_SAYS(2, 3);
_Noreturn void errx(int code, const char *format, ...) CROSSTALK_SAYS(2, 3);
_Noreturn void verr(int code, const char *format, va_list arguments) CROSSTALK_SAYS(2, 0);
_Noreturn void verrx(int code, const char *format, va_list arguments) CROSSTALK_SAYS(2, 0);

#endif
