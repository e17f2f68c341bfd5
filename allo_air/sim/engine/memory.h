// Data memory of a tile and its shadow: which bytes were written, by whom, who read them since.
#pragma once
#include "clocks.h"
#include "findings.h"
#include "origins.h"
#include "shadow.h"
#include "zeros.h"
#include <map>
#include <string>
#include <unordered_map>

namespace sim {

class Claim;
struct Area;

struct Extent {
  int64_t offset, bytes;
  std::string name;
};

class Memory {
public:
  // With `bare`, it holds nothing: its size is all that there is.
  Memory(int col, int row, int64_t bytes, Judge &judge, std::vector<Party *> &parties, bool bare);
  uint8_t *data() { return data_; }
  int64_t size() const { return size_; }
  bool bare() const { return mask_.empty(); }
  int col() const { return col_; }
  int row() const { return row_; }
  bool holds(const void *p) const { return p >= data_ && p < data_ + size_; }
  void addBuffer(int64_t offset, int64_t bytes, const std::string &name);
  void markWritten(int64_t offset, int64_t bytes);
  void inherit(const Memory &before); // contents, and which bytes were written; not by whom

  // `words` words from word `at`, `step` words apart. False when outside of the memory: nothing may be touched.
  bool check(Party &party, int64_t at, int64_t words, int64_t step, const char *access, Cycle now);
  // Records checked accesses in the shadow and reports reads of unwritten words and races.
  void read(Party &party, int64_t at, int64_t words, int64_t step, Cycle now);
  void write(Party &party, int64_t at, int64_t words, int64_t step, Cycle now);
  bool readBytes(Party &party, int64_t offset, int64_t bytes, Cycle now);
  bool writeBytes(Party &party, int64_t offset, int64_t bytes, Cycle now);
  const Extent *bufferAt(int64_t offset) const;
  // Whether `party` may access all words of an area, now or later, and there is nothing to tell of that unless someone else comes between.
  bool admits(const Party &party, const Area &area, bool write) const;
  std::vector<Claim *> claims; // of BDs that move
  void settle(Cycle now);      // all that they have moved
  Bytes origins;
  Actor (*describe)(const Party &, int64_t site) = nullptr; // party and site -> actor, for findings

private:
  bool inside(Party &party, int64_t first, int64_t last, const char *access, Cycle now);
  bool readWords(Party &party, int64_t at, int64_t words, int64_t step, Cycle now); // whether all were well and of one writer
  void writeWords(Party &party, int64_t at, int64_t words, int64_t step, Cycle now);
  void meet(int64_t first, int64_t last, bool write, Cycle now); // an access settles the claims that it has to come after
  bool admits(const Party &party, int64_t at, int64_t words, bool write) const;
  void mix(int64_t first, int64_t last); // words from `first` to `last` have stamps of their own
  void readWord(Party &party, int64_t word, unsigned mask, Stamp me, Cycle now);
  void writeWord(Party &party, int64_t word, unsigned mask, Stamp me, Cycle now);
  bool ordered(const Party &party, Stamp s) const {
    return s == 0 || partyOf(s) == unsigned(party.index) || epochOf(s) <= party.knows[partyOf(s)];
  }
  void race(Party &party, int64_t word, Stamp other, unsigned mask, const char *access, const char *otherAccess, Cycle now);
  Finding finding(const char *kind, Party &party, int64_t word, const char *access, Cycle now) const;

  int col_, row_;
  int64_t size_;
  std::vector<uint8_t> storage_;
  uint8_t *data_;
  Judge &judge_;
  std::vector<Party *> &parties_;
  std::vector<uint8_t> mask_;
  Zeros<Stamp> writer_, reader_;       // where there are several readers, they are in readers_
  std::vector<Stretch> stretches_;     // mask, writer and reader of a word are here unless its stretch is mixed
  std::unordered_map<int64_t, std::vector<Stamp>> readers_;
  std::vector<Extent> buffers_; // by offset
};

} // namespace sim
