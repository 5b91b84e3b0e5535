#error "regex.h: not available; use string.h, or sscanf (stdio.h)"
