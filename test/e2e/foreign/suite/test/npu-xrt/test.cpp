#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include "cxxopts.hpp"
#include "test_utils.h"
#include "xrt/xrt_bo.h"
#include "xrt/xrt_device.h"
#include "xrt/xrt_kernel.h"

int main(int argc, const char *argv[]) {
  cxxopts::Options options("add_one");
  test_utils::add_default_options(options);
  cxxopts::ParseResult vm;
  test_utils::parse_options(argc, argv, options, vm);
  std::vector<uint32_t> instr_v = test_utils::load_instr_binary(vm["instr"].as<std::string>());
  auto device = xrt::device(0);
  auto xclbin = xrt::xclbin(vm["xclbin"].as<std::string>());
  std::string Node = vm["kernel"].as<std::string>();
  auto xkernels = xclbin.get_kernels();
  auto xkernel = *std::find_if(xkernels.begin(), xkernels.end(), [Node](xrt::xclbin::kernel &k) {
    return k.get_name().rfind(Node, 0) == 0;
  });
  device.register_xclbin(xclbin);
  xrt::hw_context context(device, xclbin.get_uuid());
  auto kernel = xrt::kernel(context, xkernel.get_name());
  auto bo_instr = xrt::bo(device, instr_v.size() * sizeof(int), XCL_BO_FLAGS_CACHEABLE, kernel.group_id(1));
  auto bo_inA = xrt::bo(device, 64 * 4, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(3));
  auto bo_inB = xrt::bo(device, 64 * 4, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(4));
  auto bo_out = xrt::bo(device, 64 * 4, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(5));
  uint32_t *bufInA = bo_inA.map<uint32_t *>();
  for (int i = 0; i < 64; i++) bufInA[i] = i + 1;
  memcpy(bo_instr.map<void *>(), instr_v.data(), instr_v.size() * sizeof(int));
  bo_instr.sync(XCL_BO_SYNC_BO_TO_DEVICE);
  bo_inA.sync(XCL_BO_SYNC_BO_TO_DEVICE);
  unsigned int opcode = 3;
  auto run = kernel(opcode, bo_instr, instr_v.size(), bo_inA, bo_inB, bo_out);
  ert_cmd_state r = run.wait();
  if (r != ERT_CMD_STATE_COMPLETED) { std::cout << "Kernel did not complete\n"; return 1; }
  bo_out.sync(XCL_BO_SYNC_BO_FROM_DEVICE);
  uint32_t *out = bo_out.map<uint32_t *>();
  int errors = 0;
  for (uint32_t i = 0; i < 64; i++) if (out[i] != i + 2) errors++;
  if (!errors) { std::cout << "\nPASS!\n\n"; return 0; }
  std::cout << "\nfailed.\n\n";
  return 1;
}
