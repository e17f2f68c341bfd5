// Vector clocks: what each agent knows of the others' epochs (FastTrack's happens-before).
#pragma once
#include "types.h"
#include <deque>
#include <memory>
#include <vector>

namespace sim {

using Clock = std::shared_ptr<const std::vector<uint32_t>>; // null: nothing known

class Party { // an agent that touches memory: a core, a DMA channel, the controller
public:
  virtual ~Party() = default;
  int index = 0;
  std::vector<uint32_t> knows; // knows[i]: all that agent i did up to that epoch happened before
  uint32_t epoch = 1;
  int64_t site = -1; // core: source site; DMA: BD; controller: word
  bool touched = false;
  bool writesLate = false; // its writes are checked after they are done
  bool blind = false;      // nobody asks what happened before what

  void join(const Clock &other) {
    if (!other || other == joined_) return;
    joined_ = other;
    const auto &from = *other;
    for (size_t i = 0; i < from.size(); ++i)
      if (from[i] > knows[i]) knows[i] = from[i], changed_ = true;
  }
  // What happened up to now, for others to join. What comes after has a new epoch.
  const Clock &publish() {
    if (!blind && (!snapshot_ || touched || changed_)) {
      knows[index] = epoch;
      snapshot_ = std::make_shared<const std::vector<uint32_t>>(knows);
      ++epoch;
      touched = changed_ = false;
    }
    return snapshot_;
  }

private:
  Clock snapshot_, joined_;
  bool changed_ = true;
};

} // namespace sim
