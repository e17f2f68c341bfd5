// At the end of a run: which tiles would send without end, and what came to a buffer and was never taken.
#pragma once
#include "array.h"
#include <set>

namespace sim {

class Endless {
public:
  explicit Endless(Array &array) : array_(array) {}
  // An unfinished core that feeds the tile waits for room, or what comes to the tile is sent without end.
  bool sends(int col, int row) const;
  // Data that DMAs stored and locks count, that those who take it elsewhere in the run have left there.
  void reportStored() const;
  // BDs whose end a lock tells, that received some of their words, and wait for the others, which nobody has left to send.
  void reportPartial() const;

private:
  using Place = std::pair<int, int>;
  bool sends(Place place, std::set<Place> &seen) const;
  bool receives(const Tile &tile, std::set<Place> &seen) const;
  bool waitsForRoom(const Core &core, std::set<const Core *> &seen) const;
  bool feeds(Place core, const Tile &tile) const;
  Array &array_;
};

} // namespace sim
