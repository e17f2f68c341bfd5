// The NPU instruction stream: words to operations (docs/sources.md#npu-instructions).
#pragma once
#include "types.h"
#include <vector>

namespace sim {

struct Instruction {
  enum Op { Write, BlockWrite, MaskWrite, Sync, Patch, Update, Nop } op;
  int64_t word = 0; // offset in the stream
  uint32_t address = 0, value = 0, mask = 0;
  std::vector<Word> data;
  int col = 0, row = 0, columns = 1, rows = 1, direction = 0, channel = 0; // sync
  int argument = 0;                                                      // patch
  int64_t plus = 0;
};

// Throws std::invalid_argument with the word's offset.
std::vector<Instruction> decodeWords(const Word *words, int64_t count);

} // namespace sim
