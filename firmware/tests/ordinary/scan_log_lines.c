/* Takes a web server's log apart, line by line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *log_lines[] = {
    "10.0.0.1 - alice [12/Mar/2019:10:15:32] \"GET /index.html HTTP/1.1\" 200 5120",
    "10.0.0.7 - - [12/Mar/2019:10:15:40] \"POST /login HTTP/1.0\" 302 87",
    "10.0.0.1 - alice [12/Mar/2019:10:16:01] \"GET /missing HTTP/1.1\" 404 209",
    "this line is broken",
    "192.168.100.200 - bob [13/Mar/2019:00:00:00] \"HEAD / HTTP/1.1\" 200 0",
};

struct entry {
    unsigned ip[4];
    char user[32], method[8], path[64], month[4];
    int day, year, hour, minute, second, major, minor, status;
    long bytes;
};

static int parse(const char *line, struct entry *e)
{
    return sscanf(line, "%u.%u.%u.%u - %31s [%d/%3[A-Za-z]/%d:%d:%d:%d] \"%7[A-Z] %63[^ ] HTTP/%d.%d\" %d %ld",
                  &e->ip[0], &e->ip[1], &e->ip[2], &e->ip[3], e->user, &e->day, e->month, &e->year, &e->hour,
                  &e->minute, &e->second, e->method, e->path, &e->major, &e->minor, &e->status, &e->bytes);
}

int main(void)
{
    long total = 0;
    int bad = 0;
    for (size_t i = 0; i < sizeof log_lines / sizeof *log_lines; i++) {
        struct entry e;
        memset(&e, 0, sizeof e);
        int fields = parse(log_lines[i], &e);
        if (fields != 17) {
            printf("line %zu: only %d fields\n", i + 1, fields);
            bad++;
            continue;
        }
        printf("%02u.%02u.%02u.%02u %-6s %-5s %-12s %d %5ld  %s %d at %02d:%02d:%02d\n", e.ip[0], e.ip[1], e.ip[2],
               e.ip[3], e.user, e.method, e.path, e.status, e.bytes, e.month, e.day, e.hour, e.minute, e.second);
        total += e.bytes;
    }
    printf("%ld bytes, %d bad\n", total, bad);

    char *first = NULL, *second = NULL;
    if (sscanf("key = some_long_value_that_needs_more_room_than_thirty_two_bytes", "%m[a-z] = %ms", &first, &second) == 2)
        printf("%s -> %s\n", first, second);
    free(first);
    free(second);
    return bad == 1 ? 0 : 1;
}
