#include "control_port.h"
#include <cmath>
#include <map>

namespace sim {

Controller::Controller(Machine &m) : machine_(m) { scheduler = &m.scheduler; }

void Controller::begin() {
  held_ = holds_ ? firstTasks() : 0;
  time_ = 0;
  for (size_t i = 0; i < held_; ++i) time_ += cost(program[i]);
  counters.busy = time_;
  wake(0);
}

// The instructions before the first wait, or before a queue gets more tasks than it holds: some of them must have begun.
size_t Controller::firstTasks() const {
  std::map<uint32_t, size_t> writes;
  size_t end = 0;
  for (; end < program.size() && program[end].op != Instruction::Sync; ++end)
    if (program[end].op == Instruction::Write && ++writes[program[end].address] > kQueueDepth) break;
  return end;
}

double Controller::cost(const Instruction &i) const {
  const Timing &t = machine_.timing;
  switch (i.op) {
  case Instruction::Write: return t.controller_write32;
  case Instruction::BlockWrite: return t.controller_blockwrite + t.controller_blockwrite_word * double(i.data.size());
  case Instruction::MaskWrite: return t.controller_maskwrite;
  case Instruction::Patch: return t.controller_patch;
  case Instruction::Sync: return t.controller_sync;
  default: return t.controller_other;
  }
}

void Controller::step(Cycle now) {
  while (at_ < program.size()) {
    const Instruction &i = program[at_];
    site = i.word;
    if (!paid_ && at_ >= held_) {
      paid_ = true;
      counters.busy += cost(i);
      time_ = (double(now) - time_ < 1 ? time_ : double(now)) + cost(i); // times between cycles add up
    }
    if (time_ > double(now)) return wake(Cycle(std::ceil(time_)));
    if (i.op == Instruction::Sync) {
      if (!sync(i, now)) return;
    } else {
      execute(i);
    }
    paid_ = false;
    ++at_, ++counters.instructions;
  }
  if (counters.doneCycle < 0) counters.doneCycle = now;
  machine_.sequenceDone = true;
}

// Takes one token per tile of the range; false while one is missing (dma_wait is a counting semaphore).
bool Controller::sync(const Instruction &i, Cycle now) {
  for (; syncStep_ < i.columns * i.rows; ++syncStep_) {
    Tokens::Key key{i.col + syncStep_ % i.columns, i.row + syncStep_ / i.columns, i.direction, i.channel};
    auto &tokens = machine_.tokens.arrived[key];
    if (tokens.empty()) {
      if (!waiting_) {
        waitsSince = now;
        Channel *c = channel(key);
        if (c && c->state == Channel::State::Dead && !c->routed()) c->reportUnrouted();
      }
      waiting_ = true, awaited_ = key;
      machine_.tokens.waiter = this;
      return false;
    }
    join(tokens.front());
    tokens.pop_front();
    joinPorts(key);
  }
  if (waiting_) counters.syncStall += now - waitsSince;
  waiting_ = false, machine_.tokens.waiter = nullptr, syncStep_ = 0;
  time_ = double(now);
  ++counters.syncs;
  return true;
}

// What control ports have made of the packets of a channel is done where none of its words is on the way any longer.
void Controller::joinPorts(const Tokens::Key &key) {
  Channel *c = channel(key);
  if (!c || !c->stream || c->stream->staging.size()) return;
  for (Route &route : c->stream->routes)
    for (auto &d : route.dests)
      if (d.sink->control && d.sink->fifo.size() == 0) join(d.sink->control->publish());
}

Channel *Controller::channel(const Tokens::Key &key) const {
  auto [col, row, direction, number] = key;
  Tile *t = machine_.tile(col, row);
  return t && direction < 2 && number < int(t->channels[direction].size()) ? t->channels[direction][number].get() : nullptr;
}

void Controller::execute(const Instruction &i) {
  switch (i.op) {
  case Instruction::Write: return write(i.address, i.value, ~Word(0));
  case Instruction::MaskWrite: return write(i.address, i.value, i.mask);
  case Instruction::BlockWrite:
    for (size_t k = 0; k < i.data.size(); ++k) write(i.address + 4 * uint32_t(k), i.data[k], ~Word(0));
    return;
  case Instruction::Patch: {
    // The patch sets the base address; upper bits of the second word belong to the packet header (device.md 2.6).
    int64_t address = Ddr::base(i.argument) + i.plus; // of a buffer that was given or not: the BD may never run
    write(i.address, Word(address), ~Word(0));
    write(i.address + 4, Word(address >> 32), 0xFFFF);
    return;
  }
  case Instruction::Update: return update(i);
  default: return;
  }
}

// Adds f(entry, argument) to the 48-bit number at the address: times (0), plus (1), minus (2); the low two bits are cleared.
void Controller::update(const Instruction &i) {
  Tile *tile = machine_.tile(int(i.address >> 25), int(i.address >> 20) & 31);
  if (!tile) return write(i.address, 0, 0); // which says so
  const uint32_t offset = i.address & 0xFFFFF;
  const auto low = readRegister(*tile, offset, *this, actor()), high = readRegister(*tile, offset + 4, *this, actor());
  if (!low || !high) return;
  const int64_t entry = size_t(i.argument) < scratchpad.size() ? int32_t(scratchpad[size_t(i.argument)]) : 0, by = i.mask;
  const int64_t change = i.value == 0 ? entry * by : i.value == 1 ? entry + by : entry - by;
  const uint64_t sum = (uint64_t(*low) | uint64_t(*high & 0xFFFF) << 32) + uint64_t(change);
  writeRegister(*tile, offset, Word(sum) & ~Word(3), ~Word(0), *this, actor());
  writeRegister(*tile, offset + 4, Word(sum >> 32), 0xFFFF, *this, actor());
}

void Controller::write(uint32_t address, Word value, Word mask) {
  Tile *tile = machine_.tile(int(address >> 25), int(address >> 20) & 31);
  if (!tile) return bad(actor(), address, "the address is of " + tileName(int(address >> 25), int(address >> 20) & 31) + ", which does not exist");
  writeRegister(*tile, address & 0xFFFFF, value, mask, *this, actor());
}

void Controller::bad(const Actor &who, uint32_t address, const std::string &detail) {
  Finding f;
  f.kind = "bad-instruction", f.cycle = machine_.scheduler.now, f.agent = who, f.address = address, f.detail = detail;
  machine_.judge.report(std::move(f));
}

} // namespace sim
