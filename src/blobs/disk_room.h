#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tintype::blobs {

/// Whether the disk has room for photos. They stop well before the tables do: at the tables' own
/// mark nothing but deletions is written, and giving up an upload or deleting an image writes more
/// than that. So whatever photos have filled can be made empty again.
///
/// Owned by the program's wiring. Thread-safe. Looks each time, which is one quick system call.
class DiskRoom {
 public:
  struct Config {
    /// With so much free the tables take every write.
    uint64_t tables_bytes = 0;
    /// What is left for them beyond that.
    uint64_t reserve_bytes = 0;
    /// Whether photos are on this disk too, and not on S3.
    bool photos_here = true;
  };
  /// Nothing when the system does not say: then there is room.
  using FreeBytes = std::function<std::optional<uint64_t>()>;

  /// The disk that a folder is on.
  DiskRoom(const std::string& folder, const Config& config);
  /// For tests.
  DiskRoom(FreeBytes free_bytes, const Config& config);

  /// Whether so many more bytes may come in.
  bool HasForIntake(uint64_t bytes) const;
  /// Whether files may be made of what has come in. That goes on while there is half of the
  /// reserve.
  bool HasForWork() const;
  /// Whether a photo of so many bytes may be written once more, before the other one goes.
  bool HasForCopy(uint64_t bytes) const;

 private:
  bool Has(uint64_t bytes) const;

  const FreeBytes free_bytes_;
  const Config config_;
};

}  // namespace tintype::blobs
