#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/registry/durations.h"
#include "tables/engine/rocks_database.h"

namespace tintype::tables::engine {

inline constexpr int64_t kSecondMs = 1000;
inline constexpr int64_t kHourMs = 60 * 60 * kSecondMs;

/// An engine in a directory of its own with a clock that the test turns. Tables have the key `pk`.
class EngineTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }

  virtual EngineConfig Config();

  /// What the engine takes the time from.
  virtual const Clock& EngineClock() { return clock_; }

  void Open();

  /// What the engine is made of, until it is opened anew.
  Core& core() { return *database_->core_; }

  /// Calls an operation and waits for its answer.
  template <typename Interface, typename Request, typename Response>
  Result<Response> Call(void (Interface::*operation)(Request, Done<Response>), Request request) {
    std::promise<Result<Response>> promise;
    (static_cast<Interface&>(*database_).*operation)(
        std::move(request),
        [&promise](Result<Response> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
  }

  static CreateTableRequest Table(const std::string& name);

  static IndexDefinition Index(const std::string& name);

  /// With an index `by_n` on the number `n`.
  static CreateTableRequest IndexedTable(const std::string& name);

  void Create(CreateTableRequest request);

  static Item Key(const std::string& pk);
  static Item With(const std::string& pk, const std::string& name, int64_t number);

  void Put(const std::string& table, Item item);
  void Delete(const std::string& table, const std::string& pk);
  std::optional<Item> Get(const std::string& table, const std::string& pk);

  /// All items of a table or of one of its indexes, in its order. Empty too if it cannot be read.
  std::vector<Item> Items(const std::string& table, std::optional<std::string> index = {});

  Result<DescribeStreamResponse> DescribeStream(const std::string& arn);

  TableDescription Description(const std::string& table);
  bool BecomesActive(const std::string& table);

  FakeClock clock_{1'750'000'000'000};
  TemporaryDirectory directory_;
  std::unique_ptr<RocksDatabase> database_;
};

}  // namespace tintype::tables::engine
