#include "blobs/disk_room.h"

#include <sys/statvfs.h>

#include <utility>

namespace tintype::blobs {
namespace {

/// For the user that the process runs as.
std::optional<uint64_t> FreeBytesAt(const std::string& folder) {
  struct statvfs status {};
  return ::statvfs(folder.c_str(), &status) == 0
             ? std::optional<uint64_t>(uint64_t{status.f_bavail} * status.f_frsize)
             : std::nullopt;
}

}  // namespace

DiskRoom::DiskRoom(const std::string& folder, const Config& config)
    : DiskRoom([folder] { return FreeBytesAt(folder); }, config) {}

DiskRoom::DiskRoom(FreeBytes free_bytes, const Config& config)
    : free_bytes_(std::move(free_bytes)), config_(config) {}

bool DiskRoom::HasForIntake(uint64_t bytes) const { return Has(config_.reserve_bytes + bytes); }

bool DiskRoom::HasForCopy(uint64_t bytes) const {
  return !config_.photos_here || Has(config_.reserve_bytes / 2 + bytes);
}

bool DiskRoom::HasForWork() const { return Has(config_.reserve_bytes / 2); }

bool DiskRoom::Has(uint64_t bytes) const {
  const std::optional<uint64_t> free = free_bytes_();
  return !free || *free >= config_.tables_bytes + bytes;
}

}  // namespace tintype::blobs
