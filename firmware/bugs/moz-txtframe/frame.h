/* The text frame: it shows a line of the text, from its content offset on, as many characters as its content
 * length says. */
#ifndef FRAME_H
#define FRAME_H

enum { WIDEST = 48 };

void frame_init(void);

/* The line that begins at `from`, at most `width` characters: how long it is. */
int line_length(int from, int width);

/* Has the frame show the line that begins at `from`. Whether it is another one than before. */
int frame_reflow(int from, int width);

/* Draws the frame into a row of `WIDEST` cells. Gives the width of what was drawn, in pixels. */
int frame_paint(unsigned char *cells);

#endif
