// The process that runs programs for a host in C++: it is asked over a socket, and started by the first question.
#ifndef ALLO_AIR_XRT_SIMULATOR_PROCESS_HPP
#define ALLO_AIR_XRT_SIMULATOR_PROCESS_HPP

#include <cstdlib>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xrt {
namespace detail {

/// One for this process; it ends when this one does.
class helper {
public:
  static helper &get() {
    static helper one;
    return one;
  }

  /// Sends the lines of a request; the rest of the answer's line, or an error.
  std::string ask(const std::string &request) {
    const std::string text = request + "end\n";
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t n = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (n <= 0)
        throw std::runtime_error(ended());
      sent += static_cast<std::size_t>(n);
    }
    std::string answer;
    for (char c = 0; ::read(socket_, &c, 1) == 1 && c != '\n';)
      answer += c;
    if (answer.rfind("ok ", 0) != 0)
      throw std::runtime_error(answer.rfind("error ", 0) == 0 ? answer.substr(6) : ended());
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
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
      throw std::runtime_error("cannot make a socket");
    program_ = std::string(root) + "/bin/allo-xrt-helper";
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], 0);
      ::dup2(ends[1], 1);
      ::execl(program_.c_str(), program_.c_str(), folder_.c_str(), static_cast<char *>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
    socket_ = ends[0];
  }

  ~helper() {
    ::close(socket_);
    ::waitpid(process_, nullptr, 0);
  }

  helper(const helper &) = delete;

  std::string ended() const { return "the simulator's process ended ('" + program_ + "')"; }

  std::string folder_, program_;
  pid_t process_ = 0;
  int socket_ = -1;
};

} // namespace detail
} // namespace xrt

#endif
