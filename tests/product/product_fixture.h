#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/testing/in_threads.h"
#include "base/testing/temporary_directory.h"
#include "base/ulid.h"
#include "blobs/derived_files.h"
#include "blobs/disk_room.h"
#include "blobs/file_blob_store.h"
#include "blobs/spool.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "darkroom/darkroom.h"
#include "flows/accounts/sign_in.h"
#include "flows/product.h"
#include "flows/uploads/upload.h"
#include "pipeline/analysis/analyzer.h"
#include "pipeline/change_reader.h"
#include "pipeline/reconciler.h"
#include "pipeline/workers.h"
#include "tables/engine/rocks_database.h"
#include "tables/language/blocking_database.h"
#include "views/sources.h"

namespace tintype::product {

inline constexpr int64_t kSecondMs = 1000;
inline constexpr int64_t kHourMs = 3600 * kSecondMs;
inline constexpr int64_t kDayMs = 24 * kHourMs;

/// The contexts over a database and a blob store, as the program wires them. Waits between retries
/// take no time.
class Wiring {
 public:
  Wiring(const flows::ProductConfig& config, tables::Database& database, blobs::BlobStore& blobs,
         blobs::Spool& spool, const blobs::DiskRoom& room, const Clock& clock, UlidGenerator& ids);

 private:
  flows::AccountLocks beginnings_;
  flows::HashingSlots hashing_{flows::kHashingSlots};
  contexts::identity::Accounts accounts_;
  contexts::catalog::Catalog catalog_;
  contexts::catalog::SimilarityIndex similarity_;
  contexts::intake::Intake intake_;
  contexts::people::People people_;
  contexts::analysis::AnalysisRecords analysis_;
  contexts::jobs::Jobs jobs_;
  contexts::backlog::Backlog backlog_;

 public:
  flows::Product product;
  views::Sources views;
};

/// Files made of blobs, of which there are none: remembers for which images they had to go.
class ForgottenFiles : public blobs::DerivedFiles {
 public:
  void Forget(std::string_view image_id) override {
    const MutexLock lock(mutex_);
    ids_.emplace_back(image_id);
  }
  std::vector<std::string> ids() const {
    const MutexLock lock(mutex_);
    return ids_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> ids_ GUARDED_BY(mutex_);
};

/// What signing in needs, with passwords that are quick to hash.
struct IdentityParts {
  IdentityParts(tables::Database& database, const Clock& clock, flows::SignInConfig config);

  const contexts::identity::Passwords passwords;
  contexts::identity::Sessions sessions;
  const std::unique_ptr<contexts::identity::Tokens> tokens;
  contexts::identity::SignInThrottle throttle;
  const contexts::identity::DeviceTokens devices;
  contexts::identity::ApiKeys api_keys;
  contexts::identity::LiveCallers live;
  flows::Identity identity;
};

/// The whole product in a directory of its own, on the embedded engine, with a clock that the test
/// turns and a helper that decodes nothing (quick_helper.cc).
class ProductTest : public testing::Test {
 protected:
  ProductTest();
  ~ProductTest() override;
  void SetUp() override { Open(); }

  virtual flows::ProductConfig Config() const;
  virtual std::string HelperPath() const;
  /// Opens the directory, again if it was open.
  void Open();

  flows::Product& product() { return wiring_->product; }
  const views::Sources& views() { return wiring_->views; }
  /// Another one over the same clock and ids, whose database and blobs misbehave.
  std::unique_ptr<Wiring> Wire(tables::Database& database, blobs::BlobStore& blobs);
  /// Another node over the same tables and blobs, whose spool is its own.
  std::unique_ptr<Wiring> WireNode(const std::string& name, blobs::Spool& spool);
  std::unique_ptr<blobs::Spool> OpenSpool(const std::string& folder);

  /// An ordinary account: somebody else is the administrator, who has no upload limit.
  flows::Account SignUp(const std::string& username);
  /// The administrator.
  flows::Account Administrator();

  // Uploads. Tests that want to know only what becomes of an image call Upload.
  contexts::intake::Upload Begin(const flows::Account& account, const std::string& filename);
  flows::UploadedBytes WriteBytes(const std::string& id, const std::string& content);
  contexts::catalog::Image Upload(const flows::Account& account, const std::string& content,
                                  const flows::UploadRequest& request = {"photo.png"});
  /// The same, developed.
  contexts::catalog::Image UploadDeveloped(const flows::Account& account,
                                           const std::string& content);

  /// Does one piece of work that is due, as a worker would. False when there is none.
  bool DoOne(flows::Product& product);
  /// Does everything that is due; returns how many pieces of work were done.
  int Drain();
  std::map<std::string, pipeline::Step> Steps(flows::Product& product);

  // The tables themselves.
  std::optional<tables::Item> Get(const std::string& table,
                                  const std::map<std::string, std::string>& key);
  std::optional<tables::Item> ImageItem(const std::string& id);
  std::vector<tables::Item> Query(const std::string& table, const std::string& index,
                                  std::string_view condition, const contexts::Bindings& bindings);
  std::vector<tables::Item> Items(const std::string& table);
  int64_t Limit(const flows::Account& account);
  std::vector<std::string> Blobs(const std::string& bucket);
  /// Everything in tables and buckets that names the image, but for its tombstone and its jobs.
  std::vector<std::string> TracesOf(const std::string& id);
  /// What the scrub has to say.
  std::vector<std::string> Findings();

  FakeClock clock_{1'750'000'000'000};
  TemporaryDirectory directory_;
  UlidGenerator ids_{clock_};
  std::unique_ptr<tables::engine::RocksDatabase> database_;
  std::unique_ptr<blobs::FileBlobStore> blobs_;
  std::unique_ptr<blobs::Spool> spool_;
  /// What the disk seems to have, if a test says. Photos come in down to 150, are worked on down to
  /// 125.
  std::optional<uint64_t> free_bytes_;
  const blobs::DiskRoom room_{[this] { return free_bytes_; },
                              {.tables_bytes = 100, .reserve_bytes = 50}};
  std::unique_ptr<darkroom::Darkroom> darkroom_;
  ForgottenFiles derived_;
  /// What is looked for in media; nothing but what developing finds, unless a test says.
  pipeline::Analyzers analyzers_{{}};
  std::unique_ptr<Wiring> wiring_;
  std::unique_ptr<IdentityParts> identity_;

 private:
  flows::Account SignUpAs(const std::string& username);
};

/// The reconciler as the program wires it, with a reader that hardly rests. Stops with its end.
struct RunningReconciler {
  RunningReconciler(flows::Product& product, tables::ChangeLog& log,
                    std::function<void()> woken = nullptr)
      : reconciler({}, product, log, std::move(woken)),
        reader({.pause = std::chrono::milliseconds(1), .wait = std::chrono::milliseconds(5)}, log,
               {&reconciler}) {}
  void Stop() { reader.Stop(); }

  pipeline::Reconciler reconciler;
  pipeline::ChangeReader reader;
};

/// The text of an attribute, empty when it is absent or no text.
inline std::string TextOf(const std::optional<tables::Item>& item, std::string_view name) {
  return item ? contexts::ItemReader(*item).Text(name) : "";
}
inline std::optional<int64_t> IntegerOf(const std::optional<tables::Item>& item,
                                        std::string_view name) {
  return item ? contexts::ItemReader(*item).OptionalInteger(name) : std::nullopt;
}
/// The code of an outcome that must be an error; kInternal when it is none.
template <typename T>
ErrorKind KindOf(const Result<T>& result) {
  return result.ok() ? ErrorKind::kInternal : result.error().kind();
}

}  // namespace tintype::product
