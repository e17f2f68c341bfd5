// The engine's constants, as allo_air/arch/timing.py names and sources them.
#pragma once
#include <map>
#include <string>

namespace sim {

struct Timing {
  explicit Timing(const std::map<std::string, double> &values);
  double stream_words_per_cycle, core_stream_fifo_words;
  double dma_channel_start, dma_bd_setup, dma_lock_acquire, dma_lock_release, dma_memory_latency;
  double dma_mm2s_fill, dma_bd_gap_s2mm, dma_bd_gap_mm2s, s2mm_fifo_words, mm2s_staging_words, packet_arbitration;
  double core_lock_issue, core_lock_request, core_lock_wake, core_lock_resume, core_lock_return, core_stream_call, cascade_latency, cascade_depth;
  double shim_mm2s_overhead, shim_mm2s_cold, shim_mm2s_cold_late, shim_mm2s_decay, shim_mm2s_cycles_per_word;
  double shim_s2mm_overhead, shim_s2mm_cold, shim_s2mm_cycles_per_word;
  double shim_column_bytes_per_cycle;
  double ddr_bytes_per_cycle, ddr_read_bytes_per_cycle, ddr_run_bytes, ddr_line_words, ddr_page_words, ddr_uncached, ddr_grant_words, ddr_noise, ddr_refresh_interval, ddr_refresh;
  double controller_write32, controller_blockwrite, controller_blockwrite_word, controller_maskwrite, controller_patch;
  double controller_sync, controller_other, controller_push_interval, token_latency, token_tail, burst;
};

} // namespace sim
