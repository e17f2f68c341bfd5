// What a trace unit writes in event-time mode (hardware-flow.md 6): which of its eight slots are active in which cycle, as bytes in
// packets of a header and seven words.
#pragma once
#include "types.h"
#include <vector>

namespace sim {

class TraceEncoder {
public:
  static constexpr int kDataWords = 7;
  std::vector<Word> ready; // data words of whole packets, to be taken by the owner
  void start(Cycle now, Cycle timer);
  // In cycles [from, from + count) exactly the slots of `mask` (not 0) are active.
  void record(unsigned mask, Cycle from, Cycle count);
  void stop(); // fills the last packet up

private:
  void command(unsigned mask, Cycle idle);
  void repeat(Cycle times);
  void bytes(uint64_t value, int n); // the highest first
  Cycle last_ = 0;
  std::vector<uint8_t> packet_;
};

} // namespace sim
