// The judge: defects of the design, merged when equal, and the run's verdict.
#pragma once
#include "types.h"
#include <optional>
#include <string>
#include <vector>

namespace sim {

struct Finding {
  std::string kind;
  Cycle cycle = 0;
  Actor agent;
  std::optional<Actor> other;
  int col = -1, row = -1, lock = -1;
  int64_t address = -1, bytes = -1;
  std::string buffer;
  int argument = -1;
  int64_t value = -1, wanted = -1;
  std::string access, otherAccess, detail;
  int64_t count = 1;
};

class Judge {
public:
  std::vector<Finding> findings;
  bool strict = true, fault = false;
  bool ending = false; // strict: the first defect ends the run, but all that its end shows are reported
  void report(Finding finding);
};

inline const std::vector<std::string> &findingKinds() {
  static const std::vector<std::string> kinds = {
      "uninitialized-read", "out-of-buffer", "data-race", "lock-overflow", "lock-underflow", "unconsumed-stream-data",
      "channel-misuse", "sync-without-end", "host-out-of-bounds", "bad-instruction", "deadlock"};
  return kinds;
}

} // namespace sim
