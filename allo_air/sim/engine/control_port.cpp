#include "control_port.h"
#include "register_map.h"

namespace sim {

ControlPort::ControlPort(Machine &m, Controller &c, Tile &t, Sink &s, Stream *answers)
    : machine_(m), controller_(c), tile_(t), sink_(s), answers_(answers) {
  scheduler = &m.scheduler;
  if (answers_) answers_->writer = this;
}

Actor ControlPort::sender() const {
  const Stream &from = sink_.holder ? *sink_.holder : *sink_.sources[0];
  return from.channel ? from.channel->actor() : Actor{from.port.col, from.port.row, from.port.name == "Core" ? "core" : "stream"};
}

void ControlPort::bad(const std::string &detail) {
  Finding f;
  f.kind = "bad-instruction", f.cycle = machine_.scheduler.now, f.agent = sender(), f.col = tile_.col, f.row = tile_.row;
  f.address = address_, f.detail = detail;
  machine_.judge.report(std::move(f));
  left_ = 0, skipping_ = true;
}

void ControlPort::take(Word word, bool last) {
  if (machine_.timingOnly) return bad("control packets are data, and there are none where only the time is asked for");
  if (!skipping_) {
    if (left_ == 0) open(word, last);
    else write(word, last);
  }
  if (last) skipping_ = false;
}

// One control packet in a stream packet (simulator-semantics.md 22: missing TLAST is an error of the tile), unless that check is off.
static bool wantsLast(const Tile &tile) {
  auto it = tile.kept.find(clockControl(tile.kind));
  return it == tile.kept.end() || it->second & kTlastError;
}

// Header: id of the answer [28:24], operation [23:22], beats-1 [21:20], address [19:0].
void ControlPort::open(Word header, bool last) {
  const Word operation = (header >> 22) & 3;
  address_ = header & 0xFFFFF, beats_ = ((header >> 20) & 3) + 1, id_ = (header >> 24) & 31;
  if (operation > 1) return bad("control packets of operation " + std::to_string(operation) + " are not simulated; known are 0 (write) and 1 (read)");
  if (operation == 1) {
    if (!last && wantsLast(tile_)) return bad("a control packet that reads is not ended by TLAST: it has its header and no data");
    return answer();
  }
  left_ = beats_;
  if (last) bad("a control packet ends (TLAST) with its header; it must bring the words that it announces");
}

void ControlPort::write(Word data, bool last) {
  controller_.writeRegister(tile_, address_, data, ~Word(0), *this, sender());
  address_ += 4, --left_;
  if (last && left_) bad("a control packet ends (TLAST) before all the words that it announces");
  else if (!last && !left_ && wantsLast(tile_)) bad("a control packet is not ended by TLAST; send one with each BD");
}

// The answer is a packet with the id that the request gives, and the words read.
void ControlPort::answer() {
  Word header = id_ | Word(tile_.row) << 16 | Word(tile_.col) << 21;
  header |= Word(~__builtin_popcount(header) & 1) << 31;
  if (!answers_ || !answers_->routeOf(header))
    return bad("the answer of a read has no way: no packet flow with id " + std::to_string(id_) + " leads from TileControl 0 of " +
               tileName(tile_.col, tile_.row));
  std::vector<Answer> words = {{header, false, nullptr}};
  for (Word i = 0; i < beats_; ++i, address_ += 4) {
    auto word = controller_.readRegister(tile_, address_, *this, sender());
    words.push_back({word.value_or(0), i + 1 == beats_, nullptr});
  }
  for (Answer &a : words) a.clock = publish(), pending_.push_back(a);
  wake(machine_.scheduler.now + 1);
}

void ControlPort::step(Cycle now) {
  while (!pending_.empty() && !answers_->staging.full()) {
    Answer &a = pending_.front();
    answers_->staging.mark(a.clock);
    answers_->staging.push(a.word, now + 1, a.last ? kLast : 0);
    pending_.pop_front();
    answers_->net->wake(now + 1);
  }
}

} // namespace sim
