// XRT's C++ interface, as hosts of NPU programs use it, on allo_air's simulator.
//
// A program compiled against these headers runs under allo-env: kernels are calls of a helper process, which reads what
// XRTBackend, aircc or aiecc of allo_air wrote. Buffers have two sides, the host's and the device's, and sync copies.
#ifndef ALLO_AIR_XRT_ON_SIMULATOR_HPP
#define ALLO_AIR_XRT_ON_SIMULATOR_HPP

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <xrt_buffer_on_simulator.hpp>
#include <xrt_simulator_process.hpp>

enum ert_cmd_state {
  ERT_CMD_STATE_NEW = 1,
  ERT_CMD_STATE_QUEUED = 2,
  ERT_CMD_STATE_RUNNING = 3,
  ERT_CMD_STATE_COMPLETED = 4,
  ERT_CMD_STATE_ERROR = 5,
  ERT_CMD_STATE_ABORT = 6,
  ERT_CMD_STATE_SUBMITTED = 7,
  ERT_CMD_STATE_TIMEOUT = 8,
  ERT_CMD_STATE_NORESPONSE = 9,
};

namespace xrt {

namespace detail {

inline std::string absolute(const std::string &path) {
  char *found = ::realpath(path.c_str(), nullptr);
  if (!found)
    throw std::runtime_error("cannot read '" + path + "': no such file");
  std::string text(found);
  std::free(found);
  return text;
}

} // namespace detail

/// Names a program.
class uuid {
public:
  uuid() = default;
  explicit uuid(std::string text) : text_(std::move(text)) {}
  std::string to_string() const { return text_; }
  bool operator==(const uuid &other) const { return text_ == other.text_; }
  bool operator!=(const uuid &other) const { return text_ != other.text_; }
  explicit operator bool() const { return !text_.empty(); }

private:
  std::string text_;
};

/// A compiled program, read from its file.
class xclbin {
public:
  class kernel {
  public:
    kernel() = default;
    explicit kernel(std::string name) : name_(std::move(name)) {}
    std::string get_name() const { return name_; }

  private:
    std::string name_;
  };

  xclbin() = default;
  explicit xclbin(const std::string &path) : path_(detail::absolute(path)) {}

  std::vector<kernel> get_kernels() const {
    std::vector<kernel> found;
    std::string names = detail::helper::get().ask("kernels " + path_ + "\n"), one;
    for (char c : names + "\t")
      if (c != '\t')
        one += c;
      else if (!one.empty())
        found.emplace_back(std::exchange(one, {}));
    return found;
  }

  kernel get_kernel(const std::string &name) const {
    for (const kernel &k : get_kernels())
      if (k.get_name() == name)
        return k;
    throw std::runtime_error("no kernel '" + name + "' in '" + path_ + "'");
  }

  uuid get_uuid() const { return uuid(path_); }
  std::string get_xsa_name() const { return "allo_air simulator"; }
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

/// A compiled program in the format that holds its instructions, too.
class elf {
public:
  explicit elf(const std::string &path) : path_(detail::absolute(path)) {}
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

/// What ext::kernel takes of an ELF file.
class module {
public:
  explicit module(const elf &of) : path_(of.path()) {}
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

namespace info {
enum class device { bdf, interface_uuid, kdma, max_clock_frequency_mhz, m2m, name, nodma };
} // namespace info

/// An NPU.
class device {
public:
  device() = default;
  explicit device(unsigned) {}
  explicit device(const std::string &) {}

  uuid register_xclbin(const xclbin &program) { return *last_ = program.get_uuid(); }
  uuid load_xclbin(const xclbin &program) { return register_xclbin(program); }
  uuid load_xclbin(const std::string &path) { return register_xclbin(xclbin(path)); }
  uuid get_xclbin_uuid() const { return *last_; }

  template <info::device what> std::string get_info() const {
    return what == info::device::bdf ? "0000:c5:00.1" : "allo_air simulator";
  }

private:
  std::shared_ptr<uuid> last_ = std::make_shared<uuid>();
};

/// A program on a device.
class hw_context {
public:
  enum class access_mode : std::uint8_t { exclusive, shared };

  hw_context() = default;
  hw_context(const device &, const uuid &program) : path_(program.to_string()) {}
  template <typename Options> hw_context(const device &, const uuid &program, const Options &) : path_(program.to_string()) {}
  hw_context(const device &, const elf &program) : path_(program.path()), elf_(true) {}

  const std::string &path() const { return path_; }
  bool is_elf() const { return elf_; }

private:
  std::string path_;
  bool elf_ = false;
};

class run;

/// A program's kernel: a call runs it on buffers and returns the run, which has ended.
class kernel {
public:
  enum class cu_access_mode : std::uint8_t { exclusive, shared, none };

  kernel() = default;
  kernel(const hw_context &context, const std::string &name)
      : path_(context.path()), name_(name), elf_(context.is_elf()) {}
  kernel(const device &, const uuid &program, const std::string &name, cu_access_mode = cu_access_mode::shared)
      : path_(program.to_string()), name_(name) {}

  memory_group group_id(int) const { return 0; }
  std::string get_name() const { return name_; }

  template <typename... Arguments> run operator()(Arguments &&...arguments);

  const std::string &path() const { return path_; }
  bool is_elf() const { return elf_; }

protected:
  kernel(std::string path, std::string name, bool elf) : path_(std::move(path)), name_(std::move(name)), elf_(elf) {}

private:
  std::string path_, name_;
  bool elf_ = false;
};

namespace ext {

class kernel : public xrt::kernel {
public:
  kernel(const hw_context &, const module &of, const std::string &name) : xrt::kernel(of.path(), name, true) {}
  kernel(const hw_context &context, const std::string &name) : xrt::kernel(context, name) {}
};

class bo : public xrt::bo {
public:
  enum class access_mode : std::uint64_t { none = 0, read = 1, write = 2, read_write = 3 };

  template <typename Where> bo(const Where &, std::size_t size) : xrt::bo(size) {}
  template <typename Where> bo(const Where &, std::size_t size, access_mode) : xrt::bo(size) {}
};

} // namespace ext

/// A call of a kernel.
class run {
public:
  run() = default;
  explicit run(const kernel &of) : kernel_(of) {}

  void set_arg(int number, const bo &value) { arguments_[number] = {value, 0}; }
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<std::decay_t<T>>>> void set_arg(int number, T &&value) {
    arguments_[number] = {bo(), static_cast<long long>(value)};
  }

  void start() {
    detail::helper &helper = detail::helper::get();
    std::string request = std::string("run ") + (kernel_.is_elf() ? "elf" : "xclbin") + "\t" + kernel_.path() + "\t" +
                          kernel_.get_name() + "\n";
    for (const auto &[number, argument] : arguments_)
      if (!argument.first) {
        request += "number " + std::to_string(argument.second) + "\n";
      } else {
        std::ofstream(helper.file(number), std::ios::binary).write(argument.first.device_side(), argument.first.size());
        request += "buffer " + helper.file(number) + "\n";
      }
    state_ = ERT_CMD_STATE_ERROR;
    microseconds_ = std::strtod(helper.ask(request).c_str(), nullptr);
    for (auto &[number, argument] : arguments_)
      if (argument.first)
        std::ifstream(helper.file(number), std::ios::binary).read(argument.first.device_side(), argument.first.size());
    state_ = ERT_CMD_STATE_COMPLETED;
  }

  ert_cmd_state wait(const std::chrono::milliseconds & = std::chrono::milliseconds(0)) const { return state_; }
  ert_cmd_state wait(unsigned) const { return state_; }
  void wait2() const {}
  ert_cmd_state state() const { return state_; }
  ert_cmd_state abort() const { return state_; }
  kernel get_kernel() const { return kernel_; }

  /// What the simulator's model of time predicts; XRT has no such function.
  double predicted_microseconds() const { return microseconds_; }

private:
  kernel kernel_;
  std::map<int, std::pair<bo, long long>> arguments_;
  ert_cmd_state state_ = ERT_CMD_STATE_NEW;
  double microseconds_ = 0;
};

template <typename... Arguments> run kernel::operator()(Arguments &&...arguments) {
  run made(*this);
  int number = 0;
  (made.set_arg(number++, std::forward<Arguments>(arguments)), ...);
  made.start();
  return made;
}

/// Runs in a row.
class runlist {
public:
  runlist() = default;
  explicit runlist(const hw_context &) {}
  void add(const run &one) { runs_.push_back(one); }
  void execute() {
    for (run &one : runs_)
      one.start();
  }
  void wait() const {}
  void wait(const std::chrono::milliseconds &) const {}
  void reset() { runs_.clear(); }

private:
  std::vector<run> runs_;
};

} // namespace xrt

#endif
