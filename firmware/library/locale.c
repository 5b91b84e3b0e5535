/* The locale "C", and names of paths. */
#include "internal.h"

#include <libgen.h>
#include <locale.h>
#include <string.h>

char *setlocale(int category, const char *name) {
    (void)category;
    return !name || !*name || !strcmp(name, "C") || !strcmp(name, "POSIX") ? "C" : NULL;
}

struct lconv *localeconv(void) {
    static struct lconv plain = {".", "", ""};
    return &plain;
}

static void cut_slashes(char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') path[--length] = 0;
}

POSIX_ONLY char *basename(char *path) {
    if (!path || !*path) return ".";
    cut_slashes(path);
    char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

POSIX_ONLY char *dirname(char *path) {
    if (!path || !*path) return ".";
    cut_slashes(path);
    char *slash = strrchr(path, '/');
    if (!slash) return ".";
    slash[slash == path] = 0;
    cut_slashes(path);
    return path;
}
