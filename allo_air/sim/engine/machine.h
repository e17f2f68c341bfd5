// What all parts of one array share.
#pragma once
#include "bd.h"
#include "ddr.h"
#include "findings.h"
#include "locks.h"
#include "memory.h"
#include "scheduler.h"
#include "timing.h"
#include "trace.h"
#include <map>
#include <memory>
#include <set>

namespace sim {

class Channel;
class Core;
class EventModule;
class Steady;

struct Tile {
  int col, row;
  TileKind kind;
  std::unique_ptr<Memory> memory;
  std::vector<Lock> locks;
  std::vector<std::vector<Word>> bds;
  std::vector<bool> bdWrittenAtRuntime;
  std::vector<std::unique_ptr<Channel>> channels[2]; // by direction
  double portFree[2] = {0, 0}; // by direction: of a shim, when its port to external memory has moved what was asked for
  Core *core = nullptr;
  std::vector<EventModule *> events; // of a core tile: the core's, the memory's
  std::map<uint32_t, Word> kept; // registers that hold what was written, by offset
  int bdUsers(int bd) const;                         // channels that run it or have it in a queue
};

class Tokens { // of finished tasks, and who waits for them
public:
  using Key = std::tuple<int, int, int, int>; // col, row, direction, channel
  std::map<Key, std::deque<Clock>> arrived;
  Stepped *waiter = nullptr;
  // Tiles with a route for their tokens, where the design routes any. Shims always have one: the compiler adds it.
  std::set<std::pair<int, int>> routed;
  bool arrive(int col, int row) const { return routed.empty() || row == 0 || routed.count({col, row}); }
};

struct Machine {
  explicit Machine(const Timing &t, int seed) : timing(t), ddr(timing, seed) {}
  const Timing timing;
  bool aie2p = false;
  Scheduler scheduler;
  Judge judge;
  Trace trace;
  Ddr ddr;
  Tokens tokens;
  std::vector<Party *> parties;
  Origins origins{parties};
  std::map<std::pair<int, int>, std::unique_ptr<Tile>> tiles;
  std::vector<Memory *> memories; // by address
  bool sequenceDone = false;
  bool timingOnly = false; // no data: memories hold none, and nothing is checked
  Steady *steady = nullptr; // where rounds of loops may be skipped
  int64_t wordsMoved = 0;
  Tile *tile(int col, int row) const {
    auto it = tiles.find({col, row});
    return it == tiles.end() ? nullptr : it->second.get();
  }
  Memory *memoryOf(const void *p) const; // the data memory that an address of the host lies in
  int64_t rate() const { return int64_t(timing.stream_words_per_cycle); }
};

} // namespace sim
