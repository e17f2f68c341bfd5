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
  const char *cause = ""; // of a channel-misuse: which of them
  int64_t count = 1;
  int64_t same = 0, differs = 0; // of a race: how often the write left the word as the other had it, and how often not
};

class Judge {
public:
  std::vector<Finding> findings;
  bool strict = true, fault = false;
  bool ending = false; // strict: the first defect ends the run, but all that its end shows are reported
  int report(Finding finding); // its number, or that of the one it is merged with; -1 where it is left out

  // A racing write is reported before it is done; `settle` compares what `party`'s writes have made of the words.
  void unsettled(int finding, const void *party, const uint8_t *word, unsigned mask);
  void settle(const void *party);
  bool hasUnsettled() const { return !unsettled_.empty(); }

private:
  struct Unsettled {
    int finding;
    const void *party;
    const uint8_t *word;
    unsigned mask;
    uint8_t before[4];
  };
  std::vector<Unsettled> unsettled_;
};

inline const std::vector<std::string> &findingKinds() {
  static const std::vector<std::string> kinds = {
      "uninitialized-read", "out-of-buffer", "data-race", "lock-overflow", "lock-underflow", "unconsumed-stream-data",
      "channel-misuse", "sync-without-end", "host-out-of-bounds", "bad-instruction", "deadlock"};
  return kinds;
}

} // namespace sim
