// Buffers of NPU programs on allo_air's simulator: a side on the host and one on the device.
#ifndef ALLO_AIR_XRT_BUFFER_HPP
#define ALLO_AIR_XRT_BUFFER_HPP

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

enum xclBOSyncDirection {
  XCL_BO_SYNC_BO_TO_DEVICE = 0,
  XCL_BO_SYNC_BO_FROM_DEVICE = 1,
  XCL_BO_SYNC_BO_GMIO_TO_AIE = 2,
  XCL_BO_SYNC_BO_AIE_TO_GMIO = 3,
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

} // namespace xrt

#endif
