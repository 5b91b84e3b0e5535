#ifndef CROSSTALK_LIBGEN_H
#define CROSSTALK_LIBGEN_H

char *dirname(char *path);
char *basename(char *path);

#endif
