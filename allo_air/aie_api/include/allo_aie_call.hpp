// Calls a kernel with arguments that come as 64-bit words, and says what its C++ type is. Included behind a kernel's file; what
// needs no types of the kernel is in allo_aie_runtime.cpp.
#pragma once

#include "allo_aie_runtime.hpp"

namespace allo_aie {

template <typename T>
constexpr const char *element_name() {
  using U = std::remove_cv_t<std::remove_all_extents_t<T>>;
  if constexpr (std::is_void_v<U>) return "void";
  else if constexpr (std::is_same_v<U, bool>) return "i1";
  else if constexpr (std::is_same_v<U, float>) return "f32";
  else if constexpr (std::is_same_v<U, double>) return "f64";
  else if constexpr (std::is_same_v<U, bfloat16>) return "bf16";
  else if constexpr (std::is_same_v<U, int4> || std::is_same_v<U, uint4>) return "i4";
  else if constexpr (is_block<U>) return "bfp16";
  else if constexpr (!std::is_integral_v<U>) return "?";
  else if constexpr (sizeof(U) == 1) return std::is_signed_v<U> ? "i8" : "ui8";
  else if constexpr (sizeof(U) == 2) return std::is_signed_v<U> ? "i16" : "ui16";
  else if constexpr (sizeof(U) == 4) return std::is_signed_v<U> ? "i32" : "ui32";
  else return std::is_signed_v<U> ? "i64" : "ui64";
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
    __builtin_memcpy(&made, &word, sizeof(T));
    return made;
  }
}

template <typename R, typename... A, std::size_t... I>
void apply(R (*kernel)(A...), const std::int64_t *words, std::int64_t *result, std::index_sequence<I...>) {
  if constexpr (std::is_void_v<R>) {
    kernel(from_word<A>(words[I])...);
  } else {
    const R made = kernel(from_word<A>(words[I])...);
    __builtin_memcpy(result, &made, sizeof(R));
  }
}
template <typename R, typename... A>
void apply(R (*kernel)(A...), const std::int64_t *words, std::int64_t *result) {
  apply(kernel, words, result, std::index_sequence_for<A...>{});
}

template <typename T>
struct Type {
  static constexpr const char *before = "", *element = element_name<T>();
};
template <typename T>
struct Type<T *> {
  static constexpr const char *before = "*", *element = element_name<T>();
};
template <typename T>
struct Type<T &> {
  static constexpr const char *before = "&", *element = element_name<T>();
};
template <typename T>
struct Type<T &&> : Type<T &> {};
/// What stands before the elements of the result and of the arguments ("", "*" or "&"), these elements, and a null pointer.
template <typename... T>
inline constexpr const char *type_names[] = {Type<T>::before..., Type<T>::element..., nullptr};
template <typename R, typename... A>
constexpr const char *const *types(R (*)(A...)) {
  return type_names<R, A...>;
}

}  // namespace allo_aie

#define ALLO_AIE_KERNEL(NAME, FUNCTION)                                                                                        \
  extern "C" int allo_aie_call_##NAME(const std::int64_t *words, std::int64_t *result, const allo_aie::Ports *ports,           \
                                      const allo_aie::Range *ranges, int count, double seconds, char *error, int room,         \
                                      std::int64_t *issued) {                                                                  \
    return allo_aie::call([](const std::int64_t *w, std::int64_t *r) { allo_aie::apply(&::FUNCTION, w, r); }, words, result,    \
                          ports, ranges, count, seconds, error, room, issued);                                                 \
  }                                                                                                                            \
  extern "C" const char *const *allo_aie_types_##NAME() { return allo_aie::types(&::FUNCTION); }
