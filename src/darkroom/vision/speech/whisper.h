#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "darkroom/vision/onnx_runtime.h"
#include "darkroom/vision/speech/word_times.h"

namespace tintype::darkroom::vision {

/// Whisper's two models at work on a window: one hears it, the other writes token after token, and
/// keeps what it has worked out so far. Not thread-safe. The sessions must outlive it.
class Whisper {
 public:
  /// Errors: the models are none of Whisper.
  static Result<Whisper> Make(ModelSession& encoder, ModelSession& decoder);

  /// Hears a window, as LogMel has it.
  Status Hear(const std::vector<float>& mels);

  /// Begins to write, with these tokens. Gives for each of them what may follow, a value for each
  /// token that there is.
  Result<std::vector<std::vector<float>>> Begin(std::vector<int64_t> tokens);
  /// Writes one more token. Gives what may follow.
  Result<std::vector<float>> Write(int32_t token);
  /// Back to where Begin ended.
  void Rewind();

  /// Where it looked when it said what may follow, since Begin; without a row for what follows the
  /// last token.
  const Attention& attention() const { return attention_; }

 private:
  Whisper(ModelSession& encoder, ModelSession& decoder, int64_t layers, int64_t width,
          std::vector<std::pair<int64_t, int64_t>> heads);

  Result<std::vector<ModelValue>> Run(std::vector<int64_t> tokens,
                                      const std::vector<std::string>& outputs);
  Status Look(std::span<const ModelValue> attentions);

  ModelSession* encoder_;
  ModelSession* decoder_;
  int64_t layers_;
  int64_t width_;
  // Layers and heads of them that look where the speech is.
  std::vector<std::pair<int64_t, int64_t>> heads_;
  std::vector<std::string> attention_names_;
  std::optional<ModelValue> heard_;
  // What was worked out of the window, of the first tokens, and of those since then.
  std::vector<ModelValue> of_window_;
  std::vector<ModelValue> of_beginning_;
  std::vector<ModelValue> of_tokens_;
  Attention attention_;
  size_t attention_at_beginning_ = 0;
};

}  // namespace tintype::darkroom::vision
