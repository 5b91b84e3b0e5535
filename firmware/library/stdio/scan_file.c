/* scanf of files. */
#include "scan.h"
#include "stream.h"

static int get(void *from) {
    return __crosstalk_get(from);
}

static void back(void *from, int c) {
    __crosstalk_unget(from, c);
}

int vfscanf(FILE *restrict file, const char *restrict format, va_list arguments) {
    struct crosstalk_source source = {get, back, file};
    __crosstalk_file_lock(file);
    int assigned = __crosstalk_scan(&source, format, arguments);
    __crosstalk_file_unlock(file);
    return assigned;
}

int vscanf(const char *restrict format, va_list arguments) {
    return vfscanf(stdin, format, arguments);
}

int fscanf(FILE *restrict file, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int assigned = vfscanf(file, format, arguments);
    va_end(arguments);
    return assigned;
}

int scanf(const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int assigned = vfscanf(stdin, format, arguments);
    va_end(arguments);
    return assigned;
}
