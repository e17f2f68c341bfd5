// A host in C++, as programs for XRT have them.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "xrt/xrt_bo.h"
#include "xrt/xrt_device.h"
#include "xrt/xrt_kernel.h"

static std::vector<uint32_t> load_instructions(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

int main(int argc, const char *argv[]) {
  const std::string node = argc > 3 ? argv[3] : "MLIR_AIE";
  std::vector<uint32_t> instructions = load_instructions(argv[2]);
  auto device = xrt::device(0u);
  auto xclbin = xrt::xclbin(std::string(argv[1]));
  auto xkernels = xclbin.get_kernels();
  auto xkernel = *std::find_if(xkernels.begin(), xkernels.end(),
                               [&](xrt::xclbin::kernel &k) { return k.get_name().rfind(node, 0) == 0; });
  device.register_xclbin(xclbin);
  xrt::hw_context context(device, xclbin.get_uuid());
  auto kernel = xrt::kernel(context, xkernel.get_name());

  const size_t count = 256, bytes = count * sizeof(int32_t);
  auto bo_instr = xrt::bo(device, instructions.size() * sizeof(int), XCL_BO_FLAGS_CACHEABLE, kernel.group_id(1));
  auto bo_in = xrt::bo(device, bytes, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(3));
  auto bo_out = xrt::bo(device, bytes, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(4));
  std::memcpy(bo_instr.map<void *>(), instructions.data(), instructions.size() * sizeof(int));
  int32_t *in = bo_in.map<int32_t *>(), *out = bo_out.map<int32_t *>();
  bo_instr.sync(XCL_BO_SYNC_BO_TO_DEVICE);

  int errors = 0;
  for (int iteration = 0; iteration < 3; iteration++) {
    for (size_t i = 0; i < count; i++)
      in[i] = static_cast<int32_t>(i) + iteration;
    bo_in.sync(XCL_BO_SYNC_BO_TO_DEVICE);
    auto start = std::chrono::high_resolution_clock::now();
    unsigned int opcode = 3;
    auto run = kernel(opcode, bo_instr, instructions.size(), bo_in, bo_out);
    ert_cmd_state state = run.wait();
    auto stop = std::chrono::high_resolution_clock::now();
    if (state != ERT_CMD_STATE_COMPLETED || stop < start)
      return 2;
    bo_out.sync(XCL_BO_SYNC_BO_FROM_DEVICE);
    for (size_t i = 0; i < count; i++)
      errors += out[i] != 3 * in[i];
  }
  std::cout << (errors ? "failed." : "PASS!") << std::endl;
  return errors != 0;
}
