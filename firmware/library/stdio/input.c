/* There is no input: every read finds its end. */
#include "file.h"

#include <unistd.h>

int fgetc(FILE *file) {
    file->ended = true;
    return EOF;
}

int getc(FILE *file) {
    return fgetc(file);
}

int getchar(void) {
    return fgetc(stdin);
}

char *fgets(char *restrict to, int size, FILE *restrict file) {
    (void)to;
    (void)size;
    fgetc(file);
    return NULL;
}

size_t fread(void *restrict to, size_t bytes, size_t count, FILE *restrict file) {
    (void)to;
    (void)bytes;
    (void)count;
    fgetc(file);
    return 0;
}

POSIX_ONLY ssize_t read(int descriptor, void *bytes, size_t count) {
    (void)descriptor;
    (void)bytes;
    (void)count;
    return 0;
}
