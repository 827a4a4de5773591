#include "blobs/metered_blob_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "blobs/file_blob_store.h"
#include "blobs/testing/losing_disk.h"
#include "blobs/testing/whole_blobs.h"

namespace tintype::blobs {
namespace {

class MeteredBlobStoreTest : public ::testing::Test {
 protected:
  uint64_t Calls(const std::string& operation, const std::string& outcome) const {
    const std::string text = registry_.Render();
    const std::string name = "\ntintype_blob_calls_total{store=\"files\",operation=\"" + operation +
                             "\",outcome=\"" + outcome + "\"} ";
    const size_t found = text.find(name);
    EXPECT_NE(found, std::string::npos) << text;
    return std::stoull(text.substr(found + name.size()));
  }

  LosingDisk disk_;
  metrics::Registry registry_;
  std::unique_ptr<BlobStore> store_ = std::make_unique<MeteredBlobStore>(
      FileBlobStore::OpenOn(disk_.Mount(), {"images"}).value(), "files", registry_);
};

// Proves that calls are counted by what came of them, those of writers and open blobs too.
TEST_F(MeteredBlobStoreTest, CountsOutcomes) {
  ASSERT_TRUE(PutBlob(*store_, {"images", "a"}, "bytes").ok());
  EXPECT_EQ(Calls("create", "ok"), 1);
  EXPECT_EQ(Calls("write", "ok"), 1);
  EXPECT_EQ(Calls("commit", "ok"), 1);
  EXPECT_FALSE(store_->Open({"images", "b"}).ok());
  EXPECT_EQ(Calls("open", "missing"), 1);
  EXPECT_FALSE(store_->Head({"images", "/"}).ok());
  EXPECT_EQ(Calls("head", "refused"), 1);
  const auto blob = store_->Open({"images", "a"});
  ASSERT_TRUE(blob.ok());
  store_.reset();
  std::string piece(5, ' ');
  EXPECT_EQ((*blob)->Read(0, piece).value(), 5U);
  EXPECT_EQ(piece, "bytes");
  EXPECT_EQ(Calls("open", "ok"), 1);
  EXPECT_EQ(Calls("read", "ok"), 1);
  const std::string text = registry_.Render();
  EXPECT_NE(text.find("tintype_blob_calls_in_progress{store=\"files\"} 0\n"), std::string::npos);
  EXPECT_NE(
      text.find("tintype_blob_call_duration_seconds_count{store=\"files\",operation=\"open\"} 2\n"),
      std::string::npos);
}

}  // namespace
}  // namespace tintype::blobs
