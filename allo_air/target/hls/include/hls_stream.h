// hls::stream on the host: a queue without an end. A thread that reads from an empty one waits, unless all wait: that is an error.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace allo_hls {

struct threads {
  std::mutex lock;
  int running = 1, waiting = 0;
  std::string error;
  static threads &all() {
    static threads found;
    return found;
  }
};

// A part of a dataflow region, as a thread runs it.
inline void *run_part(void *part) {
  threads &all = threads::all();
  std::string error;
  try {
    (*static_cast<const std::function<void()> *>(part))();
  } catch (const std::exception &found) {
    error = found.what();
  }
  std::lock_guard<std::mutex> held(all.lock);
  all.running--;
  if (all.error.empty())
    all.error = error;
  return nullptr;
}

// Runs parts of a dataflow region at the same time, with room for large arrays on each stack.
inline void at_once(const std::vector<std::function<void()>> &parts) {
  threads &all = threads::all();
  {
    std::lock_guard<std::mutex> held(all.lock);
    all.running += int(parts.size()) - 1;
  }
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, size_t(1) << 26);
  std::vector<pthread_t> made;
  for (const auto &part : parts) {
    pthread_t each;
    if (!pthread_create(&each, &large, run_part, const_cast<std::function<void()> *>(&part))) {
      made.push_back(each);
      continue;
    }
    std::lock_guard<std::mutex> held(all.lock);
    all.running--;
    if (all.error.empty())
      all.error = "the host has no room for another thread";
  }
  pthread_attr_destroy(&large);
  for (pthread_t each : made)
    pthread_join(each, nullptr);
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
  std::condition_variable moved;
  unsigned writes = 0;
  int sleeping = 0; // readers that wait since the last write

public:
  stream() : name("stream") {}
  explicit stream(const char *called) : name(called) {}
  stream(const stream &) = delete;
  void write(const T &value) {
    allo_hls::threads &all = allo_hls::threads::all();
    std::lock_guard<std::mutex> held(all.lock);
    queue.push_back(value);
    writes++;
    all.waiting -= sleeping;
    sleeping = 0;
    moved.notify_all();
  }
  T read() {
    allo_hls::threads &all = allo_hls::threads::all();
    std::unique_lock<std::mutex> held(all.lock);
    while (queue.empty()) {
      if (all.error.empty() && all.waiting + 1 >= all.running)
        all.error = "stream '" + name + "' is read and empty, and nothing runs that writes to it";
      if (!all.error.empty())
        throw std::runtime_error(all.error);
      all.waiting++;
      sleeping++;
      unsigned before = writes;
      moved.wait_for(held, std::chrono::milliseconds(20));
      if (writes == before) {
        all.waiting--;
        sleeping--;
      }
    }
    T value = queue.front();
    queue.pop_front();
    return value;
  }
  void read(T &value) { value = read(); }
  bool empty() const {
    std::lock_guard<std::mutex> held(allo_hls::threads::all().lock);
    return queue.empty();
  }
  bool full() const { return false; }
  size_t size() const { return queue.size(); }
  void operator<<(const T &value) { write(value); }
  void operator>>(T &value) { value = read(); }
};

} // namespace hls
