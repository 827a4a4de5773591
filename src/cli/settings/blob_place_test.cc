#include "cli/settings/blob_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/testing/temporary_directory.h"

namespace tintype::cli {
namespace {

using testing::HasSubstr;

BlobSettings Files(const std::string& uploads = "", const std::string& images = "") {
  return {.buckets = {uploads, images}, .s3 = {}};
}
BlobSettings Buckets(const std::string& uploads, const std::string& images) {
  return {.buckets = {uploads, images}, .s3 = S3Settings()};
}

class BlobPlaceTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& content) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ASSERT_TRUE(WriteFileAtomically(path, content, 0600).ok());
  }
  /// What a check says, empty when it agrees.
  std::string Check(const BlobSettings& settings) const {
    const Status checked = CheckBlobPlace(data_, settings);
    return checked.ok() ? "" : checked.error().message();
  }

  TemporaryDirectory directory_;
  DataDirectory data_{directory_.path()};
};

// Proves that what the first start was told holds from then on, and that others are told so with
// the flags that are right and the line to write if the photos were moved.
TEST_F(BlobPlaceTest, HoldsToTheFirst) {
  EXPECT_EQ(Check(Files()), "");
  EXPECT_EQ(Check(Buckets("a-uploads", "a-images")), "");
  ASSERT_TRUE(RecordBlobPlace(data_, Buckets("a-uploads", "a-images")).ok());
  EXPECT_EQ(*ReadFile(data_.blob_place()), "s3 a-uploads a-images\n");
  ASSERT_TRUE(RecordBlobPlace(data_, Files("uploads", "images")).ok());
  EXPECT_EQ(*ReadFile(data_.blob_place()), "s3 a-uploads a-images\n") << "it is written once";
  EXPECT_EQ(Check(Buckets("a-uploads", "a-images")), "");
  EXPECT_EQ(CheckBlobPlace(data_, Files()).error().kind(), ErrorKind::kValidation);
  EXPECT_THAT(Check(Files()), HasSubstr("in the buckets a-uploads and a-images of S3"));
  EXPECT_THAT(Check(Files()), HasSubstr("Set --blobs s3://a. If"));
  EXPECT_THAT(Check(Files()), HasSubstr("put the line 'files' into"));
  EXPECT_THAT(Check(Buckets("bbb", "a-images")), HasSubstr("put the line 's3 bbb a-images' into"));

  Write(data_.blob_place(), "s3 one two");
  EXPECT_THAT(Check(Files()),
              HasSubstr("Set --blobs s3:// --uploads-bucket one --images-bucket two. If"));
  Write(data_.blob_place(), "files\n");
  EXPECT_EQ(Check(Files()), "");
  EXPECT_THAT(Check(Buckets("one", "two")), HasSubstr("Set --blobs files. If"));
}

// Proves that buckets in files have names too, that those who say none or one of them get what is
// there, and that other names are refused.
TEST_F(BlobPlaceTest, BucketsInFilesHaveNames) {
  const BlobSettings place = Files("uploads-prod", "images-prod");
  ASSERT_TRUE(RecordBlobPlace(data_, place).ok());
  EXPECT_EQ(*ReadFile(data_.blob_place()), "files uploads-prod images-prod\n");
  EXPECT_TRUE(IsSamePlace(FindBlobPlace(data_).value().value(), place));
  EXPECT_EQ(Check(Files()), "");
  EXPECT_EQ(Check(Files("", "images-prod")), "");
  EXPECT_TRUE(IsSamePlace(WithNamesOf(place, Files("", "images-prod")), place));
  const std::string refused = Check(Files("", "images"));
  EXPECT_THAT(refused, HasSubstr("in the buckets uploads-prod and images-prod, but the settings "));
  EXPECT_THAT(refused, HasSubstr("Set --blobs files --uploads-bucket uploads-prod --images-bucket "
                                 "images-prod. If"));
  EXPECT_THAT(refused, HasSubstr("put the line 'files uploads-prod images' into"));
  EXPECT_THAT(Check(Buckets("one", "two")), HasSubstr("Set --blobs files --uploads-bucket"));
}

// Proves that names which nobody said are the default ones, on no record but one of their own kind.
TEST_F(BlobPlaceTest, DefaultNames) {
  EXPECT_TRUE(IsSamePlace(WithNamesOf(std::nullopt, Files()), Files("uploads", "images")));
  EXPECT_TRUE(IsSamePlace(WithNamesOf(Buckets("one", "two"), Files()), Files("uploads", "images")));
  EXPECT_EQ(LineOfBlobPlace(Files("uploads", "images")), "files");
  EXPECT_TRUE(IsSamePlace(ParseBlobPlace("files").value(), Files("uploads", "images")));
}

// Proves that a directory without the record has its photos in files if it has files.
TEST_F(BlobPlaceTest, FilesShowWhereTheyAre) {
  std::filesystem::create_directories(data_.blobs() + "/images/images/1");
  Write(data_.blobs() + "/of-an-upload", "on its way");
  EXPECT_EQ(Check(Buckets("one", "two")), "");
  Write(data_.blobs() + "/uploads/uploads/1", "bytes");
  EXPECT_THAT(Check(Buckets("one", "two")), HasSubstr("in files of the data directory"));
  EXPECT_EQ(Check(Files()), "");
}

// Proves that a record which says nothing is not taken for one that is missing.
TEST_F(BlobPlaceTest, RefusesWhatItDoesNotUnderstand) {
  for (const char* const line : {"", "\n", "file", "files \n", "files\n\n", "files one", "s3",
                                 "s3 one", "s3 one ", "s3 one two three", "s3 One two", "s3  two",
                                 "s3 one one", "files one two three", "disk one two"}) {
    Write(data_.blob_place(), line);
    const Status checked = CheckBlobPlace(data_, Files());
    ASSERT_FALSE(checked.ok()) << line;
    EXPECT_EQ(checked.error().kind(), ErrorKind::kCorruption) << line;
    EXPECT_THAT(checked.error().message(), HasSubstr(data_.blob_place()));
  }
}

}  // namespace
}  // namespace tintype::cli
