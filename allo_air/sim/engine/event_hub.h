// All event modules of an array: what happens in tiles reaches them here, and broadcasts go from one to all.
#pragma once
#include "event_module.h"

namespace sim {

class EventHub : public EventSink {
public:
  explicit EventHub(Machine &machine) : machine_(machine) {}
  void build(Network &network); // before the run
  void arm();                   // some unit traces: events count from now on
  void event(Cycle at, int col, int row, int unit, int number, int phase) override;
  void broadcast(const EventModule &from, int number, Cycle at);
  bool raised(int coreEvent) const;                            // whether cores here ever raise it
  bool watched(TileKind kind, bool master, int index) const;   // whether the activity of a stream port is known here
  std::vector<std::unique_ptr<EventModule>> modules;

private:
  void dma(Tile &tile, Cycle at, int direction, int channel, int event, EventModule::Change change);
  void port(Tile &tile, Cycle at, bool master, int index, PortState state, EventModule::Change change);
  Machine &machine_;
};

} // namespace sim
