#include "timing.h"
#include <stdexcept>

namespace sim {

Timing::Timing(const std::map<std::string, double> &values) {
  size_t used = 0;
  auto take = [&](const char *name) {
    auto it = values.find(name);
    if (it == values.end()) throw std::invalid_argument(std::string("timing has no constant '") + name + "'");
    if (!(it->second >= 0)) throw std::invalid_argument(std::string("timing constant '") + name + "' is negative");
    ++used;
    return it->second;
  };
#define TAKE(name) name = take(#name)
  TAKE(stream_words_per_cycle), TAKE(core_stream_fifo_words);
  TAKE(dma_channel_start), TAKE(dma_bd_setup), TAKE(dma_lock_acquire), TAKE(dma_lock_release), TAKE(dma_memory_latency);
  TAKE(dma_mm2s_fill), TAKE(dma_bd_gap_s2mm), TAKE(dma_bd_gap_mm2s), TAKE(s2mm_fifo_words), TAKE(mm2s_staging_words);
  TAKE(packet_arbitration), TAKE(core_lock_issue), TAKE(core_lock_request),
  TAKE(core_lock_wake), TAKE(core_lock_resume), TAKE(core_lock_return), TAKE(core_stream_call);
  TAKE(cascade_latency), TAKE(cascade_depth);
  TAKE(shim_mm2s_overhead), TAKE(shim_mm2s_cold), TAKE(shim_mm2s_cold_late), TAKE(shim_mm2s_decay), TAKE(shim_mm2s_cycles_per_word);
  TAKE(shim_s2mm_overhead), TAKE(shim_s2mm_cold), TAKE(shim_s2mm_cycles_per_word);
  TAKE(shim_column_bytes_per_cycle), TAKE(ddr_run_bytes), TAKE(ddr_page_words), TAKE(ddr_uncached);
  TAKE(ddr_bytes_per_cycle), TAKE(ddr_read_bytes_per_cycle), TAKE(ddr_line_words), TAKE(ddr_grant_words), TAKE(ddr_noise);
  TAKE(ddr_refresh_interval), TAKE(ddr_refresh);
  TAKE(controller_write32), TAKE(controller_blockwrite), TAKE(controller_blockwrite_word), TAKE(controller_maskwrite);
  TAKE(controller_patch), TAKE(controller_sync), TAKE(controller_other), TAKE(controller_push_interval);
  TAKE(token_latency), TAKE(token_tail), TAKE(burst);
#undef TAKE
  if (used != values.size()) throw std::invalid_argument("timing has constants that the engine does not know");
  if (stream_words_per_cycle < 1) throw std::invalid_argument("stream_words_per_cycle must be at least 1");
}

} // namespace sim
