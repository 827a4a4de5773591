#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "blobs/sealed/sealed_spool_file.h"
#include "blobs/sealed/sealing_keys.h"
#include "blobs/spool_file.h"

namespace tintype::blobs {

class FileSystem;
class Spool;

/// The right to work on the bytes of one upload: one at a time has it. It goes back when it is
/// destroyed. Owned by whoever took it; must not outlive the spool. Not thread-safe.
class SpoolClaim {
 public:
  ~SpoolClaim();
  SpoolClaim(const SpoolClaim&) = delete;
  SpoolClaim& operator=(const SpoolClaim&) = delete;

  const std::string& id() const { return id_; }

  /// The holder of the claim says when it works, since a client that has vanished without a word
  /// keeps its connection, and with it the claim, for a while: between End and the next Begin
  /// somebody else may take it, after Spool::Config::patience. Files of this claim are used in
  /// between Begin and End alone. Errors: kInUse when the claim was lost.
  Status Begin();
  void End();

  /// How many bytes of the file count as they are, synced or not: for whoever takes the claim away
  /// from one that does nothing any more, so that its bytes are not lost with it. At first what the
  /// one before has left.
  uint64_t usable_bytes() const;
  void SetUsableBytes(uint64_t bytes);

 private:
  friend class Spool;
  struct State;
  SpoolClaim(Spool& spool, std::string id, std::shared_ptr<State> state);

  Spool& spool_;
  const std::string id_;
  const std::shared_ptr<State> state_;  // Shared with the spool, which may take it away.
};

/// The bytes of uploads that are on their way and may go on after an interruption: one file for
/// each, `{root}/{id}` or, encrypted, `{root}/{id}.sealed`, for its owner alone. Which of the bytes
/// count is known elsewhere, from the upload's record: after a power cut anything may lie beyond
/// what was synced, so that a file is opened at the offset that was recorded after a Sync, and the
/// rest is cut.
///
/// Owned by the program's wiring; one process at a time may use a folder (the lock on the data
/// directory sees to that). Thread-safe. Survives restarts.
class Spool {
 public:
  struct Config {
    std::string root;  ///< Made, with those above it, if it is not there.
    /// How long the claim of somebody who does nothing is respected. Default 5 s: less than
    /// clients go on trying to resume.
    std::chrono::milliseconds patience{5'000};
    /// How long Insist waits for somebody who is at work. Default 2 s.
    std::chrono::milliseconds insistence{2'000};
    /// For encrypted files, which cannot be opened without them.
    std::shared_ptr<const SealingKeys> keys{};
    /// REQUIRES: with kSealed, there are keys. An upload goes on as it has begun.
    NewBlobs new_files = NewBlobs::kPlain;
  };

  /// Errors: kIo.
  static Result<std::unique_ptr<Spool>> OpenFolder(const Config& config);
  /// The same over a file system of the caller's choice, whose root is the spool's. For tests.
  static std::unique_ptr<Spool> OpenOn(std::unique_ptr<FileSystem> files, const Config& config);
  ~Spool();

  /// Errors: kInUse when somebody else is at it; kNotFound when `id` cannot be an upload's.
  Result<std::unique_ptr<SpoolClaim>> Take(std::string_view id);

  /// The same for somebody who wants to end the upload: takes the claim away as soon as its holder
  /// is not at work, and waits for that. Errors: kInUse when it takes too long, or somebody else
  /// waits already.
  Result<std::unique_ptr<SpoolClaim>> Insist(std::string_view id);

  /// Whether somebody has the claim who does nothing any more, so that Take would take it away.
  bool IsForsaken(std::string_view id);

  /// Opens the file at `offset` and cuts off the rest. It is made when there is none and the offset
  /// is 0. REQUIRES: the claim has begun. Errors: kNotFound when there is none; kCorruption when it
  /// is shorter, or encrypted with keys that are not here; kUnavailable, kIo.
  Result<std::unique_ptr<SpoolFile>> Open(const SpoolClaim& claim, uint64_t offset);

  /// Removes the file; that there is none is fine. REQUIRES: the claim has begun.
  Status Remove(const SpoolClaim& claim);

  /// How many bytes there are, synced or not; nothing when there is no file.
  Result<std::optional<uint64_t>> Bytes(std::string_view id);

  /// The ids of all uploads that have a file, in no order.
  Result<std::vector<std::string>> List();

 private:
  friend class SpoolClaim;
  Spool(std::unique_ptr<FileSystem> files, const Config& config);
  /// The name of an upload's file; nothing when it has none.
  Result<std::optional<std::string>> FindFile(std::string_view id);
  bool IsForsaken(const SpoolClaim::State& state) const REQUIRES_LOCK(mutex_);
  std::shared_ptr<SealedSpoolFile::Landmark> LandmarkOf(const std::string& id);
  /// Makes the claim that is valid from now on.
  std::unique_ptr<SpoolClaim> Give(const std::string& id) REQUIRES_LOCK(mutex_);

  const Config config_;
  const std::unique_ptr<FileSystem> files_;
  Mutex mutex_;
  CondVar ended_;  // Some work, or a claim.
  std::map<std::string, std::shared_ptr<SpoolClaim::State>> claims_ GUARDED_BY(mutex_);
  /// Of encrypted files that were opened lately; without one, a file is walked from its beginning.
  std::map<std::string, std::shared_ptr<SealedSpoolFile::Landmark>> landmarks_ GUARDED_BY(mutex_);
};

}  // namespace tintype::blobs
