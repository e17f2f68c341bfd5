#include "event_module.h"
#include "event_hub.h"

namespace sim {

// Registers behind the base (hardware-flow.md 6, AM025).
static constexpr uint32_t kTimerControl = 0x00, kGenerate = 0x08, kBroadcast = 0x10, kBlock = 0x50, kTrace0 = 0xD0, kTrace1 = 0xD4, kSlots = 0xE0,
                          kTimerLow = 0xF8, kTimerHigh = 0xFC, kComboInputs = 0x400, kComboControl = 0x404, kEdgeControl = 0x408;
static constexpr size_t kMostWaiting = 4096; // words of a trace that nobody takes; what comes then is lost

EventModule::EventModule(Machine &m, EventHub &hub, Tile &t, const EventMap &where) : map(where), tile(t), machine_(m), hub_(hub) {
  scheduler = &m.scheduler;
}

bool EventModule::owns(uint32_t offset) const {
  return (offset >= map.base && offset < map.base + 0x1000) || (map.ports && offset >= map.ports && offset < map.ports + 8);
}

Word EventModule::reg(uint32_t offset) const {
  auto it = tile.kept.find(map.base + offset);
  return it == tile.kept.end() ? 0 : it->second;
}

void EventModule::written(uint32_t offset, Word value) {
  const Cycle now = machine_.scheduler.now;
  const uint32_t at = offset - map.base;
  if (at == kTimerControl && value >> 31) timerZero_ = now;
  if (at == kGenerate) post(now, field(value, 0), kPulse);
  if (at >= kBlock && at < kBlock + 0x40 && at % 0x10 < 8) {
    Word &blocked = blocked_[(at - kBlock) / 0x10];
    blocked = at % 0x10 == 0 ? blocked | value : blocked & ~value;
  }
  if (at == kTrace0 && value) {
    hub_.arm();
    if (field(value, 2)) post(now, 0, kPulse); // looks at once whether the start event is active
  }
}

const char *EventModule::refuses(uint32_t offset, Word value) const {
  if (offset != map.base + kTrace0) return nullptr;
  switch (value & 3) {
  case 0: return nullptr;
  case 1: return "trace mode 1 (Event-PC) is not simulated; mode 0 (Event-Time) is";
  case 2: return "trace mode 2 (Execution) is not simulated; mode 0 (Event-Time) is";
  default: return "there is no trace mode 3";
  }
}

std::optional<Word> EventModule::read(uint32_t offset) const {
  const uint64_t timer = uint64_t(machine_.scheduler.now - timerZero_);
  if (offset == map.base + kTimerLow) return Word(timer);
  if (offset == map.base + kTimerHigh) return Word(timer >> 32);
  return std::nullopt;
}

void EventModule::post(Cycle at, int line, Change change) {
  items_.push({at, order_++, int16_t(line), change});
  wake(at + 1); // what happens in a cycle is complete in the next
}

bool EventModule::portActive(int event) const {
  const int slot = (event - map.port) / 4, what = (event - map.port) % 4;
  auto it = tile.kept.find(map.ports + 4 * uint32_t(slot / 4));
  const Word selected = (it == tile.kept.end() ? 0 : it->second) >> 8 * (slot % 4);
  auto on = [&](PortState s) {
    int line = portLine(selected >> 5 & 1, selected & 31, s);
    return levels_[line] > 0 || pulses_[line];
  };
  switch (what) {
  case 0: return !on(kRunning) && !on(kStalled);
  case 1: return on(kRunning);
  case 2: return on(kStalled) && !on(kRunning);
  default: return on(kTlast);
  }
}

// A and B, A and not B, A or B, A or not B.
bool EventModule::comboActive(int index) const {
  const Word inputs = reg(kComboInputs), control = reg(kComboControl) >> 8 * index & 3;
  const bool a = index == 2 ? comboActive(0) : active(field(inputs, 2 * index));
  const bool b = (index == 2 ? comboActive(1) : active(field(inputs, 2 * index + 1))) != bool(control & 1);
  return control & 2 ? a || b : a && b;
}

bool EventModule::active(int event) const {
  if (event == 1) return true;
  if (map.port >= 0 && event >= map.port && event < map.port + kPorts) return portActive(event);
  if (event >= map.combo && event < map.combo + 3) return comboActive(event - map.combo);
  if (event >= map.edge && event < map.edge + 2) return edges_[event - map.edge];
  return event && (levels_[event] > 0 || pulses_[event]);
}

bool EventModule::known(int event) const {
  auto in = [&](int first, int n) { return first >= 0 && event >= first && event < first + n; };
  if (event < 2 || in(map.combo, 3) || in(map.edge, 2) || in(map.broadcast, 16) || in(map.user, map.users) || in(map.dma, 20)) return true;
  if (in(map.port, kPorts)) {
    const int slot = (event - map.port) / 4;
    auto it = tile.kept.find(map.ports + 4 * uint32_t(slot / 4));
    const Word selected = (it == tile.kept.end() ? 0 : it->second) >> 8 * (slot % 4);
    return hub_.watched(tile.kind, selected >> 5 & 1, int(selected & 31));
  }
  return map.dma < 0 && hub_.raised(event);
}

unsigned EventModule::slots() const {
  unsigned mask = 0;
  for (int i = 0; i < 8; ++i) mask |= unsigned(active(field(reg(kSlots + 4 * (i / 4)), i % 4))) << i;
  return mask;
}

// Edge detectors see a rise or a fall of their source, each for one cycle.
bool EventModule::edgeSource(int index) const { return active(field(reg(kEdgeControl), 2 * index)); }

void EventModule::findEdges() {
  const Word control = reg(kEdgeControl);
  for (int i = 0; i < 2; ++i) {
    const Word half = control >> 16 * i;
    const bool source = edgeSource(i);
    edges_[i] = (source && !edgeSource_[i] && half >> 9 & 1) || (!source && edgeSource_[i] && half >> 10 & 1);
    edgeSource_[i] = source;
  }
}

void EventModule::begin(Cycle at) {
  tracing_ = true;
  unknown.clear();
  for (int i = 0; i < 8; ++i)
    if (int event = field(reg(kSlots + 4 * (i / 4)), i % 4); !known(event)) unknown.push_back(event);
  encoder_.start(at, at - timerZero_);
}

void EventModule::cycle(Cycle at) {
  if (tracing_ && steady_ && at > done_ + 1) encoder_.record(steady_, done_ + 1, at - done_ - 1);
  findEdges();
  for (int n = 0; n < 16; ++n) {
    const int event = field(reg(kBroadcast + 4 * uint32_t(n)), 0);
    const bool on = event && active(event);
    if (on && !wasBroadcast_[n]) hub_.broadcast(*this, n, at);
    wasBroadcast_[n] = on;
  }
  if (int reset = field(reg(kTimerControl), 1); reset && active(reset)) timerZero_ = at;
  const Word control = reg(kTrace0);
  const int start = field(control, 2), stop = field(control, 3);
  // Starts and stops drop the events of their own cycle (simulator-semantics.md 35).
  if (tracing_ && stop && active(stop)) {
    tracing_ = false;
    encoder_.stop();
  } else if (tracing_) {
    if (unsigned mask = slots()) encoder_.record(mask, at, 1);
  } else if (out && start && active(start) && !(stop && active(stop))) {
    begin(at);
  }
  pulses_.reset();
  edges_[0] = edges_[1] = false;
  steady_ = tracing_ ? slots() : 0;
  for (int n = 0; n < 16; ++n) wasBroadcast_[n] = wasBroadcast_[n] && active(field(reg(kBroadcast + 4 * uint32_t(n)), 0));
  if (edgeSource_[0] != edgeSource(0) || edgeSource_[1] != edgeSource(1)) post(at + 1, 0, kPulse); // the fall of a pulse
  done_ = at;
  flush();
}

// Packets as they get full; header: column [27:21], row [20:16], type [14:12], id [4:0].
void EventModule::flush() {
  for (size_t i = 0; i + TraceEncoder::kDataWords <= encoder_.ready.size(); i += TraceEncoder::kDataWords) {
    if (sending_.size() > kMostWaiting) break;
    Word header = Word(tile.col) << 21 | Word(tile.row) << 16 | (reg(kTrace1) & 0x701F);
    header |= Word(~__builtin_popcount(header) & 1) << 31;
    sending_.push_back({header, false});
    for (int w = 0; w < TraceEncoder::kDataWords; ++w) sending_.push_back({encoder_.ready[i + size_t(w)], w + 1 == TraceEncoder::kDataWords});
  }
  encoder_.ready.clear();
}

void EventModule::step(Cycle now) {
  while (!items_.empty() && items_.top().at < now) {
    const Cycle at = items_.top().at;
    for (; !items_.empty() && items_.top().at == at; items_.pop()) {
      const Item &i = items_.top();
      if (i.change == kPulse) pulses_[i.line] = true;
      else levels_[i.line] = std::max(levels_[i.line] + (i.change == kOn ? 1 : -1), 0);
    }
    cycle(at);
  }
  while (!sending_.empty() && !out->staging.full()) {
    out->staging.push(sending_.front().first, now + 1, sending_.front().second ? kLast : 0);
    sending_.pop_front();
    out->net->wake(now + 1);
  }
  if (!items_.empty()) wake(items_.top().at + 1);
}

} // namespace sim
