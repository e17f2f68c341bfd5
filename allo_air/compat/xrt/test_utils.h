// What hosts of mlir-aie and mlir-air include as test_utils.h: options of the command line, files of instructions, comparing.
#ifndef ALLO_AIR_TEST_UTILS_H
#define ALLO_AIR_TEST_UTILS_H

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>
#if __cplusplus > 202002L
#include <stdfloat>
#endif

#include <cxxopts.hpp>
#include <xrt_on_simulator.hpp>

namespace test_utils {

/// Throws std::runtime_error where option `name`, a file, is missing or cannot be read.
inline void check_arg_file_exists(const cxxopts::ParseResult &result, std::string name) {
  if (!result.count(name))
    throw std::runtime_error("Error: no " + name + " file was provided");
  const std::string path = result[name].as<std::string>();
  if (!std::ifstream(path))
    throw std::runtime_error("The " + name + " file " + path + " does not exist.");
}

/// The options that hosts share.
inline void add_default_options(cxxopts::Options &options) {
  options.add_options()("help,h", "produce help message")("xclbin,x", "the input xclbin path", cxxopts::value<std::string>())(
      "kernel,k", "the kernel name in the XCLBIN (for instance PP_PRE_FD)", cxxopts::value<std::string>())(
      "verbosity,v", "the verbosity of the output", cxxopts::value<int>()->default_value("0"))(
      "instr,i", "path of file containing userspace instructions sent to the NPU", cxxopts::value<std::string>())(
      "verify", "whether to verify the AIE computed output", cxxopts::value<bool>()->default_value("true"))(
      "iters", "the number of iterations", cxxopts::value<int>()->default_value("1"))(
      "warmup", "the number of iterations that are not measured", cxxopts::value<int>()->default_value("0"))(
      "trace_sz,t", "trace size", cxxopts::value<int>()->default_value("0"))(
      "trace_file", "where to store trace output", cxxopts::value<std::string>()->default_value("trace.txt"))(
      "b_col_maj", "whether B is column by column", cxxopts::value<int>()->default_value("0"))(
      "c_col_maj", "whether C is column by column", cxxopts::value<int>()->default_value("0"));
}

/// Reads the command line, and checks that the files that it names are there; ends the program where that fails or help is asked.
template <typename Arguments>
void parse_options(int argc, Arguments argv, cxxopts::Options &options, cxxopts::ParseResult &result) {
  try {
    result = options.parse(argc, argv);
    if (result.count("help")) {
      std::cout << options.help() << "\n";
      std::exit(1);
    }
    check_arg_file_exists(result, "xclbin");
    check_arg_file_exists(result, "instr");
  } catch (const std::exception &error) {
    std::cerr << error.what() << "\n\nUsage:\n" << options.help() << "\n";
    std::exit(1);
  }
}

/// Instruction words, in binary.
inline std::vector<std::uint32_t> load_instr_binary(std::string path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("Unable to open instruction file " + path);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  return words;
}

/// Instruction words, a line of hexadecimal digits each, or in binary.
inline std::vector<std::uint32_t> load_instr_sequence(std::string path) {
  std::ifstream in(path);
  if (!in)
    throw std::runtime_error("Unable to open instruction file " + path);
  std::vector<std::uint32_t> words;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of("0123456789abcdefABCDEFxX \t\r") != std::string::npos)
      return load_instr_binary(path);
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      words.push_back(static_cast<std::uint32_t>(std::stoul(line, nullptr, 16)));
  }
  return words;
}

/// Opens the device and the kernel whose name begins with `name`.
inline void init_xrt_load_kernel(xrt::device &device, xrt::kernel &kernel, int verbosity, std::string file, std::string name) {
  device = xrt::device(0u);
  if (verbosity >= 1)
    std::cout << "Loading xclbin: " << file << "\n";
  xrt::xclbin program(file);
  for (const auto &one : program.get_kernels())
    if (one.get_name().rfind(name, 0) == 0) {
      device.register_xclbin(program);
      kernel = xrt::kernel(xrt::hw_context(device, program.get_uuid()), one.get_name());
      return;
    }
  throw std::runtime_error("no kernel '" + name + "' in '" + file + "'");
}

inline std::int32_t random_int32_t(std::int32_t range = 64) { return std::rand() % range; }
inline std::int16_t random_int16_t(std::int32_t range = 64) { return static_cast<std::int16_t>(std::rand() % range); }
inline std::int8_t random_int8_t(std::int32_t range = 64) { return static_cast<std::int8_t>(std::rand() % range); }
inline std::uint8_t random_uint8_t(std::int32_t range = 64) { return static_cast<std::uint8_t>(std::rand() % range); }
#if defined(__STDCPP_BFLOAT16_T__) || defined(ALLO_AIR_BFLOAT16)
inline std::bfloat16_t random_bfloat16_t(std::bfloat16_t scale = std::bfloat16_t(4.0f),
                                         std::bfloat16_t bias = std::bfloat16_t(0.0f)) {
  return std::bfloat16_t(float(scale) * float(std::rand()) / float(RAND_MAX) + float(bias));
}
#endif

/// Whether `a` and `b` are within `relative` of their sizes, or `absolute`.
inline bool nearly_equal(float a, float b, float relative = 128 * FLT_EPSILON, float absolute = FLT_MIN) {
  if (a == b)
    return true;
  const float size = std::min(std::abs(a) + std::abs(b), std::numeric_limits<float>::max());
  return std::abs(a - b) < std::max(absolute, relative * size);
}

/// Prints a matrix, with dots for rows and columns beyond the given numbers.
template <typename T>
void print_matrix(const std::vector<T> matrix, int columns, int most_rows = 10, int most_columns = 10,
                  std::ostream &out = std::cout, const char separator[] = "  ", const char dots[] = " ... ", int width = -1) {
  const int rows = columns ? static_cast<int>(matrix.size()) / columns : 0;
  const auto shown = [](int n, int most, int i) { return n <= most || i < most / 2 || i >= n - (most - most / 2); };
  for (int r = 0; r < rows; ++r) {
    if (!shown(rows, most_rows, r)) {
      out << (r == most_rows / 2 ? std::string(dots) + "\n" : "");
      continue;
    }
    for (int c = 0; c < columns; ++c)
      if (shown(columns, most_columns, c))
        out << separator << std::setw(width < 0 ? 6 : width) << +matrix[static_cast<std::size_t>(r) * columns + c];
      else
        out << (c == most_columns / 2 ? dots : "");
    out << "\n";
  }
}

/// Writes words of a trace, a line of hexadecimal digits each.
inline void write_out_trace(char *words, std::size_t bytes, std::string path) {
  std::ofstream out(path);
  for (std::size_t i = 0; i + 4 <= bytes; i += 4) {
    std::uint32_t word;
    std::memcpy(&word, words + i, 4);
    out << std::setfill('0') << std::setw(8) << std::hex << word << "\n";
  }
}

} // namespace test_utils

#endif
