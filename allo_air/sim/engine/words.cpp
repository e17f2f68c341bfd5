#include "words.h"
#include <stdexcept>

namespace sim {

[[noreturn]] static void bad(int64_t at, const std::string &what) {
  throw std::invalid_argument("instruction words, word " + std::to_string(at) + ": " + what);
}

static void checkHeader(const Word *w, int64_t count) {
  if (count < 4) bad(0, "a stream has a header of 4 words; this has " + std::to_string(count));
  int minor = (w[0] >> 8) & 255, major = w[0] & 255;
  if (!(major == 0 && minor == 1) && !(major == 1 && minor == 0))
    bad(0, "version " + std::to_string(major) + "." + std::to_string(minor) + "; known are 0.1 and 1.0");
  if (w[3] != uint64_t(count) * 4) bad(3, "the header says " + std::to_string(w[3]) + " bytes; the stream has " + std::to_string(count * 4));
}

static void decodeSync(Instruction &i, const Word *w) {
  i.op = Instruction::Sync;
  i.direction = w[2] & 255, i.row = (w[2] >> 8) & 255, i.col = (w[2] >> 16) & 255;
  i.rows = (w[3] >> 8) & 255, i.columns = (w[3] >> 16) & 255, i.channel = w[3] >> 24;
}

std::vector<Instruction> decodeWords(const Word *words, int64_t count) {
  checkHeader(words, count);
  const bool compact = (words[0] & 255) == 1; // version 1.0
  std::vector<Instruction> out;
  int64_t at = 4;
  while (at < count) {
    Instruction i;
    i.word = at;
    const Word *w = words + at;
    auto need = [&](int64_t n) {
      if (n < 1 || at + n > count) bad(at, "the operation has " + std::to_string(n) + " words, but the stream ends after " + std::to_string(count - at));
      at += n;
    };
    auto size = [&](int64_t word, int64_t n) {
      if (w[word] != uint64_t(n) * 4) bad(i.word + word, "size " + std::to_string(w[word]) + " bytes, but this operation has " + std::to_string(n * 4));
    };
    switch (w[0] & 255) {
    case 0x00:
      need(compact ? 3 : 6);
      if (!compact) size(5, 6);
      i.op = Instruction::Write, i.address = w[compact ? 1 : 2], i.value = w[compact ? 2 : 4];
      break;
    case 0x01: {
      int head = compact ? 3 : 4;
      need(head);
      at = i.word;
      int64_t n = w[compact ? 2 : 3] / 4;
      if (w[compact ? 2 : 3] % 4 || n < head) bad(i.word, "a blockwrite of " + std::to_string(w[compact ? 2 : 3]) + " bytes");
      need(n);
      i.op = Instruction::BlockWrite, i.address = w[compact ? 1 : 2];
      i.data.assign(w + head, w + n);
      break;
    }
    case 0x03:
      need(compact ? 4 : 7);
      if (!compact) size(6, 7);
      i.op = Instruction::MaskWrite;
      i.address = w[compact ? 1 : 2], i.value = w[compact ? 2 : 4], i.mask = w[compact ? 3 : 5];
      break;
    case 0x05: case 0x06:
      need(1);
      i.op = Instruction::Nop;
      break;
    case 0x0A: // the table of the scratchpad, which the host fills: it is all zeros here
      need(4);
      i.op = Instruction::Nop;
      break;
    case 0x0C:
      need(3);
      i.op = Instruction::Update, i.argument = int(w[0] >> 8 & 255), i.value = w[0] >> 16, i.mask = w[1], i.address = w[2];
      break;
    case 0x08:
      need(4);
      i.op = Instruction::Nop;
      break;
    case 0x80:
      need(4);
      size(1, 4);
      decodeSync(i, w);
      break;
    case 0x81:
      need(12);
      size(1, 12);
      i.op = Instruction::Patch, i.address = w[6], i.argument = int(w[8]), i.plus = int64_t(w[10]) | int64_t(w[11]) << 32;
      if (i.argument >= 5 && i.plus >= 0x80000000) i.plus -= 0x80000000; // folded in for an xclbin
      break;
    default: bad(at, "operation code " + std::to_string(w[0] & 255) + " is not known");
    }
    out.push_back(std::move(i));
  }
  if (int64_t(out.size()) != words[2])
    bad(2, "the header says " + std::to_string(words[2]) + " operations; the stream has " + std::to_string(out.size()));
  return out;
}

} // namespace sim
