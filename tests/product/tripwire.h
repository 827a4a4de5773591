#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "blobs/blob_store.h"
#include "tables/language/database.h"

namespace tintype::product {

/// Something that happens at the n-th step, for tests that want it to happen at each: every call to
/// the database or the blob store counts. Either a crash, so that from the n-th on all of them
/// fail; or somebody else who comes in between. Thread-safe, but for Set and Interrupt.
class Tripwire {
 public:
  enum class When {
    kBefore,  ///< The n-th call does nothing.
    kAfter,   ///< It does what it should, but nobody hears of it.
    kNever,   ///< It does what it should, after somebody else has.
  };
  enum class Fate { kDo, kDoSilently, kFail };

  /// From now on, the n-th call (from 1) trips.
  void Set(int n, When when);
  /// From now on, `other` is called before the n-th call.
  void Interrupt(int n, std::function<void()> other);
  Fate Step();
  /// Whether there were n calls.
  bool tripped() const { return left_ <= 0; }

 private:
  std::atomic<int> left_ = 0;
  std::atomic<When> when_ = When::kBefore;
  std::function<void()> other_;
};

/// A database and a blob store behind one wire.
class TrippedStores {
 public:
  /// All three outlive this.
  TrippedStores(tables::Database& database, blobs::BlobStore& blobs, Tripwire& wire);
  ~TrippedStores();
  TrippedStores(const TrippedStores&) = delete;
  TrippedStores& operator=(const TrippedStores&) = delete;

  tables::Database& database() { return *database_; }
  blobs::BlobStore& blobs() { return *blobs_; }

 private:
  const std::unique_ptr<tables::Database> database_;
  const std::unique_ptr<blobs::BlobStore> blobs_;
};

/// A loop in which something fails at its first call, at its second and so on, before the call has
/// done anything, until it fails no more; then all over, after it has:
///
///   for (FailingCalls calls(wire); calls.Next();) {
///     ...
///     calls.Arm();
///     calls.Note(Something().ok());
///     ...
///   }
class FailingCalls {
 public:
  /// More turns than that mean that it never ends.
  static constexpr int kCallsMax = 60;

  explicit FailingCalls(Tripwire& wire) : wire_(wire) {}

  /// Whether there is another turn. The wire is at rest at its beginning.
  bool Next();
  /// From here on the calls count.
  void Arm() { wire_.Set(n_, when_); }
  /// Whether nothing failed: there were no more calls to fail at.
  void Note(bool ok) { ended_ = ok; }

  /// Which call it is, from 1.
  int n() const { return n_; }
  /// How many turns there were, this one included: a number that no other has.
  int turn() const { return turn_; }

 private:
  Tripwire& wire_;
  Tripwire::When when_ = Tripwire::When::kBefore;
  int n_ = 0;
  int turn_ = 0;
  bool ended_ = false;
};

}  // namespace tintype::product
