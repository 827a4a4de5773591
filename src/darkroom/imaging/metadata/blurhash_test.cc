#include "darkroom/imaging/metadata/blurhash.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace tintype::darkroom {
namespace {

using Pixel = std::array<int, 3>;
using Painter = std::function<Pixel(int x, int y)>;

std::string Encode(int width, int height, int across, int down, const Painter& paint) {
  std::vector<uint8_t> bytes;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (const int band : paint(x, y)) {
        bytes.push_back(static_cast<uint8_t>(band));
      }
    }
  }
  return EncodeBlurhash({bytes, width, height}, across, down);
}

// Proves that the text is what other programs read: the same as that of the npm package blurhash
// 2.0.5 for the same pixels.
TEST(BlurhashTest, IsWhatOthersEncode) {
  const Painter wave = [](int x, int y) {
    return Pixel{(x * 7 + y * 3) % 256, (x * y) % 256, (255 - x * 5 + y * 256) % 256};
  };
  const Painter red = [](int, int) { return Pixel{200, 30, 30}; };
  const Painter split = [](int x, int) { return x < 10 ? Pixel{255, 0, 0} : Pixel{0, 0, 255}; };
  const Painter black = [](int, int) { return Pixel{0, 0, 0}; };
  const struct {
    Painter paint;
    int width, height, across, down;
    const char* expected;
  } cases[] = {
      {wave, 20, 14, 4, 3, "LtBD9PIiohjyVikojIfRbZjHfjfQ"},
      {wave, 20, 14, 3, 4, "TtBD9PIiohVikojIbZjHfjoPa$ju"},
      {wave, 33, 17, 9, 9,
       "|*HT-B5enCn.S$s;R:sqS6VgWrt5SznlWXoeW;n+VwowX6nRX6kAazjabGsEX8i~g1fkjIbHj[bHbGagkAbZi}bZj@"
       "azjaogWFbai~baj[ahj[bHagkAjabZjtagkAa|e;s;W=jbfka#kBa}jIbaagj@j@bGjabGjHbZja"},
      {wave, 7, 5, 1, 1, "003as9"},
      {red, 20, 14, 4, 3, "LDM^z|=0fQ=0|wo1fQo1fQfQfQfQ"},
      {split, 20, 14, 4, 3, "L~LjfL|TwtJrsXsRjsa~fQfQfQfQ"},
      {black, 4, 4, 4, 3, "L00000fQfQfQfQfQfQfQfQfQfQfQ"},
      {red, 1, 1, 4, 3, "L~M^z||_|_|_|_|_|_|_|_|_|_|_"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Encode(test.width, test.height, test.across, test.down, test.paint), test.expected);
  }
}

}  // namespace
}  // namespace tintype::darkroom
