#include "darkroom/vision/speech/word_times.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom::vision {
namespace {

constexpr size_t kMedianReach = 3;

/// The median of each step and its neighbours.
void Smooth(std::span<float> row) {
  std::vector<float> padded;
  padded.reserve(row.size() + 2 * kMedianReach);
  padded.insert(padded.end(), kMedianReach, row.front());
  padded.insert(padded.end(), row.begin(), row.end());
  padded.insert(padded.end(), kMedianReach, row.back());
  for (size_t i = 0; i < row.size(); ++i) {
    std::vector<float> near(padded.begin() + static_cast<std::ptrdiff_t>(i),
                            padded.begin() + static_cast<std::ptrdiff_t>(i + 2 * kMedianReach + 1));
    std::nth_element(near.begin(), near.begin() + kMedianReach, near.end());
    row[i] = near[kMedianReach];
  }
}

/// How much each token has of each step, beside the other tokens, as the mean of all heads.
std::vector<float> SharesOfSteps(const Attention& attention, size_t tokens, size_t steps) {
  std::vector<float> shares(tokens * steps, 0);
  std::vector<float> row(steps);
  for (size_t head = 0; head < attention.heads; ++head) {
    std::vector<float> mean(steps, 0);
    std::vector<float> square(steps, 0);
    const auto at = [&](size_t token, size_t step) {
      return attention.rows[(token * attention.heads + head) * kAttentionSteps + step];
    };
    for (size_t token = 0; token < tokens; ++token) {
      for (size_t step = 0; step < steps; ++step) {
        mean[step] += at(token, step);
        square[step] += at(token, step) * at(token, step);
      }
    }
    const auto count = static_cast<float>(tokens);
    for (size_t token = 0; token < tokens; ++token) {
      for (size_t step = 0; step < steps; ++step) {
        const float middle = mean[step] / count;
        const float deviation = std::sqrt(std::max(square[step] / count - middle * middle, 1e-12F));
        row[step] = (at(token, step) - middle) / deviation;
      }
      Smooth(row);
      for (size_t step = 0; step < steps; ++step) {
        shares[token * steps + step] += row[step];
      }
    }
  }
  return shares;
}

enum class Move : uint8_t { kBoth, kToken, kStep };

bool IsBlankOrMark(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0 || c == ' '; });
}

/// Whether a token begins a word. A character may have several tokens: one that continues it does
/// not.
bool BeginsWord(std::string_view text, bool without_blanks) {
  if (text.starts_with(' ')) {
    return !IsBlankOrMark(text.substr(1)) || text.size() == 1;
  }
  constexpr std::string_view kMarks[] = {"、", "。", "，", "！", "？", "；", "：", "…", "」", "』"};
  const bool continues = !text.empty() && (static_cast<unsigned char>(text[0]) & 0xC0) == 0x80;
  const bool is_mark = std::ranges::any_of(kMarks, [&](auto mark) { return text == mark; });
  return without_blanks && !continues && !is_mark && !IsBlankOrMark(text);
}

}  // namespace

std::vector<int32_t> TokenTimes(const Attention& attention, size_t tokens, size_t steps) {
  std::vector<int32_t> times(tokens + 1, static_cast<int32_t>(steps));
  if (tokens == 0 || steps == 0 || attention.heads == 0) {
    std::fill(times.begin(), times.end() - 1, 0);
    return times;
  }
  const std::vector<float> shares = SharesOfSteps(attention, tokens, steps);
  // The best way to each place from a token or a step before it, or both.
  std::vector<float> before(steps, -std::numeric_limits<float>::infinity());
  std::vector<float> row(steps);
  std::vector<Move> moves(tokens * steps, Move::kStep);
  for (size_t token = 0; token < tokens; ++token) {
    for (size_t step = 0; step < steps; ++step) {
      float best = token == 0 && step == 0 ? 0 : before[step];
      Move move = Move::kToken;
      if (step > 0 && before[step - 1] >= best) {
        best = before[step - 1];
        move = Move::kBoth;
      }
      if (step > 0 && row[step - 1] > best) {
        best = row[step - 1];
        move = Move::kStep;
      }
      row[step] = best + shares[token * steps + step];
      moves[token * steps + step] = move;
    }
    before = row;
  }
  size_t step = steps - 1;
  for (size_t token = tokens; token > 0;) {
    times[token - 1] = static_cast<int32_t>(step);
    const Move move = moves[(token - 1) * steps + step];
    token -= move == Move::kStep && step > 0 ? 0 : 1;
    step -= move != Move::kToken && step > 0 ? 1 : 0;
  }
  return times;
}

std::vector<SpeechWord> WordsOf(const Vocabulary& vocabulary, std::string_view language,
                                std::span<const WrittenToken> tokens,
                                std::span<const int64_t> times) {
  std::vector<SpeechWord> words;
  std::string text;
  double log_probability = 0;
  size_t first = 0;
  const auto finish = [&](size_t end) {
    SpeechWord word{
        CleanText(text, kSpeechWordBytesMax), times[first], times[end],
        std::exp(log_probability / static_cast<double>(std::max<size_t>(end - first, 1)))};
    if (!word.text.empty() && words.size() < kSegmentWordsMax) {
      words.push_back(std::move(word));
    }
    text.clear();
    log_probability = 0;
    first = end;
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& piece = vocabulary.TextOf(tokens[i].token);
    if (!text.empty() && BeginsWord(piece, HasNoBlanks(language))) {
      finish(i);
    }
    text += piece;
    log_probability += tokens[i].log_probability;
  }
  finish(tokens.size());
  return words;
}

}  // namespace tintype::darkroom::vision
