// Compiled once, and linked with each kernel.
#include "aie_api/detail/hide_macros.hpp"

#include "allo_aie_faults.hpp"
#include "allo_aie_record.hpp"
#include "allo_aie_runtime.hpp"

#include <cstdarg>
#include <stdexcept>

namespace allo_aie {

/// Bytes around an argument that belong to nothing.
static constexpr long guard = 512;

void fail(const char *format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof(text), format, values);
  va_end(values);
  throw std::runtime_error(text);
}

void check_outside(const char *at, long bytes, long alignment, const char *what) {
  if (reinterpret_cast<std::uintptr_t>(at) % alignment != 0)
    fail("%s of %ld bytes at an address that is not a multiple of %ld; the hardware drops the low bits: align the buffer or use the "
         "unaligned form", what, bytes, alignment);
  for (int i = 0; i < state.count; ++i) {
    const Range &r = state.ranges[i];
    if (at + bytes > r.begin - guard && at < r.end + guard)
      fail("%s of %ld bytes at byte %td of argument %d, which has %td", what, bytes, at - r.begin, i, r.end - r.begin);
  }
}

/// Not inlined: its `apart` takes what a kernel writes behind an array on its stack.
__attribute__((noinline, noipa)) static void apply(Kernel kernel, const std::int64_t *words, std::int64_t *result) {
  char apart[4096];
  asm volatile("" : : "r"(apart) : "memory");
  kernel(words, result);
  asm volatile("" : : "r"(apart) : "memory");  // no tail call
}

/// The simulator's ports, with a pause of the kernel while they wait.
static thread_local Ports waiting;
static constexpr Ports paused{
    [](void *data) { const Faults::Pause pause; waiting.cascade_get(data); },
    [](const void *data) { const Faults::Pause pause; waiting.cascade_put(data); },
    [](int channel, std::uint32_t *word) { const Faults::Pause pause; waiting.stream_get(channel, word); },
    [](int channel, std::uint32_t word) { const Faults::Pause pause; waiting.stream_put(channel, word); },
};

int call(Kernel kernel, const std::int64_t *words, std::int64_t *result, const Ports *ports, const Range *ranges, int count,
         double seconds, char *error, int room, std::int64_t *issued) {
  state = State{};
  record.clear();
  if (ports) waiting = *ports;
  state.ports = ports ? &paused : nullptr;
  state.ranges = ranges;
  state.count = count;
  const Faults faults(seconds);
  if (const int why = sigsetjmp(Faults::place, 1)) {
    std::snprintf(error, room, "%s", Faults::text(why).c_str());
    return 1;
  }
  try {
    apply(kernel, words, result);
  } catch (const std::exception &why) {
    std::snprintf(error, room, "%s", why.what());
    return 1;
  } catch (...) {
    std::snprintf(error, room, "throws an exception; cores have none");
    return 1;
  }
  const Issued &n = state.issued;
  issued[0] = n.loads, issued[1] = n.stores, issued[2] = n.vectors, issued[3] = n.scalars;
  return 0;
}

}  // namespace allo_aie

/// Whether calls are recorded from now on; the events of the last one.
extern "C" __attribute__((visibility("default"))) void allo_aie_recording(int on) { allo_aie::recording = on; }
extern "C" __attribute__((visibility("default"))) std::int64_t allo_aie_recorded(const allo_aie::Event **events) {
  *events = allo_aie::record.events.data();
  return static_cast<std::int64_t>(allo_aie::record.events.size());
}
