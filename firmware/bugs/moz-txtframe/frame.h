/* Frames: a frame shows a line of the text, from its content offset on, as many characters as its content
 * length says. */
#ifndef FRAME_H
#define FRAME_H

enum { FRAMES = 4 };

void frames_init(void);

/* Breaks the text into lines of at most `width` characters. Gives the first frame that shows something
 * else than before; FRAMES: none. */
int frames_reflow(int width);

/* Draws a frame. Gives the width of what was drawn, in pixels. */
int frame_paint(int frame);

#endif
