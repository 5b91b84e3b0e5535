/* Dates there and back. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void)
{
    static const long moments[] = {0, 951782399, 951782400, 1000000000, 1709164800, 2147483647, -86401};
    char text[100];
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        time_t when = moments[i];
        struct tm parts;
        gmtime_r(&when, &parts);
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j w%V/%G u%U", &parts);
        printf("%s back %s\n", text, timegm(&parts) == when ? "yes" : "no");
    }
    struct tm day = {.tm_year = 124, .tm_mon = 0, .tm_mday = 31 + 29, .tm_hour = 36};
    timegm(&day);
    strftime(text, sizeof text, "%A, %d %B %Y, %I %p %e %y %D %T %F %R %%", &day);
    puts(text);
    time_t when = 86400 * 365;
    struct tm *parts = gmtime(&when);
    printf("%s", asctime(parts));
    printf("%.1f %d\n", difftime(100, 58), (int)strftime(text, 5, "%Y-%m", parts));
    time_t now = time(NULL);
    printf("%s\n", localtime(&now)->tm_year >= 100 ? "this century" : "the last one");
    return 0;
}
