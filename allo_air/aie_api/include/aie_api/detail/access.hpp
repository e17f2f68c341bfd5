// What loads and stores cost, and those that a kernel writes as reads and writes through a pointer to a vector.
#pragma once

#include "types.hpp"

namespace allo_aie {

/// Bytes of a load or store: 256 bits on AIE2, 512 on AIE2p (docs/sources.md#timing).
inline constexpr long access_bytes = __AIE_ARCH__ >= 21 ? 64 : 32;
inline void issue_access(Unit unit, long &total, long bytes) {
  const long count = (bytes + access_bytes - 1) / access_bytes;
  total += count;
  issue(unit, count);
}
inline void issue_load(long bytes) { issue_access(Unit::load, state.issued.loads, bytes); }
inline void issue_store(long bytes) { issue_access(Unit::store, state.issued.stores, bytes); }
inline long alignment_of(long bytes) { return bytes < 32 ? bytes : 32; }
/// Of an access that may begin at any multiple of `bits` bits.
inline long alignment_of(long bytes, long bits) { return std::min(alignment_of(bytes), std::max(bits / 8, 1l)); }

/// Whether `at` lies in an argument's memory: other vectors are in registers.
inline bool in_argument(const void *at) {
  const char *p = static_cast<const char *>(at);
  for (int i = 0; i < state.count; ++i)
    if (p >= state.ranges[i].begin && p < state.ranges[i].end) return true;
  return false;
}

/// What is loaded is known until the turn of a loop ends; code without loops forgets.
inline void is_loaded(const void *at) {
  if (state.loads == std::size(state.loaded)) state.loads = 0;
  state.loaded[state.loads++] = at;
}

/// Whether an iterator has counted an access to `at`, which lies in memory; a new operation begins, or the iterator's goes on.
inline bool is_counted(const void *at, long bytes) {
  const bool was_counted = state.counted == at;
  state.counted = nullptr;
  if (!was_counted) {
    check_access(at, bytes, alignment_of(bytes), "access through a pointer to a vector");
    begin(at);
  } else {
    resume_value(at);
  }
  return was_counted;
}

/// A vector that is copied out of memory is a load, one that is copied into it a store.
inline void copied(const void *from, const void *to, long bytes) {
  if (in_argument(from) && !is_counted(from, bytes)) issue_load(bytes);
  if (!in_argument(to)) return names(to, from);
  state.loads = static_cast<int>(std::remove(state.loaded, state.loaded + state.loads, to) - state.loaded);
  const bool was_counted = is_counted(to, bytes);
  reads(from);
  if (!was_counted) issue_store(bytes);
}

/// A vector in memory that an operation takes without a copy is loaded once in each turn of a loop.
inline void taken(const void *at, long bytes) {
  if (!in_argument(at)) return;
  if (std::find(state.loaded, state.loaded + state.loads, at) != state.loaded + state.loads) return;
  check_access(at, bytes, alignment_of(bytes), "access through a pointer to a vector");
  is_loaded(at);
  const std::int64_t before = begin(at);
  issue_load(bytes);
  resume(before);
}

}  // namespace allo_aie
