// What a host reads from its command line by Boost's interface.
#include <boost/program_options.hpp>
#include <iostream>
#include <string>
#include <vector>

namespace po = boost::program_options;

int main(int argc, const char *argv[]) {
  po::options_description desc("Allowed options");
  po::variables_map vm;
  int iterations = 0;
  desc.add_options()("help,h", "produce help message")("xclbin,x", po::value<std::string>()->required(), "the input xclbin path")(
      "kernel,k", po::value<std::string>()->default_value("MLIR_AIE"), "the kernel name")(
      "verbosity,v", po::value<int>()->default_value(0), "the verbosity of the output")(
      "iters", po::value<int>(&iterations)->default_value(1), "iterations")("verify", po::value<bool>()->default_value(true), "check")(
      "sizes", po::value<std::vector<int>>()->multitoken(), "sizes")("quiet,q", po::bool_switch(), "say less");
  try {
    po::store(po::parse_command_line(argc, argv, desc), vm);
    if (vm.count("help")) {
      std::cout << desc << "\n";
      return 1;
    }
    po::notify(vm);
  } catch (const std::exception &ex) {
    std::cerr << ex.what() << "\n\nUsage:\n" << desc << "\n";
    return 1;
  }
  int total = 0;
  if (vm.count("sizes"))
    for (int size : vm["sizes"].as<std::vector<int>>())
      total += size;
  std::cout << vm["xclbin"].as<std::string>() << ' ' << vm["kernel"].as<std::string>() << ' ' << vm["verbosity"].as<int>() << ' '
            << iterations << ' ' << vm["verify"].as<bool>() << ' ' << vm["quiet"].as<bool>() << ' ' << total << "\n";
}
