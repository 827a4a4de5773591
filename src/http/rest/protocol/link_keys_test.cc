#include "http/rest/protocol/link_keys.h"

#include <gtest/gtest.h>

#include <memory>

namespace tintype::http::rest {
namespace {

using contexts::RingKeys;

constexpr SignedLink kLink{"/media/images/1/LARGE", "2", "1700000000", "owner", ""};

std::string SignatureIn(const std::string& url) {
  constexpr std::string_view kName = "&signature=";
  const size_t at = url.find(kName);
  return at == std::string::npos ? "" : url.substr(at + kName.size());
}

class LinkKeysTest : public testing::Test {
 protected:
  LinkKeysTest() { keys_.Take({{"secret", 0, 0}}); }

  std::string Sign() {
    return SignatureIn(SignUrl(*keys_.Signing(), "/media/images/1/LARGE?revision=2",
                               {.expires_s = 1700000000, .audience = "owner"}));
  }

  FakeClock clock_{1'000'000};
  LinkKeys keys_{clock_};
};

// Proves that no part of a signed link can be changed, and that another gallery's is no good.
TEST_F(LinkKeysTest, SignsLinks) {
  const auto key = keys_.Signing();
  const std::string url = SignUrl(*key, "https://photos.example/media/images/1/LARGE?revision=2",
                                  {.expires_s = 1700000000, .audience = "owner"});
  const std::string signature = SignatureIn(url);
  EXPECT_EQ(url,
            "https://photos.example/media/images/1/LARGE?revision=2&expires=1700000000"
            "&for=owner&signature=" +
                signature);
  EXPECT_TRUE(keys_.VerifyUrl(kLink, signature));
  for (const SignedLink& other :
       {SignedLink{"/media/images/1/ORIGINAL", "2", "1700000000", "owner", ""},
        SignedLink{kLink.path, "1", "1700000000", "owner", ""},
        SignedLink{kLink.path, "2", "1700000001", "owner", ""},
        SignedLink{kLink.path, "2", "1700000000", "owner", "w=1"},
        SignedLink{kLink.path, "2", "1700000000", "trash", ""}}) {
    EXPECT_FALSE(keys_.VerifyUrl(other, signature));
  }
  EXPECT_FALSE(keys_.VerifyUrl(kLink, signature + "A"));
  EXPECT_FALSE(keys_.VerifyUrl(kLink, ""));
  LinkKeys others(clock_);
  others.Take({{"other", 0, 0}});
  EXPECT_FALSE(others.VerifyUrl(kLink, signature));
  LinkSigner links(key, 1700000000, "viewer");
  EXPECT_EQ(links.Sign("", "images/0/THUMB", 11),
            SignUrl(*key, "/media/images/0/THUMB?revision=11",
                    {.expires_s = 1700000000, .audience = "viewer"}));
  links.SetAudience("owner");
  EXPECT_EQ(links.Sign("https://photos.example", "images/1/LARGE", 2), url);
  EXPECT_EQ(SignUrl(*key, "https://elsewhere.example/a.jpg", {1, "owner"}),
            "https://elsewhere.example/a.jpg");
}

// Proves that what a link asks for beside the stored bytes is signed with the rest.
TEST_F(LinkKeysTest, SignsWhatIsAskedFor) {
  const std::string url =
      SignUrl(*keys_.Signing(), "/media/k?revision=0", {7, "owner", "w=5&fit=inside"});
  const std::string signature = SignatureIn(url);
  EXPECT_EQ(url, "/media/k?revision=0&w=5&fit=inside&expires=7&for=owner&signature=" + signature);
  EXPECT_TRUE(keys_.VerifyUrl({"/media/k", "0", "7", "owner", "w=5&fit=inside"}, signature));
  for (const std::string other : {"w=6&fit=inside", "w=5&fit=cover", "w=5", "fit=inside&w=5", ""}) {
    EXPECT_FALSE(keys_.VerifyUrl({"/media/k", "0", "7", "owner", other}, signature)) << other;
  }
}

// Proves that a link to put an upload to is good for that upload and that time alone.
TEST_F(LinkKeysTest, SignsUploads) {
  const std::string signature = SignUpload(*keys_.Signing(), "01A", 7);
  EXPECT_TRUE(keys_.VerifyUpload("01A", 7, signature));
  EXPECT_FALSE(keys_.VerifyUpload("01B", 7, signature));
  EXPECT_FALSE(keys_.VerifyUpload("01A", 8, signature));
  EXPECT_FALSE(keys_.VerifyUpload("01A", 7, ""));
}

// Proves that a new key signs only from its time on, but is known before; and that the one before
// it is honoured until its own.
TEST_F(LinkKeysTest, ChangesKeys) {
  const std::string before = Sign();
  keys_.Take({{"new", 1'020'000, 0}, {"secret", 0, 1'050'000}});
  EXPECT_EQ(Sign(), before);
  clock_.AdvanceMs(20'000);
  const std::string after = Sign();
  EXPECT_NE(after, before);
  EXPECT_TRUE(keys_.VerifyUrl(kLink, after));
  EXPECT_TRUE(keys_.VerifyUrl(kLink, before));
  clock_.AdvanceMs(29'999);
  EXPECT_TRUE(keys_.VerifyUrl(kLink, before));
  clock_.AdvanceMs(1);
  EXPECT_FALSE(keys_.VerifyUrl(kLink, before));
  EXPECT_TRUE(keys_.VerifyUrl(kLink, after));
  // A node that has not read the ring yet takes what another signs.
  clock_.AdvanceMs(-50'000);
  EXPECT_TRUE(keys_.VerifyUrl(kLink, after));
}

// Proves that a key which is taken away is good for nothing any more.
TEST_F(LinkKeysTest, ForgetsWhatWasTakenAway) {
  const std::string before = Sign();
  keys_.Take({{"new", 0, 0}});
  EXPECT_FALSE(keys_.VerifyUrl(kLink, before));
  EXPECT_TRUE(keys_.VerifyUrl(kLink, Sign()));
}

}  // namespace
}  // namespace tintype::http::rest
