// Recognizes that loops go round in a steady state, and skips rounds that would take as long as those before them.
//
// Only where cores run scripts: no data is computed, so all that a round leaves behind is how far everyone has come.
#pragma once
#include "array.h"
#include <deque>

namespace sim {

class Steady {
public:
  explicit Steady(Array &array) : array_(array) {}
  void round(Core &core); // a core begins another round of the innermost loop that it is in
  Cycle skipped() const { return skipped_; }

private:
  using CoreCounters = decltype(Core::counters);
  struct CorePlace {
    int64_t at;
    bool finished;
    std::vector<ScriptPlace::Round> rounds;
    CoreCounters counters;
  };
  struct Snapshot {
    Cycle at;
    size_t instruction;
    bool waiting;
    double busy;
    std::vector<CorePlace> cores;
    std::vector<Channel::Progress> channels;
    std::vector<int64_t> locks; // their ledgers
  };
  // Three moments with the same time between them, at which everyone is at the same place of a loop.
  struct Period {
    const Snapshot &first, &before, &now;
  };
  struct Leap { // what is skipped: so many periods, in each of which everyone does this
    int64_t times = kNever;
    int64_t instructions = 0;
    std::vector<std::pair<int, int64_t>> rounds; // by core: the depth of the loop (-1: none), and its rounds
    std::vector<int64_t> words, runs;            // by channel: of the BD, and of the task, that goes on all the time
    void most(int64_t n) { times = std::min(times, n); }
  };
  struct History {
    int64_t loop;
    std::deque<Snapshot> seen;
  };
  void collect();
  Snapshot take() const;
  bool same(const Period &p, Leap &leap) const;
  bool coresAgree(const Period &p, Leap &leap) const;
  bool channelsAgree(const Period &p, Leap &leap) const;
  bool netsAgree(const Period &p, Leap &leap) const;
  bool instructionsAgree(const Period &p, Leap &leap) const;
  void skip(const Period &p, const Leap &leap);
  void skipCore(Core &core, const CorePlace &before, const CorePlace &now, std::pair<int, int64_t> rounds, int64_t times);
  History &historyOf(int64_t loop);

  Array &array_;
  Core *marker_ = nullptr;
  int64_t others_ = 0; // rounds of other cores since the marker's last one
  Cycle skipped_ = 0;
  std::vector<Core *> cores_;
  std::vector<Channel *> channels_;
  std::map<const Channel *, size_t> numbers_;
  std::vector<Lock *> locks_;
  std::vector<History> histories_;
};

} // namespace sim
