#include "endless.h"
#include <algorithm>

namespace sim {

static bool by(const Actor &who, const char *unit) { return who.unit == std::string(unit); }

bool Endless::sends(const Stream &stream) const {
  Seen seen;
  return sends(stream, seen);
}

// Who gives a channel its data is whoever releases the locks that it takes; where it takes none, all that the tile has.
bool Endless::sends(const Stream &stream, Seen &seen) const {
  const Tile &tile = *array_.machine->tile(stream.port.col, stream.port.row);
  if (tile.kind == TileKind::Shim || !seen.insert(&stream).second) return false;
  if (!stream.channel) return waitsForRoom(tile.col, tile.row);
  const Channel &channel = *stream.channel;
  auto own = [&](const Actor &who) {
    return by(who, "dma") && who.col == tile.col && who.row == tile.row && who.direction == kMM2S && who.channel == channel.number;
  };
  const bool hosts = toHost(stream);
  bool fed = false;
  for (auto &[at, owner] : array_.machine->tiles)
    for (const Lock &lock : owner->locks) {
      if (std::none_of(lock.acquires.begin(), lock.acquires.end(), [&](auto &use) { return own(use.first); })) continue;
      for (auto &[who, times] : lock.releases) {
        if (own(who) && !(hosts && lock.releases.size() > 1)) return true; // it feeds itself; what others fill goes to the host once
        if (own(who)) continue;
        if (by(who, "core") && (fed = true, waitsForRoom(who.col, who.row))) return true;
        if (!by(who, "dma") || who.direction != kS2MM) continue;
        fed = true;
        if (receives(*array_.machine->tile(who.col, who.row), who.channel, seen)) return true;
      }
    }
  return !fed && tileSends(tile, seen);
}

bool Endless::toHost(const Stream &stream) {
  for (const Route &route : stream.routes)
    for (auto &dest : route.dests)
      if (dest.sink->channel && dest.sink->channel->tile.kind == TileKind::Shim) return true;
  return false;
}

bool Endless::tileSends(const Tile &tile, Seen &seen) const {
  bool fed = false;
  for (auto &[at, core] : array_.cores) {
    if (core->finished || core->dead || (&core->tile != &tile && !feeds(*core, tile))) continue;
    fed = true;
    if (waitsForRoom(at.first, at.second)) return true;
  }
  return !fed && receives(tile, -1, seen);
}

bool Endless::receives(const Tile &tile, int channel, Seen &seen) const {
  for (auto &[port, sink] : array_.network.sinks) {
    if (!sink->channel || &sink->channel->tile != &tile || (channel >= 0 && sink->channel->number != channel)) continue;
    for (Stream *s : sink->sources)
      if (sends(*s, seen)) return true;
  }
  return false;
}

// The core has released a lock of the tile: its DMAs send what the core wrote there.
bool Endless::feeds(const Core &core, const Tile &tile) const {
  for (const Lock &lock : tile.locks)
    for (auto &[who, times] : lock.releases)
      if (by(who, "core") && who.col == core.tile.col && who.row == core.tile.row) return true;
  return false;
}

bool Endless::waitsForRoom(int col, int row) const {
  auto it = array_.cores.find({col, row});
  std::set<const Core *> seen;
  return it != array_.cores.end() && !it->second->finished && !it->second->dead && waitsForRoom(*it->second, seen);
}

// Room is what an MM2S channel, or the core next in line, gives back.
bool Endless::waitsForRoom(const Core &core, std::set<const Core *> &seen) const {
  if (core.waits == Core::Wait::StreamFull || core.waits == Core::Wait::CascadeFull) return true;
  if (core.waits != Core::Wait::Lock || !seen.insert(&core).second) return false;
  for (auto &[who, times] : core.waitedLock->releases) {
    if (by(who, "dma") && who.direction == kMM2S) return true;
    auto it = array_.cores.find({who.col, who.row});
    if (by(who, "core") && it != array_.cores.end() && waitsForRoom(*it->second, seen)) return true;
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
      const Actor *writer = nullptr;
      for (auto &[who, times] : lock.releases)
        if (by(who, "dma") && who.direction == kS2MM) writer = &who;
      Seen seen;
      Tile *tileOf = writer ? array_.machine->tile(writer->col, writer->row) : nullptr;
      if (!tileOf || receives(*tileOf, writer->channel, seen)) continue;
      Finding f;
      f.kind = "unconsumed-stream-data", f.cycle = array_.machine->scheduler.now, f.agent = *writer, f.col = lock.col, f.row = lock.row;
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
