// What writes and reads of a tile's registers do.
#include "controller.h"
#include "core.h"
#include "event_module.h"
#include "register_map.h"

namespace sim {

static uint32_t addressOf(const Tile &tile, uint32_t offset) { return uint32_t(tile.col) << 25 | uint32_t(tile.row) << 20 | offset; }

// "register Core_Control at offset 0x32000 of tile (0, 2)"
static std::string place(const Tile &tile, uint32_t offset) {
  char hex[16];
  std::snprintf(hex, sizeof hex, "0x%X", offset);
  const std::string name = registerName(tile.kind, offset);
  return (name.empty() ? "the register" : name) + " at offset " + hex + " of " + tileName(tile.col, tile.row);
}

// Registers whose effect is decided before the run here; null for all others.
static const char *configuration(TileKind kind, uint32_t offset, Word value) {
  const uint32_t switches = kind == TileKind::Mem ? 0xB0000 : 0x3F000;
  if (offset >= switches && offset < switches + 0xF00) return "a stream switch is set up anew; streams go as the file's flows say";
  if (kind == TileKind::Shim && (offset == 0x1F000 || offset == 0x1F004))
    return "the shim's multiplexer is set up anew; streams go as the file's flows say";
  if (kind != TileKind::Core) return nullptr;
  if (offset == kProcessorBus && value & 1)
    return "the core's processor bus is enabled; cores here reach buffers, locks, streams and cascades, and no registers";
  if (offset == 0x36060) return "the cascade's direction is set; cascades go as the file says";
  if (offset >= 0x20000 && offset < 0x24000) return "machine code is loaded; cores run the code that the file gives them";
  return nullptr;
}

void Controller::writeBdWord(Tile &tile, int bd, int word, Word value, Word mask, const Actor &who) {
  if (int users = tile.bdUsers(bd); users && word == 0) {
    Finding f;
    f.kind = "channel-misuse", f.cycle = machine_.scheduler.now, f.agent = who, f.agent.bd = bd, f.col = tile.col, f.row = tile.row;
    f.detail = "BD " + std::to_string(bd) + " is written while a task that uses it is pending", f.cause = "bd-busy";
    machine_.judge.report(std::move(f));
  }
  Word &reg = tile.bds[bd][word];
  reg = (reg & ~mask) | (value & mask);
  tile.bdWrittenAtRuntime[bd] = true;
}

void Controller::writeChannel(Tile &tile, Channel &channel, bool queue, Word value, Word mask, Party &by, const Actor &who) {
  if (!queue) {
    channel.setControl((channel.control() & ~mask) | (value & mask), who.site);
    return;
  }
  ++counters.pushes;
  Task task;
  task.bd = int(value & (tile.kind == TileKind::Mem ? 63 : 15)), task.repeat = int(value >> 16) & 255, task.token = value >> 31;
  task.clock = by.publish(), task.site = who.site;
  channel.push(std::move(task));
}

void Controller::writeRegister(Tile &tile, uint32_t offset, Word value, Word mask, Party &by, const Actor &who) {
  const RegisterMap map = registerMap(tile.kind);
  const uint32_t address = addressOf(tile, offset);
  if (offset % 4) return bad(who, address, "the address is not a multiple of 4");
  if (tile.memory && offset < tile.memory->size()) { // runtime parameters
    if (tile.memory->bare()) return;
    if (!tile.memory->check(by, offset / 4, 1, 1, "write", machine_.scheduler.now)) return;
    tile.memory->write(by, offset / 4, 1, 1, machine_.scheduler.now);
    Word &word = reinterpret_cast<Word *>(tile.memory->data())[offset / 4];
    word = (word & ~mask) | (value & mask);
    if (machine_.origins.on) Origins::write(tile.memory->origins, offset, 4, Origins::store(by, machine_.scheduler.now));
    return;
  }
  if (offset >= map.bd && offset < map.bd + 0x20 * tile.bds.size()) {
    int bd = int(offset - map.bd) / 0x20, word = int(offset - map.bd) % 0x20 / 4;
    if (word < bdWords(tile.kind)) writeBdWord(tile, bd, word, value, mask, who);
    return;
  }
  if (offset >= map.lock && offset < map.lock + 0x10 * tile.locks.size()) {
    tile.locks[(offset - map.lock) / 0x10].set(int(value & mask & 63), by.publish());
    return;
  }
  for (int d : {0, 1}) {
    uint32_t base = map.channel(d);
    auto &channels = tile.channels[d];
    if (offset < base || offset >= base + 8 * channels.size()) continue;
    return writeChannel(tile, *channels[(offset - base) / 8], offset % 8 != base % 8, value, mask, by, who);
  }
  if (const char *what = configuration(tile.kind, offset, value & mask)) return bad(who, address, place(tile, offset) + " is written: " + what);
  if (isKept(tile.kind, offset)) {
    Word &kept = tile.kept[offset];
    if (tile.core && offset == kCoreControl) kept = tile.core->control(); // the configuration has enabled it
    kept = (kept & ~mask) | (value & mask);
    if (tile.core && offset == kCoreControl) return tile.core->control(kept, by.publish());
    for (EventModule *m : tile.events) {
      if (!m->owns(offset)) continue;
      if (const char *what = m->refuses(offset, kept)) return bad(who, address, place(tile, offset) + " is written: " + what);
      return m->written(offset, kept);
    }
    ++counters.ignored;
    return;
  }
  bad(who, address, "nothing that is simulated has " + place(tile, offset));
}

// As the DMA's status registers show it: state [1:0], waits for a lock [2], runs [19], size of the queue [22:20], BD [29:24].
static Word statusOf(const Channel &c) {
  bool running = !c.idle();
  return Word(running ? 2 : 0) | Word(c.waitsForLock()) << 2 | Word(running) << 19 | Word(c.queued()) << 20 |
         (running && c.bdId() >= 0 ? Word(c.bdId()) << 24 : 0);
}

std::optional<Word> Controller::readRegister(Tile &tile, uint32_t offset, Party &by, const Actor &who) {
  const RegisterMap map = registerMap(tile.kind);
  const Cycle now = machine_.scheduler.now;
  if (offset % 4) return bad(who, addressOf(tile, offset), "the address is not a multiple of 4"), std::nullopt;
  if (tile.memory && offset < tile.memory->size()) {
    if (tile.memory->bare()) return 0;
    if (!tile.memory->check(by, offset / 4, 1, 1, "read", now)) return std::nullopt;
    tile.memory->read(by, offset / 4, 1, 1, now);
    return reinterpret_cast<Word *>(tile.memory->data())[offset / 4];
  }
  if (offset >= map.bd && offset < map.bd + 0x20 * tile.bds.size()) {
    int word = int(offset - map.bd) % 0x20 / 4;
    return word < bdWords(tile.kind) ? tile.bds[(offset - map.bd) / 0x20][word] : 0;
  }
  if (offset >= map.lock && offset < map.lock + 0x10 * tile.locks.size()) return Word(tile.locks[(offset - map.lock) / 0x10].value) & 63;
  for (int d : {0, 1}) {
    auto &channels = tile.channels[d];
    if (uint32_t base = map.channel(d); offset >= base && offset < base + 8 * channels.size())
      return offset % 8 == base % 8 ? channels[(offset - base) / 8]->control() : 0; // the queue register reads as 0
    if (uint32_t base = map.status(d); offset >= base && offset < base + 4 * channels.size()) return statusOf(*channels[(offset - base) / 4]);
  }
  if (tile.core && offset == kCoreStatus) return tile.core->status();
  if (tile.core && offset == kCoreControl) return tile.core->control();
  if (isKept(tile.kind, offset) && !configuration(tile.kind, offset, 0)) {
    for (const EventModule *m : tile.events)
      if (auto value = m->owns(offset) ? m->read(offset) : std::nullopt) return value;
    auto it = tile.kept.find(offset);
    return it == tile.kept.end() ? 0 : it->second;
  }
  bad(who, addressOf(tile, offset), "nothing that is simulated holds a value to read in " + place(tile, offset));
  return std::nullopt;
}

} // namespace sim
