#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "darkroom/requests.h"
#include "darkroom/vision/onnx_runtime.h"
#include "darkroom/vision/picture.h"
#include "darkroom/vision/text/regions.h"

namespace tintype::darkroom::vision {

/// The characters that a recogniser knows, by their numbers. The first is none, between others.
using Characters = std::vector<std::string>;
/// From a file with one on each line.
Characters ReadCharacters(std::string_view file);

/// What a recogniser reads in a line.
struct Reading {
  std::string text;
  double confidence = 0;  // The mean of its characters'.
  std::vector<TextWord> words;
};

/// The picture of a line as recognisers want it: upright, 48 pixels high. A line that is much
/// higher than wide is taken for one from top to bottom, and turned.
Picture CutLine(const Picture& picture, const Rectangle& line);

/// Reads the picture of a line. Nothing but blanks gives an empty text. Errors: the model's.
Result<Reading> ReadLine(ModelSession& recogniser, const Characters& characters,
                         const Picture& line);

/// Whether there is hiragana or katakana in a text.
bool HasKana(std::string_view text);
/// Whether there is a Chinese character or kana in it.
bool HasIdeographs(std::string_view text);
/// Whether there is a Latin letter in it that English does not have.
bool HasAccents(std::string_view text);

/// What the numbers of a recogniser mean: one row for each step along the line, with a number for
/// each character. The same character in steps that follow each other is one.
Reading ReadingOf(const Tensor& steps, const Characters& characters);

}  // namespace tintype::darkroom::vision
