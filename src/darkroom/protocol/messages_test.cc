#include "darkroom/protocol/messages.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

#include "darkroom/protocol/clean_text.h"
#include "darkroom/protocol/document_files.h"

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

// Proves that an order to classify arrives whole, and that its answer has a score for each class.
TEST(MessagesTest, ClassesArriveWhole) {
  const ClassifyRequest classify = {.input = 1, .model = 2, .models = "moderation"};
  const auto asked = DecodeOrder(EncodeOrder({classify, {}}), std::vector<int>{20, 21});
  ASSERT_TRUE(asked.ok());
  const auto& arrived = std::get<ClassifyRequest>(asked->request);
  EXPECT_EQ(arrived.input, 20);
  EXPECT_EQ(arrived.model, 21);
  EXPECT_EQ(arrived.models, "moderation");
  const auto decoded = DecodeReply(EncodeReply(Classified{{0, 0.25, 0.5, 0.25, 0}}));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(std::get<Classified>(*decoded).scores[2], 0.5);
  EXPECT_TRUE(CheckReply(classify, *decoded).ok());
  EXPECT_FALSE(CheckReply(classify, Classified{{1}}).ok());
  EXPECT_FALSE(CheckReply(classify, FoundObjects{}).ok());
  EXPECT_FALSE(DecodeReply(EncodeReply(Classified{{0, 0, 0, 0, 1.5}})).ok());
  EXPECT_FALSE(DecodeReply(EncodeReply(Classified{{0, 0, 0, 0, 0, 0}})).ok());
}

Transcript SomeTranscript() {
  return {
      .language = "en",
      .language_confidence = 0.75,
      .segments = {{0, 1500, "Grüß dich.", 0.5, {{"Grüß", 0, 700, 0.5}, {"dich.", 700, 1500, 1}}},
                   {1500, 2000, "Ja.", 0.25, {}}},
      .duration_ms = 2000};
}

// Proves that an order for speech arrives as it was sent, and what can be asked.
TEST(MessagesTest, OrdersForSpeechArriveWhole) {
  const TranscribeRequest speech = {.input = 1,
                                    .output = 2,
                                    .encoder = 3,
                                    .decoder = 4,
                                    .vocabulary = 5,
                                    .language = "de",
                                    .models = "speech tiny"};
  EXPECT_EQ(DescriptorsOf(speech), (std::vector<int>{1, 2, 3, 4, 5}));
  const auto decoded = DecodeOrder(EncodeOrder({speech, {}}), std::vector<int>{20, 21, 22, 23, 24});
  ASSERT_TRUE(decoded.ok());
  const auto& arrived = std::get<TranscribeRequest>(decoded->request);
  EXPECT_EQ(arrived.input, 20);
  EXPECT_EQ(arrived.output, 21);
  EXPECT_EQ(arrived.encoder, 22);
  EXPECT_EQ(arrived.decoder, 23);
  EXPECT_EQ(arrived.vocabulary, 24);
  EXPECT_EQ(arrived.language, "de");
  EXPECT_EQ(arrived.models, "speech tiny");
  for (const char* language : {"d", "DE", "deut", "d1"}) {
    EXPECT_FALSE(CheckRequest(TranscribeRequest{.language = language}).ok()) << language;
  }
  EXPECT_TRUE(CheckRequest(TranscribeRequest{}).ok());
  EXPECT_TRUE(CheckReply(speech, Transcribed{}).ok());
  EXPECT_FALSE(CheckReply(speech, FoundText{}).ok());
  EXPECT_FALSE(
      DecodeReply(EncodeReply(Transcribed{static_cast<int64_t>(kTranscriptBytesMax) + 1})).ok());
}

// Proves that a transcript arrives as it was written, and that nothing said is one too.
TEST(MessagesTest, TranscriptsArriveWhole) {
  const auto decoded = DecodeTranscript(EncodeTranscript(SomeTranscript()));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->language, "en");
  EXPECT_EQ(decoded->language_confidence, 0.75);
  EXPECT_EQ(decoded->duration_ms, 2000);
  ASSERT_EQ(decoded->segments.size(), 2U);
  EXPECT_EQ(decoded->segments[0].text, "Grüß dich.");
  EXPECT_EQ(decoded->segments[0].words[1].text, "dich.");
  EXPECT_EQ(decoded->segments[0].words[1].begin_ms, 700);
  EXPECT_EQ(decoded->segments[1].begin_ms, 1500);
  EXPECT_TRUE(DecodeTranscript(EncodeTranscript(Transcript{.duration_ms = 9})).ok());
}

// Proves that a helper which a recording has taken over cannot say anything of it that others would
// trip over: times that go back or beyond the end, text that is none, more than there may be.
TEST(MessagesTest, RefusesTranscriptsThatMakeNoSense) {
  using Spoil = void (*)(Transcript&);
  const Spoil spoils[] = {
      [](Transcript& t) { t.language = ""; },
      [](Transcript& t) { t.language = "EN"; },
      [](Transcript& t) { t.language_confidence = 1.5; },
      [](Transcript& t) { t.duration_ms = 1999; },
      [](Transcript& t) { t.segments[0].begin_ms = -1; },
      [](Transcript& t) { t.segments[1].begin_ms = 1499; },
      [](Transcript& t) { t.segments[1].begin_ms = 2001; },
      [](Transcript& t) { t.segments[0].end_ms = 1600; },
      [](Transcript& t) { t.segments[0].text = ""; },
      [](Transcript& t) { t.segments[0].text = "a\x01"; },
      [](Transcript& t) { t.segments[0].text = "\xFF"; },
      [](Transcript& t) { t.segments[0].text.assign(kSegmentTextBytesMax + 1, 'a'); },
      [](Transcript& t) { t.segments[0].confidence = std::numeric_limits<double>::quiet_NaN(); },
      [](Transcript& t) { t.segments[0].words[1].begin_ms = 600; },
      [](Transcript& t) { t.segments[0].words[1].end_ms = 1501; },
      [](Transcript& t) { t.segments[0].words[0].text = ""; },
      [](Transcript& t) { t.segments[0].words.resize(kSegmentWordsMax + 1); },
  };
  for (size_t i = 0; i < std::size(spoils); ++i) {
    Transcript transcript = SomeTranscript();
    spoils[i](transcript);
    const auto decoded = DecodeTranscript(EncodeTranscript(transcript));
    ASSERT_FALSE(decoded.ok()) << i;
    EXPECT_EQ(KindOf(decoded.error()), FailureKind::kDied) << i;
  }
  const std::string whole = EncodeTranscript(SomeTranscript());
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(DecodeTranscript(std::string_view(whole).substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(DecodeTranscript(whole + '\0').ok());
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

// Proves that requests about documents and their answers arrive as they were sent.
TEST(MessagesTest, DocumentsArriveWhole) {
  const ProbeDocumentRequest probe = {.input = 1, .media_type = "application/pdf"};
  const auto probed = DecodeOrder(EncodeOrder({probe, {}}), std::vector<int>{20});
  ASSERT_TRUE(probed.ok());
  EXPECT_EQ(std::get<ProbeDocumentRequest>(probed->request).input, 20);
  EXPECT_EQ(std::get<ProbeDocumentRequest>(probed->request).media_type, "application/pdf");
  EXPECT_FALSE(DecodeOrder(EncodeOrder({probe, {}}), std::vector<int>{20, 21}).ok());

  const DocumentPageRequest page = {
      .input = 1, .media_type = "text/plain", .page = 7, .longest_side = 300, .output = 2};
  EXPECT_EQ(DescriptorsOf(page), (std::vector<int>{1, 2}));
  const auto drawn = DecodeOrder(EncodeOrder({page, {}}), std::vector<int>{20, 21});
  ASSERT_TRUE(drawn.ok());
  EXPECT_EQ(std::get<DocumentPageRequest>(drawn->request).page, 7);
  EXPECT_EQ(std::get<DocumentPageRequest>(drawn->request).longest_side, 300);
  EXPECT_EQ(std::get<DocumentPageRequest>(drawn->request).output, 21);

  const DocumentTextRequest text = {
      .input = 1, .media_type = "text/markdown", .pages_max = 9, .output = 2};
  const auto read = DecodeOrder(EncodeOrder({text, {}}), std::vector<int>{20, 21});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(std::get<DocumentTextRequest>(read->request).pages_max, 9);
  EXPECT_EQ(std::get<DocumentTextRequest>(read->request).output, 21);

  const auto answer =
      DecodeReply(EncodeReply(DocumentProbe{12, "Title", "Author", 595.5, 842, true}));
  ASSERT_TRUE(answer.ok());
  const auto& document = std::get<DocumentProbe>(*answer);
  EXPECT_EQ(document.pages, 12);
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(document.author, "Author");
  EXPECT_EQ(document.width_points, 595.5);
  EXPECT_TRUE(document.encrypted);
  EXPECT_TRUE(CheckReply(probe, *answer).ok());
  EXPECT_TRUE(CheckReply(page, DocumentPage{300, 200, 9'000}).ok());
  EXPECT_TRUE(CheckReply(text, DocumentText{5, 9, false}).ok());
}

// Proves that answers about documents that lie are refused: out of bounds, or to another question.
TEST(MessagesTest, RefusesLiesAboutDocuments) {
  const std::string long_name(kDocumentNameBytesMax + 1, 'x');
  const Reply out_of_bounds[] = {
      DocumentProbe{0, "", "", 1, 1, false},
      DocumentProbe{kDocumentPagesMax + 1, "", "", 1, 1, false},
      DocumentProbe{1, long_name, "", 1, 1, false},
      DocumentProbe{1, "", "\x1B[31m", 1, 1, false},
      DocumentProbe{1, "", "", -1, 1, false},
      DocumentProbe{1, "", "", 1, std::numeric_limits<double>::infinity(), false},
      DocumentPage{0, 10, 10},
      DocumentPage{10, kPageSideMax + 1, 10},
      DocumentPage{10, 10, 0},
      DocumentText{-1, 1, true},
      DocumentText{static_cast<int64_t>(kDocumentTextBytesMax) + 1, 1, true},
      DocumentText{1, 0, true},
  };
  for (size_t i = 0; i < std::size(out_of_bounds); ++i) {
    EXPECT_FALSE(DecodeReply(EncodeReply(out_of_bounds[i])).ok()) << i;
  }
  const ProbeDocumentRequest probe = {.media_type = "application/pdf"};
  const DocumentPageRequest page = {.media_type = "application/pdf", .longest_side = 300};
  const DocumentTextRequest text = {.media_type = "application/pdf", .pages_max = 3};
  EXPECT_FALSE(CheckReply(probe, DocumentPage{300, 300, 1}).ok());
  EXPECT_FALSE(CheckReply(page, DocumentPage{299, 200, 1}).ok());
  EXPECT_FALSE(CheckReply(page, DocumentPage{301, 300, 1}).ok());
  EXPECT_FALSE(CheckReply(page, DocumentText{1, 1, true}).ok());
  EXPECT_FALSE(CheckReply(text, DocumentText{1, 4, true}).ok());
  EXPECT_FALSE(CheckReply(text, DocumentProbe{1, "", "", 1, 1, false}).ok());
  EXPECT_FALSE(CheckReply(ResizeRequest{}, DocumentText{1, 1, true}).ok());
}

// Proves which requests about documents are refused before anybody works on them.
TEST(MessagesTest, ChecksRequestsAboutDocuments) {
  const auto page = [](int32_t number, int32_t longest, const char* type = "application/pdf") {
    return DocumentPageRequest{.media_type = type, .page = number, .longest_side = longest};
  };
  const struct {
    Request request;
    bool expected;
  } cases[] = {
      {ProbeDocumentRequest{.media_type = "text/plain"}, true},
      {ProbeDocumentRequest{.media_type = "image/jpeg"}, false},
      {ProbeDocumentRequest{}, false},
      {page(0, 1), true},
      {page(kDocumentPagesMax - 1, kPageSideMax, "text/markdown"), true},
      {page(-1, 100), false},
      {page(kDocumentPagesMax, 100), false},
      {page(0, 0), false},
      {page(0, kPageSideMax + 1), false},
      {page(0, 100, "text/html"), false},
      {DocumentTextRequest{.media_type = "application/pdf", .pages_max = 1}, true},
      {DocumentTextRequest{.media_type = "application/pdf", .pages_max = 0}, false},
      {DocumentTextRequest{.media_type = "application/pdf", .pages_max = kDocumentPagesMax + 1},
       false},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    EXPECT_EQ(CheckRequest(cases[i].request).ok(), cases[i].expected) << i;
  }
}

// Proves what a helper may leave in an output: a picture of the size that it told, and clean text
// with as many pages as it told.
TEST(DocumentFilesTest, MustBeWhatTheHelperSays) {
  using namespace std::literals;
  const std::string png = "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x01\x2C\0\0\0\xC8\x08"s;
  EXPECT_TRUE(IsPngOfSize(png, 300, 200));
  EXPECT_FALSE(IsPngOfSize(png, 200, 300));
  EXPECT_FALSE(IsPngOfSize(png, 300, 201));
  EXPECT_FALSE(IsPngOfSize(png.substr(0, kPngHeaderBytes - 1), 300, 200));
  EXPECT_FALSE(IsPngOfSize("GIF89a and more than twenty bytes", 300, 200));
  EXPECT_FALSE(IsPngOfSize("", 0, 0));
  const struct {
    std::string_view text;
    int32_t pages;
    bool expected;
  } cases[] = {
      {"", 1, true},
      {"", 2, false},
      {"a\tb\n\fcaf\xC3\xA9\n", 2, true},
      {"a\tb\n\fcaf\xC3\xA9\n", 1, false},
      {"\f\f", 3, true},
      {"a\rb", 1, false},
      {"a\0b"sv, 1, false},
      {"\x1B[2J", 1, false},
      {"caf\xE9", 1, false},
      {"cut \xE6\x97", 1, false},
      {"\xE6\n\x97\xA5", 1, false},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(IsDocumentText(test.text, test.pages), test.expected) << test.text;
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
