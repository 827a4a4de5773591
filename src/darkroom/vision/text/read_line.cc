#include "darkroom/vision/text/read_line.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "darkroom/failure.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom::vision {
namespace {

constexpr int32_t kLineHeight = 48;
// A line of 100 characters at that height is some 2,500 pixels long.
constexpr int32_t kLineWidthMax = 4096;

bool IsUpright(const Rectangle& line) { return line.height <= 1.5 * line.width; }

/// The colour at a place between pixels.
void SampleAt(const Picture& picture, double x, double y, double (&color)[3]) {
  x = std::clamp(x - 0.5, 0.0, picture.width - 1.0);
  y = std::clamp(y - 0.5, 0.0, picture.height - 1.0);
  const auto left = static_cast<int32_t>(x);
  const auto top = static_cast<int32_t>(y);
  const int32_t right = std::min(left + 1, picture.width - 1);
  const int32_t bottom = std::min(top + 1, picture.height - 1);
  const double fx = x - left;
  const double fy = y - top;
  for (int c = 0; c < 3; ++c) {
    const double above = picture.At(left, top)[c] * (1 - fx) + picture.At(right, top)[c] * fx;
    const double below = picture.At(left, bottom)[c] * (1 - fx) + picture.At(right, bottom)[c] * fx;
    color[c] += above * (1 - fy) + below * fy;
  }
}

}  // namespace

Characters ReadCharacters(std::string_view file) {
  Characters characters = {""};
  while (!file.empty()) {
    const size_t end = std::min(file.find('\n'), file.size());
    std::string_view line = file.substr(0, end);
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    characters.emplace_back(IsCleanUtf8(line) ? line : " ");
    file.remove_prefix(std::min(end + 1, file.size()));
  }
  characters.emplace_back(" ");
  return characters;
}

Picture CutLine(const Picture& picture, const Rectangle& line) {
  const bool upright = IsUpright(line);
  const double length = upright ? line.width : line.height;
  const double height = std::max(1.0, upright ? line.height : line.width);
  const double scale = height / kLineHeight;
  Picture cut;
  cut.height = kLineHeight;
  cut.width =
      std::clamp(static_cast<int32_t>(std::ceil(length / scale)), kLineHeight, kLineWidthMax);
  cut.pixels.resize(static_cast<size_t>(cut.width) * kLineHeight * 3);
  const double step = length / cut.width;
  // Of a line that becomes smaller, several places for each pixel.
  const int samples = std::clamp(static_cast<int>(std::ceil(scale)), 1, 4);
  uint8_t* out = cut.pixels.data();
  for (int32_t y = 0; y < cut.height; ++y) {
    for (int32_t x = 0; x < cut.width; ++x) {
      double color[3] = {0, 0, 0};
      for (int sy = 0; sy < samples; ++sy) {
        for (int sx = 0; sx < samples; ++sx) {
          const double u = (x + (sx + 0.5) / samples) * step;
          const double v = (y + (sy + 0.5) / samples) * scale;
          // From top to bottom it is turned to the left, as if it were read from below.
          const Point at = upright ? line.At(u, v) : line.At(line.width - v, u);
          SampleAt(picture, at.x, at.y, color);
        }
      }
      for (const double value : color) {
        *out++ = static_cast<uint8_t>(std::clamp(value / (samples * samples) + 0.5, 0.0, 255.0));
      }
    }
  }
  return cut;
}

bool HasKana(std::string_view text) {
  // U+3040 to U+30FF: three bytes, E3 and 81, 82 or 83. The middle dot and the long sound, U+30FB
  // and U+30FC, are read in other scripts too.
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    const auto second = static_cast<unsigned char>(text[i + 1]);
    const auto third = static_cast<unsigned char>(text[i + 2]);
    if (text[i] == '\xE3' && second >= 0x81 && second <= 0x83 &&
        !(second == 0x83 && third >= 0xBB)) {
      return true;
    }
  }
  return false;
}

bool HasIdeographs(std::string_view text) {
  // U+3040 to U+9FFF: three bytes, the first of them E3 to E9. Punctuation before that is read in
  // other scripts too.
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    const auto second = static_cast<unsigned char>(text[i + 1]);
    if ((first == 0xE3 && second >= 0x81) || (first > 0xE3 && first <= 0xE9)) {
      return true;
    }
  }
  return false;
}

bool HasAccents(std::string_view text) {
  // U+00C0 to U+024F: two bytes, the first of them C3 to C9.
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xC3 && byte <= 0xC9;
  });
}

Reading ReadingOf(const Tensor& steps, const Characters& characters) {
  Reading reading;
  if (steps.shape.size() != 3 || steps.shape[1] < 1 || steps.shape[2] < 1) {
    return reading;
  }
  const auto count = static_cast<size_t>(steps.shape[1]);
  const auto known = static_cast<size_t>(steps.shape[2]);
  size_t before = 0;
  int64_t read = 0;
  for (size_t step = 0; step < count; ++step) {
    const float* const row = &steps.values[step * known];
    const auto best = static_cast<size_t>(std::max_element(row, row + known) - row);
    if (best == before || best == 0 || best >= characters.size()) {
      before = best;
      continue;
    }
    before = best;
    const std::string& character = characters[best];
    if (reading.text.size() + character.size() > kTextLineBytesMax) {
      break;
    }
    const double from = static_cast<double>(step) / static_cast<double>(count);
    const double to = static_cast<double>(step + 1) / static_cast<double>(count);
    const auto begin = static_cast<int32_t>(reading.text.size());
    reading.text += character;
    reading.confidence += row[best];
    ++read;
    const bool is_blank = character == " ";
    const bool begins = reading.words.empty() || reading.words.back().end != begin;
    if (is_blank) {
      continue;
    }
    const auto end = static_cast<int32_t>(reading.text.size());
    if (begins && reading.words.size() < kTextWordsMax) {
      reading.words.push_back({begin, end, from, to});
    } else if (!begins) {
      reading.words.back().end = end;
      reading.words.back().to = to;
    }
  }
  reading.confidence =
      read == 0 ? 0 : std::clamp(reading.confidence / static_cast<double>(read), 0.0, 1.0);
  if (reading.words.empty()) {
    reading.text.clear();
  }
  return reading;
}

Result<Reading> ReadLine(ModelSession& recogniser, const Characters& characters,
                         const Picture& line) {
  const auto plane = static_cast<size_t>(line.width) * static_cast<size_t>(line.height);
  Tensor input{{1, 3, line.height, line.width}, std::vector<float>(plane * 3)};
  for (size_t i = 0; i < plane; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      input.values[c * plane + i] = static_cast<float>(line.pixels[i * 3 + c]) / 127.5F - 1;
    }
  }
  ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, recogniser.Run(input));
  if (outputs.front().shape.size() != 3 ||
      outputs.front().shape[2] > static_cast<int64_t>(characters.size()) + 1) {
    return MakeFailure(FailureKind::kNotRunning, "A model does not belong to its characters");
  }
  return ReadingOf(outputs.front(), characters);
}

}  // namespace tintype::darkroom::vision
