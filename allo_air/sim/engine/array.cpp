#include "array.h"
#include "steady.h"
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace sim {

static Actor describe(const Party &party, int64_t site) {
  Actor a;
  if (auto *core = dynamic_cast<const Core *>(&party)) a = core->actor(), a.site = site;
  else if (auto *channel = dynamic_cast<const Channel *>(&party)) a = channel->actor(), a.bd = int(site);
  else if (auto *controller = dynamic_cast<const Controller *>(&party)) a = controller->actor(), a.site = site;
  else if (auto *port = dynamic_cast<const ControlPort *>(&party)) a = port->sender();
  return a;
}

Array::Array(const std::string &arch, int columns, int rows, const Timing &timing, int seed)
    : machine(std::make_unique<Machine>(timing, seed)), network(*machine), controller(*machine), events(*machine), columns_(columns), rows_(rows) {
  if (columns < 1 || rows < 1) throw std::invalid_argument("an array has at least one column and one row");
  std::string lower = arch;
  for (char &c : lower) c = char(std::tolower(c));
  if (lower != "aie2" && lower != "aie2p") throw std::invalid_argument("architecture '" + arch + "'; known are AIE2 and AIE2p");
  machine->aie2p = lower == "aie2p";
}

void Array::addTile(int col, int row, TileKind kind, int64_t memoryBytes, int locks, int bds, int s2mm, int mm2s) {
  if (col < 0 || col >= columns_ || row < 0 || row >= rows_) throw std::invalid_argument(tileName(col, row) + " is outside of the array");
  if (machine->tile(col, row)) throw std::invalid_argument(tileName(col, row) + " exists already");
  if (memoryBytes % 4 || s2mm > kChannels || mm2s > kChannels) throw std::invalid_argument("memory in whole words, at most 6 channels a direction");
  auto tile = std::make_unique<Tile>();
  tile->col = col, tile->row = row, tile->kind = kind;
  if (memoryBytes) {
    tile->memory = std::make_unique<Memory>(col, row, memoryBytes, machine->judge, machine->parties, machine->timingOnly);
    tile->memory->describe = describe;
  }
  tile->locks.resize(locks);
  for (int i = 0; i < locks; ++i) tile->locks[i].col = col, tile->locks[i].row = row, tile->locks[i].id = i;
  tile->bds.assign(bds, std::vector<Word>(bdWords(kind)));
  tile->bdWrittenAtRuntime.assign(bds, false);
  for (auto [direction, count] : {std::pair{kS2MM, s2mm}, {kMM2S, mm2s}})
    for (int i = 0; i < count; ++i) tile->channels[direction].push_back(std::make_unique<Channel>(*machine, *tile, direction, i));
  machine->tiles[{col, row}] = std::move(tile);
}

Array::~Array() = default;

void Array::timeOnly(bool steady) {
  machine->timingOnly = true;
  if (steady) steady_ = std::make_unique<Steady>(*this);
  machine->steady = steady_.get();
}

Tile &Array::tile(int col, int row) {
  Tile *t = machine->tile(col, row);
  if (!t) throw std::invalid_argument(tileName(col, row) + " does not exist");
  return *t;
}

Memory &Array::memory(int col, int row) {
  Tile &t = tile(col, row);
  if (!t.memory) throw std::invalid_argument(tileName(col, row) + " has no data memory");
  return *t.memory;
}

Lock &Array::lock(int col, int row, int id) {
  Tile &t = tile(col, row);
  if (id < 0 || id >= int(t.locks.size())) throw std::invalid_argument(tileName(col, row) + " has no lock " + std::to_string(id));
  return t.locks[id];
}

Channel &Array::channel(int col, int row, int direction, int number) {
  Tile &t = tile(col, row);
  if (direction < 0 || direction > 1 || number < 0 || number >= int(t.channels[direction].size()))
    throw std::invalid_argument(tileName(col, row) + " has no such DMA channel");
  return *t.channels[direction][number];
}

void Array::writeBd(int col, int row, int bd, const std::vector<Word> &words) {
  Tile &t = tile(col, row);
  if (bd < 0 || bd >= int(t.bds.size())) throw std::invalid_argument(tileName(col, row) + " has no BD " + std::to_string(bd));
  if (int(words.size()) != bdWords(t.kind)) throw std::invalid_argument("a BD of this tile has " + std::to_string(bdWords(t.kind)) + " words");
  t.bds[bd] = words;
}

void Array::inherit(const Array &before) {
  for (auto &[at, old] : before.machine->tiles) {
    Tile *t = machine->tile(at.first, at.second);
    if (!t || t->kind != old->kind) continue;
    if (t->memory) t->memory->inherit(*old->memory);
    for (size_t i = 0; i < t->locks.size(); ++i) t->locks[i].set(old->locks[i].value, nullptr);
    t->bds = old->bds, t->bdWrittenAtRuntime = old->bdWrittenAtRuntime, t->kept = old->kept;
  }
}

void Array::startChannel(int col, int row, int direction, int number, int bd, int repeat, bool token) {
  Task task;
  task.bd = bd, task.repeat = repeat, task.token = token;
  starts_.push_back({&channel(col, row, direction, number), task});
}

void Array::addCascade(int fromCol, int fromRow, int toCol, int toRow) {
  tile(fromCol, fromRow), tile(toCol, toRow);
  for (auto &c : cascades)
    if ((c->fromCol == fromCol && c->fromRow == fromRow) || (c->toCol == toCol && c->toRow == toRow))
      throw std::invalid_argument("a core has one cascade output and one cascade input");
  auto &c = cascades.emplace_back(std::make_unique<Cascade>());
  c->fromCol = fromCol, c->fromRow = fromRow, c->toCol = toCol, c->toRow = toRow;
}

void Array::addCore(int col, int row, uint64_t entry, uint64_t args, int64_t stackBytes) {
  auto &core = cores[{col, row}];
  if (core) throw std::invalid_argument(tileName(col, row) + " has a core already");
  if (!entry) throw std::invalid_argument("the entry of a core is null");
  core = std::make_unique<Core>(*machine, network, tile(col, row), reinterpret_cast<Core::Entry>(uintptr_t(entry)),
                                reinterpret_cast<void **>(uintptr_t(args)), size_t(stackBytes), regions, kernels);
  tile(col, row).core = core.get();
}

void Array::addScript(int col, int row, Script script) {
  addCore(col, row, uint64_t(reinterpret_cast<uintptr_t>(&Core::enterScript)), 0, 0);
  cores[{col, row}]->script = std::move(script);
}

void Array::addRegion(int region, int64_t macs, int64_t vectorCycles) {
  if (region < 0) throw std::invalid_argument("a region is not negative");
  if (region >= int(regions.size())) regions.resize(size_t(region) + 1);
  regions[region] = {macs, vectorCycles};
}

void Array::addControlPorts() {
  for (auto &[port, sink] : network.sinks) {
    if (port.name != "TileControl") continue;
    Stream *answers = network.stream({port.col, port.row, "TileControl", 0});
    controlPorts_.push_back(std::make_unique<ControlPort>(*machine, controller, *machine->tile(port.col, port.row), *sink, answers));
    sink->control = controlPorts_.back().get();
  }
}

// Tokens travel over the streams from TileControl to South 0 of a shim (simulator-semantics.md 29). Most files leave that route to the
// compiler; where one has any, tokens of core tiles and memtiles without one are lost.
void Array::findTokenRoutes() {
  for (auto &[port, stream] : network.streams)
    for (Route &route : stream->routes)
      for (auto &dest : route.dests)
        if (port.name == "TileControl" && dest.sink->port.row == 0 && dest.sink->port.name == "South" && dest.sink->port.channel == 0)
          machine->tokens.routed.insert({port.col, port.row});
}

void Array::recordOrigins() { machine->origins.on = true; }

std::vector<Step> Array::originOf(int argument, int64_t offset) const {
  auto buffer = machine->ddr.buffers.find(argument);
  return buffer == machine->ddr.buffers.end() ? std::vector<Step>() : machine->origins.trace(buffer->second.origins, offset);
}

void Array::prepare() {
  network.connect();
  machine->origins.describe = describe;
  if (machine->origins.on) {
    for (auto &[port, stream] : network.streams) stream->staging.record();
    for (auto &[port, sink] : network.sinks) sink->fifo.record();
  }
  addControlPorts();
  findTokenRoutes();
  events.build(network);
  for (auto &[at, t] : machine->tiles)
    if (t->memory) machine->memories.push_back(t->memory.get());
  std::sort(machine->memories.begin(), machine->memories.end(), [](Memory *a, Memory *b) { return a->data() < b->data(); });
  auto join = [&](Party *p) {
    p->index = int(machine->parties.size());
    machine->parties.push_back(p);
  };
  join(&controller);
  for (auto &port : controlPorts_) join(port.get());
  for (auto &[at, core] : cores) join(core.get());
  for (auto &[at, t] : machine->tiles)
    for (auto &direction : t->channels)
      for (auto &c : direction)
        if (c->net) join(c.get());
  if (machine->parties.size() > 0xFFE) throw std::invalid_argument("too many cores and channels");
  for (Party *p : machine->parties) p->knows.assign(machine->parties.size(), 0), p->blind = machine->timingOnly;
  for (auto &c : cascades) {
    if (auto it = cores.find({c->fromCol, c->fromRow}); it != cores.end()) it->second->cascadeOut = c.get(), c->from = it->second.get();
    if (auto it = cores.find({c->toCol, c->toRow}); it != cores.end()) it->second->cascadeIn = c.get(), c->to = it->second.get();
  }
  for (auto &[at, t] : machine->tiles)
    for (Lock &l : t->locks) l.initial = l.value;
  for (Start &s : starts_) s.channel->push(s.task);
  for (auto &[at, core] : cores) core->wake(0);
  controller.begin();
}

std::string Array::run(Cycle maxCycles, bool strict, bool trace, const std::function<bool(Cycle, int64_t)> &progress) {
  if (std::exchange(ran_, true)) throw std::runtime_error("an Array runs once");
  Judge &judge = machine->judge;
  judge.strict = strict;
  machine->trace.on = trace;
  prepare();
  constexpr Cycle kAfter = 200000; // what still moves after the sequence's end is followed that far, to see what is left over
  bool quiet = false, limit = false;
  auto last = std::chrono::steady_clock::now();
  for (int64_t turn = 0; !(strict && judge.fault); ++turn) {
    if (!machine->scheduler.advance()) {
      quiet = true;
      break;
    }
    Cycle now = machine->scheduler.now;
    if (controller.done() && now > controller.counters.doneCycle + kAfter) break;
    if ((limit = now > maxCycles)) break;
    if (progress && turn % 256 == 0 && std::chrono::steady_clock::now() - last > std::chrono::milliseconds(100)) {
      last = std::chrono::steady_clock::now();
      if ((limit = !progress(now, controller.counters.instructions))) break;
    }
  }
  for (Memory *memory : machine->memories) memory->settle(machine->scheduler.now);
  bool stuck = quiet && !controller.done();
  collectWaits();
  for (auto &[at, t] : machine->tiles)
    for (auto &c : t->channels[kS2MM])
      if (t->kind == TileKind::Shim && c->open())
        if (auto it = machine->ddr.buffers.find(Ddr::argumentOf(c->bd().base * 4)); it != machine->ddr.buffers.end()) it->second.open = true;
  if (!limit && !(strict && judge.fault)) judgeEnd(quiet);
  cycles = controller.done() ? controller.counters.doneCycle + (steady_ ? steady_->skipped() : 0) + (controller.counters.syncs ? Cycle(machine->timing.token_tail) : 0)
                             : machine->scheduler.now;
  if (limit) return "limit";
  if (stuck) return "deadlock";
  return strict && judge.fault ? "fault" : "done";
}

} // namespace sim
