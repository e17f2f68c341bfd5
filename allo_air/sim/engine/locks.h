// Counting locks of a tile, with the agents that wait and the clocks that acquires inherit.
#pragma once
#include "clocks.h"
#include "findings.h"
#include "scheduler.h"
#include <vector>

namespace sim {

class Lock {
public:
  int col = -1, row = -1, id = -1, value = 0, initial = 0;
  bool used = false;
  // What cores did to the value, and what the BDs that have ended did to it in all: it does not depend on how far the others are.
  int64_t ledger = 0;
  using Uses = std::vector<std::pair<Actor, int64_t>>; // who, and how often
  Uses acquires, releases;

  void set(int to, const Clock &clock);
  // Acquire: `wanted` >= 0 waits for equality, < 0 for at least its magnitude. False: not yet, and `waiter` is woken on a change.
  bool acquire(int wanted, Party &party, const Actor &actor, Stepped *waiter);
  void release(int amount, const Clock &clock, const Actor &actor, Judge &judge, Cycle now);

private:
  void changed();
  void note(Uses &uses, const Actor &actor);
  std::deque<Clock> tokens_; // one per unit of the value, oldest first
  Clock last_;               // of the latest release, for an acquire of value 0
  std::vector<Stepped *> waiters_;
};

} // namespace sim
