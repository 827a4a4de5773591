#include "blobs/hashing_writer.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/testing/temporary_directory.h"
#include "blobs/file_blob_store.h"
#include "blobs/testing/whole_blobs.h"

namespace tintype::blobs {
namespace {

// The vectors of RFC 1321 and FIPS 180-2, whichever way the bytes come.
TEST(ContentHasherTest, ComputesBothChecksumsInPieces) {
  ContentHasher hasher;
  EXPECT_EQ(hasher.hashes(),
            (ContentHashes{"d41d8cd98f00b204e9800998ecf8427e",
                           "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}));
  hasher.Update("a");
  EXPECT_EQ(hasher.hashes().md5, "0cc175b9c0f1b6a831c399e269772661");
  hasher.Update("");
  hasher.Update("bc");
  const ContentHashes abc{"900150983cd24fb0d6963f7d28e17f72",
                          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"};
  EXPECT_EQ(hasher.hashes(), abc);
  EXPECT_EQ(hasher.hashes(), abc);
}

// The bytes that pass through are those stored and those hashed; there is no way around it.
TEST(HashingWriterTest, HashesWhatItWrites) {
  const TemporaryDirectory directory;
  const auto store = FileBlobStore::OpenRoot({directory.path(), {"uploads"}});
  ASSERT_TRUE(store.ok());
  const BlobKey key{"uploads", "uploads/1"};
  auto inner = (*store)->Create(key);
  ASSERT_TRUE(inner.ok());
  HashingWriter writer(std::move(*inner));
  EXPECT_EQ(writer.descriptor(), -1);
  ASSERT_TRUE(writer.Write("ab").ok());
  ASSERT_TRUE(writer.Write("c").ok());
  EXPECT_EQ(writer.hashes().md5, "900150983cd24fb0d6963f7d28e17f72");
  const auto info = writer.Commit();
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->bytes, 3U);
  EXPECT_EQ(writer.hashes().md5, "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(GetBlob(**store, key).value(), "abc");
}

}  // namespace
}  // namespace tintype::blobs
