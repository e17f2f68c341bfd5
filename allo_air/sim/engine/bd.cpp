#include "bd.h"

namespace sim {

static int64_t bits(Word w, int high, int low) { return (w >> low) & ((Word(2) << (high - low)) - 1); }
static int signedBits(Word w, int high, int low) {
  int64_t v = bits(w, high, low), sign = int64_t(1) << (high - low);
  return int(v >= sign ? v - 2 * sign : v);
}

int bdWords(TileKind kind) { return kind == TileKind::Core ? 6 : 8; }

bool Bd::padded() const {
  for (const BdDim &d : dims)
    if (d.before || d.after) return true;
  return false;
}

// The word of locks and chaining that core and shim BDs share.
static void decodeLocks(Bd &b, Word w) {
  b.suppressTlast = bits(w, 31, 31), b.next = int(bits(w, 30, 27)), b.useNext = bits(w, 26, 26), b.valid = bits(w, 25, 25);
  b.releaseValue = signedBits(w, 24, 18), b.releaseLock = int(bits(w, 16, 13));
  b.acquire = bits(w, 12, 12), b.acquireValue = signedBits(w, 11, 5), b.acquireLock = int(bits(w, 3, 0));
}

static Bd decodeCore(const std::vector<Word> &w) {
  Bd b;
  b.base = bits(w[0], 27, 14), b.length = bits(w[0], 13, 0);
  b.compressed = bits(w[1], 31, 31), b.packet = bits(w[1], 30, 30), b.oooId = int(bits(w[1], 29, 24));
  b.packetId = int(bits(w[1], 23, 19)), b.packetType = int(bits(w[1], 18, 16));
  b.dims[0] = {bits(w[3], 20, 13), bits(w[2], 12, 0) + 1};
  b.dims[1] = {bits(w[3], 28, 21), bits(w[2], 25, 13) + 1};
  b.dims[2] = {0, bits(w[3], 12, 0) + 1};
  b.iterCurrent = int(bits(w[4], 24, 19)), b.iterWrap = int(bits(w[4], 18, 13)) + 1, b.iterStep = bits(w[4], 12, 0) + 1;
  decodeLocks(b, w[5]);
  return b;
}

static Bd decodeShim(const std::vector<Word> &w) {
  Bd b;
  b.length = w[0], b.base = (int64_t(bits(w[2], 15, 0)) << 32 | (w[1] & ~Word(3))) / 4;
  b.packet = bits(w[2], 30, 30), b.oooId = int(bits(w[2], 29, 24)), b.packetId = int(bits(w[2], 23, 19));
  b.packetType = int(bits(w[2], 18, 16));
  b.dims[0] = {bits(w[3], 29, 20), bits(w[3], 19, 0) + 1};
  b.dims[1] = {bits(w[4], 29, 20), bits(w[4], 19, 0) + 1};
  b.dims[2] = {0, bits(w[5], 19, 0) + 1};
  b.cached = bits(w[5], 27, 24) != 0;
  b.iterCurrent = int(bits(w[6], 31, 26)), b.iterWrap = int(bits(w[6], 25, 20)) + 1, b.iterStep = bits(w[6], 19, 0) + 1;
  decodeLocks(b, w[7]);
  return b;
}

static Bd decodeMem(const std::vector<Word> &w) {
  Bd b;
  b.packet = bits(w[0], 31, 31), b.packetType = int(bits(w[0], 30, 28)), b.packetId = int(bits(w[0], 27, 23));
  b.oooId = int(bits(w[0], 22, 17)), b.length = bits(w[0], 16, 0);
  b.next = int(bits(w[1], 25, 20)), b.useNext = bits(w[1], 19, 19), b.base = bits(w[1], 18, 0);
  b.suppressTlast = bits(w[2], 31, 31), b.compressed = bits(w[4], 31, 31);
  b.dims[0] = {bits(w[2], 26, 17), bits(w[2], 16, 0) + 1, bits(w[1], 31, 26), bits(w[5], 22, 17)};
  b.dims[1] = {bits(w[3], 26, 17), bits(w[3], 16, 0) + 1, bits(w[3], 31, 27), bits(w[5], 27, 23)};
  b.dims[2] = {bits(w[4], 26, 17), bits(w[4], 16, 0) + 1, bits(w[4], 30, 27), bits(w[5], 31, 28)};
  b.dims[3] = {0, bits(w[5], 16, 0) + 1};
  b.dimCount = 4;
  b.iterCurrent = int(bits(w[6], 28, 23)), b.iterWrap = int(bits(w[6], 22, 17)) + 1, b.iterStep = bits(w[6], 16, 0) + 1;
  b.valid = bits(w[7], 31, 31), b.releaseValue = signedBits(w[7], 30, 24), b.releaseLock = int(bits(w[7], 23, 16));
  b.acquire = bits(w[7], 15, 15), b.acquireValue = signedBits(w[7], 14, 8), b.acquireLock = int(bits(w[7], 7, 0));
  return b;
}

Bd decodeBd(TileKind kind, const std::vector<Word> &words) {
  return kind == TileKind::Core ? decodeCore(words) : kind == TileKind::Mem ? decodeMem(words) : decodeShim(words);
}

void advanceIteration(TileKind kind, std::vector<Word> &words) {
  int word = kind == TileKind::Core ? 4 : 6, low = kind == TileKind::Core ? 19 : kind == TileKind::Mem ? 23 : 26;
  Bd b = decodeBd(kind, words);
  Word current = Word(b.iterCurrent + 1 >= b.iterWrap ? 0 : b.iterCurrent + 1);
  words[word] = (words[word] & ~(Word(63) << low)) | current << low;
}

} // namespace sim
