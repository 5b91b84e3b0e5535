/* scanf of text in memory. */
#include "scan.h"

#include <stdio.h>

static int get(void *from) {
    const char **at = from;
    return **at ? (unsigned char)*(*at)++ : EOF;
}

static void back(void *from, int c) {
    (void)c;
    --*(const char **)from;
}

int vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
    const char *at = text;
    struct crosstalk_source source = {get, back, &at};
    return __crosstalk_scan(&source, format, arguments);
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int assigned = vsscanf(text, format, arguments);
    va_end(arguments);
    return assigned;
}
