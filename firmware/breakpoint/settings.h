/* A part of breakpoint.c: settings from the environment. */
#ifndef CROSSTALK_BREAKPOINT_SETTINGS_H
#define CROSSTALK_BREAKPOINT_SETTINGS_H

#include "tables.h"

#include <stdlib.h>
#include <string.h>

/* `key=NUMBER` with this key: its number is put into `value`. */
static int number(const char *word, const char *key, long *value) {
    size_t length = strlen(key);
    if (strncmp(word, key, length) != 0 || word[length] != '=')
        return 0;
    const char *digits = word + length + 1;
    if (*digits < '0' || *digits > '9' || strlen(digits) > 9 || digits[strspn(digits, "0123456789")])
        return 0;
    *value = strtol(digits, NULL, 10);
    return 1;
}

/* Sets what one word says. Gives 0 if it says nothing. */
static int apply(struct entry *entry, const char *word) {
    static const char *const skips[CROSSTALK_PARTIES] = {"skip0", "skip1", "skip2", "skip3"};
    if (strcmp(word, "on") == 0 || strcmp(word, "off") == 0) {
        entry->off = strcmp(word, "off") == 0;
        return 1;
    }
    if (strcmp(word, "until") == 0) {
        entry->until = 1;
        return 1;
    }
    if (number(word, "skip", &entry->skip[0])) {
        for (int party = 1; party < CROSSTALK_PARTIES; party++)
            entry->skip[party] = entry->skip[0];
        return 1;
    }
    for (int party = 0; party < CROSSTALK_PARTIES; party++)
        if (number(word, skips[party], &entry->skip[party]))
            return 1;
    return number(word, "bound", &entry->bound) || number(word, "timeout", &entry->timeout)
        || number(word, "pause", &entry->pause);
}

static void clear_settings(struct entry *entry) {
    entry->off = entry->bound = entry->timeout = entry->pause = entry->until = UNSET;
    for (int party = 0; party < CROSSTALK_PARTIES; party++)
        entry->skip[party] = UNSET;
}

/*
 * Goes through the settings, `words` or `name: words`, separated by semicolons. Applies those for all and those
 * for this entry. Without a name only those for all are applied, and every mistake is told.
 */
static void configure(struct entry *entry) {
    char text[SETTING_BYTES];
    char *rest, *end = NULL;
    int first = entry->name[0] == 0;
    strcpy(text, settings);
    clear_settings(entry);
    for (char *part = text; part != NULL; part = end ? end + 1 : NULL) {
        end = strchr(part, ';');
        if (end)
            *end = 0;
        char *colon = strrchr(part, ':');
        char *name = part + strspn(part, " ");
        if (colon)
            *colon = 0;
        for (size_t last = strlen(name); colon && last > 0 && name[last - 1] == ' '; last--)
            name[last - 1] = 0;
        int is_meant = !colon || strcmp(name, entry->name) == 0;
        struct entry other = *entry;
        char *word = strtok_r(colon ? colon + 1 : part, " ", &rest);
        for (; word; word = strtok_r(NULL, " ", &rest)) {
            if (strcmp(word, "log") == 0 && !colon)
                logging = 1;
            else if (!apply(is_meant ? entry : &other, word) && first)
                say("%s: `%s` is not a setting; expected on, off, log, until, skip=N, skip0=N to "
                    "skip%d=N, bound=N, timeout=N or pause=N", VARIABLE, word, CROSSTALK_PARTIES - 1);
        }
        if (!end)
            break;
    }
}

#endif
