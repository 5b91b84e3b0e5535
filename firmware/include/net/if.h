#error "net/if.h: not available; there is no network; let threads talk through memory, or read a file given with --file"
