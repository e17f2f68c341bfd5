// The register map of the three kinds of tile (docs/sources.md#device): where blocks of registers begin, and what others are called.
#pragma once
#include "types.h"

namespace sim {

struct RegisterMap {
  uint32_t lock, bd, s2mm, mm2s, s2mmStatus, mm2sStatus;
  uint32_t channel(int direction) const { return direction == kS2MM ? s2mm : mm2s; }
  uint32_t status(int direction) const { return direction == kS2MM ? s2mmStatus : mm2sStatus; }
};

RegisterMap registerMap(TileKind kind);

constexpr uint32_t kCoreControl = 0x32000, kCoreStatus = 0x32004, kProcessorBus = 0x32038;
constexpr Word kCoreEnable = 1, kCoreReset = 2;

// Module_Clock_Control, whose bit 3 makes a missing TLAST of control packets an error (as mlir-aie's hardware tests clear it).
inline uint32_t clockControl(TileKind kind) { return kind == TileKind::Core ? 0x60000 : 0xFFF00; }
constexpr Word kTlastError = 1 << 3;

// The name of the register, or of the block of registers, at an offset; empty where the map has none.
const char *registerName(TileKind kind, uint32_t offset);

// Registers that keep what is written and change nothing that is simulated: performance counters, groups, watchpoints, core debug.
bool isKept(TileKind kind, uint32_t offset);

} // namespace sim
