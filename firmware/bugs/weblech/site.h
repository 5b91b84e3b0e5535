/* The web site that is fetched: a server in memory. */
#ifndef SITE_H
#define SITE_H

enum { PATH_BYTES = 24, BODY_BYTES = 160 };

/* Copies a page's body to `body`, which has room for BODY_BYTES. Gives the status, as HTTP does. */
int site_get(const char *path, char *body);

/* How many pages can be reached from `/`. */
int site_pages(void);

#endif
