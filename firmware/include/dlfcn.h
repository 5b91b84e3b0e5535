#error "dlfcn.h: not available; there is no dynamic linking; give all sources and archives to the compiler"
