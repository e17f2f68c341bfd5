// Provenance: who wrote each byte last, and where a word that a DMA moved came from. Off, it costs the test of a flag.
#pragma once
#include "clocks.h"
#include <array>

namespace sim {

// Nobody (0), a store, a word that a DMA moved, or a word whose bytes came different ways.
using Origin = uint64_t;
using Bytes = std::vector<Origin>; // of a memory; those beyond its end are nobody's

// A byte of a tile's memory or of a host buffer.
struct Place {
  enum Kind { None, Padding, Tile, Host } kind = None;
  int col = -1, row = -1, argument = -1;
  int64_t offset = -1;
};

// What goes with a word on a stream: who sent it, from where, and who had written it there.
struct Sent {
  int party = -1;
  int64_t site = -1, task = -1;
  Place from;
  Origin origin = 0;
};

// One step of a byte's way: a core or the sequence stored it, or a DMA wrote what `other` had sent.
struct Step {
  const char *kind; // "store", "move"
  Actor actor, other;
  int64_t task = -1, otherTask = -1; // word offsets of the instructions that started the DMAs' tasks
  Place from;
  Cycle cycle = -1;
};

class Origins {
public:
  explicit Origins(std::vector<Party *> &parties) : parties_(parties) {}
  bool on = false;
  Actor (*describe)(const Party &, int64_t site) = nullptr;

  static void write(Bytes &bytes, int64_t offset, int64_t count, Origin origin);
  static Origin store(const Party &party, Cycle now);
  Origin move(const Sent &sent, const Party &party, int64_t task, Cycle now);
  Origin word(const Bytes &bytes, int64_t offset);
  std::vector<Step> trace(const Bytes &bytes, int64_t offset) const; // the last step first

private:
  struct Move {
    Sent sent;
    int party;
    int64_t site, task;
    Cycle cycle;
  };
  std::vector<Party *> &parties_;
  std::deque<Move> moves_;
  std::deque<std::array<Origin, 4>> mixed_;
};

} // namespace sim
