#include "event_hub.h"
#include "core.h"

namespace sim {

static const EventMap kCore = {"core", 0x34000, 0x3FF00, 0, 7, 9, 13, -1, 74, 107, 124, 4};
static const EventMap kMemory = {"mem", 0x14000, 0, 1, 7, 7, 11, 19, -1, 107, 124, 4};
static const EventMap kMemTile = {"memtile", 0x94000, 0xB0F00, 0, 8, 9, 13, 21, 79, 142, 159, 2};
static const EventMap kShim = {"shimtile", 0x34000, 0x3FF00, 0, 7, 7, 11, 14, 77, 110, 126, 2};

// Numbers of CoreEvent in the core module, in its order.
static constexpr int kCoreEventIds[] = {33, 34, 37, 23, 24, 26, 25, 44, 45, 40, 41, 42, 43};
static_assert(std::size(kCoreEventIds) == kCoreEvents);
static constexpr int kCorePort = 0; // of the core's stream, in and out

void EventHub::build(Network &network) {
  for (auto &[at, tile] : machine_.tiles) {
    auto add = [&](const EventMap &map) {
      modules.push_back(std::make_unique<EventModule>(machine_, *this, *tile, map));
      tile->events.push_back(modules.back().get());
      modules.back()->out = network.stream({tile->col, tile->row, "Trace", map.traceChannel});
      if (modules.back()->out) modules.back()->out->writer = modules.back().get();
    };
    if (tile->kind == TileKind::Core) add(kCore), add(kMemory);
    else add(tile->kind == TileKind::Mem ? kMemTile : kShim);
  }
}

// Ports of DMA channels in a tile's switch (device.md 2.3); those of a shim are behind its multiplexer, as mlir-aie sets it.
static int dmaPort(TileKind kind, int direction, int channel) {
  if (kind == TileKind::Core) return 1 + channel;
  if (kind == TileKind::Mem) return channel;
  return direction == kMM2S ? (channel ? 9 : 5) : (channel ? 5 : 4);
}

bool EventHub::watched(TileKind kind, bool master, int index) const {
  if (kind == TileKind::Core && index == kCorePort) return true;
  for (int channel = 0; channel < (kind == TileKind::Mem ? kChannels : 2); ++channel)
    if (dmaPort(kind, master ? kS2MM : kMM2S, channel) == index) return true;
  return false;
}

bool EventHub::raised(int coreEvent) const {
  for (int e = 0; e < kCoreEvents; ++e)
    if (kCoreEventIds[e] == coreEvent && e != kMemoryStall) return true;
  return false;
}

void EventHub::arm() {
  if (machine_.trace.sink) return;
  machine_.trace.sink = this;
  for (auto &[at, tile] : machine_.tiles) { // what lasts already
    if (tile->core) tile->core->tellWait();
    for (auto &direction : tile->channels)
      for (auto &c : direction) c->tellState();
  }
}

void EventHub::event(Cycle at, int col, int row, int unit, int number, int phase) {
  Tile &tile = *machine_.tile(col, row);
  const auto change = phase == Trace::kBegin ? EventModule::kOn : phase == Trace::kEnd ? EventModule::kOff : EventModule::kPulse;
  if (unit == 1) {
    number -= kCoreEvents;
    return dma(tile, at, number / (kChannels * kDmaEvents), number / kDmaEvents % kChannels, number % kDmaEvents, change);
  }
  tile.events[0]->post(at, kCoreEventIds[number], change);
  if (number == kStreamGet || number == kStreamPut) port(tile, at, number == kStreamGet, kCorePort, kRunning, change);
}

void EventHub::port(Tile &tile, Cycle at, bool master, int index, PortState state, EventModule::Change change) {
  tile.events[0]->post(at, portLine(master, index, state), change);
}

void EventHub::dma(Tile &tile, Cycle at, int direction, int channel, int event, EventModule::Change change) {
  const int index = dmaPort(tile.kind, direction, channel);
  if (event == kPortRunning) return port(tile, at, direction == kS2MM, index, kRunning, change);
  if (event == kTlastSent) return port(tile, at, direction == kS2MM, index, kTlast, change);
  if (event == kStarvation && direction == kMM2S) port(tile, at, false, index, kStalled, change);
  EventModule &module = *tile.events.back();
  if (tile.kind == TileKind::Mem) { // two channels a direction, which DMA_Event_Channel_Selection names
    auto it = tile.kept.find(0xA06A0);
    const Word selected = (it == tile.kept.end() ? 0 : it->second) >> 16 * direction;
    for (int i = 0; i < 2; ++i)
      if (int(selected >> 8 * i & 7) == channel) module.post(at, module.map.dma + 4 * event + 2 * direction + i, change);
    return;
  }
  module.post(at, module.map.dma + 4 * event + 2 * direction + channel, change);
}

// From module to module in all four directions, past none that blocks: two modules a column, one a row, two cycles each
// (simulator-semantics.md 35).
void EventHub::broadcast(const EventModule &from, int number, Cycle at) {
  static constexpr int kUp = 2, kAcross = 4;
  struct Step {
    int dx, dy;
    Cycle cycles;
  };
  static constexpr Step kSteps[4] = {{0, -1, kUp}, {-1, 0, kAcross}, {0, 1, kUp}, {1, 0, kAcross}}; // south, west, north, east
  std::map<Tile *, Cycle> reached = {{&from.tile, at}};
  std::deque<Tile *> work = {&from.tile};
  while (!work.empty()) {
    Tile *tile = work.front();
    work.pop_front();
    for (int d = 0; d < 4; ++d) {
      bool blocked = false;
      for (EventModule *m : tile->events) blocked = blocked || m->blocks(d, number);
      Tile *next = blocked ? nullptr : machine_.tile(tile->col + kSteps[d].dx, tile->row + kSteps[d].dy);
      const Cycle then = reached[tile] + kSteps[d].cycles;
      if (!next || (reached.count(next) && reached[next] <= then)) continue;
      reached[next] = then;
      work.push_back(next);
    }
  }
  for (auto &[tile, when] : reached)
    for (EventModule *m : tile->events) m->post(when + 1, m->map.broadcast + number, EventModule::kPulse);
}

} // namespace sim
