#error "execinfo.h: not available; a failed run has its stacks in the report; print __func__ and __LINE__"
