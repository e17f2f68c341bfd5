// Host buffers and the memory bus that all shim channels share.
#pragma once
#include "origins.h"
#include "timing.h"
#include "types.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace sim {

struct HostBuffer {
  uint8_t *data;
  int64_t bytes;
  Bytes origins = {};
  std::vector<uint8_t> writes = {}; // of each word, counted to 255; none where nothing was written
  bool read = false;
  bool open = false;         // a BD that writes it was not done when the run ended
  std::optional<Actor> again = {}; // who was the first to write a word that was written before

  // `words` words from word `at`, `step` words apart, are written by `who`.
  void wrote(int64_t at, int64_t words, int64_t step, const Actor &who) {
    if (writes.empty()) writes.resize(size_t((bytes + 3) / 4));
    for (int64_t i = 0; i < words; ++i) {
      uint8_t &count = writes[size_t(at + i * step)];
      if (count < 255) ++count;
      if (count == 2 && !again) again = who;
    }
  }
};

class Ddr {
public:
  Ddr(const Timing &timing, int seed) : timing_(timing), random_(uint64_t(seed)) {}
  std::map<int, HostBuffer> buffers; // by argument
  int64_t bytesMoved = 0;

  // Addresses that the simulation gives to arguments; BDs hold 48 bits.
  static int64_t base(int argument) { return int64_t(argument + 1) << 36; }
  static int argumentOf(int64_t address) { return int(address >> 36) - 1; }

  // The cycle from which `words` words asked for now move; they keep the bus `share` times as long as their bytes alone would.
  double reserve(double now, int64_t words, double share) {
    bytesMoved += 4 * words;
    double start = std::max(now, free_);
    if (timing_.ddr_bytes_per_cycle > 0) free_ = start + 4.0 * double(words) * share / timing_.ddr_bytes_per_cycle;
    return start;
  }
  // Bytes that the memory moves for each one of runs of `words` words: whole lines.
  double share(int64_t words) const {
    double line = timing_.ddr_line_words, run = double(std::max<int64_t>(words, 1));
    return line > 0 ? std::ceil(run / line) * line / run : 1;
  }
  int64_t refreshes(double now) const { return timing_.ddr_refresh_interval > 0 ? int64_t(now / timing_.ddr_refresh_interval) : 0; }
  double latency(double mean) {
    if (timing_.ddr_noise <= 0) return mean;
    std::exponential_distribution<double> tail(1.0 / (mean * timing_.ddr_noise));
    return mean * (1 - timing_.ddr_noise) + tail(random_);
  }

private:
  const Timing &timing_;
  double free_ = 0;
  std::mt19937_64 random_;
};

} // namespace sim
