#include "darkroom/protocol/messages.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/media_type.h"
#include "darkroom/protocol/fields.h"
#include "darkroom/protocol/media_fields.h"
#include "darkroom/protocol/media_messages.h"

// Every message is described once, by an overload of Fields that a FieldWriter and a FieldReader
// both go through. Record is the struct, const for the writer.

namespace tintype::darkroom {
namespace {

constexpr int32_t kSideMax = 10'000'000;  // As libvips has it.
constexpr int32_t kPagesMax = 1'000'000;
constexpr int64_t kBytesMax = std::numeric_limits<int64_t>::max();
constexpr size_t kMediaTypeTextBytesMax = 64;

void Fields(auto& fields, Is<DevelopRequest> auto& request) {
  fields.Number(request.quality, 1, 100);
  fields.Number(request.effort, 0, 6);
  fields.List(request.sizes, kSizesMax,
              [](auto& each, auto& size) { each.Number(size.longest_side, 1, kWebpSideMax); });
}

void Fields(auto& fields, Is<Rotate> auto& rotate) { fields.Number(rotate.degrees, 90, 270); }
void Fields(auto& fields, Is<Crop> auto& crop) {
  fields.Number(crop.left, 0, kSideMax);
  fields.Number(crop.top, 0, kSideMax);
  fields.Number(crop.width, 1, kSideMax);
  fields.Number(crop.height, 1, kSideMax);
}
void Fields(auto& /*fields*/, Is<AutoLevels> auto& /*levels*/) {}
void Fields(auto& /*fields*/, Is<BlackAndWhite> auto& /*gray*/) {}

void Fields(auto& fields, Is<Original> auto& original) {
  fields.Text(original.media_type, kMediaTypeTextBytesMax);
  fields.Number(original.width, 1, kSideMax);
  fields.Number(original.height, 1, kSideMax);
  fields.Number(original.pages, 1, kPagesMax);
  fields.Flag(original.has_alpha);
  fields.Number(original.damage, 0, static_cast<int64_t>(Damage::kDamaged));
  fields.Optional(original.percent_there,
                  [](auto& each, auto& value) { each.Number(value, 1, 100); });
}

void Fields(auto& fields, Is<ExifData> auto& exif) {
  const auto text = [](auto& each, auto& value) { each.Text(value, kExifTextBytesMax); };
  fields.Optional(exif.camera, text);
  fields.Optional(exif.lens, text);
  fields.Optional(exif.iso, [](auto& each, auto& value) { each.Number(value, 1, kIsoMax); });
  fields.Optional(exif.shutter_speed, text);
  fields.Optional(exif.aperture,
                  [](auto& each, auto& value) { each.Real(value, 0, kApertureMax); });
  fields.Optional(exif.focal_length,
                  [](auto& each, auto& value) { each.Real(value, 0, kFocalLengthMax); });
  fields.Optional(exif.taken_at, text);
  fields.Optional(exif.place, [](auto& each, auto& place) { Fields(each, place); });
  fields.Number(exif.orientation, 1, 8);
}

void Fields(auto& fields, Is<ImageProperties> auto& properties) {
  fields.List(properties.dominant_colors, kDominantColorsMax, [](auto& each, auto& color) {
    each.Number(color.red, 0, 255);
    each.Number(color.green, 0, 255);
    each.Number(color.blue, 0, 255);
    each.Real(color.percent, 0, 100);
  });
  fields.Real(properties.brightness, 0, 100);
  fields.Real(properties.contrast, 0, 100);
  fields.Real(properties.sharpness, 0, 100);
  fields.Text(properties.blurhash, kBlurhashBytesMax);
  fields.Optional(properties.perceptual_hash, [](auto& each, auto& value) {
    each.Number(value, std::numeric_limits<int64_t>::min(), kBytesMax);
  });
}

void Fields(auto& fields, Is<Developed> auto& developed) {
  Fields(fields, developed.original);
  fields.List(developed.renditions, kSizesMax, [](auto& each, auto& rendition) {
    each.Number(rendition.width, 1, kWebpSideMax);
    each.Number(rendition.height, 1, kWebpSideMax);
    each.Number(rendition.bytes, 1, kBytesMax);
  });
  Fields(fields, developed.exif);
  Fields(fields, developed.properties);
}

void Fields(auto& fields, Is<Edited> auto& edited) {
  fields.Number(edited.width, 1, kSideMax);
  fields.Number(edited.height, 1, kSideMax);
  fields.Number(edited.format, 0, static_cast<int64_t>(OutputFormat::kJpeg));
  fields.Number(edited.bytes, 1, kBytesMax);
}

void Fields(auto& fields, Is<ResizeRequest> auto& request) {
  fields.Number(request.width, 0, kWebpSideMax);
  fields.Number(request.height, 0, kWebpSideMax);
  fields.Number(request.fit, 0, static_cast<int64_t>(Fit::kCover));
  fields.Number(request.format, 0, static_cast<int64_t>(OutputFormat::kAvif));
  fields.Number(request.quality, 1, 100);
  fields.Number(request.effort, 0, 6);
}

void Fields(auto& fields, Is<Resized> auto& resized) {
  fields.Number(resized.width, 1, kWebpSideMax);
  fields.Number(resized.height, 1, kWebpSideMax);
  fields.Number(resized.bytes, 1, kBytesMax);
}

// Descriptors stay behind.
void Fields(auto& fields, Is<FindTextRequest> auto& request) {
  fields.List(request.recognisers, kTextRecognisersMax, [](auto& each, auto& recogniser) {
    each.Number(recogniser.script, 0, static_cast<int64_t>(TextScript::kJapanese));
  });
  fields.Text(request.models, kModelsTextBytesMax);
}

void Fields(auto& fields, Is<FindObjectsRequest> auto& request) {
  fields.Text(request.models, kModelsTextBytesMax);
}

void Fields(auto& fields, Is<FoundObjects> auto& found) {
  fields.List(found.objects, kObjectsMax, [](auto& each, auto& object) {
    each.Number(object.kind, 0, kObjectKindsMax - 1);
    each.Real(object.confidence, 0, 1);
    each.Real(object.left, 0, 1);
    each.Real(object.top, 0, 1);
    each.Real(object.width, 0, 1);
    each.Real(object.height, 0, 1);
  });
}

void Fields(auto& fields, Is<FoundText> auto& found) {
  fields.Number(found.bytes, 0, static_cast<int64_t>(kTextAnswerBytesMax));
}

void Fields(auto& fields, Is<TextLine> auto& line) {
  fields.Text(line.text, kTextLineBytesMax);
  fields.Real(line.confidence, 0, 1);
  fields.Number(line.recogniser, 0, static_cast<int64_t>(kTextRecognisersMax) - 1);
  fields.List(line.corners, 4, [](auto& each, auto& corner) {
    each.Real(corner.x, 0, 1);
    each.Real(corner.y, 0, 1);
  });
  fields.List(line.words, kTextWordsMax, [](auto& each, auto& word) {
    each.Number(word.begin, 0, static_cast<int64_t>(kTextLineBytesMax));
    each.Number(word.end, 0, static_cast<int64_t>(kTextLineBytesMax));
    each.Real(word.from, 0, 1);
    each.Real(word.to, 0, 1);
  });
}

void Fields(auto& fields, Is<ProbeDocumentRequest> auto& request) {
  fields.Text(request.media_type, kMediaTypeTextBytesMax);
}

void Fields(auto& fields, Is<DocumentProbe> auto& probe) {
  fields.Number(probe.pages, 1, kDocumentPagesMax);
  fields.Text(probe.title, kDocumentNameBytesMax);
  fields.Text(probe.author, kDocumentNameBytesMax);
  fields.Real(probe.width_points, 0, kPagePointsMax);
  fields.Real(probe.height_points, 0, kPagePointsMax);
  fields.Flag(probe.encrypted);
}

void Fields(auto& fields, Is<DocumentPageRequest> auto& request) {
  fields.Text(request.media_type, kMediaTypeTextBytesMax);
  fields.Number(request.page, 0, kDocumentPagesMax - 1);
  fields.Number(request.longest_side, 1, kPageSideMax);
}

void Fields(auto& fields, Is<DocumentPage> auto& page) {
  fields.Number(page.width, 1, kPageSideMax);
  fields.Number(page.height, 1, kPageSideMax);
  fields.Number(page.bytes, 1, kBytesMax);
}

void Fields(auto& fields, Is<DocumentTextRequest> auto& request) {
  fields.Text(request.media_type, kMediaTypeTextBytesMax);
  fields.Number(request.pages_max, 1, kDocumentPagesMax);
}

void Fields(auto& fields, Is<DocumentText> auto& text) {
  fields.Number(text.bytes, 0, static_cast<int64_t>(kDocumentTextBytesMax));
  fields.Number(text.pages, 1, kDocumentPagesMax);
  fields.Flag(text.complete);
}

void Fields(auto& fields, Is<ClassifyRequest> auto& request) {
  fields.Text(request.models, kModelsTextBytesMax);
}

void Fields(auto& fields, Is<Classified> auto& classified) {
  fields.List(classified.scores, kPictureClasses,
              [](auto& each, auto& score) { each.Real(score, 0, 1); });
}

void Fields(auto& fields, Is<TranscribeRequest> auto& request) {
  fields.Text(request.language, kLanguageBytesMax);
  fields.Text(request.models, kModelsTextBytesMax);
}

void Fields(auto& fields, Is<Transcribed> auto& transcribed) {
  fields.Number(transcribed.bytes, 0, static_cast<int64_t>(kTranscriptBytesMax));
}

void Fields(auto& fields, Is<SpeechSegment> auto& segment) {
  fields.Number(segment.begin_ms, 0, kBytesMax);
  fields.Number(segment.end_ms, 0, kBytesMax);
  fields.Text(segment.text, kSegmentTextBytesMax);
  fields.Real(segment.confidence, 0, 1);
  fields.List(segment.words, kSegmentWordsMax, [](auto& each, auto& word) {
    each.Text(word.text, kSpeechWordBytesMax);
    each.Number(word.begin_ms, 0, kBytesMax);
    each.Number(word.end_ms, 0, kBytesMax);
    each.Real(word.confidence, 0, 1);
  });
}

void Fields(auto& fields, Is<Transcript> auto& transcript) {
  fields.Text(transcript.language, kLanguageBytesMax);
  fields.Real(transcript.language_confidence, 0, 1);
  fields.Number(transcript.duration_ms, 0, kBytesMax);
  fields.List(transcript.segments, kSpeechSegmentsMax,
              [](auto& each, auto& segment) { Fields(each, segment); });
}

void Fields(auto& fields, Is<Failure> auto& failure) {
  fields.Number(failure.kind, 0, static_cast<int64_t>(FailureKind::kNotRunning));
  fields.Text(failure.message, kFailureMessageBytesMax);
}

void Fields(auto& fields, Is<Ready> auto& ready) {
  fields.Number(ready.version, 0, std::numeric_limits<int32_t>::max());
  fields.Text(ready.sandbox_missing, kSandboxTextBytesMax);
}

// Defined below, because it needs the overloads for variants, which need it.
void Fields(auto& fields, Is<EditRequest> auto& request);

template <typename Variant>
constexpr int64_t kLastAlternative = static_cast<int64_t>(std::variant_size_v<Variant>) - 1;

template <typename... Ts>
void WriteVariant(FieldWriter& writer, const std::variant<Ts...>& value) {
  writer.Number(value.index(), 0, kLastAlternative<std::variant<Ts...>>);
  std::visit([&](const auto& alternative) { Fields(writer, alternative); }, value);
}

template <typename... Ts>
void ReadVariant(FieldReader& reader, std::variant<Ts...>& value) {
  size_t index = 0;
  reader.Number(index, 0, kLastAlternative<std::variant<Ts...>>);
  size_t i = 0;
  ((i++ == index ? Fields(reader, value.template emplace<Ts>()) : void()), ...);
}

template <typename... Ts>
void Fields(FieldWriter& writer, const std::variant<Ts...>& value) {
  WriteVariant(writer, value);
}
template <typename... Ts>
void Fields(FieldReader& reader, std::variant<Ts...>& value) {
  ReadVariant(reader, value);
}

void Fields(auto& fields, Is<EditRequest> auto& request) {
  fields.Number(request.format, 0, static_cast<int64_t>(OutputFormat::kJpeg));
  fields.Number(request.quality, 1, 100);
  fields.List(request.operations, kEditOperationsMax,
              [](auto& each, auto& operation) { Fields(each, operation); });
}

void Fields(auto& fields, Is<Order> auto& order) {
  fields.Number(order.limits.pixels, 1, kBytesMax);
  fields.Number(order.limits.pixels_held_whole, 1, kBytesMax);
  fields.Number(order.limits.pages, 1, kPagesMax);
  fields.Number(order.wall_ms, 1, kBytesMax);
  Fields(fields, order.request);
}

Error Invalid(std::string message) {
  return MakeFailure(FailureKind::kInvalidRequest, std::move(message));
}

bool Between(int64_t value, int64_t min, int64_t max) { return value >= min && value <= max; }

Status CheckDevelop(const DevelopRequest& request) {
  if (request.sizes.empty() || request.sizes.size() > kSizesMax) {
    return Invalid(StrCat("Between 1 and ", kSizesMax, " sizes can be asked for"));
  }
  if (!std::ranges::all_of(request.sizes, [](const SizeRequest& s) {
        return Between(s.longest_side, 1, kWebpSideMax);
      })) {
    return Invalid(StrCat("The longest side of a size is between 1 and ", kWebpSideMax));
  }
  if (!Between(request.quality, 1, 100) || !Between(request.effort, 0, 6)) {
    return Invalid("Quality is between 1 and 100, effort between 0 and 6");
  }
  return OkStatus();
}

Status CheckOperation(const EditOperation& operation) {
  if (const auto* rotate = std::get_if<Rotate>(&operation)) {
    if (rotate->degrees != 90 && rotate->degrees != 180 && rotate->degrees != 270) {
      return Invalid("An image is rotated by 90, 180 or 270 degrees");
    }
  }
  if (const auto* crop = std::get_if<Crop>(&operation)) {
    if (!Between(crop->left, 0, kSideMax) || !Between(crop->top, 0, kSideMax) ||
        !Between(crop->width, 1, kSideMax) || !Between(crop->height, 1, kSideMax)) {
      return Invalid("A crop begins at 0 or later and is at least one pixel wide and high");
    }
  }
  return OkStatus();
}

Status CheckEdit(const EditRequest& request) {
  if (request.operations.size() > kEditOperationsMax) {
    return Invalid(StrCat("An edit has at most ", kEditOperationsMax, " operations"));
  }
  if (request.format != OutputFormat::kWebp && request.format != OutputFormat::kJpeg) {
    return Invalid("An edit is written as WebP or JPEG");
  }
  if (!Between(request.quality, 1, 100)) {
    return Invalid("Quality is between 1 and 100");
  }
  for (const EditOperation& operation : request.operations) {
    RETURN_IF_ERROR(CheckOperation(operation));
  }
  return OkStatus();
}

Status CheckResize(const ResizeRequest& request) {
  if (!Between(request.width, 0, kWebpSideMax) || !Between(request.height, 0, kWebpSideMax)) {
    return Invalid(StrCat("Width and height are between 0 and ", kWebpSideMax));
  }
  if (!Between(request.quality, 1, 100) || !Between(request.effort, 0, 6)) {
    return Invalid("Quality is between 1 and 100, effort between 0 and 6");
  }
  return OkStatus();
}

Status CheckModelsText(const std::string& models) {
  return models.size() > kModelsTextBytesMax ? Invalid("The names of the models are too long")
                                             : Status(OkStatus());
}

Status CheckFindText(const FindTextRequest& request) {
  if (request.recognisers.empty() || request.recognisers.size() > kTextRecognisersMax) {
    return Invalid(StrCat("Between 1 and ", kTextRecognisersMax, " models can read text"));
  }
  return CheckModelsText(request.models);
}

Status CheckDocumentType(const std::string& media_type) {
  return CanReadDocument(media_type) ? OkStatus()
                                     : Status(Invalid("That type of file is no document"));
}

Status CheckProbeDocument(const ProbeDocumentRequest& request) {
  return CheckDocumentType(request.media_type);
}

Status CheckPage(const DocumentPageRequest& request) {
  if (!Between(request.page, 0, kDocumentPagesMax - 1) ||
      !Between(request.longest_side, 1, kPageSideMax)) {
    return Invalid(
        StrCat("A page is counted from 0, and its longest side is between 1 and ", kPageSideMax));
  }
  return CheckDocumentType(request.media_type);
}

Status CheckDocumentText(const DocumentTextRequest& request) {
  if (!Between(request.pages_max, 1, kDocumentPagesMax)) {
    return Invalid(StrCat("The text of 1 to ", kDocumentPagesMax, " pages can be asked for"));
  }
  return CheckDocumentType(request.media_type);
}

bool IsLanguageCode(std::string_view code) {
  return (code.size() == 2 || code.size() == 3) &&
         std::ranges::all_of(code, [](char c) { return c >= 'a' && c <= 'z'; });
}

Status CheckTranscribe(const TranscribeRequest& request) {
  if (!request.language.empty() && !IsLanguageCode(request.language)) {
    return Invalid("A language is named by two letters, as in ISO 639-1");
  }
  return CheckModelsText(request.models);
}

Error Nonsense(std::string note) {
  return MakeFailure(FailureKind::kDied, "The image helper gave an answer that makes no sense")
      .WithNote(std::move(note));
}

Status CheckDeveloped(const DevelopRequest& request, const Developed& developed) {
  const Original& original = developed.original;
  if (!CanDevelop(original.media_type) || developed.renditions.size() != request.sizes.size()) {
    return Nonsense("type or number of renditions");
  }
  for (size_t i = 0; i < request.sizes.size(); ++i) {
    const Rendition& rendition = developed.renditions[i];
    const int32_t longest = std::max(rendition.width, rendition.height);
    const int32_t expected =
        std::min(request.sizes[i].longest_side, std::max(original.width, original.height));
    if (longest != expected) {
      return Nonsense("size of a rendition");
    }
  }
  return OkStatus();
}

/// Whether the pieces come one after the other, from `begin_ms` on and up to `end_ms`, and say
/// something.
template <typename Piece>
bool AreInOrder(const std::vector<Piece>& pieces, int64_t begin_ms, int64_t end_ms) {
  return std::ranges::all_of(pieces, [&](const Piece& piece) {
    const bool fits = begin_ms <= piece.begin_ms && piece.begin_ms <= piece.end_ms &&
                      piece.end_ms <= end_ms && !piece.text.empty();
    begin_ms = piece.end_ms;
    return fits;
  });
}

bool MakesSense(const Transcript& transcript) {
  const bool is_silent = transcript.language.empty() && transcript.segments.empty();
  return (is_silent || IsLanguageCode(transcript.language)) &&
         AreInOrder(transcript.segments, 0, transcript.duration_ms) &&
         std::ranges::all_of(transcript.segments, [](const SpeechSegment& segment) {
           return AreInOrder(segment.words, segment.begin_ms, segment.end_ms);
         });
}

Status CheckResized(const ResizeRequest& request, const Resized& resized) {
  const auto within = [](int32_t side, int32_t asked) { return asked == 0 || side <= asked; };
  if (!within(resized.width, request.width) || !within(resized.height, request.height)) {
    return Nonsense("size of a resized image");
  }
  return OkStatus();
}

Status CheckDrawnPage(const DocumentPageRequest& request, const DocumentPage& page) {
  return std::max(page.width, page.height) == request.longest_side ? OkStatus()
                                                                   : Nonsense("size of a page");
}

}  // namespace

std::vector<int> DescriptorsOf(const Request& request) {
  if (IsMediaRequest(request)) {
    return MediaDescriptorsOf(request);
  }
  if (const auto* document = std::get_if<ProbeDocumentRequest>(&request)) {
    return {document->input};
  }
  if (const auto* page = std::get_if<DocumentPageRequest>(&request)) {
    return {page->input, page->output};
  }
  if (const auto* text = std::get_if<DocumentTextRequest>(&request)) {
    return {text->input, text->output};
  }
  if (const auto* edit = std::get_if<EditRequest>(&request)) {
    return {edit->input, edit->output};
  }
  if (const auto* resize = std::get_if<ResizeRequest>(&request)) {
    return {resize->input, resize->output};
  }
  if (const auto* objects = std::get_if<FindObjectsRequest>(&request)) {
    return {objects->input, objects->model};
  }
  if (const auto* classify = std::get_if<ClassifyRequest>(&request)) {
    return {classify->input, classify->model};
  }
  if (const auto* speech = std::get_if<TranscribeRequest>(&request)) {
    return {speech->input, speech->output, speech->encoder, speech->decoder, speech->vocabulary};
  }
  if (const auto* text = std::get_if<FindTextRequest>(&request)) {
    std::vector<int> descriptors = {text->input, text->output, text->detector};
    for (const TextRecogniser& recogniser : text->recognisers) {
      descriptors.push_back(recogniser.model);
      descriptors.push_back(recogniser.characters);
    }
    return descriptors;
  }
  const auto& develop = std::get<DevelopRequest>(request);
  std::vector<int> descriptors = {develop.input};
  for (const SizeRequest& size : develop.sizes) {
    descriptors.push_back(size.output);
  }
  return descriptors;
}

Status CheckRequest(const Request& request) {
  if (IsMediaRequest(request)) {
    return CheckMediaRequest(request);
  }
  if (const auto* develop = std::get_if<DevelopRequest>(&request)) {
    return CheckDevelop(*develop);
  }
  if (const auto* edit = std::get_if<EditRequest>(&request)) {
    return CheckEdit(*edit);
  }
  if (const auto* text = std::get_if<FindTextRequest>(&request)) {
    return CheckFindText(*text);
  }
  if (const auto* objects = std::get_if<FindObjectsRequest>(&request)) {
    return CheckModelsText(objects->models);
  }
  if (const auto* document = std::get_if<ProbeDocumentRequest>(&request)) {
    return CheckProbeDocument(*document);
  }
  if (const auto* page = std::get_if<DocumentPageRequest>(&request)) {
    return CheckPage(*page);
  }
  if (const auto* document_text = std::get_if<DocumentTextRequest>(&request)) {
    return CheckDocumentText(*document_text);
  }
  if (const auto* classify = std::get_if<ClassifyRequest>(&request)) {
    return CheckModelsText(classify->models);
  }
  if (const auto* speech = std::get_if<TranscribeRequest>(&request)) {
    return CheckTranscribe(*speech);
  }
  return CheckResize(std::get<ResizeRequest>(request));
}

std::string EncodeOrder(const Order& order) {
  FieldWriter writer;
  Fields(writer, order);
  std::string bytes = std::move(writer).Take();
  CHECK(bytes.size() <= kMessageBytesMax);
  return bytes;
}

Result<Order> DecodeOrder(std::string_view bytes, std::span<const int> descriptors) {
  FieldReader reader(bytes);
  Order order;
  Fields(reader, order);
  if (!reader.Finished()) {
    return Invalid("The order cannot be read");
  }
  if (descriptors.size() != DescriptorsOf(order.request).size()) {
    return Invalid("The order came with another number of files");
  }
  if (IsMediaRequest(order.request)) {
    SetMediaDescriptors(order.request, descriptors);
  } else if (auto* edit = std::get_if<EditRequest>(&order.request)) {
    edit->input = descriptors[0];
    edit->output = descriptors[1];
  } else if (auto* resize = std::get_if<ResizeRequest>(&order.request)) {
    resize->input = descriptors[0];
    resize->output = descriptors[1];
  } else if (auto* develop = std::get_if<DevelopRequest>(&order.request)) {
    develop->input = descriptors[0];
    for (size_t i = 0; i < develop->sizes.size(); ++i) {
      develop->sizes[i].output = descriptors[i + 1];
    }
  } else if (auto* objects = std::get_if<FindObjectsRequest>(&order.request)) {
    objects->input = descriptors[0];
    objects->model = descriptors[1];
  } else if (auto* classify = std::get_if<ClassifyRequest>(&order.request)) {
    classify->input = descriptors[0];
    classify->model = descriptors[1];
  } else if (auto* speech = std::get_if<TranscribeRequest>(&order.request)) {
    speech->input = descriptors[0];
    speech->output = descriptors[1];
    speech->encoder = descriptors[2];
    speech->decoder = descriptors[3];
    speech->vocabulary = descriptors[4];
  } else if (auto* text = std::get_if<FindTextRequest>(&order.request)) {
    text->input = descriptors[0];
    text->output = descriptors[1];
    text->detector = descriptors[2];
    for (size_t i = 0; i < text->recognisers.size(); ++i) {
      text->recognisers[i].model = descriptors[3 + 2 * i];
      text->recognisers[i].characters = descriptors[4 + 2 * i];
    }
  } else if (auto* document = std::get_if<ProbeDocumentRequest>(&order.request)) {
    document->input = descriptors[0];
  } else if (auto* page = std::get_if<DocumentPageRequest>(&order.request)) {
    page->input = descriptors[0];
    page->output = descriptors[1];
  } else if (auto* document_text = std::get_if<DocumentTextRequest>(&order.request)) {
    document_text->input = descriptors[0];
    document_text->output = descriptors[1];
  }
  RETURN_IF_ERROR(CheckRequest(order.request));
  return order;
}

std::string EncodeReply(const Reply& reply) {
  FieldWriter writer;
  WriteVariant(writer, reply);
  return std::move(writer).Take();
}

Result<Reply> DecodeReply(std::string_view bytes) {
  FieldReader reader(bytes);
  Reply reply;
  ReadVariant(reader, reply);
  if (!reader.Finished()) {
    return Nonsense("a field is out of its bounds");
  }
  return reply;
}

Status CheckReply(const Request& request, const Reply& reply) {
  if (std::holds_alternative<Failure>(reply)) {
    return OkStatus();
  }
  if (IsMediaRequest(request)) {
    return CheckMediaReply(request, reply);
  }
  if (const auto* edit = std::get_if<EditRequest>(&request)) {
    const auto* edited = std::get_if<Edited>(&reply);
    return edited != nullptr && edited->format == edit->format ? OkStatus()
                                                               : Nonsense("not an edit's");
  }
  if (const auto* resize = std::get_if<ResizeRequest>(&request)) {
    const auto* resized = std::get_if<Resized>(&reply);
    return resized != nullptr ? CheckResized(*resize, *resized) : Nonsense("not a resizing's");
  }
  if (std::holds_alternative<FindObjectsRequest>(request)) {
    return std::holds_alternative<FoundObjects>(reply) ? OkStatus() : Nonsense("not objects");
  }
  if (std::holds_alternative<FindTextRequest>(request)) {
    return std::holds_alternative<FoundText>(reply) ? OkStatus() : Nonsense("not found text");
  }
  if (std::holds_alternative<ProbeDocumentRequest>(request)) {
    return std::holds_alternative<DocumentProbe>(reply) ? OkStatus() : Nonsense("not a probe's");
  }
  if (const auto* page = std::get_if<DocumentPageRequest>(&request)) {
    const auto* drawn = std::get_if<DocumentPage>(&reply);
    return drawn != nullptr ? CheckDrawnPage(*page, *drawn) : Nonsense("not a page");
  }
  if (const auto* document = std::get_if<DocumentTextRequest>(&request)) {
    const auto* text = std::get_if<DocumentText>(&reply);
    return text != nullptr && text->pages <= document->pages_max
               ? OkStatus()
               : Nonsense("not a document's text");
  }
  if (std::holds_alternative<ClassifyRequest>(request)) {
    const auto* classified = std::get_if<Classified>(&reply);
    return classified != nullptr && classified->scores.size() == kPictureClasses
               ? OkStatus()
               : Nonsense("not classes");
  }
  if (std::holds_alternative<TranscribeRequest>(request)) {
    return std::holds_alternative<Transcribed>(reply) ? OkStatus() : Nonsense("not speech");
  }
  const auto* developed = std::get_if<Developed>(&reply);
  return developed != nullptr ? CheckDeveloped(std::get<DevelopRequest>(request), *developed)
                              : Nonsense("not a development's");
}

std::string EncodeTextLines(const std::vector<TextLine>& lines) {
  FieldWriter writer;
  writer.List(lines, kTextLinesMax, [](auto& each, auto& line) { Fields(each, line); });
  return std::move(writer).Take();
}

Result<std::vector<TextLine>> DecodeTextLines(std::string_view bytes) {
  FieldReader reader(bytes);
  std::vector<TextLine> lines;
  reader.List(lines, kTextLinesMax, [](auto& each, auto& line) { Fields(each, line); });
  if (!reader.Finished()) {
    return Nonsense("a line of text is out of its bounds");
  }
  for (const TextLine& line : lines) {
    const bool fits = std::ranges::all_of(line.words, [&](const TextWord& word) {
      return word.begin <= word.end && static_cast<size_t>(word.end) <= line.text.size() &&
             word.from <= word.to;
    });
    if (line.corners.size() != 4 || !fits) {
      return Nonsense("a line of text makes no sense");
    }
  }
  return lines;
}

std::string EncodeTranscript(const Transcript& transcript) {
  FieldWriter writer;
  Fields(writer, transcript);
  return std::move(writer).Take();
}

Result<Transcript> DecodeTranscript(std::string_view bytes) {
  FieldReader reader(bytes);
  Transcript transcript;
  Fields(reader, transcript);
  if (!reader.Finished()) {
    return Nonsense("a part of a transcript is out of its bounds");
  }
  if (!MakesSense(transcript)) {
    return Nonsense("a transcript makes no sense");
  }
  return transcript;
}

}  // namespace tintype::darkroom
