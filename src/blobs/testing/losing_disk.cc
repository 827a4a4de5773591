#include "blobs/testing/losing_disk.h"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <random>
#include <set>
#include <utility>

#include "base/strings.h"

namespace tintype::blobs {

struct LosingDisk::Node {
  bool is_directory = false;
  std::string bytes;
  std::string synced_bytes;
  int64_t modified_ms = 0;
  Names names;
  Names synced_names;
};

/// A name, there or not, in a directory that is.
struct LosingDisk::Place {
  std::shared_ptr<Node> directory;
  std::string name;

  std::shared_ptr<Node> node() const {
    const auto found = directory->names.find(name);
    return found == directory->names.end() ? nullptr : found->second;
  }
};

FileStatus LosingDisk::StatusOf(const Node& node) {
  return {.is_file = !node.is_directory,
          .is_directory = node.is_directory,
          .bytes = node.bytes.size(),
          .modified_ms = node.modified_ms,
          .number = reinterpret_cast<uintptr_t>(&node)};
}

class LosingDisk::DiskFile : public File {
 public:
  DiskFile(LosingDisk& disk, std::shared_ptr<Node> node, uint64_t epoch)
      : disk_(disk), node_(std::move(node)), epoch_(epoch) {}

  int descriptor() const override { return -1; }

  SystemError Write(std::string_view bytes) override {
    MutexLock lock(disk_.mutex_);
    const SystemError error = disk_.BeginCall("Write", epoch_);
    if (error == 0) {
      node_->bytes.append(bytes);
    } else if (disk_.calls_ == disk_.fail_at_) {
      node_->bytes.append(bytes.substr(0, bytes.size() / 2));
    }
    return error;
  }

  SystemError Read(uint64_t offset, std::span<char> out, size_t& count) const override {
    MutexLock lock(disk_.mutex_);
    count = 0;
    if (const SystemError error = disk_.BeginCall("Read", epoch_); error != 0) {
      return error;
    }
    if (offset < node_->bytes.size()) {
      count = node_->bytes.copy(out.data(), out.size(), static_cast<size_t>(offset));
    }
    return 0;
  }

  SystemError Sync() override {
    MutexLock lock(disk_.mutex_);
    const SystemError error = disk_.BeginCall("Sync", epoch_);
    if (error == 0) {
      node_->synced_bytes = node_->bytes;
    }
    return error;
  }

  SystemError Cut(uint64_t bytes) override {
    MutexLock lock(disk_.mutex_);
    const SystemError error = disk_.BeginCall("Cut", epoch_);
    if (error == 0) {
      node_->bytes.resize(static_cast<size_t>(bytes));
    }
    return error;
  }

  SystemError Status(FileStatus& status) const override {
    MutexLock lock(disk_.mutex_);
    status = StatusOf(*node_);
    return disk_.BeginCall("Status", epoch_);
  }

  SystemError SetModified(int64_t modified_ms) override {
    MutexLock lock(disk_.mutex_);
    const SystemError error = disk_.BeginCall("SetModified", epoch_);
    if (error == 0) {
      node_->modified_ms = modified_ms;
    }
    return error;
  }

 private:
  LosingDisk& disk_;
  const std::shared_ptr<Node> node_;
  const uint64_t epoch_;
};

class LosingDisk::MountedDisk : public FileSystem {
 public:
  MountedDisk(LosingDisk& disk, uint64_t epoch) : disk_(disk), epoch_(epoch) {}

  SystemError CreateFile(const std::string& path, std::unique_ptr<File>& file) override {
    MutexLock lock(disk_.mutex_);
    SystemError error = disk_.BeginCall("CreateFile", epoch_);
    if (error == 0) {
      auto node = disk_.NewNode(/*is_directory=*/false);
      error = disk_.Add(path, node);
      file = std::make_unique<DiskFile>(disk_, std::move(node), epoch_);
    }
    return error;
  }

  SystemError OpenFile(const std::string& path, std::unique_ptr<File>& file) override {
    MutexLock lock(disk_.mutex_);
    std::shared_ptr<Node> node;
    SystemError error = Find("OpenFile", path, node);
    if (error == 0 && node->is_directory) {
      error = EISDIR;
    }
    if (error == 0) {
      file = std::make_unique<DiskFile>(disk_, std::move(node), epoch_);
    }
    return error;
  }

  SystemError OpenForAppending(const std::string& path, std::unique_ptr<File>& file) override {
    return OpenFile(path, file);
  }

  SystemError Status(const std::string& path, FileStatus& status) override {
    MutexLock lock(disk_.mutex_);
    std::shared_ptr<Node> node;
    const SystemError error = Find("Status", path, node);
    if (error == 0) {
      status = StatusOf(*node);
    }
    return error;
  }

  SystemError MakeDirectory(const std::string& path) override {
    MutexLock lock(disk_.mutex_);
    const SystemError error = disk_.BeginCall("MakeDirectory", epoch_);
    return error != 0 ? error : disk_.Add(path, disk_.NewNode(/*is_directory=*/true));
  }

  SystemError RemoveDirectory(const std::string& path) override {
    MutexLock lock(disk_.mutex_);
    const SystemError error = disk_.BeginCall("RemoveDirectory", epoch_);
    return error != 0 ? error : disk_.Remove(path, /*is_directory=*/true);
  }

  SystemError SyncDirectory(const std::string& path) override {
    MutexLock lock(disk_.mutex_);
    std::shared_ptr<Node> node;
    const SystemError error = Find("SyncDirectory", path, node);
    if (error == 0) {
      node->synced_names = node->names;
    }
    return error;
  }

  SystemError ReadDirectory(
      const std::string& path,
      const std::function<void(std::string_view name, bool is_directory)>& visit) override {
    std::map<std::string, bool> names;
    {
      MutexLock lock(disk_.mutex_);
      std::shared_ptr<Node> node;
      SystemError error = Find("ReadDirectory", path, node);
      if (error == 0 && !node->is_directory) {
        error = ENOTDIR;
      }
      if (error != 0) {
        return error;
      }
      for (const auto& [name, child] : node->names) {
        names[name] = child->is_directory;
      }
    }
    for (const auto& [name, is_directory] : names) {
      visit(name, is_directory);
    }
    return 0;
  }

  SystemError Rename(const std::string& from, const std::string& to) override {
    MutexLock lock(disk_.mutex_);
    std::shared_ptr<Node> node;
    Place place;
    if (const SystemError error = Find("Rename", from, node); error != 0) {
      return error;
    }
    if (const SystemError error = disk_.FindPlace(to, place); error != 0) {
      return error;
    }
    const std::shared_ptr<Node> there = place.node();
    if (there != nullptr && there->is_directory) {
      return EISDIR;
    }
    if (there == node) {
      return 0;  // Two names of one file: a rename does nothing.
    }
    place.directory->names[place.name] = node;
    return disk_.Remove(from, /*is_directory=*/false);
  }

  SystemError Link(const std::string& from, const std::string& to) override {
    MutexLock lock(disk_.mutex_);
    std::shared_ptr<Node> node;
    const SystemError error = Find("Link", from, node);
    return error != 0 ? error : disk_.Add(to, node);
  }

  SystemError LinkOutside(const std::string& from, const std::string& to) override {
    // A path from the root leads to another disk, the machine's.
    return from.starts_with('/') ? EXDEV : Link(from, to);
  }

  SystemError Unlink(const std::string& path) override {
    MutexLock lock(disk_.mutex_);
    const SystemError error = disk_.BeginCall("Unlink", epoch_);
    return error != 0 ? error : disk_.Remove(path, /*is_directory=*/false);
  }

 private:
  SystemError Find(const char* call, const std::string& path, std::shared_ptr<Node>& node)
      REQUIRES_LOCK(disk_.mutex_) {
    const SystemError error = disk_.BeginCall(call, epoch_);
    return error != 0 ? error : disk_.FindNode(path, node);
  }

  LosingDisk& disk_;
  const uint64_t epoch_;
};

LosingDisk::LosingDisk() {
  MutexLock lock(mutex_);
  NewNode(/*is_directory=*/true);
}

LosingDisk::~LosingDisk() = default;

std::unique_ptr<FileSystem> LosingDisk::Mount() {
  MutexLock lock(mutex_);
  return std::make_unique<MountedDisk>(*this, epoch_);
}

void LosingDisk::AddOutside(const std::string& name, const std::string& bytes) {
  MutexLock lock(mutex_);
  const std::shared_ptr<Node> node = NewNode(/*is_directory=*/false);
  node->bytes = bytes;
  nodes_[0]->names[name] = nodes_[0]->synced_names[name] = node;
}

void LosingDisk::CutPowerAtCall(uint64_t number) {
  MutexLock lock(mutex_);
  cut_at_ = number;
}

void LosingDisk::FailCall(uint64_t number, SystemError error) {
  MutexLock lock(mutex_);
  fail_at_ = number;
  fail_with_ = error;
}

uint64_t LosingDisk::calls() const {
  MutexLock lock(mutex_);
  return calls_;
}

std::string LosingDisk::failed_call() const {
  MutexLock lock(mutex_);
  return failed_call_;
}

void LosingDisk::Restart(Unsynced unsynced, uint32_t seed) {
  MutexLock lock(mutex_);
  std::mt19937 random(seed);
  const auto survives = [&] {
    return unsynced == Unsynced::kKept || (unsynced == Unsynced::kSomeLost && random() % 2 == 0);
  };
  for (const std::shared_ptr<Node>& node : nodes_) {
    std::set<std::string> names;
    for (const Names* side : {&node->names, &node->synced_names}) {
      for (const auto& [name, child] : *side) {
        names.insert(name);
      }
    }
    for (const std::string& name : names) {
      const auto now = node->names.find(name);
      const bool same = now != node->names.end() && node->synced_names.contains(name) &&
                        node->synced_names.at(name) == now->second;
      if (!same && survives()) {
        now == node->names.end() ? static_cast<void>(node->synced_names.erase(name))
                                 : static_cast<void>(node->synced_names[name] = now->second);
      }
    }
    if (node->bytes != node->synced_bytes && survives()) {
      const std::string synced = std::exchange(node->synced_bytes, node->bytes);
      if (unsynced == Unsynced::kSomeLost) {
        // The length came to the disk, but not all of the bytes that were added.
        const size_t kept = node->bytes.starts_with(synced) ? synced.size() : 0;
        const size_t whole = kept + random() % (node->bytes.size() - kept + 1);
        std::fill(node->synced_bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                  node->synced_bytes.end(), '\0');
      }
    }
    node->names = node->synced_names;
    node->bytes = node->synced_bytes;
  }
  ++epoch_;
  calls_ = 0;
  cut_at_ = fail_at_ = UINT64_MAX;
  failed_call_.clear();
}

std::vector<std::string> LosingDisk::Paths() const {
  MutexLock lock(mutex_);
  std::vector<std::string> paths;
  const std::function<void(const Node&, const std::string&)> walk = [&](const Node& node,
                                                                        const std::string& above) {
    for (const auto& [name, child] : node.names) {
      const std::string path = StrCat(above, name, child->is_directory ? "/" : "");
      paths.push_back(path);
      walk(*child, path);
    }
  };
  walk(*nodes_[0], "");
  return paths;
}

SystemError LosingDisk::BeginCall(const char* name, uint64_t epoch) {
  ++calls_;
  if (epoch != epoch_ || calls_ >= cut_at_) {
    return EIO;
  }
  if (calls_ == fail_at_) {
    failed_call_ = name;
    return fail_with_;
  }
  return 0;
}

std::shared_ptr<LosingDisk::Node> LosingDisk::NewNode(bool is_directory) {
  nodes_.push_back(std::make_shared<Node>());
  nodes_.back()->is_directory = is_directory;
  return nodes_.back();
}

SystemError LosingDisk::FindPlace(const std::string& path, Place& place) {
  place.directory = nodes_[0];
  std::string_view rest = path;
  for (size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    place.name = rest.substr(0, slash);
    rest.remove_prefix(slash + 1);
    if (rest.empty()) {
      return 0;
    }
    const std::shared_ptr<Node> node = place.node();
    if (node == nullptr || !node->is_directory) {
      return node == nullptr ? ENOENT : ENOTDIR;
    }
    place.directory = node;
  }
  place.name = rest;
  return 0;
}

SystemError LosingDisk::FindNode(const std::string& path, std::shared_ptr<Node>& node) {
  Place place;
  const SystemError error = FindPlace(path, place);
  if (error == 0) {
    node = path == "." ? nodes_[0] : place.node();
  }
  return error == 0 && node == nullptr ? ENOENT : error;
}

SystemError LosingDisk::Add(const std::string& path, std::shared_ptr<Node> node) {
  Place place;
  if (const SystemError error = FindPlace(path, place); error != 0) {
    return error;
  }
  return place.directory->names.emplace(place.name, std::move(node)).second ? 0 : EEXIST;
}

SystemError LosingDisk::Remove(const std::string& path, bool is_directory) {
  Place place;
  std::shared_ptr<Node> node;
  if (const SystemError error = FindNode(path, node); error != 0) {
    return error;
  }
  FindPlace(path, place);
  if (node->is_directory != is_directory) {
    return is_directory ? ENOTDIR : EISDIR;
  }
  if (is_directory && !node->names.empty()) {
    return ENOTEMPTY;
  }
  place.directory->names.erase(place.name);
  return 0;
}

}  // namespace tintype::blobs
