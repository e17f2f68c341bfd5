// The register map of the three kinds of tile (facts/device.md 2.5), as far as writes have an effect here.
#include "controller.h"

namespace sim {

struct RegisterMap {
  uint32_t lock, bd, s2mm, mm2s;
};

static RegisterMap mapOf(TileKind kind) {
  switch (kind) {
  case TileKind::Core: return {0x1F000, 0x1D000, 0x1DE00, 0x1DE10};
  case TileKind::Mem: return {0xC0000, 0xA0000, 0xA0600, 0xA0630};
  default: return {0x14000, 0x1D000, 0x1D200, 0x1D210};
  }
}

// Registers whose writes change nothing that is simulated: trace, events, timers, performance counters, core control (cores run from the
// start), stream switch settings of trace ports (hardware-flow.md 6).
static bool harmless(TileKind kind, uint32_t offset) {
  if (kind == TileKind::Mem) return (offset >= 0x90000 && offset < 0xA0000) || offset == 0xA06A0 || (offset >= 0xB0000 && offset < 0xC0000);
  if (kind == TileKind::Core && offset >= 0x11000 && offset < 0x15000) return true;
  return offset >= 0x30000 && offset < 0x40000;
}

// Registers with an effect that is decided before the run here; null for all others.
static const char *configuration(TileKind kind, uint32_t offset, Word value) {
  const uint32_t switches = kind == TileKind::Mem ? 0xB0000 : 0x3F000;
  if (offset >= switches && offset < switches + 0xF00) return "a stream switch is set up anew; streams go as the file's flows say";
  if (kind != TileKind::Core) return nullptr;
  if (offset == 0x32000 && (value & 3) != 1) return "the core is stopped or reset; cores run from the start to their end";
  if (offset == 0x36060) return "the cascade's direction is set; cascades go as the file says";
  return nullptr;
}

void Controller::writeBdWord(Tile &tile, int bd, int word, Word value, Word mask, const Actor &who) {
  if (int users = tile.bdUsers(bd); users && word == 0) {
    Finding f;
    f.kind = "channel-misuse", f.cycle = machine_.scheduler.now, f.agent = who, f.agent.bd = bd, f.col = tile.col, f.row = tile.row;
    f.detail = "BD " + std::to_string(bd) + " is written while a task that uses it is pending";
    machine_.judge.report(std::move(f));
  }
  Word &reg = tile.bds[bd][word];
  reg = (reg & ~mask) | (value & mask);
  tile.bdWrittenAtRuntime[bd] = true;
}

void Controller::writeRegister(Tile &tile, uint32_t offset, Word value, Word mask, Party &by, const Actor &who) {
  const RegisterMap map = mapOf(tile.kind);
  const uint32_t address = uint32_t(tile.col) << 25 | uint32_t(tile.row) << 20 | offset;
  if (offset % 4) return bad(who, address, "the address is not a multiple of 4");
  if (tile.memory && offset < tile.memory->size()) { // runtime parameters
    if (!tile.memory->check(by, offset / 4, 1, 1, "write", machine_.scheduler.now)) return;
    tile.memory->write(by, offset / 4, 1, 1, machine_.scheduler.now);
    Word &word = reinterpret_cast<Word *>(tile.memory->data())[offset / 4];
    word = (word & ~mask) | (value & mask);
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
    uint32_t base = d == kS2MM ? map.s2mm : map.mm2s;
    auto &channels = tile.channels[d];
    if (offset < base || offset >= base + 8 * channels.size()) continue;
    Channel &channel = *channels[(offset - base) / 8];
    if (offset % 8 == base % 8) {
      channel.setControl((channel.control() & ~mask) | (value & mask), who.site);
      return;
    }
    ++counters.pushes;
    Task task;
    task.bd = int(value & (tile.kind == TileKind::Mem ? 63 : 15)), task.repeat = int(value >> 16) & 255, task.token = value >> 31;
    task.clock = by.publish(), task.site = who.site;
    channel.push(std::move(task));
    return;
  }
  if (const char *what = configuration(tile.kind, offset, value & mask)) return bad(who, address, what);
  if (harmless(tile.kind, offset)) {
    ++counters.ignored;
    return;
  }
  bad(who, address, "nothing that is simulated has the register of " + tileName(tile.col, tile.row) + " at offset " + std::to_string(offset));
}

} // namespace sim
