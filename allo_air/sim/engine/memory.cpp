#include "claim.h"
#include <algorithm>
#include <cstring>

namespace sim {

// What memory holds before the first write, so that nothing works by the zeros that hardware does not have.
static constexpr uint8_t kUnwritten = 0xA5;

static unsigned maskOf(Stamp s) { return unsigned(s >> 60); }
static int64_t siteOf(Stamp s) { unsigned site = unsigned(s >> 32) & 0xFFFF; return site == 0xFFFF ? -1 : int64_t(site); }
static constexpr Stamp kWho = 0x0FFF0000FFFFFFFFull; // party and epoch, without site and mask
static Stamp stamp(const Party &p, unsigned mask) {
  Stamp site = p.site < 0 || p.site > 0xFFFE ? 0xFFFF : Stamp(p.site);
  return Stamp(mask) << 60 | Stamp(p.index) << 48 | site << 32 | p.epoch;
}

Memory::Memory(int col, int row, int64_t bytes, Judge &judge, std::vector<Party *> &parties, bool bare)
    : col_(col), row_(row), size_(bytes), storage_(bare ? 128 : bytes + 128), judge_(judge), parties_(parties), mask_(bare ? 0 : bytes / 4),
      writer_(mask_.size()), reader_(mask_.size()), stretches_((mask_.size() + Stretch::kWords - 1) / Stretch::kWords) {
  std::fill(storage_.begin(), storage_.end(), kUnwritten);
  data_ = reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(storage_.data()) + 63) & ~uintptr_t(63));
}

void Memory::addBuffer(int64_t offset, int64_t bytes, const std::string &name) {
  auto at = std::upper_bound(buffers_.begin(), buffers_.end(), offset, [](int64_t o, const Extent &e) { return o < e.offset; });
  buffers_.insert(at, {offset, bytes, name});
  int64_t end = offset + bytes;
  if (end % 4 && !mask_.empty()) markWritten(end, 4 - end % 4); // DMAs read whole words
}

void Memory::markWritten(int64_t offset, int64_t bytes) {
  if (bytes > 0) mix(offset / 4, (offset + bytes - 1) / 4);
  for (int64_t b = offset; b < offset + bytes; ++b) mask_[b / 4] |= 1 << (b % 4);
}

void Memory::inherit(const Memory &before) {
  if (mask_.empty() || before.mask_.empty()) return;
  std::memcpy(data_, before.data_, size_t(std::min(size_, before.size_)));
  for (size_t i = 0; i < std::min(mask_.size(), before.mask_.size()); ++i)
    mask_[i] = before.stretches_[i / Stretch::kWords].mixed ? before.mask_[i] : 15;
}

const Extent *Memory::bufferAt(int64_t offset) const {
  auto at = std::upper_bound(buffers_.begin(), buffers_.end(), offset, [](int64_t o, const Extent &e) { return o < e.offset; });
  while (at != buffers_.begin()) {
    --at;
    if (offset < at->offset + at->bytes) return &*at;
  }
  return nullptr;
}

Finding Memory::finding(const char *kind, Party &party, int64_t word, const char *access, Cycle now) const {
  Finding f;
  f.kind = kind, f.cycle = now, f.agent = describe(party, party.site), f.col = col_, f.row = row_, f.address = word * 4, f.bytes = 4,
  f.access = access;
  if (const Extent *e = bufferAt(word * 4)) f.buffer = e->name;
  return f;
}

// Bytes [first, last) must lie in the memory and, where buffers are declared, in one of them.
bool Memory::inside(Party &party, int64_t first, int64_t last, const char *access, Cycle now) {
  bool fits = first >= 0 && last <= size_;
  const Extent *buffer = buffers_.empty() ? nullptr : bufferAt(first);
  if (fits && (buffers_.empty() || (buffer && last <= buffer->offset + buffer->bytes))) return true;
  if (fits && !buffer) { // bytes of a neighbouring word may belong to a buffer that begins inside of the range's first word
    buffer = bufferAt(first + 3);
    if (buffer && first / 4 == buffer->offset / 4 && last <= buffer->offset + buffer->bytes) return true;
  }
  if (fits && buffer && last <= (buffer->offset + buffer->bytes + 3) / 4 * 4) return true; // the buffer's last word
  Finding f = finding("out-of-buffer", party, first / 4, access, now);
  f.address = first, f.bytes = last - first;
  f.detail = fits ? (buffer ? "the access leaves buffer '" + buffer->name + "'" : "the access is outside of every buffer of the tile")
                  : "the access is outside of the tile's data memory of " + std::to_string(size_) + " bytes";
  if (buffer) f.value = last - (buffer->offset + buffer->bytes), f.wanted = buffer->bytes;
  judge_.report(std::move(f));
  return fits;
}

void Memory::race(Party &party, int64_t word, Stamp other, unsigned mask, const char *access, const char *otherAccess, Cycle now) {
  Finding f = finding("data-race", party, word, access, now);
  f.other = describe(*parties_[partyOf(other)], siteOf(other));
  f.otherAccess = otherAccess;
  f.detail = std::string("nothing orders this ") + access + " after the other's " + otherAccess + " of the same word";
  int number = judge_.report(std::move(f));
  if (*access == 'w' && !party.writesLate) judge_.unsettled(number, &party, data_ + word * 4, maskOf(other) & mask);
}

void Memory::readWord(Party &party, int64_t word, unsigned mask, Stamp me, Cycle now) {
  if ((mask_[word] & mask) != mask) {
    Finding f = finding("uninitialized-read", party, word, "read", now);
    f.detail = "memory is read that nothing has written";
    judge_.report(std::move(f));
    mask_[word] |= mask; // report it once
  }
  Stamp w = writer_[word];
  if (!ordered(party, w) && (maskOf(w) & mask)) race(party, word, w, mask, "read", "write", now);
  Stamp r = reader_[word];
  if (r == kMany) {
    auto &all = readers_[word];
    for (Stamp &s : all)
      if (partyOf(s) == unsigned(party.index)) {
        s = me;
        return;
      }
    all.push_back(me);
  } else if (ordered(party, r)) {
    reader_[word] = ((r ^ me) & kWho) == 0 ? me | (r & (Stamp(15) << 60)) : me;
  } else {
    readers_[word] = {r, me};
    reader_[word] = kMany;
  }
}

void Memory::writeWord(Party &party, int64_t word, unsigned mask, Stamp me, Cycle now) {
  Stamp w = writer_[word], r = reader_[word];
  if (!ordered(party, w) && (maskOf(w) & mask)) race(party, word, w, mask, "write", "write", now);
  if (r == kMany) {
    for (Stamp s : readers_[word])
      if (!ordered(party, s) && (maskOf(s) & mask)) race(party, word, s, mask, "write", "read", now);
    readers_.erase(word);
  } else if (!ordered(party, r) && (maskOf(r) & mask)) {
    race(party, word, r, mask, "write", "read", now);
  }
  mask_[word] |= mask;
  writer_[word] = ((w ^ me) & kWho) == 0 ? me | (w & (Stamp(15) << 60)) : me;
  reader_[word] = 0;
}

bool Memory::check(Party &party, int64_t at, int64_t words, int64_t step, const char *access, Cycle now) {
  int64_t last = at + (words - 1) * step;
  if (step == 1 || buffers_.empty() || bufferAt(at * 4) == bufferAt(last * 4))
    return inside(party, std::min(at, last) * 4, (std::max(at, last) + 1) * 4, access, now);
  for (int64_t i = 0; i < words; ++i)
    if (!inside(party, (at + i * step) * 4, (at + i * step + 1) * 4, access, now)) return false;
  return true;
}

void Memory::mix(int64_t first, int64_t last) {
  for (int64_t i = first / Stretch::kWords; i <= last / Stretch::kWords; ++i) {
    Stretch &s = stretches_[i];
    if (s.mixed) continue;
    const int64_t begin = i * Stretch::kWords, end = std::min(begin + Stretch::kWords, int64_t(mask_.size()));
    for (int64_t w = begin; w < end; ++w) mask_[w] = 15, writer_[w] = s.at(w - begin).writer, reader_[w] = s.at(w - begin).reader;
    s.mixed = true;
  }
}

bool Memory::readWords(Party &party, int64_t at, int64_t words, int64_t step, Cycle now) {
  const Stamp me = stamp(party, 15), first = writer_[at];
  Stamp known = 0; // the last writer found to be ordered
  bool alike = true;
  for (int64_t i = 0, w = at; i < words; ++i, w += step) {
    Stamp writer = writer_[w], reader = reader_[w];
    alike &= writer == first;
    if (mask_[w] == 15 && (writer == known || ordered(party, writer)) && (reader == 0 || partyOf(reader) == unsigned(party.index))) {
      known = writer;
      reader_[w] = me;
      continue;
    }
    alike = false;
    readWord(party, w, 15, me, now);
  }
  return alike;
}

void Memory::writeWords(Party &party, int64_t at, int64_t words, int64_t step, Cycle now) {
  const Stamp me = stamp(party, 15);
  Stamp knownWriter = 0, knownReader = 0;
  for (int64_t i = 0, w = at; i < words; ++i, w += step) {
    Stamp writer = writer_[w], reader = reader_[w];
    if (reader != kMany && (writer == knownWriter || ordered(party, writer)) && (reader == knownReader || ordered(party, reader))) {
      knownWriter = writer, knownReader = reader;
      mask_[w] = 15, writer_[w] = me, reader_[w] = 0;
      continue;
    }
    writeWord(party, w, 15, me, now);
  }
}

void Memory::read(Party &party, int64_t at, int64_t words, int64_t step, Cycle now) {
  party.touched = true;
  if (!claims.empty()) meet(std::min(at, at + (words - 1) * step), std::max(at, at + (words - 1) * step), false, now);
  if (step != 1) {
    const int64_t last = at + (words - 1) * step;
    mix(std::min(at, last), std::max(at, last));
    readWords(party, at, words, step, now);
    return;
  }
  const Stamp me = stamp(party, 15);
  for (const int64_t end = at + words; at < end;) {
    const int64_t i = at / Stretch::kWords, begin = i * Stretch::kWords, stop = std::min(end, begin + Stretch::kWords);
    Stretch &s = stretches_[i];
    auto mine = [&](const Stretch::Part &p) {
      return ordered(party, p.writer) && (p.reader == 0 || partyOf(p.reader) == unsigned(party.index));
    };
    auto note = [&](Stretch::Part p) { return Stretch::Part{p.writer, me}; };
    if (s.mixed || !s.all(at - begin, stop - begin, mine) || !s.set(at - begin, stop - begin, note)) {
      mix(at, at);
      const bool alike = readWords(party, at, stop - at, 1, now);
      if (alike && stop - at == Stretch::kWords) s.become({writer_[at], me});
    }
    at = stop;
  }
}

void Memory::write(Party &party, int64_t at, int64_t words, int64_t step, Cycle now) {
  party.touched = true;
  if (!claims.empty()) meet(std::min(at, at + (words - 1) * step), std::max(at, at + (words - 1) * step), true, now);
  if (step != 1) {
    const int64_t last = at + (words - 1) * step;
    mix(std::min(at, last), std::max(at, last));
    return writeWords(party, at, words, step, now);
  }
  const Stamp me = stamp(party, 15);
  for (const int64_t end = at + words; at < end;) {
    const int64_t i = at / Stretch::kWords, begin = i * Stretch::kWords, stop = std::min(end, begin + Stretch::kWords);
    Stretch &s = stretches_[i];
    auto before = [&](const Stretch::Part &p) { return ordered(party, p.writer) && ordered(party, p.reader); };
    auto note = [&](Stretch::Part) { return Stretch::Part{me, 0}; };
    if (s.mixed || !s.all(at - begin, stop - begin, before) || !s.set(at - begin, stop - begin, note)) {
      mix(at, at);
      writeWords(party, at, stop - at, 1, now);
      if (stop - at == Stretch::kWords) s.become({me, 0});
    }
    at = stop;
  }
}

static unsigned bytesOfWord(int64_t word, int64_t offset, int64_t end) {
  int64_t first = std::max<int64_t>(offset - word * 4, 0), last = std::min<int64_t>(end - word * 4, 4);
  return ((1u << last) - 1) & ~((1u << first) - 1);
}

bool Memory::readBytes(Party &party, int64_t offset, int64_t bytes, Cycle now) {
  if (bytes <= 0) return true;
  if (!inside(party, offset, offset + bytes, "read", now)) return false;
  if (offset % 4 == 0 && bytes % 4 == 0) {
    read(party, offset / 4, bytes / 4, 1, now);
    return true;
  }
  party.touched = true;
  if (!claims.empty()) meet(offset / 4, (offset + bytes - 1) / 4, false, now);
  mix(offset / 4, (offset + bytes - 1) / 4);
  for (int64_t w = offset / 4; w * 4 < offset + bytes; ++w) {
    unsigned mask = bytesOfWord(w, offset, offset + bytes);
    readWord(party, w, mask, stamp(party, mask), now);
  }
  return true;
}

bool Memory::writeBytes(Party &party, int64_t offset, int64_t bytes, Cycle now) {
  if (bytes <= 0) return true;
  if (!inside(party, offset, offset + bytes, "write", now)) return false;
  if (offset % 4 == 0 && bytes % 4 == 0) {
    write(party, offset / 4, bytes / 4, 1, now);
    return true;
  }
  party.touched = true;
  if (!claims.empty()) meet(offset / 4, (offset + bytes - 1) / 4, true, now);
  mix(offset / 4, (offset + bytes - 1) / 4);
  for (int64_t w = offset / 4; w * 4 < offset + bytes; ++w) {
    unsigned mask = bytesOfWord(w, offset, offset + bytes);
    writeWord(party, w, mask, stamp(party, mask), now);
  }
  return true;
}

} // namespace sim
