// What a call has issued, in order, and which value each operation makes of which others: the estimate of its cycles.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace allo_aie {

/// What an instruction occupies, what a loop does, and dependences; docs/kernels.md tells how cycles come of it.
enum class Unit { none, load, store, either, mac, sum, alu, move, begins, turns, ends, hint, makes, reads };

/// `count` instructions of a unit; a product names the accumulator that it adds to, and its bits. `makes` and `reads` name a
/// value in `at`: instructions belong to the operation that makes the last one, which reads others, with a count of 2 as the
/// accumulator that it adds to.
struct Event {
  std::int64_t unit, count, at, bits;
};
/// The record of a call while it is `recording`; longer ones are cut off.
struct Record {
  static constexpr std::size_t most = 1 << 21;
  std::vector<Event> events;
  std::vector<const void *> converted, loaded;
  std::unordered_map<const void *, std::int64_t> values;  // of the vectors at these addresses
  std::vector<std::int64_t> operands;                     // of the operation that makes `made`
  const void *last_read = nullptr;
  std::int64_t made = 0, number = 0;
  bool recording = false;

  void clear() {
    events.clear(), converted.clear(), loaded.clear(), values.clear(), operands.clear();
    last_read = nullptr, made = number = 0;
  }
  void push(Unit unit, std::int64_t count, std::int64_t at, std::int64_t bits) {
    if (events.size() < most) events.push_back({static_cast<std::int64_t>(unit), count, at, bits});
  }
};
inline thread_local Record record;

/// Instructions from here on make the value `number`.
inline void resume(std::int64_t number) {
  if (record.made == number) return;
  record.push(Unit::makes, 1, record.made = number, 0);
  record.operands.clear();
  record.last_read = nullptr;
}
/// An operation begins, which makes the vector at `at`, or stores; the one before.
inline std::int64_t begin(const void *at = nullptr) {
  const std::int64_t before = record.made;
  if (!record.recording) return before;
  resume(++record.number);
  if (at) record.values[at] = record.made;
  return before;
}
/// The operation takes the vector at `at`, as the accumulator that it adds to where it `adds`.
inline void reads(const void *at, bool adds = false) {
  if (!record.recording || (at == record.last_read && !adds)) return;
  record.last_read = at;
  const auto value = record.values.find(at);
  if (value == record.values.end() || value->second == record.made) return;
  const std::int64_t number = adds ? -value->second : value->second;
  for (const std::int64_t operand : record.operands)
    if (operand == number) return;
  record.operands.push_back(number);
  record.push(Unit::reads, adds ? 2 : 1, value->second, 0);
}
/// The vector at `to` is the one at `from`.
inline void names(const void *to, const void *from) {
  if (!record.recording) return;
  record.last_read = nullptr;
  const auto value = record.values.find(from);
  if (value == record.values.end()) record.values.erase(to);
  else record.values[to] = std::int64_t{value->second};
}

/// The operation makes the vector at `at`.
inline void is_made(const void *at) {
  if (record.recording) record.values[at] = record.made;
}
/// The vector at `at` is another one from now on, which depends on what it was.
inline void changes(const void *at) {
  if (!record.recording) return;
  begin();
  reads(at);
  is_made(at);
}

/// A base of what registers hold: an operation begins where one is made, and a copy is the same value.
struct Value {
  Value() { begin(this); }
  Value(const Value &from) { names(this, &from); }
  Value &operator=(const Value &from) {
    names(this, &from);
    return *this;
  }
};

}  // namespace allo_aie
