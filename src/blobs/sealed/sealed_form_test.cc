#include "blobs/sealed/sealed_form.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/strings.h"
#include "blobs/sealed/testing/sealed_bytes.h"

namespace tintype::blobs {
namespace {

// Sizes are known from each other, and a size that no blob can be sealed into has none.
TEST(SealedFormTest, SizesFollowFromEachOther) {
  for (const uint64_t bytes :
       {uint64_t{0}, uint64_t{1}, uint64_t{kChunkBytes - 1}, uint64_t{kChunkBytes},
        uint64_t{kChunkBytes + 1}, uint64_t{10 * kChunkBytes}, uint64_t{1} << 40}) {
    EXPECT_EQ(BytesOfSealed(SealedBytesOf(bytes)), bytes);
  }
  EXPECT_EQ(Sealed(KeysOf({1}), std::string(kChunkBytes + 1, 'a')).size(),
            SealedBytesOf(kChunkBytes + 1));
  const uint64_t one_chunk = kSealedHeaderBytes + kSealedChunkBytes;
  for (const uint64_t none : {uint64_t{0}, uint64_t{kSealedHeaderBytes},
                              uint64_t{kSealedHeaderBytes + kChunkExtraBytes - 1}, one_chunk + 1,
                              one_chunk + kChunkExtraBytes}) {
    EXPECT_EQ(BytesOfSealed(none), std::nullopt) << none;
  }
}

// Every byte counts: with any one of them changed, the blob cannot be opened.
TEST(SealedFormTest, AnyChangedByteIsRefused) {
  const SealingKeys keys = KeysOf({7});
  const std::string sealed = Sealed(keys, "A photo that cannot be taken again.");
  ASSERT_EQ(Opened(keys, sealed), "A photo that cannot be taken again.");
  for (size_t at = 0; at < sealed.size(); ++at) {
    for (const char flip : {'\x01', '\x80'}) {
      std::string changed = sealed;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      EXPECT_EQ(Opened(keys, changed), std::nullopt) << at;
    }
  }
}

// Bytes that are missing at the end, or too many, are noticed, at the end of a chunk as well.
TEST(SealedFormTest, AnyOtherEndIsRefused) {
  const SealingKeys keys = KeysOf({7});
  const std::string sealed = Sealed(keys, std::string(2 * kChunkBytes + 100, 'x'));
  const size_t first_end = kSealedHeaderBytes + kSealedChunkBytes;
  for (const size_t size : {size_t{0}, size_t{1}, kSealedHeaderBytes - 1, kSealedHeaderBytes,
                            kSealedHeaderBytes + kChunkExtraBytes, first_end - 1, first_end,
                            first_end + kSealedChunkBytes, sealed.size() - 1}) {
    EXPECT_EQ(Opened(keys, sealed.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(Opened(keys, sealed + "x"), std::nullopt);
  EXPECT_EQ(Opened(keys, sealed + sealed.substr(first_end + kSealedChunkBytes)), std::nullopt);
}

// Chunks that are good by themselves are refused in another place, twice, and in another blob.
TEST(SealedFormTest, ChunksStayInTheirPlace) {
  const SealingKeys keys = KeysOf({7});
  const std::string bytes = std::string(3 * kChunkBytes, 'x');
  const std::string sealed = Sealed(keys, bytes);
  const std::string other = Sealed(keys, bytes);
  EXPECT_NE(sealed, other);
  const auto chunk = [](const std::string& of, size_t number) {
    return of.substr(kSealedHeaderBytes + number * kSealedChunkBytes, kSealedChunkBytes);
  };
  const std::string header = sealed.substr(0, kSealedHeaderBytes);
  ASSERT_EQ(Opened(keys, StrCat(header, chunk(sealed, 0), chunk(sealed, 1), chunk(sealed, 2))),
            bytes);
  for (const std::vector<std::string>& chunks : std::vector<std::vector<std::string>>{
           {chunk(sealed, 1), chunk(sealed, 0), chunk(sealed, 2)},
           {chunk(sealed, 0), chunk(sealed, 0), chunk(sealed, 2)},
           {chunk(sealed, 0), chunk(sealed, 2)},
           {chunk(sealed, 0), chunk(sealed, 1)},
           {chunk(other, 0), chunk(sealed, 1), chunk(sealed, 2)},
           {chunk(sealed, 0), chunk(sealed, 1), chunk(other, 2)}}) {
    std::string put_together = header;
    for (const std::string& one : chunks) {
      put_together += one;
    }
    EXPECT_EQ(Opened(keys, put_together), std::nullopt);
  }
}

// A blob is opened with the key that it was sealed with, as long as that is there.
TEST(SealedFormTest, OldKeysOpenWhatTheySealed) {
  const std::string sealed = Sealed(KeysOf({1}), "old");
  EXPECT_EQ(Opened(KeysOf({1, 2}), sealed), "old");
  EXPECT_EQ(Opened(KeysOf({2}), sealed), std::nullopt);
  EXPECT_EQ(Opened(KeysOf({1}), Sealed(KeysOf({1, 2}), "new")), std::nullopt);
  const auto refused = SealedForm::FromHeader(KeysOf({2}), sealed.substr(0, kSealedHeaderBytes));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("0000000000000001"), std::string::npos);
}

// In one piece it is the same form.
TEST(SealedFormTest, WholeBlobsAreTheSame) {
  const SealingKeys keys = KeysOf({1});
  for (const size_t size : {size_t{0}, size_t{1}, kChunkBytes, kChunkBytes + 1, 3 * kChunkBytes}) {
    const std::string bytes(size, 'b');
    EXPECT_EQ(Opened(keys, SealWhole(keys, bytes)), bytes) << size;
    EXPECT_EQ(OpenWhole(keys, Sealed(keys, bytes)).value(), bytes) << size;
  }
  std::string changed = SealWhole(keys, "bytes");
  changed.back() = static_cast<char>(changed.back() ^ 1);
  EXPECT_FALSE(OpenWhole(keys, changed).ok());
  EXPECT_FALSE(OpenWhole(keys, "").ok());
}

// Nothing of a blob can be seen in what is stored of it, and two of the same bytes differ.
TEST(SealedFormTest, HidesTheBytes) {
  const SealingKeys keys = KeysOf({1});
  const std::string secret = "known bytes of a photo";
  const std::string sealed = Sealed(keys, secret);
  EXPECT_EQ(sealed.find("known"), std::string::npos);
  EXPECT_NE(sealed.substr(kSealedHeaderBytes), Sealed(keys, secret).substr(kSealedHeaderBytes));
}

}  // namespace
}  // namespace tintype::blobs
