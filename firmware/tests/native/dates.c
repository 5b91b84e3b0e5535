/* Dates there and back, and in all their forms. */
#define _GNU_SOURCE
#include <stddef.h>
#include <time.h>

#include "check.h"

struct tm *ct_gmtime_r(const time_t *time, struct tm *to);
time_t ct_timegm(struct tm *when);
size_t ct_strftime(char *to, size_t size, const char *format, const struct tm *when);

static const char forms[] = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYz%";

static void one(void) {
    time_t time = (time_t)(any64() >> 28) - 30000000000; /* years 1019 to 3197 */
    struct tm mine, theirs;
    memset(&theirs, 0, sizeof theirs);
    ct_gmtime_r(&time, &mine);
    gmtime_r(&time, &theirs);
    theirs.tm_zone = mine.tm_zone;
    CHECK(!memcmp(&mine, &theirs, offsetof(struct tm, tm_zone)), "%lld", (long long)time);
    char format[] = {'%', forms[below(sizeof forms - 1)], 0}, a[100], b[100];
    size_t room = below(4) ? sizeof a : below(12), my_length = ct_strftime(a, room, format, &mine);
    size_t length = strftime(b, room, format, &theirs);
    CHECK(my_length == length && (!length || !strcmp(a, b)), "%lld %s: %s, not %s", (long long)time, format, a, b);
    mine.tm_mon += (int)below(40) - 20;
    mine.tm_mday += (int)below(400) - 200;
    mine.tm_hour -= (int)below(100);
    theirs = mine;
    CHECK(ct_timegm(&mine) == timegm(&theirs), "%lld", (long long)time);
}

void check(void) {
    for (int i = 0; i < 50000; i++) one();
}
