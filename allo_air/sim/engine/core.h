// A core: native code on its own stack, suspended where it waits; cascade links between cores.
#pragma once
#include "fibre.h"
#include "network.h"
#include "script.h"
#include <array>

namespace sim {

class Core;

struct Cascade {
  struct Item {
    std::array<uint8_t, 64> data;
    Cycle ready;
    Clock clock;
  };
  std::deque<Item> items;
  Core *from = nullptr, *to = nullptr;
  int fromCol, fromRow, toCol, toRow;
};

struct Region {
  int64_t macs = 0, vectorCycles = 0;
};

class Core : public Stepped, public Party {
public:
  using Entry = void (*)(void **);
  using Kernel = std::function<int64_t(int, int, const std::vector<uint64_t> &)>;
  Core(Machine &machine, Network &network, Tile &tile, Entry entry, void **args, size_t stackBytes, const std::vector<Region> &regions,
       const std::map<int, Kernel> &kernels);
  void step(Cycle now) override;

  // What the program calls; see symbols.cpp.
  void useLock(int handle, int action, int value);
  void work(int region, int64_t times, int64_t cycles);
  void touch(void *p, int64_t bytes, bool write);
  void outOfBounds(int64_t index, int64_t size);
  void get(int channel, Word *to, int words);
  void put(int channel, const Word *from, int words, bool packet, Word header);
  void cascadeGet(void *to);
  void cascadePut(const void *from);
  void event(int id);
  void kernel(int index, void **args, int n);

  // What other agents see of it, in the order of the program: steps as orders.h has them.
  struct Met {
    int op, what, amount; // what: a lock's handle, or a stream channel
    int64_t site;
  };
  std::vector<Met> met;
  static constexpr size_t kMostMet = 20000; // then it is not kept any longer

  // A script in place of native code.
  static void enterScript(void **);
  Script script;
  ScriptPlace place;

  // Core_Control: a core runs while it is enabled, and after a reset from its beginning.
  void control(Word value, const Clock &clock);
  Word control() const { return control_; }
  void tellWait(); // to trace units: what it waits for at the moment
  Word status() const; // Core_Status: enabled [0], in reset [1], waits for a lock of its own [9], done [20]

  Machine &machine;
  Tile &tile;
  Cascade *cascadeIn = nullptr, *cascadeOut = nullptr;
  bool finished = false, dead = false, halted = false;
  enum class Wait { None, Lock, StreamEmpty, StreamFull, CascadeEmpty, CascadeFull } waits = Wait::None;
  Lock *waitedLock = nullptr;
  int waitedAction = 0, waitedValue = 0, waitedChannel = -1;
  Cycle waitsSince = 0;
  struct Counters {
    int64_t busy = 0, call = 0, lockStall = 0, streamStall = 0, cascadeStall = 0, macs = 0, vector = 0;
    Cycle last = 0;
    std::map<int, std::pair<int64_t, int64_t>> regions;
  } counters;
  Actor actor() const { return {tile.col, tile.row, "core", -1, -1, -1, site}; }

private:
  static void start(void *core);
  Cycle now() const { return machine.scheduler.now; }
  void runScript();
  void spend();
  void meets(int op, int what, int amount) {
    if (met.size() < kMostMet) met.push_back({op, what, amount, site});
  }
  void synchronize();
  void suspend() { fibre_.leave(); }
  [[noreturn]] void stop(); // the program is given up
  void fail(const char *kind, const std::string &detail, int64_t value = -1, int64_t wanted = -1, const char *cause = "");
  void await(Wait why);
  void awaited(int64_t &counter, CoreEvent event);

  Network &network_;
  Entry entry_;
  void **args_;
  const std::vector<Region> &regions_;
  const std::map<int, Kernel> &kernels_;
  Fibre fibre_;
  bool started_ = false;
  Word control_ = 1;
  Memory *touched_ = nullptr; // where the last access went
  Cycle debt_ = 0;
  int lastRegion_ = -1;
  std::pair<int64_t, int64_t> *regionCounter_ = nullptr;
  const Kernel *requested_ = nullptr;
  std::vector<uint64_t> requestedArgs_;
};

extern thread_local Core *currentCore;

} // namespace sim
