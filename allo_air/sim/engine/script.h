// A core's program as a script: what takes time or waits, in loops, without the data that it computes.
#pragma once
#include "types.h"
#include <vector>

namespace sim {

struct ScriptStep {
  // Work: region, times, cycles. Lock: handle, action, value. Get, Put: channel, words. Call: cycles.
  // Loop: rounds (endless below 0), step behind its Next. Next: step of its Loop.
  enum Op : int64_t { Work, Lock, Get, Put, CascadeGet, CascadePut, Event, Call, Loop, Next };
  int64_t op, a, b, c;
};
using Script = std::vector<ScriptStep>;

// Where a core is in its script: the step, and the rounds that the loops around it have done.
struct ScriptPlace {
  int64_t at = 0;
  struct Round {
    int64_t loop, done;
    bool operator==(const Round &) const = default;
  };
  std::vector<Round> rounds; // outermost first
};

} // namespace sim
