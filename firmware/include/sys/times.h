#error "sys/times.h: not available; use clock (time.h) or getrusage (sys/resource.h)"
