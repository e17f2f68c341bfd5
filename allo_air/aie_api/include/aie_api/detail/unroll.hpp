// Loops unrolled by the compiler, traits of types, and the alignment that a vector's load needs.
#pragma once

#include "native.hpp"

namespace aie {

/// `f(first)`, `f(first + step)`, ... below `last`; `f()` where it takes nothing.
template <typename T, T First, T Last, T Step = T(1), typename F>
void unroll_for(F &&f) {
  for (T i = First; i < Last; i += Step) {
    if constexpr (std::is_invocable_v<F, T>)
      f(i);
    else
      f();
  }
}
template <unsigned Times, typename F>
void unroll_times(F &&f) {
  unroll_for<unsigned, 0, Times>(f);
}

template <typename T>
inline constexpr bool is_vector_v = false;
template <typename T, unsigned N>
inline constexpr bool is_vector_v<vector<T, N>> = true;
template <typename T>
inline constexpr bool is_accum_v = false;
template <typename Tag, unsigned N>
inline constexpr bool is_accum_v<accum<Tag, N>> = true;

template <typename T, unsigned N>
inline constexpr unsigned vector_ldst_align_v = std::clamp(N * allo_aie::bits_of<T> / 8, 16u, 32u);

}  // namespace aie
