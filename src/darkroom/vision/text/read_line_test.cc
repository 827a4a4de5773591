#include "darkroom/vision/text/read_line.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace tintype::darkroom::vision {
namespace {

using testing::ElementsAre;

const Characters& Letters() {
  static const Characters letters = ReadCharacters("a\nb\r\nß\n");
  return letters;
}

/// What a recogniser says that sees these characters, one at each step, all as sure.
Tensor Steps(const std::vector<size_t>& numbers, float sure) {
  Tensor steps{{1, static_cast<int64_t>(numbers.size()), static_cast<int64_t>(Letters().size())},
               {}};
  for (const size_t number : numbers) {
    std::vector<float> row(Letters().size(), 0);
    row[number] = sure;
    steps.values.insert(steps.values.end(), row.begin(), row.end());
  }
  return steps;
}

// Proves that characters are numbered as models number them: none first, a blank last.
TEST(ReadLineTest, NumbersCharacters) {
  EXPECT_THAT(Letters(), ElementsAre("", "a", "b", "ß", " "));
  EXPECT_EQ(ReadCharacters("a\n \xFF\n")[2], " ") << "what is no text cannot be read";
}

// Proves that a character which lasts is one, and the same after nothing is another.
TEST(ReadLineTest, JoinsStepsThatFollowEachOther) {
  EXPECT_EQ(ReadingOf(Steps({1, 1, 0, 1, 2, 2}, 0.9F), Letters()).text, "aab");
  EXPECT_NEAR(ReadingOf(Steps({1, 1, 0, 1, 2, 2}, 0.9F), Letters()).confidence, 0.9, 1e-6);
}

// Proves that words are where blanks leave them, in the text and along the line.
TEST(ReadLineTest, FindsWords) {
  const Reading reading = ReadingOf(Steps({1, 2, 4, 3, 0, 1, 4, 4}, 0.8F), Letters());
  EXPECT_EQ(reading.text, "ab ßa ");
  ASSERT_EQ(reading.words.size(), 2U);
  EXPECT_EQ(reading.text.substr(0, 2), "ab");
  EXPECT_EQ(reading.words[0].begin, 0);
  EXPECT_EQ(reading.words[0].end, 2);
  EXPECT_DOUBLE_EQ(reading.words[0].from, 0);
  EXPECT_DOUBLE_EQ(reading.words[0].to, 2.0 / 8);
  EXPECT_EQ(reading.text.substr(3, 3), "ßa");
  EXPECT_EQ(reading.words[1].begin, 3);
  EXPECT_EQ(reading.words[1].end, 6);
  EXPECT_DOUBLE_EQ(reading.words[1].to, 6.0 / 8);
}

// Proves that blanks alone, nothing, and what no model gives are no text.
TEST(ReadLineTest, ReadsNothingInNothing) {
  EXPECT_EQ(ReadingOf(Steps({4, 0, 4}, 0.9F), Letters()).text, "");
  EXPECT_EQ(ReadingOf(Steps({0, 0}, 0.9F), Letters()).text, "");
  EXPECT_EQ(ReadingOf(Tensor{{1, 0, 5}, {}}, Letters()).text, "");
  EXPECT_EQ(ReadingOf(Tensor{{5}, {1, 2, 3, 4, 5}}, Letters()).text, "");
}

// Proves that Japanese is told by its kana, and nothing else is taken for it.
TEST(ReadLineTest, TellsKana) {
  for (const std::string_view text : {"写真をとる", "カメラ", "aひ"}) {
    EXPECT_TRUE(HasKana(text)) << text;
  }
  for (const std::string_view text : {"", "请保持安静", "Straße", "한국어", "ー", "・", "、。"}) {
    EXPECT_FALSE(HasKana(text)) << text;
  }
}

// Proves that Chinese characters and kana are told from what surrounds them.
TEST(ReadLineTest, TellsIdeographs) {
  for (const std::string_view text : {"北京", "a 图", "カ", "ひ", "龍"}) {
    EXPECT_TRUE(HasIdeographs(text)) << text;
  }
  for (const std::string_view text : {"", "plain", "Größe", "、。", "€ 5", "“quoted”"}) {
    EXPECT_FALSE(HasIdeographs(text)) << text;
  }
}

// Proves that letters which English does not have are told from others.
TEST(ReadLineTest, TellsAccents) {
  for (const std::string_view text : {"Größe", "Où", "niño", "Łódź"}) {
    EXPECT_TRUE(HasAccents(text)) << text;
  }
  for (const std::string_view text : {"", "plain", "5 €", "北京", "カメラ", "±", "«»"}) {
    EXPECT_FALSE(HasAccents(text)) << text;
  }
}

// Proves that a line cannot be longer than an answer may be.
TEST(ReadLineTest, EndsLongLines) {
  std::vector<size_t> numbers;
  numbers.reserve(3000);
  for (int i = 0; i < 3000; ++i) {
    numbers.push_back(i % 2 == 0 ? 3 : 0);
  }
  const Reading reading = ReadingOf(Steps(numbers, 0.9F), Letters());
  EXPECT_EQ(reading.text.size(), kTextLineBytesMax);
  EXPECT_EQ(static_cast<size_t>(reading.words.back().end), reading.text.size());
}

/// A picture that is black but for a white spot.
Picture WithSpot(int32_t width, int32_t height, int32_t x, int32_t y) {
  Picture picture{
      width, height,
      std::vector<uint8_t>(static_cast<size_t>(width) * static_cast<size_t>(height) * 3)};
  for (int32_t dy = -3; dy <= 3; ++dy) {
    for (int32_t dx = -3; dx <= 3; ++dx) {
      const size_t at =
          (static_cast<size_t>(y + dy) * static_cast<size_t>(width) + static_cast<size_t>(x + dx)) *
          3;
      std::fill_n(&picture.pixels[at], 3, uint8_t{255});
    }
  }
  return picture;
}

/// Where the brightest pixel of a picture is, in parts of its sides.
Point Brightest(const Picture& picture) {
  double x = 0;
  double y = 0;
  double sum = 0;
  for (int32_t row = 0; row < picture.height; ++row) {
    for (int32_t column = 0; column < picture.width; ++column) {
      const double value = picture.At(column, row)[0];
      x += value * (column + 0.5);
      y += value * (row + 0.5);
      sum += value;
    }
  }
  return {x / sum / picture.width, y / sum / picture.height};
}

// Proves that a line is cut out as it is read: upright from the left, and one from top to bottom
// turned to the left.
TEST(ReadLineTest, CutsLinesAsTheyAreRead) {
  const Picture flat = CutLine(WithSpot(200, 100, 40, 45), {{100, 50}, 160, 20, {1, 0}});
  EXPECT_EQ(flat.height, 48);
  EXPECT_EQ(flat.width, 384);
  EXPECT_NEAR(Brightest(flat).x, (40.5 - 20) / 160, 0.01);
  EXPECT_NEAR(Brightest(flat).y, (45.5 - 40) / 20, 0.03);
  const Picture upright = CutLine(WithSpot(100, 200, 55, 40), {{50, 100}, 20, 160, {1, 0}});
  EXPECT_EQ(upright.width, 384);
  EXPECT_NEAR(Brightest(upright).x, (40.5 - 20) / 160, 0.01);
  EXPECT_NEAR(Brightest(upright).y, 1 - (55.5 - 40) / 20, 0.03);
}

// Proves that a picture keeps what is in it when its size changes.
TEST(ReadLineTest, ResizesPictures) {
  for (const auto& [width, height] :
       std::vector<std::pair<int32_t, int32_t>>{{50, 25}, {400, 200}, {64, 96}}) {
    const Picture resized = Resized(WithSpot(200, 100, 150, 25), width, height);
    EXPECT_EQ(resized.width, width);
    EXPECT_EQ(resized.height, height);
    EXPECT_NEAR(Brightest(resized).x, 150.5 / 200, 0.01);
    EXPECT_NEAR(Brightest(resized).y, 25.5 / 100, 0.015);
  }
}

}  // namespace
}  // namespace tintype::darkroom::vision
