#include "blobs/blob_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "blobs/file_blob_store.h"
#include "blobs/metered_blob_store.h"
#include "blobs/sealed/sealed_blob_store.h"
#include "blobs/sealed/testing/sealed_bytes.h"
#include "blobs/testing/losing_disk.h"
#include "blobs/testing/store_suite.h"
#include "blobs/testing/whole_blobs.h"
#include "metrics/registry.h"

/// The suite of all stores, on blobs in files. On S3 it is run by tests/s3.
namespace tintype::blobs {
namespace {

class FilesUnderTest : public StoreUnderTest {
 public:
  BlobStore& store() override { return *store_; }

 private:
  const TemporaryDirectory directory_;
  const std::unique_ptr<BlobStore> store_ =
      FileBlobStore::OpenRoot({directory_.path(), {"images", "uploads"}}).value();
};

/// Shows that the disk of the fault tests behaves as a real one, until its power is cut.
class LosingDiskUnderTest : public StoreUnderTest {
 public:
  BlobStore& store() override { return *store_; }

 private:
  LosingDisk disk_;
  const std::unique_ptr<BlobStore> store_ =
      FileBlobStore::OpenOn(disk_.Mount(), {"images", "uploads"}).value();
};

/// Shows that counting changes nothing.
class MeteredUnderTest : public StoreUnderTest {
 public:
  BlobStore& store() override { return store_; }

 private:
  LosingDisk disk_;
  metrics::Registry registry_;
  MeteredBlobStore store_{FileBlobStore::OpenOn(disk_.Mount(), {"images", "uploads"}).value(),
                          "files", registry_};
};

/// Shows that encryption changes nothing.
class SealedUnderTest : public StoreUnderTest {
 public:
  BlobStore& store() override { return store_; }

 private:
  LosingDisk disk_;
  SealedBlobStore store_{FileBlobStore::OpenOn(disk_.Mount(), {"images", "uploads"}).value(),
                         SharedKeysOf({1}), NewBlobs::kSealed};
};

INSTANTIATE_TEST_SUITE_P(
    Stores, BlobStoreTest,
    ::testing::Values(StoreKind{"Files", [] { return std::make_unique<FilesUnderTest>(); }},
                      StoreKind{"LosingDisk",
                                [] { return std::make_unique<LosingDiskUnderTest>(); }},
                      StoreKind{"Metered", [] { return std::make_unique<MeteredUnderTest>(); }},
                      StoreKind{"Sealed", [] { return std::make_unique<SealedUnderTest>(); }}),
    [](const auto& kind) { return kind.param.name; });

// More than a page of blobs is deleted as well. (In memory: as synced files they would take long.)
TEST(DeletePrefixTest, GoesOnAfterAPage) {
  LosingDiskUnderTest under_test;
  for (int i = 0; i < 1005; ++i) {
    ASSERT_TRUE(PutBlob(under_test.store(), {"images", StrCat("many/", i)}, "").ok());
  }
  EXPECT_EQ(under_test.store().DeletePrefix("images", "many/").value(), 1005U);
  EXPECT_THAT(under_test.store().List({.bucket = "images"})->blobs, ::testing::IsEmpty());
}

}  // namespace
}  // namespace tintype::blobs
