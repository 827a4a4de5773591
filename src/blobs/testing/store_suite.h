#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "blobs/blob_store.h"

namespace tintype::blobs {

/// A store and what it needs to live.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual BlobStore& store() = 0;
};

struct StoreKind {
  const char* name;
  std::function<std::unique_ptr<StoreUnderTest>()> make;
};

/// Bytes that tell where they are.
std::string Patterned(size_t size);

/// What every BlobStore promises, run on every store: a test program links store_suite.cc and
/// instantiates this with the stores that it has.
class BlobStoreTest : public ::testing::TestWithParam<StoreKind> {
 protected:
  BlobStore& store() { return under_test_->store(); }

  void Put(const std::string& key, const std::string& bytes);
  /// The bytes, or "(none)".
  std::string Get(const std::string& key, const std::string& bucket = "images");
  std::vector<std::string> Keys(const ListRequest& request);
  std::vector<std::string> AllKeys() { return Keys({.bucket = "images"}); }

 private:
  const std::unique_ptr<StoreUnderTest> under_test_ = GetParam().make();
};

}  // namespace tintype::blobs
