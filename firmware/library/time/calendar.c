/* Dates, in UTC. */
#include "../internal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DAY = 86400, DAYS_BEFORE_1970 = 719468, CYCLE_DAYS = 146097, CYCLE_YEARS = 400 };

static const char days[][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[][10] = {"January", "February", "March",     "April",   "May",      "June",
                                  "July",    "August",   "September", "October", "November", "December"};

static bool is_leap(long long year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static long long floor_divide(long long a, long long b) {
    return a / b - (a % b < 0);
}

/* Days since 1970 of a day, counted in years that begin in March: a leap day is the last of its year. */
static long long days_of(long long year, long long month, long long day) {
    year += floor_divide(month, 12);
    month -= 12 * floor_divide(month, 12);
    if (month < 2) year--;
    long long cycle = floor_divide(year, CYCLE_YEARS), of_cycle = year - cycle * CYCLE_YEARS;
    long long of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
    return cycle * CYCLE_DAYS + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - DAYS_BEFORE_1970;
}

POSIX_ONLY struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict to) {
    long long day = floor_divide(*time, DAY), second = *time - day * DAY;
    long long shifted = day + DAYS_BEFORE_1970, cycle = floor_divide(shifted, CYCLE_DAYS);
    long long rest = shifted - cycle * CYCLE_DAYS;
    long long of_cycle = (rest - rest / 1460 + rest / 36524 - rest / 146096) / 365;
    long long of_year = rest - (365 * of_cycle + of_cycle / 4 - of_cycle / 100);
    long long march = (5 * of_year + 2) / 153;
    long long year = of_cycle + cycle * CYCLE_YEARS + (march >= 10);
    memset(to, 0, sizeof *to);
    to->tm_mday = (int)(of_year - (153 * march + 2) / 5 + 1);
    to->tm_mon = (int)(march + (march < 10 ? 2 : -10));
    to->tm_year = (int)(year - 1900);
    to->tm_wday = (int)((day % 7 + 11) % 7);
    to->tm_yday = (int)(day - days_of(year, 0, 1));
    to->tm_hour = (int)(second / 3600);
    to->tm_min = (int)(second / 60 % 60);
    to->tm_sec = (int)(second % 60);
    to->tm_zone = "GMT";
    return to;
}

POSIX_ONLY struct tm *localtime_r(const time_t *restrict time, struct tm *restrict to) {
    gmtime_r(time, to);
    to->tm_zone = "UTC";
    return to;
}

struct tm *gmtime(const time_t *time) {
    static struct tm kept;
    return gmtime_r(time, &kept);
}

struct tm *localtime(const time_t *time) {
    static struct tm kept;
    return localtime_r(time, &kept);
}

time_t mktime(struct tm *when) {
    long long day = days_of(when->tm_year + 1900ll, when->tm_mon, when->tm_mday);
    time_t time = day * DAY + when->tm_hour * 3600ll + when->tm_min * 60ll + when->tm_sec;
    localtime_r(&time, when);
    return time;
}

POSIX_ONLY time_t timegm(struct tm *when) {
    return mktime(when);
}

POSIX_ONLY void tzset(void) {}

POSIX_ONLY char *asctime_r(const struct tm *restrict when, char *restrict to) {
    sprintf(to, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", days[when->tm_wday], months[when->tm_mon], when->tm_mday,
            when->tm_hour, when->tm_min, when->tm_sec, when->tm_year + 1900);
    return to;
}

char *asctime(const struct tm *when) {
    static char kept[64];
    return asctime_r(when, kept);
}

POSIX_ONLY char *ctime_r(const time_t *time, char *to) {
    struct tm when;
    return asctime_r(gmtime_r(time, &when), to);
}

char *ctime(const time_t *time) {
    return asctime(localtime(time));
}

/* Week of the year by ISO 8601, and the year it belongs to. */
static int iso_week(const struct tm *when, int *year) {
    int monday_based = (when->tm_wday + 6) % 7, week = (when->tm_yday - monday_based + 10) / 7;
    *year = when->tm_year + 1900;
    if (week < 1) {
        int length = is_leap(--*year) ? 366 : 365;
        return (when->tm_yday + length - monday_based + 10) / 7;
    }
    int length = is_leap(*year) ? 366 : 365;
    if (week == 53 && when->tm_yday - monday_based + 3 >= length) {
        ++*year;
        return 1;
    }
    return week;
}

static void put_field(char *to, size_t room, char letter, const struct tm *when) {
    int hour = when->tm_hour % 12 ? when->tm_hour % 12 : 12, iso_year;
    switch (letter) {
    case 'a': snprintf(to, room, "%.3s", days[when->tm_wday]); break;
    case 'A': snprintf(to, room, "%s", days[when->tm_wday]); break;
    case 'b':
    case 'h': snprintf(to, room, "%.3s", months[when->tm_mon]); break;
    case 'B': snprintf(to, room, "%s", months[when->tm_mon]); break;
    case 'c': strftime(to, room, "%a %b %e %H:%M:%S %Y", when); break;
    case 'C': snprintf(to, room, "%02d", (when->tm_year + 1900) / 100); break;
    case 'd': snprintf(to, room, "%02d", when->tm_mday); break;
    case 'x':
    case 'D': strftime(to, room, "%m/%d/%y", when); break;
    case 'e': snprintf(to, room, "%2d", when->tm_mday); break;
    case 'F': strftime(to, room, "%Y-%m-%d", when); break;
    case 'G': iso_week(when, &iso_year), snprintf(to, room, "%d", iso_year); break;
    case 'g': iso_week(when, &iso_year), snprintf(to, room, "%02d", iso_year % 100); break;
    case 'H': snprintf(to, room, "%02d", when->tm_hour); break;
    case 'I': snprintf(to, room, "%02d", hour); break;
    case 'j': snprintf(to, room, "%03d", when->tm_yday + 1); break;
    case 'k': snprintf(to, room, "%2d", when->tm_hour); break;
    case 'l': snprintf(to, room, "%2d", hour); break;
    case 'm': snprintf(to, room, "%02d", when->tm_mon + 1); break;
    case 'M': snprintf(to, room, "%02d", when->tm_min); break;
    case 'n': snprintf(to, room, "\n"); break;
    case 'p': snprintf(to, room, "%s", when->tm_hour < 12 ? "AM" : "PM"); break;
    case 'P': snprintf(to, room, "%s", when->tm_hour < 12 ? "am" : "pm"); break;
    case 'r': strftime(to, room, "%I:%M:%S %p", when); break;
    case 'R': strftime(to, room, "%H:%M", when); break;
    case 's': snprintf(to, room, "%lld", (long long)mktime(&(struct tm){.tm_sec = when->tm_sec,
                  .tm_min = when->tm_min, .tm_hour = when->tm_hour, .tm_mday = when->tm_mday,
                  .tm_mon = when->tm_mon, .tm_year = when->tm_year})); break;
    case 'S': snprintf(to, room, "%02d", when->tm_sec); break;
    case 't': snprintf(to, room, "\t"); break;
    case 'X':
    case 'T': strftime(to, room, "%H:%M:%S", when); break;
    case 'u': snprintf(to, room, "%d", when->tm_wday ? when->tm_wday : 7); break;
    case 'U': snprintf(to, room, "%02d", (when->tm_yday + 7 - when->tm_wday) / 7); break;
    case 'V': snprintf(to, room, "%02d", iso_week(when, &iso_year)); break;
    case 'w': snprintf(to, room, "%d", when->tm_wday); break;
    case 'W': snprintf(to, room, "%02d", (when->tm_yday + 7 - (when->tm_wday + 6) % 7) / 7); break;
    case 'y': snprintf(to, room, "%02d", (when->tm_year % 100 + 100) % 100); break;
    case 'Y': snprintf(to, room, "%d", when->tm_year + 1900); break;
    case 'z': snprintf(to, room, "+0000"); break;
    case 'Z': snprintf(to, room, "%s", when->tm_zone ? when->tm_zone : ""); break;
    case '%': snprintf(to, room, "%%"); break;
    default: snprintf(to, room, "%%%c", letter);
    }
}

size_t strftime(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict when) {
    size_t used = 0;
    for (; *format; format++) {
        char field[40] = {*format, 0};
        if (*format == '%') {
            format++;
            if (*format == 'E' || *format == 'O') format++;
            if (!*format) return 0;
            put_field(field, sizeof field, *format, when);
        }
        size_t length = strlen(field);
        if (used + length >= size) return 0;
        memcpy(to + used, field, length);
        used += length;
    }
    if (size) to[used] = 0;
    return used;
}
