#include "register_map.h"
#include <vector>

namespace sim {

RegisterMap registerMap(TileKind kind) {
  switch (kind) {
  case TileKind::Core: return {0x1F000, 0x1D000, 0x1DE00, 0x1DE10, 0x1DF00, 0x1DF10};
  case TileKind::Mem: return {0xC0000, 0xA0000, 0xA0600, 0xA0630, 0xA0660, 0xA0680};
  default: return {0x14000, 0x1D000, 0x1D200, 0x1D210, 0x1D220, 0x1D228};
  }
}

namespace {
struct Block {
  uint32_t first, end;
  const char *name;
};
} // namespace

static const std::vector<Block> &blocks(TileKind kind) {
  static const std::vector<Block> core = {
      {0x11000, 0x12000, "Performance_Control (memory module)"}, {0x14000, 0x15000, "events and trace (memory module)"},
      {0x1D000, 0x1D200, "DMA_BD"}, {0x1DE00, 0x1DE20, "DMA channel control"}, {0x1DF00, 0x1DF20, "DMA status"},
      {0x1F000, 0x1F100, "Lock_value"}, {0x1F100, 0x20000, "lock events"}, {0x20000, 0x24000, "Program_Memory"},
      {0x30000, 0x31500, "registers of the core (Core_R, Core_PC, ...)"}, {0x31500, 0x32000, "Performance_Control (core module)"},
      {0x32000, 0x32004, "Core_Control"}, {0x32004, 0x32008, "Core_Status"}, {0x32008, 0x32038, "core debug and error halt"}, {0x32038, 0x3203C, "Core_Processor_Bus"}, {0x3203C, 0x34000, "core debug"},
      {0x34000, 0x36000, "events and trace (core module)"}, {0x36060, 0x36064, "Accumulator_Control"}, {0x36000, 0x3F000, "Tile_Control"},
      {0x3F000, 0x3F100, "Stream_Switch_Master_Config"}, {0x3F100, 0x3F200, "Stream_Switch_Slave_Config"},
      {0x3F200, 0x3F800, "Stream_Switch_Slave_Slot"}, {0x3F800, 0x3FF00, "Stream_Switch_Deterministic_Merge"},
      {0x3FF00, 0x3FF20, "Stream_Switch_Event_Port_Selection"}, {0x3FF20, 0x40000, "stream switch status"},
      {0x40000, 0x44000, "Lock_Request"}, {0x60000, 0x60004, "Module_Clock_Control"}, {0x60004, 0x60100, "Module_Reset_Control"}};
  static const std::vector<Block> mem = {
      {0x91000, 0x92000, "Performance_Control"}, {0x94000, 0x95000, "events and trace"}, {0x96000, 0x97000, "memory control"},
      {0xA0000, 0xA0600, "DMA_BD"}, {0xA0600, 0xA0660, "DMA channel control"}, {0xA0660, 0xA06A0, "DMA status"},
      {0xA06A0, 0xA06A4, "DMA_Event_Channel_Selection"}, {0xB0000, 0xB0100, "Stream_Switch_Master_Config"},
      {0xB0100, 0xB0200, "Stream_Switch_Slave_Config"}, {0xB0200, 0xB0800, "Stream_Switch_Slave_Slot"},
      {0xB0800, 0xB0F00, "Stream_Switch_Deterministic_Merge"}, {0xB0F00, 0xB0F20, "Stream_Switch_Event_Port_Selection"},
      {0xB0F20, 0xB1000, "stream switch status"}, {0xC0000, 0xC0400, "Lock_value"}, {0xC0400, 0xD0000, "lock events"},
      {0xD0000, 0xE0000, "Lock_Request"}, {0xFFF00, 0xFFF04, "Module_Clock_Control"}, {0xFFF04, 0xFFF20, "Module_Reset_Control"}};
  static const std::vector<Block> shim = {
      {0x14000, 0x14100, "Lock_value"}, {0x14100, 0x15000, "lock events"}, {0x1D000, 0x1D200, "DMA_BD"},
      {0x1D200, 0x1D220, "DMA channel control"}, {0x1D220, 0x1D230, "DMA status"}, {0x1E000, 0x1F000, "NoC interface control"},
      {0x1F000, 0x1F004, "Mux_Config"}, {0x1F004, 0x1F008, "Demux_Config"}, {0x31000, 0x32000, "Performance_Control"},
      {0x34000, 0x35000, "events and trace"}, {0x35000, 0x36000, "interrupts"}, {0x36000, 0x3F000, "Tile_Control"},
      {0x3F000, 0x3F100, "Stream_Switch_Master_Config"}, {0x3F100, 0x3F200, "Stream_Switch_Slave_Config"},
      {0x3F200, 0x3F800, "Stream_Switch_Slave_Slot"}, {0x3F800, 0x3FF00, "Stream_Switch_Deterministic_Merge"},
      {0x3FF00, 0x3FF20, "Stream_Switch_Event_Port_Selection"}, {0x3FF20, 0x40000, "stream switch status"},
      {0x40000, 0x44000, "Lock_Request"}, {0xFFF00, 0xFFF04, "Module_Clock_Control"}, {0xFFF04, 0xFFF20, "Module_Reset_Control"}};
  return kind == TileKind::Core ? core : kind == TileKind::Mem ? mem : shim;
}

const char *registerName(TileKind kind, uint32_t offset) {
  for (const Block &b : blocks(kind))
    if (offset >= b.first && offset < b.end) return b.name;
  return "";
}

bool isKept(TileKind kind, uint32_t offset) {
  if (offset == clockControl(kind)) return true;
  if (kind == TileKind::Mem) return (offset >= 0x90000 && offset < 0xA0000) || offset == 0xA06A0 || (offset >= 0xB0000 && offset < 0xC0000);
  if (kind == TileKind::Core && offset >= 0x11000 && offset < 0x15000) return true;
  return offset >= 0x30000 && offset < 0x40000;
}

} // namespace sim
