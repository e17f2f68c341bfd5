// What the compilers for the cores predefine; included before a kernel's file.
#pragma once

// Loops say when they begin, turn and end, for the estimate of their cycles; a hint before or behind a loop's head counts for it.
namespace allo_aie {
inline void loop_begins(const char *head, const char *function);
inline void loop_turns();
inline void loop_ends();
inline void loop_is_hinted();
struct Loop {
  constexpr Loop(const char *head, const char *function) {
    if (!__builtin_is_constant_evaluated()) loop_begins(head, function);
  }
  constexpr ~Loop() {
    if (!__builtin_is_constant_evaluated()) loop_ends();
  }
};
constexpr void turn() {
  if (!__builtin_is_constant_evaluated()) loop_turns();
}
constexpr void hint() {
  if (!__builtin_is_constant_evaluated()) loop_is_hinted();
}
}  // namespace allo_aie
#include "aie_api/detail/hide_macros.hpp"

#include "aie_api/detail/types.hpp"

#include "aie_api/detail/show_macros.hpp"
namespace allo_aie {
/// The bits of `from` as another type, also from and to vectors, which count their copies and so are not trivial to compilers.
template <typename To, typename From>
constexpr To same_bits(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "__builtin_bit_cast: both types have the same size");
  if constexpr (std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>) {
    return __builtin_bit_cast(To, from);
  } else {
    To made;
    reads(&from);
    __builtin_memcpy(static_cast<void *>(&made), static_cast<const void *>(&from), sizeof(To));
    return made;
  }
}
}  // namespace allo_aie
// A type of three arguments, or the type and the value of four, hold a comma: vector<T, N>.
#define ALLO_AIE_BITS_2(to, from) ::allo_aie::same_bits<to>(from)
#define ALLO_AIE_BITS_3(to, n, from) ::allo_aie::same_bits<to, n>(from)
#define ALLO_AIE_BITS_4(to, n, from, m) ::allo_aie::same_bits<to, n>(from, m)
#define ALLO_AIE_BITS(a, b, c, d, NAME, ...) NAME
#define __builtin_bit_cast(...) \
  ALLO_AIE_BITS(__VA_ARGS__, ALLO_AIE_BITS_4, ALLO_AIE_BITS_3, ALLO_AIE_BITS_2, )(__VA_ARGS__)
#define for(...)                                                        \
  if (allo_aie::Loop allo_aie_loop{#__VA_ARGS__, __func__}; false) {    \
  } else                                                                \
    for (__VA_ARGS__)                                                   \
      if (allo_aie::turn(); false) {                                    \
      } else
#define ALLO_AIE_HINT                \
  if (allo_aie::hint(); false) {     \
  } else

#define restrict __restrict
#define chess_prepare_for_pipelining ALLO_AIE_HINT
#define chess_loop_range(...) ALLO_AIE_HINT
#define chess_loop_count(...)
#define chess_min_loop_count(...) ALLO_AIE_HINT
#define chess_max_loop_count(...)
#define chess_flatten_loop
#define chess_unroll_loop(...)
#define chess_no_hw_loop
#define chess_modulo_scheduling_budget_ratio(...)
#define chess_allocate_required_for_modulo_scheduling
#define chess_protect_access
#define chess_storage(...)
#define chess_copy(x) (x)
#define chess_const(x) (x)
#define chess_hide(x) (x)
#define chess_manifest(x) (__builtin_constant_p(x))
#define chess_separator()
#define chess_separator_scheduler(...)
#define chess_memory_fence()
#define chess_report(x)
#define chess_error(x)
#define chess_assume(x)
// Banks of the core's memory
#define __aie_dm_resource_a
#define __aie_dm_resource_b
#define __aie_dm_resource_c
#define __aie_dm_resource_d
#define __aie_dm_resource_stack
#define __aie_dm_resource_TM
#define aie_dm_resource_a
#define aie_dm_resource_b
#define aie_dm_resource_c
#define aie_dm_resource_d
#define aie_dm_resource_stack
