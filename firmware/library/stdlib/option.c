/* getopt and getopt_long. As in glibc, arguments that are no options go to the end, unless the letters begin with a +. */
#include "../internal.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt;

static const char *inside; /* the rest of a group like -abc */

/* Brings the next option to `optind`: what stands before it moves behind it. */
static bool bring_option(int count, char **arguments, bool in_order) {
    int found = optind;
    while (found < count && (arguments[found][0] != '-' || !arguments[found][1])) {
        if (in_order) return false;
        found++;
    }
    if (found == count) return false;
    char *option = arguments[found];
    memmove(arguments + optind + 1, arguments + optind, (size_t)(found - optind) * sizeof *arguments);
    arguments[optind] = option;
    return true;
}

/* The same for the argument of an option that was brought forward. */
static char *bring_value(int count, char **arguments, int was) {
    if (was >= count) return NULL;
    char *value = arguments[was];
    memmove(arguments + optind + 1, arguments + optind, (size_t)(was - optind) * sizeof *arguments);
    arguments[optind++] = value;
    return value;
}

static int complain(char *const arguments[], const char *letters, const char *what, const char *name, int length) {
    if (opterr && *letters != ':') fprintf(stderr, "%s: %s -- '%.*s'\n", arguments[0], what, length, name);
    return '?';
}

/* A letter of a group; its value is the rest of the group or the next argument. */
static int letter(int count, char **arguments, const char *letters, int value_at) {
    int c = (unsigned char)*inside++;
    const char *known = c == ':' ? NULL : strchr(letters, c);
    bool last = !*inside;
    if (last) inside = NULL;
    optarg = NULL;
    optopt = c;
    if (!known) return complain(arguments, letters, "invalid option", (char[]){(char)c, 0}, 1);
    if (known[1] != ':') return c;
    if (!last) optarg = (char *)inside;
    else if (known[2] != ':') optarg = bring_value(count, arguments, value_at);
    inside = NULL;
    if (optarg || known[2] == ':') return c;
    complain(arguments, letters, "option requires an argument", (char[]){(char)c, 0}, 1);
    return *letters == ':' ? ':' : '?';
}

static int long_option(int count, char **arguments, const char *letters, const struct option *names, int *which,
                       int value_at) {
    const char *name = arguments[optind - 1] + 2, *equals = strchrnul(name, '=');
    size_t length = (size_t)(equals - name);
    const struct option *found = NULL;
    bool ambiguous = false;
    for (const struct option *one = names; one->name; one++) {
        if (strncmp(one->name, name, length)) continue;
        bool whole = strlen(one->name) == length;
        ambiguous = found && !whole;
        if (whole || !found) found = one;
        if (whole) break;
    }
    optarg = NULL;
    optopt = found ? found->val : 0;
    if (ambiguous) return complain(arguments, letters, "option is ambiguous", name, (int)length);
    if (!found) return complain(arguments, letters, "unrecognized option", name, (int)length);
    if (*equals && found->has_arg == no_argument)
        return complain(arguments, letters, "option doesn't allow an argument", name, (int)length);
    if (*equals) optarg = (char *)equals + 1;
    else if (found->has_arg == required_argument) optarg = bring_value(count, arguments, value_at);
    if (!optarg && found->has_arg == required_argument) {
        complain(arguments, letters, "option requires an argument", name, (int)length);
        return *letters == ':' ? ':' : '?';
    }
    if (which) *which = (int)(found - names);
    if (!found->flag) return found->val;
    *found->flag = found->val;
    return 0;
}

POSIX_ONLY int getopt_long(int count, char *const fixed[], const char *letters, const struct option *names,
                           int *which) {
    char **arguments = (char **)fixed;
    static int value_at; /* where the value of the last letter of the group stands */
    bool in_order = *letters == '+';
    if (in_order) letters++;
    if (!optind) {
        optind = 1;
        inside = NULL;
    }
    if (inside) return letter(count, arguments, letters, value_at);
    int before = optind;
    for (value_at = optind; value_at < count && (arguments[value_at][0] != '-' || !arguments[value_at][1]);)
        value_at++;
    value_at++;
    if (!bring_option(count, arguments, in_order)) return -1;
    optind = before + 1;
    if (!strcmp(arguments[before], "--")) return -1;
    if (names && arguments[before][1] == '-') return long_option(count, arguments, letters, names, which, value_at);
    inside = arguments[before] + 1;
    return letter(count, arguments, letters, value_at);
}

POSIX_ONLY int getopt(int count, char *const arguments[], const char *letters) {
    return getopt_long(count, arguments, letters, NULL, NULL);
}
