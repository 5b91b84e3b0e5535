/* A program may use for itself what C leaves free, whatever POSIX says. */
#include <stdio.h>
#include <string.h>

int write(const char *what) {
    return printf("my own %s\n", what);
}

int sleep(void) {
    return 5;
}

char *strdup(const char *text) {
    return (char *)(text + strlen(text));
}

long random(long seed) {
    return seed + 1;
}

size_t strnlen(const char *text, size_t limit) {
    size_t length = strlen(text);
    return length < limit ? length : limit;
}

int main(void) {
    write("write");
    printf("%d [%s] %ld %.3s\n", sleep(), strdup("x"), random(6), "abcdef");
    return 0;
}
