#include "trace_encoder.h"
#include <algorithm>

namespace sim {

static constexpr uint8_t kFiller = 0xFE, kSync = 0xFF;
static constexpr Cycle kMostIdle = 0x3FFFF; // 18 bits, and what a sync stands for

void TraceEncoder::bytes(uint64_t value, int n) {
  for (int i = n - 1; i >= 0; --i) {
    packet_.push_back(uint8_t(value >> 8 * i));
    if (packet_.size() < 4 * kDataWords) continue;
    for (int w = 0; w < kDataWords; ++w)
      ready.push_back(Word(packet_[4 * w]) << 24 | Word(packet_[4 * w + 1]) << 16 | Word(packet_[4 * w + 2]) << 8 | packet_[4 * w + 3]);
    packet_.clear();
  }
}

void TraceEncoder::start(Cycle now, Cycle timer) {
  bytes(uint64_t(0xF0) << 56 | (uint64_t(timer) & 0xFFFFFFFFFFFFFF), 8);
  last_ = now;
}

void TraceEncoder::stop() {
  while (!packet_.empty()) bytes(kFiller, 1);
}

void TraceEncoder::record(unsigned mask, Cycle from, Cycle count) {
  Cycle idle = from - last_ - 1;
  for (; idle > kMostIdle; idle -= kMostIdle) bytes(kSync, 1);
  command(mask, idle);
  Cycle more = count - 1;
  if (more > 0 && idle > 0) command(mask, 0), --more; // a repeat repeats the idle cycles as well
  repeat(more);
  last_ = from + count - 1;
}

// Single0 0eeecccc, Single1 100eeecc c8, Single2 101eeecc c16, Multiple0 1100eeee eeeecccc, Multiple1 110100ee eeeeeecc c8,
// Multiple2 110101ee eeeeeecc c16: slots e (a number, or a mask), c idle cycles before.
void TraceEncoder::command(unsigned mask, Cycle idle) {
  const uint64_t c = uint64_t(idle);
  if (mask & (mask - 1)) {
    if (c < 16) bytes(uint64_t(0xC) << 12 | mask << 4 | c, 2);
    else if (c < 1024) bytes(uint64_t(0x34) << 18 | uint64_t(mask) << 10 | c, 3);
    else bytes(uint64_t(0x35) << 26 | uint64_t(mask) << 18 | c, 4);
    return;
  }
  const uint64_t e = uint64_t(__builtin_ctz(mask));
  if (c < 16) bytes(e << 4 | c, 1);
  else if (c < 1024) bytes(uint64_t(4) << 13 | e << 10 | c, 2);
  else bytes(uint64_t(5) << 21 | e << 18 | c, 3);
}

// Repeat0 1110rrrr, Repeat1 110110rr r8.
void TraceEncoder::repeat(Cycle times) {
  while (times > 0) {
    Cycle n = std::min<Cycle>(times, 1023);
    if (n < 16) bytes(0xE0 | uint64_t(n), 1);
    else bytes(uint64_t(0x36) << 10 | uint64_t(n), 2);
    times -= n;
  }
}

} // namespace sim
