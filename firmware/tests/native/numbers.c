/* Text to numbers, sorting, searching, character classes. */
#include <ctype.h>
#include <errno.h>
#include <math.h>

#include "check.h"

extern _Thread_local int mine_errno __asm__("errno");
long ct_strtol(const char *text, char **end, int base);
unsigned long ct_strtoul(const char *text, char **end, int base);
long long ct_strtoll(const char *text, char **end, int base);
unsigned long long ct_strtoull(const char *text, char **end, int base);
double ct_strtod(const char *text, char **end);
int ct_atoi(const char *text);
void ct_qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *));
void *ct_bsearch(const void *key, const void *base, size_t count, size_t bytes,
                 int (*compare)(const void *, const void *));
int ct_rand_r(unsigned *seed);

static void make_number(char *text) {
    static const char digits[] = "0123456789abcdefABCDEFxXzZ+- \t.";
    while (!below(3)) *text++ = " \t\n"[below(3)];
    if (!below(2)) *text++ = "+-"[below(2)];
    if (!below(3)) text += sprintf(text, "0x");
    if (!below(2)) text += sprintf(text, "%llu", (unsigned long long)sized());
    if (!below(8)) text += sprintf(text, "%llx", (unsigned long long)(INT64_MAX + (uint64_t)below(3)));
    for (uint32_t i = below(6); i; i--) *text++ = digits[below(sizeof digits - 1)];
    *text = 0;
}

#define COMPARE(function, type)                                                                  \
    do {                                                                                         \
        char *my_end, *their_end;                                                                \
        mine_errno = errno = 0;                                                                  \
        type mine = ct_##function(text, &my_end, base);                                          \
        type theirs = function(text, &their_end, base);                                          \
        CHECK(mine == theirs && my_end == their_end && mine_errno == errno,                      \
              #function "(\"%s\", %d): %lld after %d, error %d, not %lld after %d, error %d", text, \
              base, (long long)mine, (int)(my_end - text), mine_errno, (long long)theirs,        \
              (int)(their_end - text), errno);                                                   \
    } while (0)

static void integers(void) {
    static const int bases[] = {0, 2, 8, 10, 16, 36, 7};
    char text[100];
    make_number(text);
    int base = bases[below(7)];
    COMPARE(strtol, long);
    COMPARE(strtoul, unsigned long);
    COMPARE(strtoll, long long);
    COMPARE(strtoull, unsigned long long);
    snprintf(text, sizeof text, "%d", (int)any());
    CHECK(ct_atoi(text) == atoi(text), "%s", text);
}

/* Where 15 digits and a power of ten are exact, so must be the result; elsewhere it may be the neighbor. */
static void reals(void) {
    char text[100], *my_end, *their_end;
    uint64_t digits = any64() % 1000000000000000u;
    int exact = below(2), exponent = (int)below(exact ? 39 : 640) - (exact ? 19 : 320);
    switch (below(3)) {
    case 0: sprintf(text, "%llue%d", (unsigned long long)digits, exponent); break;
    case 1: sprintf(text, " -%llu.%03uE%+d x", (unsigned long long)(digits / 1000), below(1000), exponent); break;
    default: sprintf(text, "%.9g", (double)(int)any() / 1000); exact = 1;
    }
    double mine = ct_strtod(text, &my_end), theirs = strtod(text, &their_end);
    int near = mine == theirs || (!exact && (mine == nextafter(theirs, INFINITY) || mine == nextafter(theirs, -INFINITY)));
    CHECK(near && my_end == their_end, "%s: %.17g, not %.17g", text, mine, theirs);
}

struct item {
    int key;
    char rest[7];
};

static int by_key(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void sorting(void) {
    static struct item mine[300], theirs[300];
    uint32_t count = below(300), range = 1 + below(200);
    for (uint32_t i = 0; i < count; i++) {
        mine[i].key = (int)below(range);
        memset(mine[i].rest, mine[i].key, sizeof mine[i].rest);
        theirs[i] = mine[i];
    }
    ct_qsort(mine, count, sizeof *mine, by_key);
    qsort(theirs, count, sizeof *theirs, by_key);
    for (uint32_t i = 0; i < count; i++)
        CHECK(mine[i].key == theirs[i].key && mine[i].rest[6] == (char)mine[i].key, "%u of %u", i, count);
    struct item key = {.key = (int)below(range)};
    struct item *found = ct_bsearch(&key, mine, count, sizeof *mine, by_key);
    void *expected = bsearch(&key, mine, count, sizeof *mine, by_key);
    CHECK(!found == !expected && (!found || found->key == key.key), "%d", key.key);
}

int ct_isalnum(int c), ct_isalpha(int c), ct_isblank(int c), ct_iscntrl(int c), ct_isdigit(int c),
    ct_isgraph(int c), ct_islower(int c), ct_isprint(int c), ct_ispunct(int c), ct_isspace(int c),
    ct_isupper(int c), ct_isxdigit(int c), ct_tolower(int c), ct_toupper(int c);

static void classes(void) {
    for (int c = -1; c < 256; c++) {
        CHECK(!ct_isalnum(c) == !isalnum(c), "%d", c);
        CHECK(!ct_isalpha(c) == !isalpha(c), "%d", c);
        CHECK(!ct_isblank(c) == !isblank(c), "%d", c);
        CHECK(!ct_iscntrl(c) == !iscntrl(c), "%d", c);
        CHECK(!ct_isdigit(c) == !isdigit(c), "%d", c);
        CHECK(!ct_isgraph(c) == !isgraph(c), "%d", c);
        CHECK(!ct_islower(c) == !islower(c), "%d", c);
        CHECK(!ct_isprint(c) == !isprint(c), "%d", c);
        CHECK(!ct_ispunct(c) == !ispunct(c), "%d", c);
        CHECK(!ct_isspace(c) == !isspace(c), "%d", c);
        CHECK(!ct_isupper(c) == !isupper(c), "%d", c);
        CHECK(!ct_isxdigit(c) == !isxdigit(c), "%d", c);
        CHECK(ct_tolower(c) == tolower(c), "%d", c);
        CHECK(ct_toupper(c) == toupper(c), "%d", c);
    }
}

/* Not the same numbers as elsewhere, but numbers in range that depend on the seed alone. */
static void random_numbers(void) {
    unsigned seed = any(), again = seed, buckets[8] = {0};
    for (int i = 0; i < 8000; i++) {
        int value = ct_rand_r(&seed);
        CHECK(value >= 0 && value == ct_rand_r(&again), "%d", value);
        buckets[value >> 28]++;
    }
    for (int i = 0; i < 8; i++) CHECK(buckets[i] > 800 && buckets[i] < 1200, "%d: %u", i, buckets[i]);
}

void check(void) {
    classes();
    random_numbers();
    for (int i = 0; i < 20000; i++) {
        integers();
        reals();
        if (i % 50 == 0) sorting();
    }
}
