#ifndef CROSSTALK_SYS_CDEFS_H
#define CROSSTALK_SYS_CDEFS_H

#define __BEGIN_DECLS
#define __END_DECLS
#define __P(arguments) arguments
#define __CONCAT(a, b) a##b
#define __STRING(text) #text
#define __THROW
#define __nonnull(arguments) __attribute__((nonnull arguments))
#define __wur

#endif
