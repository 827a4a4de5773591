#include "darkroom/vision/text/find_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/protocol/messages.h"
#include "darkroom/vision/answer_file.h"
#include "darkroom/vision/picture.h"
#include "darkroom/vision/text/read_line.h"
#include "darkroom/vision/text/regions.h"

namespace tintype::darkroom::vision {
namespace {

// The longest side that the detector sees, which it wants in steps; small pictures are enlarged.
constexpr double kDetectorSide = 960;
constexpr double kEnlargeBelow = 640;
constexpr double kEnlargeMax = 2;
constexpr int32_t kDetectorStep = 32;
// Less sure, and it is no text.
constexpr double kConfidenceMin = 0.5;

int32_t DetectorSide(int32_t side, double scale) {
  return std::max(kDetectorStep,
                  static_cast<int32_t>(std::lround(side * scale / kDetectorStep)) * kDetectorStep);
}

/// The regions with text, in pixels of the picture.
Result<std::vector<Rectangle>> Detect(ModelSession& detector, const Picture& picture) {
  constexpr float kMeans[3] = {0.485F, 0.456F, 0.406F};
  constexpr float kDeviations[3] = {0.229F, 0.224F, 0.225F};
  const double longest = std::max(picture.width, picture.height);
  const double scale = longest < kEnlargeBelow ? std::min(kEnlargeMax, kDetectorSide / longest)
                                               : std::min(1.0, kDetectorSide / longest);
  const Picture seen =
      Resized(picture, DetectorSide(picture.width, scale), DetectorSide(picture.height, scale));
  const size_t plane = static_cast<size_t>(seen.width) * static_cast<size_t>(seen.height);
  Tensor input{{1, 3, seen.height, seen.width}, std::vector<float>(plane * 3)};
  for (size_t i = 0; i < plane; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      const float value = static_cast<float>(seen.pixels[i * 3 + c]) / 255;
      input.values[c * plane + i] = (value - kMeans[c]) / kDeviations[c];
    }
  }
  ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, detector.Run(input));
  if (outputs.front().values.size() != plane) {
    return MakeFailure(FailureKind::kNotRunning, "A model is none that finds text");
  }
  std::vector<Rectangle> regions =
      FindTextRegions({seen.width, seen.height, outputs.front().values}, kTextLinesMax);
  const double sx = static_cast<double>(picture.width) / seen.width;
  const double sy = static_cast<double>(picture.height) / seen.height;
  for (Rectangle& region : regions) {
    const Point along = {region.along.x * sx, region.along.y * sy};
    const double stretched = std::hypot(along.x, along.y);
    region.center = {region.center.x * sx, region.center.y * sy};
    region.width *= stretched;
    region.height *= std::hypot(region.along.y * sx, region.along.x * sy);
    region.along = {along.x / stretched, along.y / stretched};
  }
  return regions;
}

Corner CornerOf(const Picture& picture, const Point& point) {
  return {std::clamp(point.x / picture.width, 0.0, 1.0),
          std::clamp(point.y / picture.height, 0.0, 1.0)};
}

/// The corners from where the text begins: of a line from top to bottom that is at its right.
std::vector<Corner> CornersOf(const Picture& picture, const Rectangle& region) {
  const double w = region.width;
  const double h = region.height;
  const bool upright = h <= 1.5 * w;
  const std::vector<Point> points =
      upright
          ? std::vector<Point>{region.At(0, 0), region.At(w, 0), region.At(w, h), region.At(0, h)}
          : std::vector<Point>{region.At(w, 0), region.At(w, h), region.At(0, h), region.At(0, 0)};
  std::vector<Corner> corners;
  corners.reserve(points.size());
  for (const Point& point : points) {
    corners.push_back(CornerOf(picture, point));
  }
  return corners;
}

/// Lines as they are read: from the top, and from the left where they are at one height.
void SortForReading(std::vector<std::pair<Rectangle, TextLine>>& lines) {
  std::ranges::sort(lines, {}, [](const auto& line) { return line.first.center.y; });
  for (auto begin = lines.begin(); begin != lines.end();) {
    auto end = begin;
    while (end != lines.end() && end->first.center.y - begin->first.center.y <=
                                     std::min(begin->first.height, end->first.height) / 2) {
      ++end;
    }
    std::sort(begin, end,
              [](const auto& a, const auto& b) { return a.first.center.x < b.first.center.x; });
    begin = end;
  }
}

/// What each recogniser reads in a line, in their order.
using Readings = std::vector<Reading>;

Result<Readings> ReadByAll(const FindTextRequest& request, LoadedModels& models,
                           const Picture& line) {
  Readings readings;
  for (size_t i = 0; i < request.recognisers.size(); ++i) {
    ASSIGN_OR_RETURN(ModelSession * recogniser, models.Model(i + 1, request.recognisers[i].model));
    ASSIGN_OR_RETURN(const Characters* characters,
                     models.CharactersOf(i + 1, request.recognisers[i].characters));
    ASSIGN_OR_RETURN(readings.emplace_back(), ReadLine(*recogniser, *characters, line));
  }
  return readings;
}

/// How many lines have a reading by a recogniser of that script of which that is true.
template <typename Test>
size_t CountLines(const FindTextRequest& request, const std::vector<Readings>& lines,
                  TextScript script, const Test& test) {
  size_t count = 0;
  for (size_t i = 0; i < request.recognisers.size(); ++i) {
    if (request.recognisers[i].script == script) {
      count += static_cast<size_t>(std::ranges::count_if(lines, [&](const Readings& line) {
        return line[i].confidence >= kConfidenceMin && test(line[i].text);
      }));
    }
  }
  return count;
}

/// What a picture as a whole says of its text. Each recogniser reads text that is not its own as
/// what it knows, and may be surer of that than the right one.
struct Evidence {
  bool is_japanese = false;
  bool has_accents = false;
  bool has_alphabet = false;  // There are recognisers of Latin letters.
};

Evidence EvidenceOf(const FindTextRequest& request, const std::vector<Readings>& lines) {
  Evidence evidence;
  evidence.is_japanese = CountLines(request, lines, TextScript::kJapanese, HasKana) > 0;
  // A single one may be a speck on a letter.
  evidence.has_accents =
      4 * CountLines(request, lines, TextScript::kLatin, HasAccents) > lines.size();
  evidence.has_alphabet = std::ranges::any_of(request.recognisers, [](const auto& recogniser) {
    return recogniser.script == TextScript::kEnglish || recogniser.script == TextScript::kLatin;
  });
  return evidence;
}

bool IsBelieved(const Evidence& evidence, TextScript script, std::string_view text) {
  switch (script) {
    case TextScript::kEnglish:
      return !evidence.has_accents;
    case TextScript::kLatin:
      return true;
    case TextScript::kChinese:
      return HasIdeographs(text) || !evidence.has_alphabet;
    case TextScript::kJapanese:
      return evidence.is_japanese && (HasIdeographs(text) || !evidence.has_alphabet);
  }
  return false;
}

/// The reading of a line that is believed, and surest.
TextLine SurestOf(const FindTextRequest& request, Readings readings, const Evidence& evidence) {
  TextLine line;
  for (size_t i = 0; i < readings.size(); ++i) {
    if (!readings[i].text.empty() && readings[i].confidence > line.confidence &&
        IsBelieved(evidence, request.recognisers[i].script, readings[i].text)) {
      line.text = std::move(readings[i].text);
      line.confidence = readings[i].confidence;
      line.recogniser = static_cast<int32_t>(i);
      line.words = std::move(readings[i].words);
    }
  }
  return line;
}

}  // namespace

Result<FoundText> RunFindText(const FindTextRequest& request, const PixelLimits& limits,
                              LoadedModels& models) {
  ASSIGN_OR_RETURN(const Picture picture, DecodePicture(request.input, limits));
  models.Use(request.models);
  ASSIGN_OR_RETURN(ModelSession * detector, models.Model(0, request.detector));
  ASSIGN_OR_RETURN(const std::vector<Rectangle> regions, Detect(*detector, picture));
  std::vector<Readings> readings;
  for (const Rectangle& region : regions) {
    ASSIGN_OR_RETURN(readings.emplace_back(), ReadByAll(request, models, CutLine(picture, region)));
  }
  const Evidence evidence = EvidenceOf(request, readings);
  std::vector<std::pair<Rectangle, TextLine>> lines;
  for (size_t i = 0; i < regions.size(); ++i) {
    TextLine line = SurestOf(request, std::move(readings[i]), evidence);
    if (line.confidence >= kConfidenceMin) {
      line.corners = CornersOf(picture, regions[i]);
      lines.emplace_back(regions[i], std::move(line));
    }
  }
  SortForReading(lines);
  std::vector<TextLine> found;
  found.reserve(lines.size());
  for (auto& [region, line] : lines) {
    found.push_back(std::move(line));
  }
  std::string bytes = EncodeTextLines(found);
  while (bytes.size() > kTextAnswerBytesMax) {
    found.pop_back();
    bytes = EncodeTextLines(found);
  }
  RETURN_IF_ERROR(WriteAnswer(request.output, bytes));
  return FoundText{static_cast<int64_t>(bytes.size())};
}

}  // namespace tintype::darkroom::vision
