// Runs kernel systolic by XRT on input0.data, input1.data, ..., which it writes back.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: host XCLBIN" << std::endl;
    return 1;
  }
  xrt::device device(0);
  auto uuid = device.load_xclbin(argv[1]);
  xrt::kernel kernel(device, uuid, "systolic");
  const std::vector<size_t> sizes = {60, 40, 96};
  std::vector<xrt::bo> buffers;
  xrt::run run(kernel);
  for (size_t i = 0; i < sizes.size(); i++) {
    buffers.emplace_back(device, sizes[i], kernel.group_id(i));
    std::ifstream file("input" + std::to_string(i) + ".data", std::ios::binary);
    if (file)
      file.read(buffers[i].map<char *>(), sizes[i]);
    buffers[i].sync(XCL_BO_SYNC_BO_TO_DEVICE);
    run.set_arg(i, buffers[i]);
  }
  run.start();
  run.wait();
  for (size_t i = 0; i < sizes.size(); i++) {
    buffers[i].sync(XCL_BO_SYNC_BO_FROM_DEVICE);
    std::ofstream("output" + std::to_string(i) + ".data", std::ios::binary).write(buffers[i].map<char *>(), sizes[i]);
  }
  return 0;
}
