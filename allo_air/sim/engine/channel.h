// A DMA channel: its task queue, the BD it runs, and the words it moves between memory and a stream.
#pragma once
#include "claim.h"
#include "fifo.h"
#include "machine.h"

namespace sim {

class Net;
class Stream;
class Sink;

// Bits of the control register (simulator-semantics.md 7, 20; places as in aie-rt's register map).
constexpr size_t kQueueDepth = 4; // simulator-semantics.md 1: a push to a full queue is lost
constexpr Word kReset = 1 << 1, kOutOfOrder = 1 << 3, kCompress = 1 << 4, kFinishOnLast = 3 << 16;

struct Task {
  int bd = 0, repeat = 0;
  bool token = false;
  Clock clock;
  Cycle arrival = 0;
  int64_t site = -1; // word offset of the instruction that pushed it
  double cold = 0;   // shim MM2S: cycles that it takes longer than on a channel that has run much
};

// Ends of BDs that become visible later than their last word moves: lock releases, events, tokens.
class Completions : public Stepped {
public:
  struct Item {
    Cycle at;
    enum Kind { Release, Finish, Token } kind;
    Lock *lock = nullptr;
    int amount = 0, bd = 0;
    bool endOfTask = false, token = false;
    Clock clock;
  };
  Channel *channel = nullptr;
  void add(Item item);
  void step(Cycle now) override;

private:
  std::vector<Item> items_;
};

enum class Stall { None, Lock, Stream, Ddr };

class Channel : public Party {
public:
  Channel(Machine &machine, Tile &tile, Direction direction, int number);
  Machine &machine;
  Tile &tile;
  const Direction direction;
  const int number;
  Net *net = nullptr;
  Stream *stream = nullptr; // MM2S
  Sink *sink = nullptr;     // S2MM
  Word padValue = 0;        // what BDs pad with

  void push(Task task); // as a write of the queue register does
  bool routed() const;  // whether a flow begins or ends here
  void reportUnrouted();
  void setControl(Word value, int64_t site); // as a write of the control register does
  Word control() const { return control_; }
  void reset(); // tasks, queued or running, are gone, and the words that the channel holds
  // Moves up to the stream's rate of words; returns whether any moved, and in `wants` when it could next.
  bool step(Cycle now, Cycle &wants);
  void accepted(Cycle now); // the last word of the oldest unfinished MM2S BD has left the channel

  // Words that can move one after the other from `now` on without a change of state.
  int64_t steady(Cycle now) const;
  void transfer(Word *words, int64_t n, Cycle now); // moves them
  void busyFor(Cycle cycles, Cycle now);

  // The same in blocks, where only time is asked for: how many words can move, and in `wants` when more can; that they have moved; what it
  // waits for.
  int64_t movable(Cycle now, Cycle &wants);
  void moved(int64_t words, Cycle cycles, Cycle now);
  void waits(Cycle now) { stall(Stall::Stream, now); }
  void starves(Cycle now) {
    if (state == State::Run) stall(Stall::Stream, now);
  }

  enum class State { Idle, Load, Acquire, Run, Dead } state = State::Idle;
  bool pendingBd(int bd) const;
  bool idle() const { return state == State::Idle && queue_.empty() && unfinished_.empty(); }
  bool open() const { return state == State::Run; }
  bool waitsForLock() const { return state == State::Acquire; }
  int64_t bdLength() const { return bd_.length; }
  int64_t bdMoved() const { return bd_.length - left(); }
  Lock *acquireLock() const { return acquireLock_; }
  Lock *releaseLock() const { return releaseLock_; }
  const Bd &bd() const { return bd_; }
  int bdId() const { return bdId_; }
  void tellState(); // to trace units: what lasts at the moment
  size_t queued() const { return queue_.size(); }
  Cycle stalledSince() const { return stalledSince_; }
  Actor actor() const { return {tile.col, tile.row, "dma", direction, number, bdId_, -1}; }
  void misuse(const char *cause, const std::string &detail, int64_t value = -1, int64_t wanted = -1, int64_t site = -1);
  void finish(const Completions::Item &item, Cycle now);

  struct Counters {
    int64_t words = 0, bds = 0, tasks = 0, busy = 0, starved = 0, stalled = 0, lockStall = 0;
    Cycle first = -1, last = -1;
  } counters;

  // How far it has come, for `Steady`: in the BD and the task that it is at, and in all.
  struct Progress {
    int bd;
    bool open;
    size_t queued;
    int64_t left, runsLeft;
    int64_t words, bds, bdWords, runs, tasks;
    Counters counters;
  };
  Progress progress() const;
  // What it did between two places is done `times` times more; `words` of its BD and `runs` of its task are behind it.
  void skip(const Progress &before, const Progress &now, int64_t times, int64_t words, int64_t runs);

private:
  bool prepare(Cycle now, Cycle &wants);
  bool load(Cycle now);
  bool checkPadding();
  bool resolveMemory();
  Lock *resolveLock(int id, const char *what);
  void begin(Cycle now);
  void endBd(Cycle now);
  bool endsAtLast(uint8_t flags);
  void nextGrant(Cycle now);
  void reserveAhead(Cycle now);
  void stall(Stall why, Cycle now);
  // When the stream switch sees what the channel does now.
  Cycle atPort(Cycle now) const { return direction == kMM2S ? now + Cycle(machine.timing.dma_mm2s_fill) : now; }
  int64_t left() const { return walk_.left() + run_.count; }
  bool fetchRun(Cycle now);
  void claim(); // the memory of a BD that begins to move
  void recordOrigin(Cycle now); // of the word that is about to move
  uint8_t *hostAt(int64_t word, int64_t words, int64_t step, Cycle now);

  std::deque<Task> queue_, unfinished_;
  std::deque<int> unfinishedBds_;
  Completions completions_;
  Task task_;
  Word control_ = 0;
  int runsLeft_ = 0, bdId_ = -1, taskCount_ = 0;
  Bd bd_;
  Walk walk_;
  Run run_;
  Sent sent_; // with the word that moves, where origins are recorded
  Claim claim_{*this, direction == kS2MM};
  bool runInside_ = false, fresh_ = false; // fresh: no word of the BD has moved
  uint8_t *memoryBase_ = nullptr; // of the current run's word addresses
  HostBuffer *host_ = nullptr;    // of a shim's run, and its first word's address
  int64_t hostFirst_ = 0;
  Memory *memory_ = nullptr;
  Lock *acquireLock_ = nullptr, *releaseLock_ = nullptr;
  bool headerPending_ = false, waited_ = false, running_ = false, firstBd_ = false;
  Cycle ready_ = 0, lastPushArrival_ = -1, lastBdStart_ = 0, lastMove_ = -2;
  double grantAt_ = 0, ahead_ = 0; // DDR: when the granted words move, and the block behind them
  Ddr::Share ddrShare_;
  int64_t granted_ = 0, refreshes_ = 0;
  Stall stall_ = Stall::None;
  Cycle stalledSince_ = 0;
  int64_t ended_ = 0, endedWords_ = 0, runs_ = 0, tasks_ = 0; // BDs and their words, runs, tasks: all that were skipped with them
};

} // namespace sim
