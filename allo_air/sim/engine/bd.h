// Buffer descriptors: register words to fields, for the three kinds of tile.
#pragma once
#include "types.h"
#include <array>
#include <vector>

namespace sim {

struct BdDim {
  int64_t wrap = 0; // 0: does not wrap
  int64_t step = 1;
  int64_t before = 0, after = 0; // words, rows, ... of zeros
};

struct Bd {
  bool valid = false, useNext = false, suppressTlast = false, packet = false, compressed = false, cached = true; // cached: AxCache is not 0 (shim)
  int64_t length = 0, base = 0; // words; base in words (shim: a byte address / 4)
  std::array<BdDim, 4> dims;
  int dimCount = 3; // the last one never wraps
  int next = 0, packetId = 0, packetType = 0, oooId = 0;
  int64_t iterStep = 1;
  int iterWrap = 1, iterCurrent = 0;
  bool acquire = false;
  int acquireLock = 0, acquireValue = 0, releaseLock = 0, releaseValue = 0;
  int64_t iterOffset() const { return iterCurrent * iterStep; }
  bool padded() const;
};

int bdWords(TileKind kind);
Bd decodeBd(TileKind kind, const std::vector<Word> &words);
// Advances Iteration_Current in the register words, as loading the BD does.
void advanceIteration(TileKind kind, std::vector<Word> &words);

} // namespace sim
