// The event logic of one module of a tile and its trace unit: timer, broadcasts, combined and edge events, eight traced slots.
#pragma once
#include "network.h"
#include "trace_encoder.h"
#include <bitset>
#include <queue>

namespace sim {

class EventHub;

// Where a kind of module has its registers and how it numbers its events (aie-rt's event tables for AIE2).
struct EventMap {
  const char *name;
  uint32_t base, ports; // registers of events and trace; selection of stream ports, 0 where there is none
  int traceChannel, eventBits;
  int combo, edge, dma, port, broadcast, user, users; // first event of each group; -1: none
};

// Lines of stream ports behind the events: whether a port runs, is stalled, or passes a TLAST.
enum PortState : int { kRunning, kStalled, kTlast, kPortStates };
constexpr int kEvents = 256, kPorts = 32, kLines = kEvents + 2 * kPorts * kPortStates;
inline int portLine(bool master, int index, PortState state) { return kEvents + ((master ? kPorts : 0) + index) * kPortStates + state; }

class EventModule : public Stepped {
public:
  EventModule(Machine &machine, EventHub &hub, Tile &tile, const EventMap &map);
  const EventMap &map;
  Tile &tile;
  Stream *out = nullptr; // from the module's Trace port

  bool owns(uint32_t offset) const;
  void written(uint32_t offset, Word value);
  const char *refuses(uint32_t offset, Word value) const; // what a value of a register asks for that is not simulated; or null
  std::optional<Word> read(uint32_t offset) const; // of the timer; nothing for other registers
  enum Change : int8_t { kOff, kOn, kPulse };
  void post(Cycle at, int line, Change change);
  void step(Cycle now) override;
  bool blocks(int direction, int broadcast) const { return blocked_[direction] >> broadcast & 1; }
  std::vector<int> unknown; // traced events that nothing here raises

private:
  struct Item {
    Cycle at;
    uint64_t order;
    int16_t line;
    Change change;
    bool operator<(const Item &o) const { return at != o.at ? at > o.at : order > o.order; }
  };
  Word reg(uint32_t offset) const;
  int field(Word word, int index) const { return int(word >> 8 * index) & ((1 << map.eventBits) - 1); }
  bool active(int event) const;
  bool portActive(int event) const;
  bool comboActive(int index) const;
  bool known(int event) const;
  unsigned slots() const;
  void cycle(Cycle at); // all items of one cycle are applied
  void findEdges();
  bool edgeSource(int index) const;
  void begin(Cycle at);
  void flush();

  Machine &machine_;
  EventHub &hub_;
  std::priority_queue<Item> items_;
  uint64_t order_ = 0;
  int levels_[kLines] = {};
  std::bitset<kLines> pulses_;
  std::bitset<16> wasBroadcast_;
  bool edgeSource_[2] = {}, edges_[2] = {}, tracing_ = false;
  Word blocked_[4] = {};
  Cycle timerZero_ = 0, done_ = 0;
  unsigned steady_ = 0; // slots that stay active until the next change
  TraceEncoder encoder_;
  std::deque<std::pair<Word, bool>> sending_;
};

} // namespace sim
