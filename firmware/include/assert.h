/* No guard: <assert.h> may be included again with NDEBUG changed. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef CROSSTALK_ASSERT_H
#define CROSSTALK_ASSERT_H
_Noreturn void __assert_fail(const char *condition, const char *file, unsigned line,
                             const char *function);
#ifndef static_assert
#define static_assert _Static_assert
#endif
#endif
