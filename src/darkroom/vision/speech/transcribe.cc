#include "darkroom/vision/speech/transcribe.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "darkroom/failure.h"
#include "darkroom/protocol/clean_text.h"
#include "darkroom/protocol/messages.h"
#include "darkroom/vision/answer_file.h"
#include "darkroom/vision/speech/cut_segments.h"
#include "darkroom/vision/speech/log_mel.h"
#include "darkroom/vision/speech/recording.h"
#include "darkroom/vision/speech/steady_sound.h"
#include "darkroom/vision/speech/token_rules.h"
#include "darkroom/vision/speech/vocabulary.h"
#include "darkroom/vision/speech/whisper.h"
#include "darkroom/vision/speech/word_times.h"

namespace tintype::darkroom::vision {
namespace {

constexpr size_t kVocabularyBytesMax = size_t{4} << 20;
// Whisper has room for twice as many, of which half are for a text before.
constexpr size_t kTokensMax = 224;
constexpr int64_t kSamplesPerTime = kSamplesPerSecond / kTimesPerSecond;
// Before what is heard at first, since words may begin softly.
constexpr int64_t kLeadSamples = kSamplesPerSecond / 5;
// A rest that has no word.
constexpr int64_t kRestSamples = kSamplesPerSecond / 10;
// What OpenAI found: unlikelier than that, a text is mistaken.
constexpr double kLogProbabilityMin = -1;
// Where the model thinks it likely that nobody speaks, a text has to be likelier; and a text that
// is as unlikely as the last of these is made up. Those of recorded noise were found to be beyond.
constexpr double kNoSpeechMin = 0.5;
constexpr double kLogProbabilityMinWhereSilent = -0.7;
constexpr double kLogProbabilityOfNonsense = -1.5;
// A text that is mistaken or runs in circles is written again, more freely.
constexpr double kTemperatures[] = {0, 0.4, 0.8};

/// What the model wrote of a window.
struct Draft {
  std::vector<WrittenToken> tokens = {};
  double log_probability = 0;  // The mean of its tokens', its end included.
  bool is_loop = false;
  bool is_repetitive = false;
  Attention attention = {};

  bool IsGood() const {
    return !is_loop && !is_repetitive && log_probability >= kLogProbabilityMin;
  }
  /// Those that go before are kept.
  bool IsBetterThan(const Draft& other) const {
    return is_loop != other.is_loop ? other.is_loop : log_probability > other.log_probability;
  }
};

std::vector<int32_t> TextTokensOf(const std::vector<WrittenToken>& tokens) {
  std::vector<int32_t> text;
  for (const WrittenToken& token : tokens) {
    if (IsText(token.token)) {
      text.push_back(token.token);
    }
  }
  return text;
}

/// Leaves out what repeats the tokens of text before it, from that one of them on.
void CutLoop(std::vector<WrittenToken>& tokens, size_t text_tokens) {
  size_t kept = 0;
  while (kept < tokens.size() && (text_tokens > 0 || !IsText(tokens[kept].token))) {
    text_tokens -= IsText(tokens[kept].token) ? 1 : 0;
    ++kept;
  }
  tokens.resize(kept);
}

Result<Vocabulary> ReadVocabulary(int file) {
  std::string json(kVocabularyBytesMax, '\0');
  size_t size = 0;
  ssize_t read = 0;
  while ((read = ::pread(file, json.data() + size, json.size() - size, static_cast<off_t>(size))) >
         0) {
    size += static_cast<size_t>(read);
  }
  return Vocabulary::Parse(std::string_view(json).substr(0, size));
}

/// Writes down one recording.
class Transcription {
 public:
  Transcription(Whisper whisper, Vocabulary vocabulary, Recording recording)
      : whisper_(std::move(whisper)),
        vocabulary_(std::move(vocabulary)),
        recording_(recording),
        rules_{vocabulary_.unspoken(), 0} {}

  Result<Transcript> Run(const std::string& language) {
    transcript_.duration_ms = MillisecondsOf(recording_.samples());
    if (!language.empty()) {
      transcript_.language = language;
      transcript_.language_confidence = 1;
    }
    int64_t at = 0;
    while (recording_.samples() - at > kRestSamples &&
           transcript_.segments.size() < kSpeechSegmentsMax) {
      ASSIGN_OR_RETURN(const std::vector<int16_t> samples,
                       recording_.Read(at, static_cast<int64_t>(kWindowSamples)));
      const auto count = static_cast<int64_t>(samples.size());
      const int64_t audible = FirstAudible(samples);
      if (audible == count) {
        at += count;
      } else if (audible > kLeadSamples) {
        at += audible - kLeadSamples;
      } else {
        ASSIGN_OR_RETURN(const int64_t advance, RunWindow(at, samples));
        at += advance;
      }
    }
    if (transcript_.segments.empty()) {
      transcript_.language.clear();
      transcript_.language_confidence = 0;
    }
    return std::move(transcript_);
  }

 private:
  static int64_t MillisecondsOf(int64_t samples) { return samples * 1000 / kSamplesPerSecond; }

  /// By how many samples the next window begins later.
  Result<int64_t> RunWindow(int64_t at, const std::vector<int16_t>& samples) {
    const std::vector<float> mels = log_mel_.Of(samples);
    const auto count = static_cast<int64_t>(samples.size());
    const auto steps = static_cast<int32_t>((count + kSamplesPerTime - 1) / kSamplesPerTime);
    if (IsSteadyBetween(mels, 0, steps)) {
      return count;
    }
    RETURN_IF_ERROR(whisper_.Hear(mels));
    std::string language = transcript_.language;
    double confidence = transcript_.language_confidence;
    if (language.empty()) {
      ASSIGN_OR_RETURN(std::tie(language, confidence), DetectLanguage());
    }
    ASSIGN_OR_RETURN(const std::optional<Draft> draft, WriteDraft(language, steps));
    if (!draft) {
      return count;
    }
    const WindowCut cut = CutWindow(draft->tokens, steps);
    const size_t segments = transcript_.segments.size();
    const std::vector<int32_t> times =
        TokenTimes(draft->attention, draft->tokens.size(), static_cast<size_t>(steps));
    for (const Passage& passage : cut.passages) {
      if (!IsInaudible(samples, passage) &&
          !IsSteadyBetween(mels, passage.begin_time, passage.end_time)) {
        AddSegment(at, language, *draft, passage, times);
      }
    }
    if (transcript_.segments.size() > segments) {
      transcript_.language = language;
      transcript_.language_confidence = confidence;
    }
    return std::min(count, cut.advance * kSamplesPerTime);
  }

  Result<std::pair<std::string, double>> DetectLanguage() {
    ASSIGN_OR_RETURN(const auto logits, whisper_.Begin({kStartToken}));
    const auto first = logits.front().begin() + kFirstLanguageToken;
    const auto likeliest = std::max_element(first, first + kLanguageCount);
    const auto token = static_cast<int32_t>(likeliest - logits.front().begin());
    return std::pair(std::string(LanguageOf(token)),
                     ProbabilityOf(logits.front(), token, kFirstLanguageToken,
                                   kFirstLanguageToken + kLanguageCount));
  }

  /// The best of several drafts of a window; nothing where nothing is said.
  Result<std::optional<Draft>> WriteDraft(const std::string& language, int32_t steps) {
    rules_.time_max = kFirstTimeToken + steps;
    const int64_t spoken = TokenOfLanguage(language).value_or(kFirstLanguageToken);
    ASSIGN_OR_RETURN(const auto logits, whisper_.Begin({kStartToken, spoken, kTranscribeToken}));
    const double no_speech = ProbabilityOf(logits.front(), kNoSpeechToken, 0, kTokenCount);
    std::optional<Draft> best;
    for (const double temperature : kTemperatures) {
      whisper_.Rewind();
      ASSIGN_OR_RETURN(Draft draft, WriteTokens(logits.back(), temperature));
      if (!best || draft.IsBetterThan(*best)) {
        best = std::move(draft);
      }
      // Where nobody speaks, the first draft is enough to know.
      if (best->IsGood() || (no_speech > kNoSpeechMin && IsSilence(*best, no_speech))) {
        break;
      }
    }
    if (IsSilence(*best, no_speech) || TextTokensOf(best->tokens).empty()) {
      return std::optional<Draft>();
    }
    if (best->is_loop) {
      if (const auto loop = FindLoop(TextTokensOf(best->tokens))) {
        CutLoop(best->tokens, *loop);
      }
    }
    return best;
  }

  static bool IsSilence(const Draft& draft, double no_speech) {
    return draft.log_probability <
           (no_speech > kNoSpeechMin ? kLogProbabilityMinWhereSilent : kLogProbabilityOfNonsense);
  }

  Result<Draft> WriteTokens(std::vector<float> logits, double temperature) {
    Draft draft;
    std::vector<int32_t> text;
    double sum = 0;
    size_t count = 0;
    while (count < kTokensMax) {
      ApplyRules(rules_, draft.tokens, logits);
      const WrittenToken next = PickToken(logits, temperature, random_);
      sum += next.log_probability;
      ++count;
      if (next.token == kEndToken) {
        break;
      }
      draft.tokens.push_back(next);
      if (IsText(next.token)) {
        text.push_back(next.token);
        draft.is_loop = FindLoop(text).has_value();
      }
      if (draft.is_loop || count == kTokensMax) {
        break;
      }
      ASSIGN_OR_RETURN(logits, whisper_.Write(next.token));
    }
    draft.log_probability = sum / static_cast<double>(count);
    draft.is_repetitive = IsRepetitive(text);
    draft.attention = whisper_.attention();
    return draft;
  }

  void AddSegment(int64_t at, const std::string& language, const Draft& draft,
                  const Passage& passage, const std::vector<int32_t>& times) {
    const auto tokens = std::span(draft.tokens).subspan(passage.first, passage.end - passage.first);
    std::string text;
    double log_probability = 0;
    for (const WrittenToken& token : tokens) {
      text += vocabulary_.TextOf(token.token);
      log_probability += token.log_probability;
    }
    const int64_t earliest = transcript_.segments.empty() ? 0 : transcript_.segments.back().end_ms;
    const auto time_of = [&](int32_t step) { return MillisecondsOf(at + step * kSamplesPerTime); };
    SpeechSegment segment;
    segment.begin_ms = std::clamp(time_of(passage.begin_time), earliest, transcript_.duration_ms);
    segment.end_ms =
        std::clamp(time_of(passage.end_time), segment.begin_ms, transcript_.duration_ms);
    segment.text = CleanText(text, kSegmentTextBytesMax);
    segment.confidence = std::exp(log_probability / static_cast<double>(tokens.size()));
    std::vector<int64_t> within;
    for (size_t i = passage.first; i <= passage.end; ++i) {
      within.push_back(std::clamp(time_of(times[i]), segment.begin_ms, segment.end_ms));
    }
    segment.words = WordsOf(vocabulary_, language, tokens, within);
    if (!segment.words.empty() && segment.words.front().begin_ms < segment.words.back().end_ms) {
      // The model counts the pauses around them in.
      segment.begin_ms = segment.words.front().begin_ms;
      segment.end_ms = segment.words.back().end_ms;
    }
    if (!segment.text.empty() && transcript_.segments.size() < kSpeechSegmentsMax) {
      transcript_.segments.push_back(std::move(segment));
    }
  }

  /// Whether there is silence where something is said to be: models go on after the end.
  static bool IsInaudible(const std::vector<int16_t>& samples, const Passage& passage) {
    const auto place = [&](int32_t step) {
      return std::min(samples.size(), static_cast<size_t>(step * kSamplesPerTime));
    };
    const size_t begin = place(passage.begin_time);
    const size_t end = std::max(begin, place(passage.end_time));
    const auto heard = std::span(samples).subspan(begin, end - begin);
    return FirstAudible(heard) == std::ssize(heard);
  }

  static bool IsSteadyBetween(const std::vector<float>& mels, int32_t begin, int32_t end) {
    constexpr int32_t kFramesPerTime = 2;
    const auto frames = static_cast<int32_t>(kWindowFrames);
    const int32_t last = std::min(end * kFramesPerTime, frames);
    const int32_t first = std::clamp(begin * kFramesPerTime, 0, last);
    return IsSteady(mels, static_cast<size_t>(first), static_cast<size_t>(last));
  }

  Whisper whisper_;
  Vocabulary vocabulary_;
  Recording recording_;
  LogMel log_mel_;
  TokenRules rules_;
  // Seeded the same for each recording, so that it always gives the same.
  std::mt19937_64 random_{1};
  Transcript transcript_;
};

/// The transcript in as many bytes as there may be: what does not fit is left out, words first.
std::string EncodeWithin(Transcript transcript, size_t bytes_max) {
  std::string bytes = EncodeTranscript(transcript);
  if (bytes.size() > bytes_max) {
    for (SpeechSegment& segment : transcript.segments) {
      segment.words.clear();
    }
    bytes = EncodeTranscript(transcript);
  }
  while (bytes.size() > bytes_max) {
    transcript.segments.resize(transcript.segments.size() * 3 / 4);
    bytes = EncodeTranscript(transcript);
  }
  return bytes;
}

}  // namespace

Result<Transcribed> RunTranscribe(const TranscribeRequest& request, LoadedModels& models) {
  if (!request.language.empty() && !TokenOfLanguage(request.language)) {
    return MakeFailure(FailureKind::kInvalidRequest, "The model does not know the language");
  }
  ASSIGN_OR_RETURN(const Recording recording, Recording::Open(request.input));
  ASSIGN_OR_RETURN(Vocabulary vocabulary, ReadVocabulary(request.vocabulary));
  models.Use(request.models);
  ASSIGN_OR_RETURN(ModelSession * encoder, models.Model(0, request.encoder, ModelMemory::kKept));
  ASSIGN_OR_RETURN(ModelSession * decoder, models.Model(1, request.decoder, ModelMemory::kKept));
  ASSIGN_OR_RETURN(Whisper whisper, Whisper::Make(*encoder, *decoder));
  Transcription transcription(std::move(whisper), std::move(vocabulary), recording);
  ASSIGN_OR_RETURN(Transcript transcript, transcription.Run(request.language));
  const std::string bytes = EncodeWithin(std::move(transcript), kTranscriptBytesMax);
  RETURN_IF_ERROR(WriteAnswer(request.output, bytes));
  return Transcribed{static_cast<int64_t>(bytes.size())};
}

}  // namespace tintype::darkroom::vision
