// What a call has issued, in order, and which value each operation makes of which others: the estimate of its cycles.
#pragma once

#include <cstdint>

namespace allo_aie {

/// What an instruction occupies, what a loop does, and dependences; docs/kernels.md tells how cycles come of it.
enum class Unit { none, load, store, either, mac, sum, alu, move, begins, turns, ends, hint, makes, reads };

/// `count` instructions of a unit; a loop that `begins` has 2 where the compiler does not know its turns; a product names the accumulator that it adds to, and its bits. `makes` and `reads` name a
/// value in `at`: instructions belong to the operation that makes the last one, which reads others, with a count of 2 as the
/// accumulator that it adds to.
struct Event {
  std::int64_t unit, count, at, bits;
};
/// Whether the kernel's calls are recorded. The record is in allo_aie_record.hpp.
inline constinit thread_local bool recording = false;

/// What the functions below do while calls are recorded.
namespace recorder {
void loop(const char *head, const char *function);
void issue(Unit unit, std::int64_t count, const void *at, std::int64_t bits);
void resume(std::int64_t number);
void resume_value(const void *at);
std::int64_t begin(const void *at);
void reads(const void *at, bool adds);
void names(const void *to, const void *from);
void is_made(const void *at);
void changes(const void *at);
bool convert(const void *factor);
void forget();
}  // namespace recorder

/// Instructions from here on make the value `number`.
inline void resume(std::int64_t number) {
  if (recording) recorder::resume(number);
}
/// Instructions from here on make the value of the vector at `at`.
inline void resume_value(const void *at) {
  if (recording) recorder::resume_value(at);
}
/// An operation begins, which makes the vector at `at`, or stores; the one before.
inline std::int64_t begin(const void *at = nullptr) { return recording ? recorder::begin(at) : 0; }
/// The operation takes the vector at `at`, as the accumulator that it adds to where it `adds`.
inline void reads(const void *at, bool adds = false) {
  if (recording) recorder::reads(at, adds);
}
/// The vector at `to` is the one at `from`.
inline void names(const void *to, const void *from) {
  if (recording) recorder::names(to, from);
}
/// The operation makes the vector at `at`.
inline void is_made(const void *at) {
  if (recording) recorder::is_made(at);
}
/// The vector at `at` is another one from now on, which depends on what it was.
inline void changes(const void *at) {
  if (recording) recorder::changes(at);
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
