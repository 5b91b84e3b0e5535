/* Strings: the library's functions and some written out, on a text of a few hundred bytes. */
#include "benchmark.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "It was a machine of harts and lines, and every line remembered who had written it. When another hart came to "
    "read what was there, the machine wrote down both: who had left the value and who had taken it away. Most of the "
    "time nobody looked. But when a program failed, one run in a thousand, somebody could ask which of these meetings "
    "had happened only then, and the machine would answer with two lines of the source, and the order they came in.";

static char buffer[sizeof source + 64];
static char words[128][16];

static int split(const char *text) {
    int count = 0, length = 0;
    for (;; text++) {
        if (isalpha((unsigned char)*text)) {
            if (length < 15) words[count][length++] = (char)tolower((unsigned char)*text);
        } else if (length) {
            words[count++][length] = 0;
            length = 0;
        }
        if (!*text) return count;
    }
}

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

static uint32_t hash(const char *text) {
    uint32_t sum = 5381;
    while (*text) sum = sum * 33 + (unsigned char)*text++;
    return sum;
}

static void reverse(char *text) {
    for (size_t i = 0, j = strlen(text); i + 1 < j; i++) {
        char other = text[--j];
        text[j] = text[i];
        text[i] = other;
    }
}

static uint32_t work(void) {
    int count = split(source);
    uint32_t sum = (uint32_t)count;
    qsort(words, (size_t)count, sizeof words[0], by_text);
    int distinct = 0;
    for (int i = 0; i < count; i++)
        if (i == 0 || strcmp(words[i - 1], words[i]) != 0) distinct++;
    sum = fold(sum, (uint32_t)distinct);
    for (int i = 0; i < count; i += 3) sum = fold(sum, hash(words[i]));

    memcpy(buffer, source, sizeof source);
    reverse(buffer);
    sum = fold(sum, hash(buffer));
    reverse(buffer);
    if (memcmp(buffer, source, sizeof source) != 0) return 0;
    memmove(buffer + 13, buffer, sizeof source);
    memset(buffer, '.', 13);
    sum = fold(sum, hash(buffer));
    for (const char *at = source; (at = strstr(at, "the")); at++) sum = fold(sum, (uint32_t)(at - source));
    for (const char *at = source; (at = strchr(at, 'w')); at++) sum = fold(sum, (uint32_t)(at - source));
    char number[12];
    for (int i = 1; i < 1000000000; i *= 7) {
        snprintf(number, sizeof number, "%d", i);
        sum = fold(sum, (uint32_t)atoi(number) ^ hash(number));
    }
    return sum;
}

int main(void) {
    return measure(work, 0x8ec9fd80u);
}
