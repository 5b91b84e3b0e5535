/* A log in memory, and the archive that it is swept to. */
#ifndef LOG_H
#define LOG_H

enum { SERVICES = 2, ENTRIES = 10 };

struct entry {
    int service, sequence;
    unsigned what, sum;
};

unsigned log_sum(const struct entry *entry);

/* False if there is no room. */
int log_append(const struct entry *entry);

/* Moves the log's entries to the archive, if there are so many. */
void log_sweep(int at_least);

/* Whether every service's entries are in the archive, each once and in order. */
int log_complete(void);

#endif
