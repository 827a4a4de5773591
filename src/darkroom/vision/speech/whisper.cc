#include "darkroom/vision/speech/whisper.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/vision/speech/log_mel.h"
#include "darkroom/vision/speech/vocabulary.h"

namespace tintype::darkroom::vision {
namespace {

// All Whisper models have heads of the same width.
constexpr int64_t kHeadWidth = 64;

/// A size of Whisper, by the layers of its decoder, and the heads that OpenAI found to follow the
/// speech.
struct Size {
  int64_t layers = 0;
  int64_t width = 0;
  std::vector<std::pair<int64_t, int64_t>> heads;
};
const std::vector<Size>& Sizes() {
  static const std::vector<Size> sizes = {
      {4, 384, {{2, 2}, {3, 0}, {3, 2}, {3, 3}, {3, 4}, {3, 5}}},                  // Tiny.
      {6, 512, {{3, 1}, {4, 2}, {4, 3}, {4, 7}, {5, 1}, {5, 2}, {5, 4}, {5, 6}}},  // Base.
  };
  return sizes;
}

constexpr std::string_view kParts[] = {".key", ".value"};

/// What a layer has kept, as its names are: `past_key_values.0.decoder.key`.
std::vector<std::string> NamesOf(std::string_view prefix, std::string_view side, int64_t layers) {
  std::vector<std::string> names;
  for (int64_t layer = 0; layer < layers; ++layer) {
    for (const std::string_view part : kParts) {
      names.push_back(StrCat(prefix, layer, ".", side, part));
    }
  }
  return names;
}

Error WrongModel() {
  return MakeFailure(FailureKind::kNotRunning, "A model is none that writes what is said");
}

std::vector<ModelValue> TakeOut(std::vector<ModelValue>& values, size_t first, size_t count) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  return {std::make_move_iterator(begin),
          std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(count))};
}

}  // namespace

Result<Whisper> Whisper::Make(ModelSession& encoder, ModelSession& decoder) {
  const std::vector<std::string>& inputs = decoder.inputs();
  for (const Size& size : Sizes()) {
    const auto has = [&](int64_t layer) {
      return std::ranges::count(inputs, StrCat("past_key_values.", layer, ".encoder.key")) == 1;
    };
    if (has(size.layers - 1) && !has(size.layers)) {
      return Whisper(encoder, decoder, size.layers, size.width, size.heads);
    }
  }
  return WrongModel();
}

Whisper::Whisper(ModelSession& encoder, ModelSession& decoder, int64_t layers, int64_t width,
                 std::vector<std::pair<int64_t, int64_t>> heads)
    : encoder_(&encoder),
      decoder_(&decoder),
      layers_(layers),
      width_(width),
      heads_(std::move(heads)) {
  std::set<int64_t> looking;
  for (const auto& [layer, head] : heads_) {
    looking.insert(layer);
  }
  for (const int64_t layer : looking) {
    attention_names_.push_back(StrCat("cross_attentions.", layer));
  }
  attention_.heads = heads_.size();
}

Status Whisper::Hear(const std::vector<float>& mels) {
  ASSIGN_OR_RETURN(
      const ModelValue input,
      encoder_->MakeFloats(
          {{1, static_cast<int64_t>(kMelBands), static_cast<int64_t>(kWindowFrames)}, mels}));
  const NamedValue named{"input_features", &input};
  // Not what it has beside that: 72 MB for each layer.
  const std::string output = "last_hidden_state";
  of_window_.clear();
  of_beginning_.clear();
  of_tokens_.clear();
  heard_.reset();
  ASSIGN_OR_RETURN(std::vector<ModelValue> outputs,
                   encoder_->Run(std::span(&named, 1), std::span(&output, 1)));
  heard_ = std::move(outputs.front());
  if (heard_->shape() != std::vector<int64_t>{1, kAttentionSteps, width_}) {
    return WrongModel();
  }
  return OkStatus();
}

Result<std::vector<ModelValue>> Whisper::Run(std::vector<int64_t> tokens,
                                             const std::vector<std::string>& outputs) {
  const bool is_first = of_window_.empty();
  const auto count = static_cast<int64_t>(tokens.size());
  ASSIGN_OR_RETURN(const ModelValue ids, decoder_->MakeIntegers({1, count}, std::move(tokens)));
  ASSIGN_OR_RETURN(const ModelValue flag, decoder_->MakeFlag(!is_first));
  ASSIGN_OR_RETURN(const ModelValue nothing,
                   decoder_->MakeFloats({{1, width_ / kHeadWidth, 0, kHeadWidth}, {}}));
  std::vector<NamedValue> inputs = {
      {"input_ids", &ids}, {"encoder_hidden_states", &*heard_}, {"use_cache_branch", &flag}};
  const auto add = [&](std::string_view side, const std::vector<ModelValue>& values) {
    std::vector<std::string> names = NamesOf("past_key_values.", side, layers_);
    for (size_t i = 0; i < names.size(); ++i) {
      inputs.push_back({std::move(names[i]), is_first ? &nothing : &values[i]});
    }
  };
  add("decoder", of_tokens_.empty() ? of_beginning_ : of_tokens_);
  add("encoder", of_window_);
  return decoder_->Run(inputs, outputs);
}

Status Whisper::Look(std::span<const ModelValue> attentions) {
  size_t place = 0;
  for (size_t i = 0; i < heads_.size(); ++i) {
    const auto& [layer, head] = heads_[i];
    place += i > 0 && heads_[i - 1].first != layer ? 1 : 0;
    const std::vector<int64_t>& shape = attentions[place].shape();
    ASSIGN_OR_RETURN(const std::span<const float> values, attentions[place].Floats());
    if (shape.size() != 4 || shape[1] <= head || shape[2] < 1 || shape[3] != kAttentionSteps) {
      return WrongModel();
    }
    // Of the last token that was given.
    const auto row = static_cast<size_t>((head + 1) * shape[2] - 1) * kAttentionSteps;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row);
    attention_.rows.insert(attention_.rows.end(), begin, begin + kAttentionSteps);
  }
  return OkStatus();
}

Result<std::vector<std::vector<float>>> Whisper::Begin(std::vector<int64_t> tokens) {
  of_window_.clear();
  of_beginning_.clear();
  of_tokens_.clear();
  attention_.rows.clear();
  const size_t kept = static_cast<size_t>(layers_) * std::size(kParts);
  std::vector<std::string> names = {"logits"};
  for (const std::string_view side : {"decoder", "encoder"}) {
    std::ranges::copy(NamesOf("present.", side, layers_), std::back_inserter(names));
  }
  std::ranges::copy(attention_names_, std::back_inserter(names));
  const size_t count = tokens.size();
  ASSIGN_OR_RETURN(std::vector<ModelValue> outputs, Run(std::move(tokens), names));
  const std::vector<int64_t> expected = {1, static_cast<int64_t>(count), kTokenCount};
  if (outputs.front().shape() != expected) {
    return WrongModel();
  }
  ASSIGN_OR_RETURN(const std::span<const float> logits, outputs.front().Floats());
  std::vector<std::vector<float>> rows;
  for (size_t i = 0; i < count; ++i) {
    const auto row = logits.subspan(i * kTokenCount, kTokenCount);
    rows.emplace_back(row.begin(), row.end());
  }
  RETURN_IF_ERROR(Look(std::span(outputs).subspan(1 + 2 * kept)));
  of_beginning_ = TakeOut(outputs, 1, kept);
  of_window_ = TakeOut(outputs, 1 + kept, kept);
  attention_at_beginning_ = attention_.rows.size();
  return rows;
}

Result<std::vector<float>> Whisper::Write(int32_t token) {
  std::vector<std::string> names = {"logits"};
  std::ranges::copy(NamesOf("present.", "decoder", layers_), std::back_inserter(names));
  std::ranges::copy(attention_names_, std::back_inserter(names));
  const size_t kept = static_cast<size_t>(layers_) * std::size(kParts);
  ASSIGN_OR_RETURN(std::vector<ModelValue> outputs, Run({token}, names));
  ASSIGN_OR_RETURN(const std::span<const float> logits, outputs.front().Floats());
  if (logits.size() != static_cast<size_t>(kTokenCount)) {
    return WrongModel();
  }
  std::vector<float> row(logits.begin(), logits.end());
  RETURN_IF_ERROR(Look(std::span(outputs).subspan(1 + kept)));
  of_tokens_ = TakeOut(outputs, 1, kept);
  return row;
}

void Whisper::Rewind() {
  of_tokens_.clear();
  attention_.rows.resize(attention_at_beginning_);
}

}  // namespace tintype::darkroom::vision
