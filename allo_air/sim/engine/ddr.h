// Host buffers and the memory bus that all shim channels share.
#pragma once
#include "origins.h"
#include "timing.h"
#include "types.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
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

  // How long a word keeps a path, in words: by the lines that a run touches, and by what it costs to begin.
  struct Share {
    double lines = 1, starts = 0;
  };
  // The cycle from which `words` words asked for now move. They keep the bus as long as their `share` says, reads also their own
  // path, on which lines are slower but a run takes as long to begin, and the port of their column and direction, which is free
  // from `port` on, as long as their bytes.
  double reserve(double now, int64_t words, Share share, bool reads, double &port) {
    bytesMoved += 4 * words;
    double bytes = 4.0 * double(words), start = std::max(now, free_), begin = 0;
    if (timing_.ddr_bytes_per_cycle > 0) {
      begin = bytes * share.starts / timing_.ddr_bytes_per_cycle;
      free_ = start + bytes * share.lines / timing_.ddr_bytes_per_cycle + begin;
    }
    if (reads && timing_.ddr_read_bytes_per_cycle > 0) {
      start = std::max(start, readFree_);
      readFree_ = start + bytes * share.lines / timing_.ddr_read_bytes_per_cycle + begin;
    }
    if (timing_.shim_column_bytes_per_cycle <= 0) return start;
    start = std::max(start, port);
    port = start + bytes / timing_.shim_column_bytes_per_cycle;
    return start;
  }
  // The share of runs of `words` words, which begin at any multiple of their length (allo_air/arch/memory.py).
  Share share(int64_t words, bool cached) const {
    int64_t run = std::max<int64_t>(words, 1), line = int64_t(timing_.ddr_line_words);
    double lines = line > 0 ? double(run + line - std::gcd(run, line)) : double(run);
    double pieces = timing_.ddr_page_words > 0 ? std::max(1.0, double(run) / timing_.ddr_page_words) : 1;
    double slower = (cached ? 1 : timing_.ddr_uncached) / double(run);
    return {lines * slower, timing_.ddr_run_bytes / 4 * pieces * slower};
  }
  int64_t refreshes(double now) const { return timing_.ddr_refresh_interval > 0 ? int64_t(now / timing_.ddr_refresh_interval) : 0; }
  double latency(double mean) {
    if (timing_.ddr_noise <= 0) return mean;
    std::exponential_distribution<double> tail(1.0 / (mean * timing_.ddr_noise));
    return mean * (1 - timing_.ddr_noise) + tail(random_);
  }

private:
  const Timing &timing_;
  double free_ = 0, readFree_ = 0;
  std::mt19937_64 random_;
};

} // namespace sim
