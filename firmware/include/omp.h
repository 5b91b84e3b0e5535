#error "omp.h: not available; OpenMP is not available; use pthread.h"
