// hls::stream on the host: a queue without an end. A thread that reads from an empty one waits, unless all wait: that is an error.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace allo_hls {

struct threads {
  std::mutex lock;
  std::condition_variable moved;
  int running = 1, waiting = 0;
  std::string error;
  static threads &all() {
    static threads found;
    return found;
  }
};

// Runs parts of a dataflow region at the same time.
inline void at_once(const std::vector<std::function<void()>> &parts) {
  threads &all = threads::all();
  {
    std::lock_guard<std::mutex> held(all.lock);
    all.running += int(parts.size()) - 1;
  }
  std::vector<std::thread> made;
  for (const auto &part : parts)
    made.emplace_back([&all, &part] {
      std::string error;
      try {
        part();
      } catch (const std::exception &found) {
        error = found.what();
      }
      std::lock_guard<std::mutex> held(all.lock);
      all.running--;
      if (all.error.empty())
        all.error = error;
      all.moved.notify_all();
    });
  for (auto &each : made)
    each.join();
  std::lock_guard<std::mutex> held(all.lock);
  all.running++;
  if (!all.error.empty())
    throw std::runtime_error(all.error);
}

} // namespace allo_hls

namespace hls {

template <typename T, int depth = 0> class stream {
  std::deque<T> queue;
  std::string name;

public:
  stream() : name("stream") {}
  explicit stream(const char *called) : name(called) {}
  stream(const stream &) = delete;
  void write(const T &value) {
    allo_hls::threads &all = allo_hls::threads::all();
    std::lock_guard<std::mutex> held(all.lock);
    queue.push_back(value);
    all.moved.notify_all();
  }
  T read() {
    allo_hls::threads &all = allo_hls::threads::all();
    std::unique_lock<std::mutex> held(all.lock);
    all.waiting++;
    while (queue.empty()) {
      if (all.error.empty() && all.waiting == all.running) {
        all.error = "stream '" + name + "' is read and empty, and nothing runs that writes to it";
        all.moved.notify_all();
      }
      if (!all.error.empty()) {
        all.waiting--;
        throw std::runtime_error(all.error);
      }
      all.moved.wait(held);
    }
    all.waiting--;
    T value = queue.front();
    queue.pop_front();
    return value;
  }
  void read(T &value) { value = read(); }
  bool empty() const { return queue.empty(); }
  bool full() const { return false; }
  size_t size() const { return queue.size(); }
  void operator<<(const T &value) { write(value); }
  void operator>>(T &value) { value = read(); }
};

} // namespace hls
