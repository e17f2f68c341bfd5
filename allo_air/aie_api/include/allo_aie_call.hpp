// Calls a kernel with arguments that come as 64-bit words, and says what its C++ type is.
#pragma once

#include "allo_aie_faults.hpp"

namespace allo_aie {

template <typename T>
struct Argument;

template <typename T>
std::string element_name() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_void_v<U>) return "void";
  else if constexpr (std::is_same_v<U, bool>) return "i1";
  else if constexpr (std::is_same_v<U, float>) return "f32";
  else if constexpr (std::is_same_v<U, double>) return "f64";
  else if constexpr (std::is_same_v<U, bfloat16>) return "bf16";
  else if constexpr (std::is_same_v<U, int4> || std::is_same_v<U, uint4>) return "i4";
  else if constexpr (is_block<U>) return "bfp16";
  else if constexpr (std::is_integral_v<U>) return (std::is_signed_v<U> ? "i" : "ui") + std::to_string(8 * sizeof(U));
  else if constexpr (std::is_array_v<U>) return element_name<std::remove_all_extents_t<U>>();
  else return "?";
}

template <typename T>
std::string type_name() {
  if constexpr (std::is_pointer_v<T>) return "*" + element_name<std::remove_pointer_t<T>>();
  else if constexpr (std::is_reference_v<T>) return "&" + element_name<std::remove_reference_t<T>>();
  else return element_name<T>();
}

template <typename T>
T from_word(std::int64_t word) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(word);
  } else if constexpr (std::is_reference_v<T>) {
    return *reinterpret_cast<std::remove_reference_t<T> *>(word);
  } else if constexpr (!std::is_trivially_copyable_v<T> || sizeof(T) > 8) {
    fail("takes an argument that is neither a pointer nor a number");
  } else {
    std::remove_cv_t<T> made;
    std::memcpy(&made, &word, sizeof(T));
    return made;
  }
}

/// Not inlined: its `apart` takes what a kernel writes behind an array on its stack.
template <typename R, typename... A, std::size_t... I>
__attribute__((noinline, noipa)) void apply(R (*kernel)(A...), const std::int64_t *words, std::int64_t *result,
                                     std::index_sequence<I...>) {
  char apart[4096];
  asm volatile("" : : "r"(apart) : "memory");
  if constexpr (std::is_void_v<R>) {
    kernel(from_word<A>(words[I])...);
  } else {
    const R made = kernel(from_word<A>(words[I])...);
    std::memcpy(result, &made, sizeof(R));
  }
}

/// 0, or 1 with a message in `error`. `seconds` limits the kernel's time; `issued` takes loads, stores, vector and scalar operations.
template <typename R, typename... A>
int call(R (*kernel)(A...), const std::int64_t *words, std::int64_t *result, const Ports *ports, const Range *ranges, int count,
         double seconds, char *error, int room, std::int64_t *issued) {
  state = State{};
  record.clear();
  state.ports = ports;
  state.ranges = ranges;
  state.count = count;
  const Faults faults(seconds);
  if (const int why = sigsetjmp(Faults::place, 1)) {
    std::snprintf(error, room, "%s", Faults::text(why).c_str());
    return 1;
  }
  try {
    apply(kernel, words, result, std::index_sequence_for<A...>{});
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

/// "result(argument, ...)"
template <typename R, typename... A>
std::string signature(R (*)(A...)) {
  std::string made = type_name<R>() + "(";
  bool first = true;
  ((made += (first ? "" : ",") + type_name<A>(), first = false), ...);
  return made + ")";
}

}  // namespace allo_aie

#define ALLO_AIE_KERNEL(NAME, FUNCTION)                                                                                        \
  extern "C" int allo_aie_call_##NAME(const std::int64_t *words, std::int64_t *result, const allo_aie::Ports *ports,           \
                                      const allo_aie::Range *ranges, int count, double seconds, char *error, int room,         \
                                      std::int64_t *issued) {                                                                  \
    return allo_aie::call(&::FUNCTION, words, result, ports, ranges, count, seconds, error, room, issued);                     \
  }                                                                                                                            \
  extern "C" const char *allo_aie_signature_##NAME() {                                                                         \
    static const std::string made = allo_aie::signature(&::FUNCTION);                                                            \
    return made.c_str();                                                                                                       \
  }

/// Whether calls are recorded from now on; the events of the last one.
extern "C" __attribute__((used, visibility("default"))) void allo_aie_recording(int on) { allo_aie::record.recording = on; }
extern "C" __attribute__((used, visibility("default"))) std::int64_t allo_aie_recorded(const allo_aie::Event **events) {
  *events = allo_aie::record.events.data();
  return static_cast<std::int64_t>(allo_aie::record.events.size());
}
