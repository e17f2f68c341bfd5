// A host in C++ that takes its options and its comparing from mlir-aie's library for hosts.
#include "cxxopts.hpp"
#include <algorithm>
#include <chrono>
#include <iostream>
#include <stdfloat>
#include <string>
#include <vector>

#include "test_utils.h"
#include "xrt/xrt_bo.h"
#include "xrt/xrt_device.h"
#include "xrt/xrt_kernel.h"

int main(int argc, const char *argv[]) {
  cxxopts::Options options("Scaled numbers");
  cxxopts::ParseResult vm;
  test_utils::add_default_options(options);
  options.add_options()("size,N", "how many", cxxopts::value<int>()->default_value("256"))(
      "factors", "what they are scaled by", cxxopts::value<std::vector<int>>());
  test_utils::parse_options(argc, argv, options, vm);
  const int verbosity = vm["verbosity"].as<int>(), count = vm["size"].as<int>();
  const int rounds = vm["warmup"].as<int>() + vm["iters"].as<int>();
  const std::vector<int> factors = vm["factors"].as<std::vector<int>>();

  std::vector<uint32_t> instructions = test_utils::load_instr_binary(vm["instr"].as<std::string>());
  xrt::device device;
  xrt::kernel kernel;
  test_utils::init_xrt_load_kernel(device, kernel, verbosity, vm["xclbin"].as<std::string>(), vm["kernel"].as<std::string>());
  const size_t words = instructions.size() * sizeof(int), bytes = count * sizeof(int32_t);
  auto bo_instr = xrt::bo(device, words, XCL_BO_FLAGS_CACHEABLE, kernel.group_id(1));
  auto bo_in = xrt::bo(device, bytes, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(3));
  auto bo_out = xrt::bo(device, bytes, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(4));
  auto bo_spare = xrt::bo(device, 1, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(5));
  bo_instr.write(instructions.data());
  bo_instr.sync(XCL_BO_SYNC_BO_TO_DEVICE);

  int errors = 0;
  for (int round = 0; round < rounds; round++) {
    std::vector<int32_t> in(count), out(count);
    for (int32_t &one : in)
      one = test_utils::random_int32_t(100);
    bo_in.write(in.data());
    bo_in.sync(XCL_BO_SYNC_BO_TO_DEVICE);
    auto run = kernel(3u, bo_instr, instructions.size(), bo_in, bo_out, bo_spare, 0);
    run.wait();
    bo_out.sync(XCL_BO_SYNC_BO_FROM_DEVICE);
    bo_out.read(out.data());
    for (int i = 0; i < count; i++)
      errors += !test_utils::nearly_equal(out[i], factors.at(0) * in[i]);
    if (verbosity >= 1)
      test_utils::print_matrix(out, 16);
  }
  const std::bfloat16_t third = std::bfloat16_t(1.0f / 3), scaled = std::bfloat16_t(float(third) * 3);
  errors += float(third) != 0.333984375f || float(scaled) != 1.0f || float(test_utils::random_bfloat16_t()) > 4;
  std::cout << (vm["verify"].as<bool>() && errors ? "failed." : "PASS!") << std::endl;
  return errors != 0;
}
