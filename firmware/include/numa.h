#error "numa.h: not available; all memory is equally far"
