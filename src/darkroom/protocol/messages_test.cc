#include "darkroom/protocol/messages.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom {
namespace {

Developed SomeDeveloped() {
  Developed developed;
  developed.original = {"image/jpeg", 4000, 3000, 1, false, Damage::kTruncated, 37};
  developed.renditions = {{"", 2048, 1536, 300'000}, {"", 256, 192, 9'000}};
  developed.exif.camera = "Canon EOS R5";
  developed.exif.iso = 400;
  developed.exif.taken_at = "2024-05-01T10:11:12+02:00";
  developed.exif.aperture = 2.8;
  developed.exif.place = {-33.85, 151.2, -12.5};
  developed.exif.orientation = 6;
  developed.properties.dominant_colors = {{255, 128, 0, 62.5}};
  developed.properties.brightness = 40;
  developed.properties.blurhash = "LtBD9PIiohjyVikojIfRbZjHfjfQ";
  developed.properties.perceptual_hash = 0xF00D'0000'0000'0001;
  return developed;
}

DevelopRequest SomeDevelopRequest() {
  return {
      .input = 10, .sizes = {{"LARGE", 2048, 11}, {"THUMB", 256, 12}}, .quality = 80, .effort = 2};
}

// Proves that an order arrives as it was sent, with its descriptors in their places.
TEST(MessagesTest, OrdersArriveWhole) {
  const EditRequest edit = {
      .input = 7,
      .operations = {Rotate{270}, Crop{1, 2, 30, 40}, AutoLevels{}, BlackAndWhite{}},
      .format = OutputFormat::kJpeg,
      .quality = 91,
      .output = 8};
  const PixelLimits limits = {123, 45, 6};
  const auto edited = DecodeOrder(EncodeOrder({edit, limits}), std::vector<int>{20, 21});
  ASSERT_TRUE(edited.ok());
  EXPECT_EQ(edited->limits.pixels, 123);
  EXPECT_EQ(edited->limits.pixels_held_whole, 45);
  EXPECT_EQ(edited->limits.pages, 6);
  const auto& request = std::get<EditRequest>(edited->request);
  EXPECT_EQ(request.input, 20);
  EXPECT_EQ(request.output, 21);
  EXPECT_EQ(request.quality, 91);
  EXPECT_EQ(request.format, OutputFormat::kJpeg);
  ASSERT_EQ(request.operations.size(), 4U);
  EXPECT_EQ(std::get<Rotate>(request.operations[0]).degrees, 270);
  EXPECT_EQ(std::get<Crop>(request.operations[1]).height, 40);
  EXPECT_TRUE(std::holds_alternative<BlackAndWhite>(request.operations[3]));

  const auto developed =
      DecodeOrder(EncodeOrder({SomeDevelopRequest(), limits}), std::vector<int>{20, 21, 22});
  ASSERT_TRUE(developed.ok());
  const auto& develop = std::get<DevelopRequest>(developed->request);
  EXPECT_EQ(develop.sizes[1].longest_side, 256);
  EXPECT_EQ(develop.sizes[1].output, 22);
  EXPECT_EQ(develop.effort, 2);

  const ResizeRequest resize = {.width = 512,
                                .height = 300,
                                .fit = Fit::kCover,
                                .format = OutputFormat::kAvif,
                                .quality = 60,
                                .effort = 3};
  const auto resized = DecodeOrder(EncodeOrder({resize, limits}), std::vector<int>{20, 21});
  ASSERT_TRUE(resized.ok());
  const auto& arrived = std::get<ResizeRequest>(resized->request);
  EXPECT_EQ(arrived.input, 20);
  EXPECT_EQ(arrived.output, 21);
  EXPECT_EQ(arrived.width, 512);
  EXPECT_EQ(arrived.height, 300);
  EXPECT_EQ(arrived.fit, Fit::kCover);
  EXPECT_EQ(arrived.format, OutputFormat::kAvif);
  EXPECT_EQ(arrived.quality, 60);
  EXPECT_EQ(arrived.effort, 3);
}

// Proves that orders of the helper for vision arrive as they were sent, each model in its place.
TEST(MessagesTest, OrdersForVisionArriveWhole) {
  const FindTextRequest text = {
      .input = 1,
      .output = 2,
      .detector = 3,
      .recognisers = {{TextScript::kLatin, 4, 5}, {TextScript::kJapanese, 6, 7}},
      .models = "text latin japanese"};
  EXPECT_EQ(DescriptorsOf(text), (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
  const auto decoded =
      DecodeOrder(EncodeOrder({text, {}}), std::vector<int>{20, 21, 22, 23, 24, 25, 26});
  ASSERT_TRUE(decoded.ok());
  const auto& arrived = std::get<FindTextRequest>(decoded->request);
  EXPECT_EQ(arrived.input, 20);
  EXPECT_EQ(arrived.output, 21);
  EXPECT_EQ(arrived.detector, 22);
  ASSERT_EQ(arrived.recognisers.size(), 2U);
  EXPECT_EQ(arrived.recognisers[1].script, TextScript::kJapanese);
  EXPECT_EQ(arrived.recognisers[1].model, 25);
  EXPECT_EQ(arrived.recognisers[1].characters, 26);
  EXPECT_EQ(arrived.models, "text latin japanese");
  EXPECT_FALSE(CheckRequest(FindTextRequest{.input = 1, .output = 2, .detector = 3}).ok());

  const FindObjectsRequest objects = {.input = 1, .model = 2, .models = "objects"};
  const auto asked = DecodeOrder(EncodeOrder({objects, {}}), std::vector<int>{20, 21});
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(std::get<FindObjectsRequest>(asked->request).model, 21);
  EXPECT_TRUE(CheckReply(objects, FoundObjects{}).ok());
  EXPECT_FALSE(CheckReply(objects, FoundText{}).ok());
  EXPECT_FALSE(CheckReply(text, FoundObjects{}).ok());
}

TextLine SomeTextLine() {
  return {.text = "Grüß dich",
          .confidence = 0.75,
          .recogniser = 1,
          .corners = {{0, 0}, {1, 0}, {1, 0.5}, {0, 0.5}},
          .words = {{0, 6, 0, 0.5}, {7, 11, 0.75, 1}}};
}

// Proves that lines of text arrive as they were found.
TEST(MessagesTest, TextArrivesWhole) {
  const auto decoded = DecodeTextLines(EncodeTextLines({SomeTextLine(), SomeTextLine()}));
  ASSERT_TRUE(decoded.ok());
  ASSERT_EQ(decoded->size(), 2U);
  const TextLine& line = decoded->back();
  EXPECT_EQ(line.text, "Grüß dich");
  EXPECT_EQ(line.recogniser, 1);
  EXPECT_EQ(line.corners[2].y, 0.5);
  EXPECT_EQ(line.words[1].begin, 7);
  EXPECT_EQ(line.words[1].to, 1);
  EXPECT_TRUE(DecodeTextLines(EncodeTextLines({})).ok());
}

// Proves that a helper which a picture has taken over cannot say anything of a line that others
// would trip over.
TEST(MessagesTest, RefusesTextThatMakesNoSense) {
  using Spoil = void (*)(TextLine&);
  for (const Spoil spoil : std::initializer_list<Spoil>{
           [](TextLine& line) { line.text = "a\x01"; }, [](TextLine& line) { line.text = "\xFF"; },
           [](TextLine& line) { line.text.assign(kTextLineBytesMax + 1, 'a'); },
           [](TextLine& line) { line.confidence = 1.5; },
           [](TextLine& line) { line.recogniser = -1; },
           [](TextLine& line) { line.corners.pop_back(); },
           [](TextLine& line) { line.corners[0].x = -0.1; },
           [](TextLine& line) { line.words[1].end = 12; },
           [](TextLine& line) { line.words[1].begin = 12; },
           [](TextLine& line) { line.words[0].from = 0.6; },
           [](TextLine& line) { line.words.resize(kTextWordsMax + 1); }}) {
    TextLine line = SomeTextLine();
    spoil(line);
    EXPECT_FALSE(DecodeTextLines(EncodeTextLines({line})).ok());
  }
  const std::string whole = EncodeTextLines({SomeTextLine()});
  EXPECT_FALSE(DecodeTextLines(whole.substr(0, whole.size() - 1)).ok());
  EXPECT_FALSE(DecodeTextLines(whole + '\0').ok());
}

// Proves that a box lies in the picture, and its class is one that there may be.
TEST(MessagesTest, RefusesObjectsOutOfBounds) {
  const FoundObject good = {18, 0.9, 0.25, 0.5, 0.5, 0.25};
  EXPECT_TRUE(DecodeReply(EncodeReply(FoundObjects{{good}})).ok());
  using Spoil = void (*)(FoundObject&);
  for (const Spoil spoil :
       std::initializer_list<Spoil>{[](FoundObject& object) { object.kind = kObjectKindsMax; },
                                    [](FoundObject& object) { object.kind = -1; },
                                    [](FoundObject& object) { object.confidence = 1.01; },
                                    [](FoundObject& object) { object.left = -0.01; },
                                    [](FoundObject& object) { object.height = 2; }}) {
    FoundObject object = good;
    spoil(object);
    EXPECT_FALSE(DecodeReply(EncodeReply(FoundObjects{{object}})).ok());
  }
}

// Proves that an order with too few or too many files is refused.
TEST(MessagesTest, CountsTheFilesOfAnOrder) {
  const std::string bytes = EncodeOrder({SomeDevelopRequest(), {}});
  EXPECT_FALSE(DecodeOrder(bytes, std::vector<int>{20, 21}).ok());
  EXPECT_FALSE(DecodeOrder(bytes, std::vector<int>{20, 21, 22, 23}).ok());
}

// Proves that an answer arrives as it was sent.
TEST(MessagesTest, RepliesArriveWhole) {
  const auto decoded = DecodeReply(EncodeReply(SomeDeveloped()));
  ASSERT_TRUE(decoded.ok());
  const auto& developed = std::get<Developed>(*decoded);
  EXPECT_EQ(developed.original.media_type, "image/jpeg");
  EXPECT_EQ(developed.original.damage, Damage::kTruncated);
  EXPECT_EQ(developed.original.percent_there, 37);
  EXPECT_EQ(developed.renditions[1].bytes, 9'000);
  EXPECT_EQ(developed.exif.camera, "Canon EOS R5");
  EXPECT_EQ(developed.exif.lens, std::nullopt);
  EXPECT_EQ(developed.properties.blurhash, "LtBD9PIiohjyVikojIfRbZjHfjfQ");
  EXPECT_EQ(developed.properties.perceptual_hash, 0xF00D'0000'0000'0001);
  EXPECT_EQ(developed.exif.aperture, 2.8);
  EXPECT_EQ(developed.exif.focal_length, std::nullopt);
  ASSERT_TRUE(developed.exif.place.has_value());
  EXPECT_EQ(developed.exif.place->latitude, -33.85);
  EXPECT_EQ(developed.exif.place->longitude, 151.2);
  EXPECT_EQ(developed.exif.place->altitude, -12.5);
  EXPECT_EQ(developed.exif.orientation, 6);
  EXPECT_EQ(developed.properties.dominant_colors[0].green, 128);
  EXPECT_EQ(developed.properties.dominant_colors[0].percent, 62.5);
  EXPECT_TRUE(CheckReply(SomeDevelopRequest(), *decoded).ok());
}

// Proves that each value of an answer is held to its bounds, by an answer that is right but for it.
TEST(MessagesTest, RefusesRepliesOutOfBounds) {
  using Spoil = void (*)(Developed&);
  const Spoil spoils[] = {
      [](Developed& d) { d.original.width = 0; },
      [](Developed& d) { d.original.height = -5; },
      [](Developed& d) { d.original.pages = 0; },
      [](Developed& d) { d.original.damage = static_cast<Damage>(3); },
      [](Developed& d) { d.original.percent_there = 0; },
      [](Developed& d) { d.original.percent_there = 101; },
      [](Developed& d) { d.original.media_type = "image/jpeg\n"; },
      [](Developed& d) { d.renditions[0].bytes = 0; },
      [](Developed& d) { d.renditions[0].width = 20'000; },
      [](Developed& d) { d.renditions.resize(kSizesMax + 1, d.renditions[0]); },
      [](Developed& d) { d.exif.camera = "\xC0\x80"; },
      [](Developed& d) { d.exif.lens = std::string(kExifTextBytesMax + 1, 'x'); },
      [](Developed& d) { d.exif.iso = 0; },
      [](Developed& d) { d.exif.orientation = 9; },
      [](Developed& d) { d.exif.aperture = -1; },
      [](Developed& d) { d.properties.blurhash = std::string(kBlurhashBytesMax + 1, 'x'); },
      [](Developed& d) { d.exif.focal_length = 1e9; },
      [](Developed& d) {
        d.exif.place = {90.5, 0, {}};
      },
      [](Developed& d) {
        d.exif.place = {0, -180.5, {}};
      },
      [](Developed& d) {
        d.exif.place = {0, 0, 1e9};
      },
      [](Developed& d) { d.properties.brightness = 101; },
      [](Developed& d) { d.properties.sharpness = std::numeric_limits<double>::quiet_NaN(); },
      [](Developed& d) { d.properties.dominant_colors.resize(6); },
  };
  for (size_t i = 0; i < std::size(spoils); ++i) {
    Developed developed = SomeDeveloped();
    spoils[i](developed);
    const auto decoded = DecodeReply(EncodeReply(developed));
    ASSERT_FALSE(decoded.ok()) << i;
    EXPECT_EQ(KindOf(decoded.error()), FailureKind::kDied) << i;
  }
}

// Proves that an answer must be one to what was asked.
TEST(MessagesTest, RefusesAnswersToAnotherQuestion) {
  using Spoil = void (*)(Developed&);
  const Spoil spoils[] = {
      [](Developed& d) { d.original.media_type = "image/svg+xml"; },
      [](Developed& d) { d.renditions.pop_back(); },
      [](Developed& d) { d.renditions[0].width = 2047; },
      [](Developed& d) { std::swap(d.renditions[0], d.renditions[1]); },
      [](Developed& d) { d.original.width = 100, d.original.height = 100; },
  };
  for (size_t i = 0; i < std::size(spoils); ++i) {
    Developed developed = SomeDeveloped();
    spoils[i](developed);
    EXPECT_FALSE(CheckReply(SomeDevelopRequest(), developed).ok()) << i;
  }
  EXPECT_FALSE(CheckReply(SomeDevelopRequest(), Ready{}).ok());
  EXPECT_FALSE(CheckReply(ResizeRequest{}, SomeDeveloped()).ok());
  EXPECT_FALSE(CheckReply(EditRequest{}, Edited{1, 1, OutputFormat::kJpeg, 1}).ok());
  const ResizeRequest wide = {.width = 512};
  EXPECT_TRUE(CheckReply(wide, Resized{512, 9000, 1}).ok());
  EXPECT_FALSE(CheckReply(wide, Resized{513, 300, 1}).ok());
  EXPECT_FALSE(CheckReply(ResizeRequest{.height = 99}, Resized{200, 100, 1}).ok());
  EXPECT_FALSE(CheckReply(wide, Edited{1, 1, OutputFormat::kWebp, 1}).ok());
  EXPECT_FALSE(DecodeReply(EncodeReply(Resized{0, 300, 1})).ok());
  EXPECT_FALSE(DecodeReply(EncodeReply(Resized{512, 16384, 1})).ok());
  EXPECT_FALSE(DecodeReply(EncodeReply(Resized{512, 300, 0})).ok());
  EXPECT_TRUE(CheckReply(ResizeRequest{}, Failure{FailureKind::kCorrupt, ""}).ok());
}

// Proves that no bytes can do worse than be refused: cut answers always are, and changed ones are
// read within their bounds (the sanitizer build looks on). The seed is fixed.
TEST(MessagesTest, ReadsAnyBytes) {
  const std::string whole = EncodeReply(SomeDeveloped());
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(DecodeReply(std::string_view(whole).substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(DecodeReply(whole + "x").ok());
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = whole;
    for (int change = 0; change < 3; ++change) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    const auto decoded = DecodeReply(changed);
    if (!decoded.ok() || !std::holds_alternative<Developed>(*decoded)) {
      continue;
    }
    const auto& developed = std::get<Developed>(*decoded);
    ASSERT_GE(developed.original.width, 1);
    ASSERT_LE(developed.renditions.size(), kSizesMax);
    ASSERT_TRUE(IsCleanUtf8(developed.exif.camera.value_or("")));
    DecodeOrder(changed, std::vector<int>{1, 2}).PermitUncheckedError();
  }
}

// Proves which requests are refused before anybody works on them.
TEST(MessagesTest, ChecksRequests) {
  const auto develop = [](int longest, int quality, int effort) {
    return DevelopRequest{.sizes = {{"", longest, -1}}, .quality = quality, .effort = effort};
  };
  const auto edit = [](EditOperation operation) { return EditRequest{.operations = {operation}}; };
  const struct {
    Request request;
    bool expected;
  } cases[] = {
      {develop(1, 1, 0), true},
      {develop(16383, 100, 6), true},
      {develop(0, 85, 4), false},
      {develop(16384, 85, 4), false},
      {develop(256, 0, 4), false},
      {develop(256, 101, 4), false},
      {develop(256, 85, 7), false},
      {develop(256, 85, -1), false},
      {DevelopRequest{.sizes = std::vector<SizeRequest>(kSizesMax + 1, SizeRequest{"", 9, -1})},
       false},
      {edit(Rotate{180}), true},
      {edit(Rotate{0}), false},
      {edit(Rotate{100}), false},
      {edit(Crop{0, 0, 1, 1}), true},
      {edit(Crop{-1, 0, 1, 1}), false},
      {edit(Crop{0, 0, 0, 1}), false},
      {EditRequest{.operations = std::vector<EditOperation>(33, AutoLevels{})}, false},
      {EditRequest{.quality = 0}, false},
      {EditRequest{.format = OutputFormat::kAvif}, false},
      {ResizeRequest{}, true},
      {ResizeRequest{.width = 16383, .height = 16383, .quality = 100, .effort = 6}, true},
      {ResizeRequest{.width = 16384}, false},
      {ResizeRequest{.height = -1}, false},
      {ResizeRequest{.quality = 0}, false},
      {ResizeRequest{.effort = 7}, false},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    EXPECT_EQ(CheckRequest(cases[i].request).ok(), cases[i].expected) << i;
  }
}

// Proves what becomes of text from files.
TEST(CleanTextTest, KeepsWhatCanBeRead) {
  using namespace std::literals;
  const struct {
    std::string_view bytes;
    std::string_view expected;
  } cases[] = {
      {"NIKON", "NIKON"},
      {"  two   spaces  ", "two spaces"},
      {"up to\0here"sv, "up to"},
      {"a\x1B[31mb\x7F", "a [31mb"},
      {"caf\xC3\xA9", "caf\xC3\xA9"},
      {"caf\xE9", "caf"},
      {"\xED\xA0\x80surrogate", "surrogate"},
      {"\xC2\x85next line", "next line"},
      {"0123456789abcdef", "0123456789ab"},
      {"0123456789a\xC3\xA9", "0123456789a"},
  };
  for (const auto& test : cases) {
    const std::string clean = CleanText(test.bytes, 12);
    EXPECT_EQ(clean, test.expected);
    EXPECT_TRUE(IsCleanUtf8(clean));
  }
}

}  // namespace
}  // namespace tintype::darkroom
