/* Numbers the lines of standard input, and finds the longest, with getline. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = NULL, *longest = NULL;
    size_t room = 0, most = 0;
    ssize_t length;
    int number = 0;
    char title[32];

    if (!fgets(title, sizeof title, stdin))
        return 1;
    title[strcspn(title, "\n")] = '\0';
    printf("== %s ==\n", title);
    while ((length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n')
            line[--length] = '\0';
        for (char *p = line; *p; p++)
            *p = number % 2 ? toupper((unsigned char)*p) : *p;
        printf("%3d %s\n", ++number, line);
        if ((size_t)length > most) {
            most = (size_t)length;
            free(longest);
            longest = strdup(line);
        }
    }
    printf("longest: %zu \"%s\"\n", most, longest ? longest : "");
    free(line);
    free(longest);
    return 0;
}
