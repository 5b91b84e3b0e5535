/* The text of a document: it grows at its end, and what is there stays. */
#ifndef TEXT_H
#define TEXT_H

enum { TEXT_BYTES = 512 };

void text_init(const char *beginning);
void text_append(const char *more);
int text_length(void);

/* A character of the text; a place outside the text is a fault of the caller. */
char text_at(int place);

#endif
