// A channel's BDs: loading and checking them, their memory and locks, and what their end sets off.
#include "channel.h"
#include "network.h"
#include <algorithm>
#include <cstdlib>

namespace sim {

bool Channel::load(Cycle) {
  bd_ = Bd();
  if (bdId_ < 0 || bdId_ >= int(tile.bds.size())) {
    misuse("bd-missing", "the task names a BD that the tile does not have", bdId_, int64_t(tile.bds.size()) - 1);
    return false;
  }
  if (tile.kind == TileKind::Mem && (bdId_ >= 24) != (number % 2 == 1)) // device.md 2.2: even channels 0..23, odd channels 24..47
    misuse("bd-parity", "memtile BDs 0-23 serve even channels and 24-47 odd ones", bdId_);
  auto &words = tile.bds[bdId_];
  bd_ = decodeBd(tile.kind, words);
  advanceIteration(tile.kind, words);
  acquireLock_ = releaseLock_ = nullptr;
  if (!bd_.valid) {
    misuse("bd-invalid", "the channel starts a BD that is not valid (never written, or without its valid bit)");
    return false;
  }
  if (bd_.length == 0) {
    misuse("bd-length", "the BD has length 0");
    return false;
  }
  if (bd_.compressed) misuse("not-simulated", "the BD asks for compression, which is not simulated");
  if (!checkPadding()) return false;
  bool own = bd_.acquire;
  if (own) acquireLock_ = resolveLock(bd_.acquireLock, "acquires");
  if (bd_.releaseValue) releaseLock_ = resolveLock(bd_.releaseLock, "releases");
  if ((own && !acquireLock_) || (bd_.releaseValue && !releaseLock_) || !resolveMemory()) return false;
  walk_ = Walk(bd_);
  run_ = Run();
  fresh_ = true;
  return true;
}

// Padding is for MM2S channels; a dimension without an end has nothing after it (simulator-semantics.md 6).
bool Channel::checkPadding() {
  if (!bd_.padded()) return true;
  if (direction == kS2MM) {
    misuse("padding", "the BD has padding, which only MM2S channels do");
    return false;
  }
  bool ends = true;
  for (const BdDim &d : bd_.dims) {
    ends = ends && d.wrap;
    if (ends || !d.after) continue;
    misuse("padding", "the BD pads after a dimension without an end (its wrap, or one further in, is 0)");
    return false;
  }
  return true;
}

// Memtile DMAs see west, own and east (device.md 2.4). mlir-aie's runtime path adds the own tile's base on AIE2p only (npu-instructions.md
// 3.4), so a BD written at run time on AIE2 means the own tile when its address is below it: it has no way to name the neighbour.
bool Channel::resolveMemory() {
  memory_ = tile.memory.get();
  if (tile.kind == TileKind::Shim) {
    memory_ = nullptr;
    return true;
  }
  if (tile.kind != TileKind::Mem) return true;
  const int64_t window = 0x80000 / 4;
  int64_t side = bd_.base / window - 1;
  if (side < 0 && !machine.aie2p && tile.bdWrittenAtRuntime[bdId_]) return true;
  Tile *owner = side == 0 ? &tile : machine.tile(tile.col + int(side), tile.row);
  if (!owner || owner->kind != TileKind::Mem) {
    misuse("neighbour", "the BD's address is that of a neighbouring memtile that does not exist", bd_.base * 4);
    return false;
  }
  if (side && number > 3) misuse("neighbour", "only channels 0 to 3 of a memtile reach its neighbours", number, 3);
  bd_.base -= (side + 1) * window;
  memory_ = owner->memory.get();
  return true;
}

Lock *Channel::resolveLock(int id, const char *what) {
  Tile *owner = &tile;
  int local = id;
  if (tile.kind == TileKind::Mem) {
    bool runtime = !machine.aie2p && tile.bdWrittenAtRuntime[bdId_] && bd_.base < 0x80000 / 4;
    int side = runtime && id < 64 ? 0 : id / 64 - 1;
    local = id % 64;
    owner = side == 0 ? &tile : machine.tile(tile.col + side, tile.row);
    if (side && number > 3) misuse("neighbour", "only channels 0 to 3 of a memtile reach its neighbours", number, 3);
  }
  if (owner && owner->kind == tile.kind && local < int(owner->locks.size())) return &owner->locks[local];
  misuse("lock-missing", std::string("the BD ") + what + " a lock that does not exist", id);
  return nullptr;
}

// Address of a run in a host buffer; null and a finding when any word of it lies outside.
uint8_t *Channel::hostAt(int64_t word, int64_t words, int64_t step, Cycle now) {
  int64_t first = word * 4, last = (word + (words - 1) * step) * 4 + 4;
  int argument = Ddr::argumentOf(bd_.base * 4);
  auto it = machine.ddr.buffers.find(argument);
  int64_t offset = first - Ddr::base(argument), end = last - Ddr::base(argument);
  if (it != machine.ddr.buffers.end() && offset >= 0 && end <= it->second.bytes) {
    memoryBase_ = it->second.data - Ddr::base(argument);
    host_ = &it->second, hostFirst_ = Ddr::base(argument) / 4;
    return memoryBase_;
  }
  Finding f;
  f.kind = "host-out-of-bounds", f.cycle = now, f.agent = actor(), f.col = tile.col, f.row = tile.row;
  f.access = direction == kS2MM ? "write" : "read";
  if (it == machine.ddr.buffers.end()) {
    f.address = first;
    f.detail = argument < 0 ? "the BD's address is in no host buffer: nothing patched it (address_patch)"
                            : "the BD moves host argument " + std::to_string(argument) + ", and no array was given for it";
  } else {
    f.argument = argument, f.address = offset, f.bytes = end - offset, f.value = end, f.wanted = it->second.bytes;
    f.detail = "the BD reaches byte " + std::to_string(end) + " of a host buffer of " + std::to_string(it->second.bytes) + " bytes (argument " +
               std::to_string(argument) + ")";
  }
  machine.judge.report(std::move(f));
  return nullptr;
}

void Channel::endBd(Cycle now) {
  const Timing &t = machine.timing;
  bool chained = bd_.useNext, last = !chained && runsLeft_ == 0;
  claim_.settle(now);
  const Clock &clock = publish();
  ++ended_, endedWords_ += bd_.length;
  if (acquireLock_) acquireLock_->ledger -= std::abs(bd_.acquireValue);
  if (releaseLock_) releaseLock_->ledger += bd_.releaseValue;
  if (running_) {
    running_ = false;
    machine.trace.add(atPort(now + 1), tile.col, tile.row, 1, dmaEvent(direction, number, kPortRunning), Trace::kEnd, bdId_);
  }
  if (direction == kMM2S && !bd_.suppressTlast)
    machine.trace.tell(atPort(now), tile.col, tile.row, 1, dmaEvent(direction, number, kTlastSent), Trace::kInstant);
  Cycle atMemory = now + Cycle(t.dma_memory_latency);
  if (tile.kind == TileKind::Shim && direction == kS2MM)
    atMemory = now + Cycle(machine.ddr.latency(taskCount_ == 1 ? t.shim_s2mm_cold : t.shim_s2mm_overhead));
  if (releaseLock_)
    completions_.add({atMemory + Cycle(t.dma_lock_release), Completions::Item::Release, releaseLock_, bd_.releaseValue, bdId_, false, false, clock});
  unfinishedBds_.push_back(last ? -1 - bdId_ : bdId_);
  if (direction == kS2MM) accepted(atMemory);
  if (direction == kS2MM && tile.kind == TileKind::Shim && machine.sequenceDone && !sink->ofTraces())
    misuse("after-end", "host memory is written after the end of the instruction sequence: nothing waits for this task");
  ready_ = now + 1 + Cycle(direction == kS2MM ? t.dma_bd_gap_s2mm : t.dma_bd_gap_mm2s);
  if (chained) {
    bdId_ = bd_.next;
    state = State::Load;
  } else if (runsLeft_ > 0) {
    --runsLeft_, ++runs_;
    bdId_ = task_.bd;
    state = State::Load;
  } else {
    state = State::Idle;
  }
}

void Channel::accepted(Cycle at) {
  int code = unfinishedBds_.front();
  unfinishedBds_.pop_front();
  bool last = code < 0;
  bool token = last && unfinished_.front().token;
  if (token) claim_.settle(machine.scheduler.now); // of a BD that has begun since: what it moves from now on comes after the token
  // Shown as pending until it is finished.
  int bd = last ? -1 - code : code;
  if (last) {
    at += Cycle(machine.timing.shim_mm2s_cold_late * unfinished_.front().cold);
    unfinished_.pop_front();
  }
  completions_.add({at, Completions::Item::Finish, nullptr, 0, bd, last, false, nullptr});
  if (token)
    completions_.add({at + Cycle(machine.timing.token_latency), Completions::Item::Token, nullptr, 0, bd, true, true, publish()});
}

void Channel::finish(const Completions::Item &item, Cycle now) {
  if (item.kind == Completions::Item::Release) {
    Actor who = actor();
    who.bd = item.bd;
    item.lock->release(item.amount, item.clock, who, machine.judge, now);
  } else if (item.kind == Completions::Item::Token) {
    if (!machine.tokens.arrive(tile.col, tile.row)) return;
    machine.tokens.arrived[{tile.col, tile.row, direction, number}].push_back(item.clock);
    if (machine.tokens.waiter) machine.tokens.waiter->wake(now);
  } else {
    ++counters.bds;
    machine.trace.add(now, tile.col, tile.row, 1, dmaEvent(direction, number, kFinishedBd), Trace::kInstant, item.bd);
    if (!item.endOfTask) return;
    ++counters.tasks;
    machine.trace.add(now, tile.col, tile.row, 1, dmaEvent(direction, number, kFinishedTask), Trace::kInstant, item.bd);
  }
}

void Completions::add(Item item) {
  auto at = std::upper_bound(items_.begin(), items_.end(), item.at, [](Cycle c, const Item &i) { return c < i.at; });
  items_.insert(at, std::move(item));
  wake(items_.front().at);
}

void Completions::step(Cycle now) {
  while (!items_.empty() && items_.front().at <= now) {
    Item item = std::move(items_.front());
    items_.erase(items_.begin());
    channel->finish(item, now);
  }
  if (!items_.empty()) wake(items_.front().at);
}

} // namespace sim
