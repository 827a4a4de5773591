#include "delivery/resizing.h"

#include <gtest/gtest.h>

namespace tintype::delivery {
namespace {

using Query = std::map<std::string, std::string>;

// Proves that what is asked for is read as it is meant, and that what is written reads the same.
TEST(ResizingTest, ReadsWhatItWrites) {
  const struct {
    Query query;
    std::string written;
  } cases[] = {
      {{{"w", "512"}}, "w=512&fit=inside&format=auto"},
      {{{"h", "1"}, {"format", "webp"}}, "h=1&fit=inside&format=webp"},
      {{{"w", "4096"}, {"h", "30"}, {"fit", "cover"}, {"format", "avif"}, {"q", "100"}},
       "w=4096&h=30&fit=cover&format=avif&q=100"},
      {{{"w", "2"}, {"h", "3"}, {"fit", "inside"}, {"format", "jpeg"}, {"q", "1"}, {"other", "x"}},
       "w=2&h=3&fit=inside&format=jpeg&q=1"},
  };
  for (const auto& test : cases) {
    const auto resizing = ParseResizing(test.query);
    ASSERT_TRUE(resizing.ok()) << test.written;
    EXPECT_EQ(ToQuery(*resizing), test.written);
  }
}

// Proves that everything is bounded, and that a wrong parameter is named.
TEST(ResizingTest, RefusesWhatIsOutOfBounds) {
  const struct {
    Query query;
    std::string named;
  } cases[] = {
      {{}, "`w`"},
      {{{"w", "0"}}, "`w`"},
      {{{"w", "4097"}}, "`w`"},
      {{{"w", "-1"}}, "`w`"},
      {{{"w", "+1"}}, "`w`"},
      {{{"w", "01"}}, "`w`"},
      {{{"w", ""}}, "`w`"},
      {{{"w", "1 "}}, "`w`"},
      {{{"w", "99999999999999999999"}}, "`w`"},
      {{{"w", "1"}, {"h", "x"}}, "`h`"},
      {{{"w", "1"}, {"q", "101"}}, "`q`"},
      {{{"w", "1"}, {"q", "0"}}, "`q`"},
      {{{"w", "1"}, {"fit", "fill"}}, "`fit`"},
      {{{"w", "1"}, {"fit", "cover"}}, "`fit=cover`"},
      {{{"w", "1"}, {"format", "png"}}, "`format`"},
      {{{"w", "1"}, {"format", ""}}, "`format`"},
  };
  for (const auto& test : cases) {
    const auto resizing = ParseResizing(test.query);
    ASSERT_FALSE(resizing.ok()) << test.named;
    EXPECT_EQ(resizing.error().kind(), ErrorKind::kValidation);
    EXPECT_NE(resizing.error().message().find(test.named), std::string::npos)
        << resizing.error().message();
  }
}

}  // namespace
}  // namespace tintype::delivery
