// Who wrote and who read the words of a stretch of memory, as long as two neighbouring parts of it say so.
#pragma once
#include <cstdint>

namespace sim {

// Shadow of one access: mask of bytes (4 bits) | party (12) | site (16, all ones when larger) | epoch (32).
using Stamp = uint64_t;
constexpr Stamp kMany = ~Stamp(0); // several readers
inline unsigned partyOf(Stamp s) { return unsigned(s >> 48) & 0xFFF; }
inline uint32_t epochOf(Stamp s) { return uint32_t(s); }

// kWords words that are all written. Where accesses leave more parts than two, the stretch is `mixed`: each word has stamps of its own.
struct Stretch {
  static constexpr int64_t kWords = 64;
  struct Part {
    Stamp writer = 0, reader = 0;
    bool operator==(const Part &o) const { return writer == o.writer && reader == o.reader; }
  };
  Part parts[2]; // words up to `split`, and from there
  uint8_t split = 0;
  bool mixed = true;

  void become(Part part) { parts[1] = part, split = 0, mixed = false; }
  const Part &at(int64_t word) const { return parts[word >= split]; }

  // Words [first, last) lie in one part, or `access` does not mind that they lie in two.
  template <class Allowed> bool all(int64_t first, int64_t last, Allowed allowed) const {
    return (first >= split || allowed(parts[0])) && (last <= split || allowed(parts[1]));
  }

  // Words [first, last) become `change` of what they are; false, and nothing is changed, where that takes three parts.
  template <class Change> bool set(int64_t first, int64_t last, Change change) {
    Part before = change(parts[0]), after = change(parts[1]);
    if (first == 0 && last == kWords) {
      if (split == 0 || before == after) become(after);
      else parts[0] = before, parts[1] = after;
      return true;
    }
    if (last <= split) { // within the front part
      if (before == parts[0]) return true;
      if (last != split || first != 0) return false;
      parts[0] = before;
    } else if (first >= split) { // within the back part: its beginning may go to the front part
      if (after == parts[1]) return true;
      if (last == kWords && first == split) parts[1] = after;
      else if (split == 0 && (first == 0 || last == kWords)) {
        parts[0] = first == 0 ? after : parts[1], parts[1] = first == 0 ? parts[1] : after;
        split = uint8_t(first == 0 ? last : first);
      } else if (first == split && after == parts[0]) split = uint8_t(last);
      else return false;
    } else {
      return false;
    }
    if (split > 0 && parts[0] == parts[1]) split = 0;
    return true;
  }
};

} // namespace sim
