#include "endless.h"

namespace sim {

bool Endless::sends(int col, int row) const {
  std::set<Place> seen;
  return sends({col, row}, seen);
}

bool Endless::sends(Place place, std::set<Place> &seen) const {
  Tile *tile = array_.machine->tile(place.first, place.second);
  if (!tile || !seen.insert(place).second) return false;
  bool fed = false;
  for (auto &[at, core] : array_.cores) {
    if (core->finished || core->dead || (at != place && !feeds(at, *tile))) continue;
    fed = true;
    std::set<const Core *> cores;
    if (waitsForRoom(*core, cores)) return true;
  }
  return !fed && receives(*tile, seen);
}

bool Endless::receives(const Tile &tile, std::set<Place> &seen) const {
  for (auto &[port, sink] : array_.network.sinks) {
    if (port.col != tile.col || port.row != tile.row || !sink->channel) continue;
    for (Stream *s : sink->sources)
      if (array_.machine->tile(s->port.col, s->port.row)->kind != TileKind::Shim && sends({s->port.col, s->port.row}, seen)) return true;
  }
  return false;
}

// The core has released a lock of the tile: its DMAs send what the core wrote there.
bool Endless::feeds(Place core, const Tile &tile) const {
  for (const Lock &lock : tile.locks)
    for (auto &[key, use] : lock.releases)
      if (use.first.unit == "core" && Place(use.first.col, use.first.row) == core) return true;
  return false;
}

// Room is what an MM2S channel, or the core next in line, gives back.
bool Endless::waitsForRoom(const Core &core, std::set<const Core *> &seen) const {
  if (core.waits == Core::Wait::StreamFull || core.waits == Core::Wait::CascadeFull) return true;
  if (core.waits != Core::Wait::Lock || !seen.insert(&core).second) return false;
  for (auto &[key, use] : core.waitedLock->releases) {
    if (use.first.unit == "dma" && use.first.direction == kMM2S) return true;
    auto it = array_.cores.find({use.first.col, use.first.row});
    if (use.first.unit == "core" && it != array_.cores.end() && waitsForRoom(*it->second, seen)) return true;
  }
  for (auto &[at, tile] : array_.machine->tiles)
    for (auto &channel : tile->channels[kMM2S])
      if (!channel->idle() && channel->releaseLock() == core.waitedLock) return true;
  return false;
}

void Endless::reportStored() const {
  for (auto &[at, tile] : array_.machine->tiles)
    for (const Lock &lock : tile->locks) {
      if (lock.value <= lock.initial || lock.acquires.empty()) continue;
      const Actor *by = nullptr;
      for (auto &[key, use] : lock.releases)
        if (use.first.unit == "dma" && use.first.direction == kS2MM) by = &use.first;
      std::set<Place> seen;
      Tile *writer = by ? array_.machine->tile(by->col, by->row) : nullptr;
      if (!writer || receives(*writer, seen)) continue;
      Finding f;
      f.kind = "unconsumed-stream-data", f.cycle = array_.machine->scheduler.now, f.agent = *by, f.col = lock.col, f.row = lock.row;
      f.lock = lock.id, f.value = lock.value, f.wanted = lock.initial;
      f.detail = "the last of what it received is never taken: the lock that it releases began at " + std::to_string(lock.initial) +
                 " and ends at " + std::to_string(lock.value);
      array_.machine->judge.report(std::move(f));
    }
}

void Endless::reportPartial() const {
  for (auto &[at, tile] : array_.machine->tiles)
    for (auto &c : tile->channels[kS2MM]) {
      if (!c->sink || !c->open() || !c->releaseLock() || c->bdMoved() == 0 || c->sink->fifo.size()) continue;
      Finding f;
      f.kind = "unconsumed-stream-data", f.cycle = array_.machine->scheduler.now, f.agent = c->actor(), f.col = tile->col, f.row = tile->row;
      f.value = c->bdMoved(), f.wanted = c->bdLength();
      f.detail = "the BD received " + std::to_string(f.value) + " of its " + std::to_string(f.wanted) + " words, and the others never come";
      array_.machine->judge.report(std::move(f));
    }
}

} // namespace sim
