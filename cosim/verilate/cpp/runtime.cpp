// The hooks declared in runtime.h. Compiled once, into the archive that all models link.
#include "runtime.h"

#include <cstdarg>
#include <cstdio>
#include <vector>

namespace crosstalk {

void Context::fail(const char* filename, int linenum, const std::string& text) {
    if (!(status & kFailed)) {
        message = text;
        file = filename ? filename : "";
        line = linenum > 0 ? static_cast<uint32_t>(linenum) : 0;
        failed_cycle = cycle;
        failures = 0;
    }
    ++failures;
    status |= kFailed;
}

}  // namespace crosstalk

using crosstalk::Context;

int crosstalk_printf(const char* format, ...) {
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    const int length = std::vsnprintf(nullptr, 0, format, args);
    va_end(args);
    std::vector<char> text(length > 0 ? length + 1 : 1);
    std::vsnprintf(text.data(), text.size(), format, again);
    va_end(again);

    Context& context = Context::current();
    context.last_print.assign(text.data());
    const size_t room = Context::kPrintedLimit - context.printed.size();
    context.printed.append(context.last_print, 0, room);
    return length;
}

void vl_finish(const char*, int, const char*) {
    Context& context = Context::current();
    context.gotFinish(true);
    context.status |= crosstalk::kFinished;
}

// A failed assertion and $error, $fatal first print their text, then stop.
void vl_stop(const char* filename, int linenum, const char*) {
    Context& context = Context::current();
    const bool explained = context.last_print.find("%Error") != std::string::npos
                           || context.last_print.find("%Fatal") != std::string::npos;
    context.fail(filename, linenum, explained ? context.last_print : "$stop");
    context.last_print.clear();
}

void vl_fatal(const char* filename, int linenum, const char*, const char* msg) {
    Context& context = Context::current();
    context.fail(filename, linenum, msg ? msg : "fatal error");
    context.status |= crosstalk::kDead;
    throw crosstalk::Fatal{};
}

void vl_warn(const char* filename, int linenum, const char*, const char* msg) {
    crosstalk_printf("%%Warning: %s:%d: %s\n", filename, linenum, msg);
}
