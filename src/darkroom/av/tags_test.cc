#include "darkroom/av/tags.h"

#include <gtest/gtest.h>

#include "darkroom/protocol/media_messages.h"

namespace tintype::darkroom::av {
namespace {

// Proves which times are taken, and that what is taken is as the server wants it.
TEST(TagsTest, ReadsTimes) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"2023-08-01T12:34:56.000000Z", "2023-08-01T12:34:56Z"},
      {"2023-08-01T12:34:56+0200", "2023-08-01T12:34:56+02:00"},
      {"2023-08-01T12:34:56-09:30", "2023-08-01T12:34:56-09:30"},
      {"2023-08-01 12:34:56", "2023-08-01T12:34:56"},
      {"  2023-08-01T12:34:56  ", "2023-08-01T12:34:56"},
      {"1904-01-01T00:00:00.000000Z", ""},
      {"1970-01-01T00:00:00Z", ""},
      {"2200-01-01T00:00:00Z", ""},
      {"2023-00-01T12:34:56Z", ""},
      {"2023-13-01T12:34:56Z", ""},
      {"2023-08-32T12:34:56Z", ""},
      {"2023-08-01T24:34:56Z", ""},
      {"2023-08-01T12:60:56Z", ""},
      {"2023-08-01T12:34:56+99:00", ""},
      {"2023-08-01T12:34:56 and more", ""},
      {"2023-08-01T12:34", ""},
      {"2023", ""},
      {"20-3-08-01T12:34:56", ""},
      {"", ""},
  };
  for (const auto& test : cases) {
    const std::string time = TimeFromTag(test.text);
    EXPECT_EQ(time, test.expected) << test.text;
    EXPECT_TRUE(time.empty() || IsIsoTime(time)) << test.text;
  }
}

// Proves that places are read in degrees, minutes and seconds, and that impossible ones are none.
TEST(TagsTest, ReadsPlaces) {
  const struct {
    const char* text;
    double latitude;
    double longitude;
    std::optional<double> altitude;
  } cases[] = {
      {"+48.2082+016.3738+171.5/", 48.2082, 16.3738, 171.5},
      {"-33.8500-070.5000/", -33.85, -70.5, std::nullopt},
      {"+4830-01615/", 48.5, -16.25, std::nullopt},
      {"+4830.6-01615/", 48.51, -16.25, std::nullopt},
      {"+483036-0161530-12.25/", 48.51, -16.258333333, -12.25},
      {"+90+180", 90, 180, std::nullopt},
      {"+48.2082+016.3738+9999999/", 48.2082, 16.3738, std::nullopt},
  };
  for (const auto& test : cases) {
    const auto place = PlaceFromTag(test.text);
    ASSERT_TRUE(place.has_value()) << test.text;
    EXPECT_NEAR(place->latitude, test.latitude, 1e-8) << test.text;
    EXPECT_NEAR(place->longitude, test.longitude, 1e-8) << test.text;
    EXPECT_EQ(place->altitude, test.altitude) << test.text;
  }
  for (const char* text :
       {"", "+", "+48", "+48.2", "48.2+016.3", "+91+000/", "+48+181/", "+0.0+0.0/", "+00+000/",
        "+4860+01600/", "+48.2082,+016.3738", "+-48+016", "+x+y"}) {
    EXPECT_FALSE(PlaceFromTag(text).has_value()) << text;
  }
}

// Proves that languages are their letters.
TEST(TagsTest, ReadsLanguages) {
  EXPECT_EQ(LanguageFromTag("eng"), "eng");
  EXPECT_EQ(LanguageFromTag("DE"), "de");
  for (const char* text : {"und", "", "e", "engl", "en-US", "\xC3\xA4z", "e1"}) {
    EXPECT_EQ(LanguageFromTag(text), "") << text;
  }
}

}  // namespace
}  // namespace tintype::darkroom::av
