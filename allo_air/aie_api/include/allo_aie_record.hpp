// The record of a kernel's call: its events, and which values they make of which others.
#pragma once

#include "aie_api/detail/types.hpp"

#include <cstring>
#include <unordered_map>
#include <vector>

/// Pairs of a function and the head of a loop in it, from the file's text (open_loops.py), up to a null pointer.
extern const char *const allo_aie_open_loops[];

namespace allo_aie {

/// The record of a call; longer ones are cut off.
struct Record {
  static constexpr std::size_t most = 1 << 21;
  std::vector<Event> events;
  std::vector<const void *> converted;                    // factors whose blocks were made in this turn of a loop
  std::unordered_map<const void *, std::int64_t> values;  // of the vectors at these addresses
  std::vector<std::int64_t> operands;                     // of the operation that makes `made`
  const void *last_read = nullptr;
  std::int64_t made = 0, number = 0;

  void clear() {
    events.clear(), converted.clear(), values.clear(), operands.clear();
    last_read = nullptr, made = number = 0;
  }
  void push(Unit unit, std::int64_t count, std::int64_t at, std::int64_t bits) {
    if (events.size() < most) events.push_back({static_cast<std::int64_t>(unit), count, at, bits});
  }
};
inline thread_local Record record;

namespace recorder {

/// A number of a text, which continues `before`.
std::int64_t number_of(const char *text, std::uint64_t before) {
  for (; *text; ++text) before = (before ^ static_cast<unsigned char>(*text)) * 0x100000001b3;  // FNV-1a
  return static_cast<std::int64_t>(before);
}
void loop(const char *head, const char *function) {
  bool open = false;
  for (const char *const *each = allo_aie_open_loops; *each && !open; each += 2)
    open = !std::strcmp(each[0], function) && !std::strcmp(each[1], head);
  const auto before = static_cast<std::uint64_t>(number_of(function, 0xcbf29ce484222325));
  record.push(Unit::begins, open ? 2 : 1, number_of(head, before), 0);
}
void issue(Unit unit, std::int64_t count, const void *at, std::int64_t bits) {
  if (at) reads(at, true);
  record.push(unit, count, static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(at)), bits);
}
void resume(std::int64_t number) {
  if (record.made == number) return;
  record.push(Unit::makes, 1, record.made = number, 0);
  record.operands.clear();
  record.last_read = nullptr;
}
void resume_value(const void *at) { resume(record.values[at]); }
std::int64_t begin(const void *at) {
  const std::int64_t before = record.made;
  resume(++record.number);
  if (at) record.values[at] = record.made;
  return before;
}
void reads(const void *at, bool adds) {
  if (at == record.last_read && !adds) return;
  record.last_read = at;
  const auto value = record.values.find(at);
  if (value == record.values.end() || value->second == record.made) return;
  const std::int64_t number = adds ? -value->second : value->second;
  for (const std::int64_t operand : record.operands)
    if (operand == number) return;
  record.operands.push_back(number);
  record.push(Unit::reads, adds ? 2 : 1, value->second, 0);
}
void names(const void *to, const void *from) {
  record.last_read = nullptr;
  const auto value = record.values.find(from);
  if (value == record.values.end()) record.values.erase(to);
  else record.values[to] = std::int64_t{value->second};
}
void is_made(const void *at) { record.values[at] = record.made; }
void changes(const void *at) {
  begin(nullptr);
  reads(at, false);
  is_made(at);
}
/// Whether the blocks of a factor were not made yet in this turn of a loop; they are from now on.
bool convert(const void *factor) {
  if (std::find(record.converted.begin(), record.converted.end(), factor) != record.converted.end()) return false;
  record.converted.push_back(factor);
  return true;
}
/// A turn of a loop begins.
void forget() { record.converted.clear(); }

}  // namespace recorder
}  // namespace allo_aie
