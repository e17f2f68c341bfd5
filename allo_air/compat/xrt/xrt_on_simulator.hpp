// XRT's C++ interface, as hosts of NPU programs use it, on allo_air's simulator.
//
// A program compiled against these headers runs under allo-env: kernels are calls of a helper process, which reads what
// XRTBackend, aircc or aiecc of allo_air wrote. Buffers have two sides, the host's and the device's, and sync copies.
#ifndef ALLO_AIR_XRT_ON_SIMULATOR_HPP
#define ALLO_AIR_XRT_ON_SIMULATOR_HPP

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

enum xclBOSyncDirection {
  XCL_BO_SYNC_BO_TO_DEVICE = 0,
  XCL_BO_SYNC_BO_FROM_DEVICE = 1,
  XCL_BO_SYNC_BO_GMIO_TO_AIE = 2,
  XCL_BO_SYNC_BO_AIE_TO_GMIO = 3,
};

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

#define XCL_BO_FLAGS_NONE 0u
#define XCL_BO_FLAGS_CACHEABLE (1u << 24)
#define XCL_BO_FLAGS_DEV_ONLY (1u << 28)
#define XCL_BO_FLAGS_HOST_ONLY (1u << 29)
#define XRT_BO_FLAGS_NONE XCL_BO_FLAGS_NONE
#define XRT_BO_FLAGS_CACHEABLE XCL_BO_FLAGS_CACHEABLE
#define XRT_BO_FLAGS_DEV_ONLY XCL_BO_FLAGS_DEV_ONLY
#define XRT_BO_FLAGS_HOST_ONLY XCL_BO_FLAGS_HOST_ONLY

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

/// The process that runs programs; one for this process, started by the first call.
class helper {
public:
  static helper &get() {
    static helper one;
    return one;
  }

  /// Sends the lines of a request; the rest of the answer's line, or an error.
  std::string ask(const std::string &request) {
    std::fputs(request.c_str(), out_);
    std::fputs("end\n", out_);
    std::fflush(out_);
    std::string answer;
    for (int c = std::fgetc(in_); c != EOF && c != '\n'; c = std::fgetc(in_))
      answer += static_cast<char>(c);
    if (answer.rfind("ok ", 0) != 0)
      throw std::runtime_error(answer.rfind("error ", 0) == 0 ? answer.substr(6) : "the simulator's process ended");
    return answer.substr(3);
  }

  std::string file(std::size_t number) const { return folder_ + "/" + std::to_string(number); }

private:
  helper() {
    const char *root = std::getenv("ALLO_ENV_ROOT");
    if (!root)
      throw std::runtime_error("this program was built with allo_air's headers of XRT; run it by `allo-env COMMAND`");
    char name[] = "/tmp/allo-xrt-XXXXXX";
    if (!::mkdtemp(name))
      throw std::runtime_error("cannot make a folder in /tmp");
    folder_ = name;
    int to[2], from[2];
    if (::pipe(to) || ::pipe(from))
      throw std::runtime_error("cannot make a pipe");
    const std::string program = std::string(root) + "/bin/allo-xrt-helper";
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(to[0], 0);
      ::dup2(from[1], 1);
      for (int f : {to[0], to[1], from[0], from[1]})
        ::close(f);
      ::execl(program.c_str(), program.c_str(), folder_.c_str(), static_cast<char *>(nullptr));
      ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    out_ = ::fdopen(to[1], "w");
    in_ = ::fdopen(from[0], "r");
  }

  ~helper() {
    std::fclose(out_);
    std::fclose(in_);
    ::waitpid(process_, nullptr, 0);
  }

  helper(const helper &) = delete;

  std::string folder_;
  pid_t process_ = 0;
  FILE *out_ = nullptr;
  FILE *in_ = nullptr;
};

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

using memory_group = std::uint32_t;

/// A buffer, on the host and on the device.
class bo {
public:
  enum class flags : std::uint32_t {
    normal = 0,
    cacheable = XCL_BO_FLAGS_CACHEABLE,
    device_only = XCL_BO_FLAGS_DEV_ONLY,
    host_only = XCL_BO_FLAGS_HOST_ONLY,
    p2p = 1u << 30,
    svm = 1u << 27,
  };

  bo() = default;
  template <typename Where> bo(const Where &, std::size_t size, flags, memory_group) : bo(size) {}
  template <typename Where> bo(const Where &, std::size_t size, std::uint32_t, memory_group) : bo(size) {}
  template <typename Where> bo(const Where &, std::size_t size, memory_group) : bo(size) {}
  bo(const bo &of, std::size_t size, std::size_t offset) : sides_(of.sides_), size_(size), offset_(of.offset_ + offset) {
    if (offset + size > of.size_)
      throw std::runtime_error("bo: a part of " + std::to_string(size) + " bytes at " + std::to_string(offset) +
                               " is not inside of a buffer of " + std::to_string(of.size_) + " bytes");
  }

  std::size_t size() const { return size_; }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(device_side()); }
  explicit operator bool() const { return static_cast<bool>(sides_); }

  template <typename Pointer = void *> Pointer map() { return reinterpret_cast<Pointer>(host_side()); }

  void write(const void *from, std::size_t size, std::size_t seek) {
    inside("write", size, seek);
    std::memcpy(host_side() + seek, from, size);
  }
  void write(const void *from) { write(from, size_, 0); }
  void read(void *into, std::size_t size, std::size_t skip) {
    inside("read", size, skip);
    std::memcpy(into, host_side() + skip, size);
  }
  void read(void *into) { read(into, size_, 0); }

  void sync(xclBOSyncDirection direction, std::size_t size, std::size_t offset) {
    inside("sync", size, offset);
    if (direction == XCL_BO_SYNC_BO_TO_DEVICE || direction == XCL_BO_SYNC_BO_GMIO_TO_AIE)
      std::memcpy(device_side() + offset, host_side() + offset, size);
    else
      std::memcpy(host_side() + offset, device_side() + offset, size);
  }
  void sync(xclBOSyncDirection direction) { sync(direction, size_, 0); }

  char *host_side() const { return sides_->first.data() + offset_; }
  char *device_side() const { return sides_->second.data() + offset_; }

protected:
  explicit bo(std::size_t size)
      : sides_(std::make_shared<std::pair<std::vector<char>, std::vector<char>>>(std::vector<char>(size),
                                                                                 std::vector<char>(size))),
        size_(size) {}

private:
  void inside(const char *what, std::size_t size, std::size_t offset) const {
    if (offset + size > size_)
      throw std::runtime_error(std::string("bo.") + what + ": " + std::to_string(size) + " bytes at " +
                               std::to_string(offset) + " of a buffer of " + std::to_string(size_) + " bytes");
  }

  std::shared_ptr<std::pair<std::vector<char>, std::vector<char>>> sides_;
  std::size_t size_ = 0, offset_ = 0;
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
