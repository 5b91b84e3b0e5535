/* string.h and strings.h, on short strings of few letters. */
#include <strings.h>

#include "check.h"

void *ct_memcpy(void *to, const void *from, size_t count);
void *ct_memmove(void *to, const void *from, size_t count);
void *ct_memset(void *to, int byte, size_t count);
int ct_memcmp(const void *a, const void *b, size_t count);
void *ct_memchr(const void *in, int byte, size_t count);
size_t ct_strlen(const char *text);
size_t ct_strnlen(const char *text, size_t limit);
char *ct_strcpy(char *to, const char *from);
char *ct_strncpy(char *to, const char *from, size_t count);
char *ct_strcat(char *to, const char *from);
char *ct_strncat(char *to, const char *from, size_t count);
int ct_strcmp(const char *a, const char *b);
int ct_strncmp(const char *a, const char *b, size_t count);
int ct_strcasecmp(const char *a, const char *b);
int ct_strncasecmp(const char *a, const char *b, size_t count);
char *ct_strchr(const char *in, int c);
char *ct_strrchr(const char *in, int c);
char *ct_strstr(const char *in, const char *what);
char *ct_strpbrk(const char *in, const char *any);
size_t ct_strspn(const char *in, const char *accept);
size_t ct_strcspn(const char *in, const char *reject);
char *ct_strtok_r(char *text, const char *separators, char **rest);

static char a[64], b[64];

static void make(char *text, uint32_t longest) {
    static const char letters[] = "abABc\xc4";
    uint32_t length = below(longest);
    for (uint32_t i = 0; i < length; i++) text[i] = letters[below(6)];
    text[length] = 0;
}

static int sign(int value) {
    return (value > 0) - (value < 0);
}

static void reading(void) {
    make(a, 30);
    make(b, below(3) ? 4 : 30);
    if (!below(3)) memcpy(b, a, 1 + below(30));
    b[40] = 0;
    size_t n = below(32);
    int c = "abABc\xc4"[below(7)];
    CHECK(ct_strlen(a) == strlen(a), "%s", a);
    CHECK(ct_strnlen(a, n) == strnlen(a, n), "%s", a);
    CHECK(sign(ct_strcmp(a, b)) == sign(strcmp(a, b)), "%s %s", a, b);
    CHECK(sign(ct_strncmp(a, b, n)) == sign(strncmp(a, b, n)), "%s %s", a, b);
    CHECK(sign(ct_strcasecmp(a, b)) == sign(strcasecmp(a, b)), "%s %s", a, b);
    CHECK(sign(ct_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)), "%s %s", a, b);
    CHECK(sign(ct_memcmp(a, b, n)) == sign(memcmp(a, b, n)), "%s %s", a, b);
    CHECK(ct_memchr(a, c, n) == memchr(a, c, n), "%s %d", a, c);
    CHECK(ct_strchr(a, c) == strchr(a, c), "%s %d", a, c);
    CHECK(ct_strrchr(a, c) == strrchr(a, c), "%s %d", a, c);
    CHECK(ct_strstr(a, b) == strstr(a, b), "%s %s", a, b);
    CHECK(ct_strpbrk(a, b) == strpbrk(a, b), "%s %s", a, b);
    CHECK(ct_strspn(a, b) == strspn(a, b), "%s %s", a, b);
    CHECK(ct_strcspn(a, b) == strcspn(a, b), "%s %s", a, b);
}

#define COMPARE(call, reference)                                                           \
    do {                                                                                   \
        char mine[128], theirs[128];                                                       \
        for (int i = 0; i < 128; i++) mine[i] = theirs[i] = (char)(i < 100 ? 'A' + i % 26 : 0); \
        mine[at + 20] = theirs[at + 20] = 0;                                               \
        char *to = mine;                                                                   \
        char *got = (char *)(call);                                                        \
        size_t offset = (size_t)(got - to);                                                \
        to = theirs;                                                                       \
        char *wanted = (char *)(reference);                                                \
        CHECK(!memcmp(mine, theirs, sizeof mine), "%s", #call);                            \
        CHECK(offset == (size_t)(wanted - to), "%s", #call);                               \
    } while (0)

static void writing(void) {
    make(a, 30);
    size_t n = below(32), at = below(9), from = below(9);
    COMPARE(ct_strcpy(to + at, a), strcpy(to + at, a));
    COMPARE(ct_strncpy(to + at, a, n), strncpy(to + at, a, n));
    COMPARE(ct_strcat(to + at, a), strcat(to + at, a));
    COMPARE(ct_strncat(to + at, a, n), strncat(to + at, a, n));
    COMPARE(ct_memcpy(to + at, a + from, n), memcpy(to + at, a + from, n));
    COMPARE(ct_memset(to + at, (int)n * 9, n), memset(to + at, (int)n * 9, n));
    COMPARE(ct_memmove(to + at, to + from, n), memmove(to + at, to + from, n));
}

static void splitting(void) {
    char mine[64], theirs[64], *my_rest, *their_rest;
    make(a, 40);
    memcpy(mine, a, sizeof mine);
    memcpy(theirs, a, sizeof theirs);
    char *x = ct_strtok_r(mine, "aB", &my_rest), *y = strtok_r(theirs, "aB", &their_rest);
    for (; x && y; x = ct_strtok_r(NULL, "aB", &my_rest), y = strtok_r(NULL, "aB", &their_rest))
        CHECK(!strcmp(x, y), "%s: %s, not %s", a, x, y);
    CHECK(!x && !y, "%s", a);
}

void check(void) {
    for (int i = 0; i < 50000; i++) {
        reading();
        writing();
        splitting();
    }
}
