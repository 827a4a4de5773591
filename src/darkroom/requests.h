#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "darkroom/damage.h"
#include "darkroom/document_requests.h"
#include "darkroom/gps_position.h"
#include "darkroom/media_requests.h"

namespace tintype::darkroom {

// File descriptors in requests belong to the caller, who keeps them open during the call and closes
// them after it. An input is a regular file opened for reading, by this caller alone: its offset is
// used. An output is a regular file opened for writing; its content is replaced. Anything that a
// failed call left in an output is rubbish. Nothing is synced.

/// What a file is.
struct Original {
  /// As DetectMediaType has it. "image/tiff" is also a camera's raw file that only its tags tell
  /// from a TIFF: DNG, NEF, ARW.
  std::string media_type;
  /// As it is looked at: after the orientation that its EXIF asks for. Of a camera's raw file,
  /// those of the preview that is developed.
  int32_t width = 0;
  int32_t height = 0;
  /// More than one for animations and for TIFF files of several pages; the first is the one that is
  /// developed, or the one that a HEIC file calls its primary image.
  int32_t pages = 1;
  bool has_alpha = false;
  /// What is wrong with the file; what there is of it was decoded.
  Damage damage = Damage::kNone;
  /// Of a truncated file, how much of the picture there is, from its top and in percent, where that
  /// is known: 1 to 100. It is 100 when what is missing came after the picture.
  std::optional<int32_t> percent_there = {};
};

/// One size to be made.
struct SizeRequest {
  /// The caller's name for it, which the rendition carries.
  std::string name;
  /// Of the longest side, in pixels, 1 to 16383. An original that is smaller keeps its own.
  int32_t longest_side = 0;
  int output = -1;
};

/// Asks for WebP renditions of an image, all from one decode: upright, in sRGB, without metadata.
struct DevelopRequest {
  int input = -1;
  /// 1 to kSizesMax, in any order.
  std::vector<SizeRequest> sizes = {};
  /// 1 to 100. Default 85.
  int32_t quality = 85;
  /// 0 to 6: how hard the encoder tries. Default 4; 2 takes half of the time for 8 % more bytes.
  int32_t effort = 4;
};
inline constexpr size_t kSizesMax = 16;

struct Rendition {
  std::string name;
  int32_t width = 0;
  int32_t height = 0;
  int64_t bytes = 0;
};

/// What the camera wrote. Text is valid UTF-8 without control characters, at most 128 bytes; what
/// is missing or makes no sense is left out.
struct ExifData {
  std::optional<std::string> camera;
  std::optional<std::string> lens;
  std::optional<int32_t> iso;
  /// In seconds, as photographers write it: "1/250", "2.5".
  std::optional<std::string> shutter_speed;
  /// The f-number: 2.8.
  std::optional<double> aperture;
  /// In millimetres, as it is, not as it would be on film.
  std::optional<double> focal_length;
  /// ISO 8601; with an offset only when the camera wrote one.
  std::optional<std::string> taken_at;
  std::optional<GpsPosition> place;
  /// What the image was turned by, 1 to 8. Always 1 for HEIC and AVIF, which say it in a way of
  /// their own: what their EXIF says of it does not count.
  int32_t orientation = 1;
};
inline constexpr size_t kExifTextBytesMax = 128;
inline constexpr int32_t kIsoMax = 100'000'000;
inline constexpr double kApertureMax = 1'000;
inline constexpr double kFocalLengthMax = 100'000;

struct DominantColor {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
  /// Of all pixels, how many are nearest to this colour.
  double percent = 0;
};
inline constexpr size_t kDominantColorsMax = 5;

/// Simple measures of the developed image, each from 0 to 100. Transparent parts count as white.
struct ImageProperties {
  /// Most frequent first.
  std::vector<DominantColor> dominant_colors;
  /// Mean luminance.
  double brightness = 0;
  /// Standard deviation of the luminance, of the largest that there can be.
  double contrast = 0;
  /// Strength s of the Laplacian of the luminance at 1024 pixels or less, as 100 s / (s + 10): a
  /// sharp photo has 50 and more, a blurred one less than 20. Comparable between images, not
  /// absolute.
  double sharpness = 0;
  /// The picture in a few waves of colour, to be painted until it is there (BlurHash): 4 x 3, or 3
  /// x 4 of an upright one.
  std::string blurhash;
  /// Nearly the same for pictures that look nearly the same; nothing for one without shapes.
  std::optional<uint64_t> perceptual_hash;
};
inline constexpr size_t kBlurhashBytesMax = 28;

struct Developed {
  Original original;
  /// In the order of the request.
  std::vector<Rendition> renditions;
  ExifData exif;
  ImageProperties properties;
};

/// Clockwise; 90, 180 or 270 degrees.
struct Rotate {
  int32_t degrees = 0;
};
/// In pixels of the image as it is at this point: upright, and after the operations before. Refused
/// when it is not wholly inside.
struct Crop {
  int32_t left = 0;
  int32_t top = 0;
  int32_t width = 0;
  int32_t height = 0;
};
/// Stretches the luminance so that all but half a percent at each end uses the whole range.
struct AutoLevels {};
struct BlackAndWhite {};
using EditOperation = std::variant<Rotate, Crop, AutoLevels, BlackAndWhite>;
inline constexpr size_t kEditOperationsMax = 32;

enum class OutputFormat : uint8_t { kWebp, kJpeg, kAvif };

/// Asks for an image in its full size after some operations, in their order.
struct EditRequest {
  int input = -1;
  std::vector<EditOperation> operations = {};
  /// kWebp or kJpeg.
  OutputFormat format = OutputFormat::kWebp;
  /// 1 to 100. Default 92.
  int32_t quality = 92;
  int output = -1;
};

struct Edited {
  int32_t width = 0;
  int32_t height = 0;
  OutputFormat format = OutputFormat::kWebp;
  int64_t bytes = 0;
};

/// How an image comes to the width and height that are asked for; its proportions are kept.
enum class Fit : uint8_t {
  kInside,  ///< The largest that has room in them.
  kCover,   ///< The smallest that fills them; what sticks out on both sides is cut off.
};

/// Asks for one size of an image, such as a page wants it at this moment: upright, in sRGB, without
/// metadata, and never larger than the original. Of a damaged file what there is.
struct ResizeRequest {
  int input = -1;
  int output = -1;
  /// In pixels, up to 16383; 0 when it follows from the other. Both 0: as large as the original.
  int32_t width = 0;
  int32_t height = 0;
  /// kCover without one of the two sides is kInside.
  Fit fit = Fit::kInside;
  /// Transparent parts are white in kJpeg.
  OutputFormat format = OutputFormat::kWebp;
  /// 1 to 100. Default 85. The same number looks better in kAvif than in the others.
  int32_t quality = 85;
  /// 0 to 6: how hard the encoders of kWebp and kAvif try. Default 4.
  int32_t effort = 4;
};

struct Resized {
  int32_t width = 0;
  int32_t height = 0;
  int64_t bytes = 0;
};

/// Asks what things are in a picture, which is WebP.
struct FindObjectsRequest {
  int input = -1;
  int model = -1;
  /// As FindTextRequest has it.
  std::string models = {};
};

/// A thing and the box around it, in parts of the picture's width and height.
struct FoundObject {
  /// Which of the model's classes.
  int32_t kind = 0;
  /// 0 to 1.
  double confidence = 0;
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};
inline constexpr size_t kObjectsMax = 100;
inline constexpr int32_t kObjectKindsMax = 91;

/// The surest first.
struct FoundObjects {
  std::vector<FoundObject> objects = {};
};

/// What a model reads.
enum class TextScript : uint8_t { kEnglish, kLatin, kChinese, kJapanese };

/// A model that reads lines of text: its file, and that of the characters which it knows.
struct TextRecogniser {
  TextScript script = TextScript::kEnglish;
  int model = -1;
  int characters = -1;
};
inline constexpr size_t kTextRecognisersMax = 6;

/// Asks for the text in a picture, which is WebP. Each line is read by every recogniser, and the
/// one that is surest of it is believed, as far as it can be: one for Japanese only where there is
/// kana in the picture; it and one for Chinese only with characters of theirs, where others read
/// Latin letters; one for English not where a quarter of the lines have letters with accents.
struct FindTextRequest {
  int input = -1;
  /// The answer is put here, since it may be longer than a message.
  int output = -1;
  /// The model that finds where text is.
  int detector = -1;
  /// 1 to kTextRecognisersMax.
  std::vector<TextRecogniser> recognisers = {};
  /// Tells these models from others, so that a helper can keep those that it has loaded.
  std::string models = {};
};
inline constexpr size_t kModelsTextBytesMax = 256;

/// How many bytes of the output are the answer.
struct FoundText {
  int64_t bytes = 0;
};

/// A corner, in parts of the picture's width and height from its top left.
struct Corner {
  double x = 0;
  double y = 0;
};

/// A word in a line: where it begins and ends in its text, in bytes, and along its upper edge, in
/// parts of that.
struct TextWord {
  int32_t begin = 0;
  int32_t end = 0;
  double from = 0;
  double to = 0;
};

struct TextLine {
  /// Valid UTF-8 without control characters.
  std::string text;
  /// 0 to 1.
  double confidence = 0;
  /// Which recogniser read it.
  int32_t recogniser = 0;
  /// Clockwise from where the text begins at its upper edge.
  std::vector<Corner> corners;
  std::vector<TextWord> words;
};
inline constexpr size_t kTextLinesMax = 1000;
inline constexpr size_t kTextLineBytesMax = 1024;
inline constexpr size_t kTextWordsMax = 200;
inline constexpr size_t kTextAnswerBytesMax = size_t{8} << 20;

/// Asks what kind of picture this is, which is WebP.
struct ClassifyRequest {
  int input = -1;
  int model = -1;
  /// As FindTextRequest has it.
  std::string models = {};
};

/// How likely each of the model's classes is, 0 to 1, in their order.
struct Classified {
  std::vector<double> scores = {};
};
inline constexpr size_t kPictureClasses = 5;

/// Asks what is said in a recording: 16 000 samples a second of one channel, signed, of 16 bits,
/// little-endian, and nothing else in the file.
struct TranscribeRequest {
  int input = -1;
  /// The answer is put here, since it may be longer than a message.
  int output = -1;
  /// The two halves of a Whisper model, and its vocabulary.
  int encoder = -1;
  int decoder = -1;
  int vocabulary = -1;
  /// What is spoken, as Transcript has it; empty when it is to be found out.
  std::string language = {};
  /// As FindTextRequest has it.
  std::string models = {};
};
inline constexpr int64_t kSamplesPerSecond = 16'000;
inline constexpr int64_t kBytesPerSample = 2;

/// How many bytes of the output are the answer.
struct Transcribed {
  int64_t bytes = 0;
};

/// A word, with the marks that stand with it. Its times are where the model looked when it wrote
/// the word: good for finding it in the recording, not for cutting it out.
struct SpeechWord {
  /// As SpeechSegment has it, without blanks.
  std::string text;
  int64_t begin_ms = 0;
  int64_t end_ms = 0;
  /// 0 to 1.
  double confidence = 0;
};

/// What is said in one go, a sentence or a part of one.
struct SpeechSegment {
  int64_t begin_ms = 0;
  int64_t end_ms = 0;
  /// Valid UTF-8 without control characters; not empty.
  std::string text;
  /// The geometric mean of how likely its tokens were, 0 to 1.
  double confidence = 0;
  /// In their order, one after the other, within the segment's times.
  std::vector<SpeechWord> words = {};
};
inline constexpr size_t kSegmentTextBytesMax = 4096;
inline constexpr size_t kSegmentWordsMax = 448;
inline constexpr size_t kSpeechWordBytesMax = 512;
/// More than a day of speech has.
inline constexpr size_t kSpeechSegmentsMax = 100'000;
inline constexpr size_t kTranscriptBytesMax = size_t{16} << 20;
inline constexpr size_t kLanguageBytesMax = 3;

struct Transcript {
  /// As ISO 639-1 has it, or ISO 639-3 where that has none (Hawaiian); empty when nothing was said.
  std::string language = {};
  /// 0 to 1; 1 when the request named it.
  double language_confidence = 0;
  /// One after the other, within the recording.
  std::vector<SpeechSegment> segments = {};
  /// Of the recording, rounded down.
  int64_t duration_ms = 0;
};

}  // namespace tintype::darkroom
