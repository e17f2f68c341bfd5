// At the end of a run: which streams would send without end, and what came to a buffer and was never taken.
#pragma once
#include "array.h"
#include <set>

namespace sim {

class Endless {
public:
  explicit Endless(Array &array) : array_(array) {}
  // An unfinished core that feeds the stream waits for room, or what feeds it comes without end.
  bool sends(const Stream &stream) const;
  // Data that DMAs stored and locks count, that those who take it elsewhere in the run have left there.
  void reportStored() const;
  // BDs whose end a lock tells, that received some of their words, and wait for the others, which nobody has left to send.
  void reportPartial() const;

private:
  using Seen = std::set<const Stream *>;
  bool sends(const Stream &stream, Seen &seen) const;
  static bool toHost(const Stream &stream);
  bool tileSends(const Tile &tile, Seen &seen) const;
  bool receives(const Tile &tile, int channel, Seen &seen) const; // a channel, or any with -1
  bool waitsForRoom(const Core &core, std::set<const Core *> &seen) const;
  bool waitsForRoom(int col, int row) const;
  bool feeds(const Core &core, const Tile &tile) const;
  Array &array_;
};

} // namespace sim
