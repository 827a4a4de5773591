#include "http/rest/media/accept.h"

#include <gtest/gtest.h>

#include <string>

#include "delivery/resizing.h"

namespace tintype::http::rest {
namespace {

// Proves that clients get what they name and rate highest, and JPEG when they name nothing that we
// could make, whatever else is in the header.
TEST(AcceptTest, ChoosesByName) {
  const struct {
    std::string accept;
    std::string_view format;
  } cases[] = {
      {"", "jpeg"},
      {"*/*", "jpeg"},
      {"image/*", "jpeg"},
      {"text/html", "jpeg"},
      {"image/webp", "webp"},
      {"IMAGE/WEBP", "webp"},
      {"image/avif", "avif"},
      // What browsers send: AVIF for the same weight is not worth its time.
      {"image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "webp"},
      {"image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5", "jpeg"},
      {"image/avif, image/webp;q=0.9", "avif"},
      {"image/avif;q=0.5, image/webp;q=0.9", "webp"},
      {"image/webp;q=0", "jpeg"},
      {"image/webp;q=0.000, image/avif;q=0", "jpeg"},
      {"image/avif;q=0, image/webp;q=0.001", "webp"},
      {"image/jpeg, image/webp;q=0.5", "jpeg"},
      {"image/jpeg;q=0.5, image/webp;q=0.5", "webp"},
      {"image/jpeg, image/avif;q=0.9", "jpeg"},
      {" image/webp ; level=1 ; Q=0.7 , text/plain", "webp"},
      // Nonsense is no reason to fail.
      {"image/webp;q=2", "jpeg"},
      {"image/webp;q=-1", "jpeg"},
      {"image/webp;q=0.1234", "jpeg"},
      {"image/webp;q=", "jpeg"},
      {"image/webp;q=1.5", "webp"},
      {",,;;==,image/webp", "webp"},
      {";q=1", "jpeg"},
      {std::string(10'000, ','), "jpeg"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(delivery::NameOf(ChooseFormat(test.accept)), test.format) << test.accept;
  }
}

}  // namespace
}  // namespace tintype::http::rest
