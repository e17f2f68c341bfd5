// Host buffers and the memory bus that all shim channels share.
#pragma once
#include "origins.h"
#include "timing.h"
#include "types.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace sim {

struct HostBuffer {
  uint8_t *data;
  int64_t bytes;
  Bytes origins = {};
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
