#include <gmock/gmock.h>

#include <algorithm>

#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/analysis/kind_specs.h"
#include "contexts/common/transaction.h"
#include "darkroom/failure.h"
#include "flows/analysis/analyse.h"
#include "flows/analysis/read_result.h"
#include "flows/images/delete_image.h"
#include "flows/images/trash.h"
#include "flows/media_keys.h"
#include "flows/upkeep/purge_work.h"
#include "pipeline/analysis/entity_analyzer.h"
#include "pipeline/analysis/key_phrase_analyzer.h"
#include "product_fixture.h"
#include "tripwire.h"

// What is found in texts: after the transcript has ended, by whatever end.

namespace tintype::product {
namespace {

using contexts::analysis::KindResult;
using contexts::analysis::MediaStatus;
using contexts::catalog::Image;
using flows::Account;
using pipeline::Analyzer;
using pipeline::Analyzers;
using pipeline::KindFinding;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kTranscribeKind = "transcribe";
constexpr std::array<std::string_view, 3> kReaders = {"comprehend.keyphrase", "comprehend.entity",
                                                      "comprehend.sentiment"};
constexpr std::string_view kTranscript =
    R"({"results":{"transcripts":[{"transcript":"The old lighthouse is in France."}],)"
    R"("language_code":"en-GB"}})";

class TextAnalysisTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
    std::vector<Analyzer> all = {FakeOf(kTranscribeKind)};
    for (const std::string_view kind : kReaders) {
      all.push_back(FakeOf(kind));
    }
    analyzers_ = Analyzers(std::move(all));
  }

  Analyzer FakeOf(std::string_view kind) {
    Analyzer analyzer;
    analyzer.kind = kind;
    analyzer.unavailable = [this, kind] {
      return gone_ == kind ? std::optional<std::string>("There is no model.") : std::nullopt;
    };
    analyzer.cost = [](const Image& /*image*/) { return std::chrono::milliseconds(10); };
    analyzer.run = [this, kind](const Image& image) -> Result<KindFinding> {
      ++runs_[std::string(kind)];
      if (kind != kTranscribeKind) {
        const MediaStatus transcript = StatusOf(image.id, kTranscribeKind);
        too_early_ = too_early_ || transcript == MediaStatus::kNotStarted ||
                     transcript == MediaStatus::kInProgress;
      } else if (failing_) {
        return darkroom::MakeFailure(*failing_, "It does not work.");
      }
      KindFinding finding{std::string(kTranscript)};
      if (kind == kReaders[2]) {
        finding.skipped = skipped_;
      }
      return finding;
    };
    return analyzer;
  }

  KindResult KindOfRecord(const std::string& id, std::string_view name) {
    const auto record = product().analysis.FindKinds(id);
    CHECK(record.ok() && *record);
    for (const KindResult& kind : (*record)->kinds) {
      if (NameOf(kind) == name) {
        return kind;
      }
    }
    return {};
  }
  MediaStatus StatusOf(const std::string& id, std::string_view name) {
    return KindOfRecord(id, name).status;
  }
  bool IsQueued(const std::string& id, std::string_view kind) {
    const auto work = product().backlog.Find(StrCat("analyse-", id, "-", kind));
    CHECK(work.ok());
    return work->has_value();
  }

  /// A medium whose record is one of audio, and whose kinds are about to be queued.
  std::string Audio(std::string_view content) {
    const Image image = UploadDeveloped(account_, std::string(content));
    contexts::analysis::Analysis analysis;
    analysis.uuid = image.id;
    analysis.timestamp_ms = clock_.NowMs();
    analysis.type = "audio";
    analysis.kinds = contexts::analysis::PlanKinds(
        "audio", {}, [this](const std::string& kind) { return analyzers_.WhyUnavailable(kind); });
    CHECK(contexts::Transaction("audio")
              .Add(product().analysis.PutAnalysis(analysis))
              .Add(product().backlog.Enqueue(flows::AnalyseWork(image, std::nullopt)))
              .Commit(product().database)
              .ok());
    runs_.clear();
    return image.id;
  }
  /// Has one kind done again.
  void Again(const std::string& id, std::string_view name) {
    auto record = product().analysis.FindKinds(id);
    const auto image = product().catalog.Find(id);
    CHECK(record.ok() && *record && image.ok() && *image);
    KindResult kind;
    kind.path = KindOfRecord(id, name).path;
    CHECK(contexts::Transaction("again")
              .Add(product().analysis.SetKinds(id, **std::move(record), {kind},
                                               TimeText(clock_.NowMs())))
              .Add(product().backlog.Enqueue(flows::AnalyseWork(**image, std::nullopt)))
              .Commit(product().database)
              .ok());
    runs_.clear();
  }
  void ExpectReadOnce(const std::string& id) {
    for (const std::string_view kind : kReaders) {
      EXPECT_EQ(StatusOf(id, kind), MediaStatus::kCompleted) << kind;
      EXPECT_EQ(runs_[std::string(kind)], 1) << kind;
    }
    EXPECT_FALSE(too_early_);
  }

  Account account_;
  std::map<std::string, int> runs_;
  std::string_view gone_;
  std::optional<darkroom::FailureKind> failing_;
  std::optional<std::string> skipped_;
  bool too_early_ = false;
};

// Proves that the kinds which read a transcript are not even queued before it has ended, and then
// are done once each.
TEST_F(TextAnalysisTest, WaitsForTheTranscript) {
  const std::string id = Audio("sound");
  ASSERT_TRUE(DoOne(product()));  // Each kind is queued.
  EXPECT_TRUE(IsQueued(id, kTranscribeKind));
  for (const std::string_view kind : kReaders) {
    EXPECT_FALSE(IsQueued(id, kind)) << kind;
  }
  ASSERT_TRUE(DoOne(product()));
  EXPECT_EQ(StatusOf(id, kTranscribeKind), MediaStatus::kCompleted);
  for (const std::string_view kind : kReaders) {
    EXPECT_TRUE(IsQueued(id, kind)) << kind;
    EXPECT_EQ(StatusOf(id, kind), MediaStatus::kNotStarted) << kind;
  }
  EXPECT_EQ(Drain(), 3);
  ExpectReadOnce(id);
}

// Proves that they are done without a transcript too: when it fails, when it is skipped, and when
// it is skipped only once its turn has come.
TEST_F(TextAnalysisTest, GoesOnWithoutATranscript) {
  failing_ = darkroom::FailureKind::kCorrupt;
  const std::string failed = Audio("torn");
  Drain();
  EXPECT_EQ(StatusOf(failed, kTranscribeKind), MediaStatus::kError);
  ExpectReadOnce(failed);

  failing_ = {};
  gone_ = kTranscribeKind;
  const std::string skipped = Audio("silence");
  Drain();
  EXPECT_EQ(StatusOf(skipped, kTranscribeKind), MediaStatus::kSkipped);
  ExpectReadOnce(skipped);

  gone_ = "";
  const std::string late = Audio("more silence");
  ASSERT_TRUE(DoOne(product()));
  gone_ = kTranscribeKind;
  Drain();
  EXPECT_EQ(StatusOf(late, kTranscribeKind), MediaStatus::kSkipped);
  ExpectReadOnce(late);
}

// Proves that an attempt which fails for now keeps them waiting, and that they go on when it is
// given up, by the server or by an operator.
TEST_F(TextAnalysisTest, GoesOnWhenTheTranscriptIsGivenUp) {
  failing_ = darkroom::FailureKind::kDied;
  const std::string id = Audio("noise");
  Drain();
  EXPECT_EQ(StatusOf(id, kTranscribeKind), MediaStatus::kInProgress);
  EXPECT_FALSE(IsQueued(id, kReaders[0]));
  for (int i = 0; i < 20; ++i) {
    clock_.AdvanceMs(kHourMs);
    Drain();
  }
  EXPECT_EQ(StatusOf(id, kTranscribeKind), MediaStatus::kError);
  ExpectReadOnce(id);

  const std::string purged = Audio("more noise");
  ASSERT_TRUE(DoOne(product()));
  const auto work = product().backlog.Find(StrCat("analyse-", purged, "-", kTranscribeKind));
  ASSERT_TRUE(work.ok() && *work);
  ASSERT_TRUE(flows::PurgeWork(product(), **work).ok());
  Drain();
  EXPECT_EQ(StatusOf(purged, kTranscribeKind), MediaStatus::kError);
  ExpectReadOnce(purged);
}

// Proves that a new transcript has them done again, that they can be done again by themselves, and
// that another transcript which fails leaves what was found.
TEST_F(TextAnalysisTest, ReadsANewTranscript) {
  skipped_ = "Unsupported language.";
  const std::string id = Audio("speech");
  Drain();
  EXPECT_EQ(StatusOf(id, kReaders[2]), MediaStatus::kSkipped);
  EXPECT_EQ(KindOfRecord(id, kReaders[2]).reason, skipped_);
  skipped_ = {};
  Again(id, kReaders[2]);
  Drain();
  EXPECT_EQ(runs_[std::string(kReaders[2])], 1);
  EXPECT_EQ(runs_[std::string(kTranscribeKind)], 0);

  Again(id, kTranscribeKind);
  Drain();
  EXPECT_EQ(runs_[std::string(kTranscribeKind)], 1);
  ExpectReadOnce(id);

  failing_ = darkroom::FailureKind::kCorrupt;
  Again(id, kTranscribeKind);
  Drain();
  EXPECT_EQ(StatusOf(id, kTranscribeKind), MediaStatus::kError);
  EXPECT_EQ(runs_[std::string(kReaders[0])], 0);
  EXPECT_EQ(StatusOf(id, kReaders[0]), MediaStatus::kCompleted);
}

// Proves that none of them is lost, and none comes before its time, whatever call fails, before or
// after it has done what it should.
TEST_F(TextAnalysisTest, LosesNoReaderWhateverFails) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    const std::string id = Audio(StrCat("turn ", calls.turn()));
    calls.Arm();
    // The kinds are queued, and the transcript is made.
    DoOne(tripped->product);
    DoOne(tripped->product);
    calls.Note(!wire.tripped());
    wire.Set(1'000'000, Tripwire::When::kBefore);
    for (int i = 0; i < 3; ++i) {
      clock_.AdvanceMs(kHourMs);
      Drain();
    }
    ASSERT_EQ(StatusOf(id, kTranscribeKind), MediaStatus::kCompleted) << calls.n();
    ExpectReadOnce(id);
    ASSERT_FALSE(HasFailure()) << calls.n();
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
    Drain();
    ASSERT_THAT(TracesOf(id), IsEmpty()) << calls.n();
  }
}

// Proves that what is found in a transcript, and in a document's text, is in the result.
TEST_F(TextAnalysisTest, ReadsTexts) {
  analyzers_ = Analyzers({FakeOf(kTranscribeKind), pipeline::KeyPhraseAnalyzer(product()),
                          pipeline::EntityAnalyzer(product())});
  const std::string id = Audio("speech");
  Drain();
  const auto phrases = flows::ReadAnalysisResult(product(), id, kReaders[0]);
  ASSERT_TRUE(phrases.ok());
  EXPECT_THAT(*phrases, HasSubstr(R"("Text":"old lighthouse","BeginOffset":4,"EndOffset":18)"));
  EXPECT_THAT(*phrases, HasSubstr(R"("LanguageCode":"en")"));
  const auto entities = flows::ReadAnalysisResult(product(), id, kReaders[1]);
  ASSERT_TRUE(entities.ok());
  EXPECT_THAT(*entities, HasSubstr(R"("Type":"LOCATION","Text":"France")"));

  Image document;
  document.id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  document.mime_type = "application/pdf";
  const Analyzer analyzer = pipeline::KeyPhraseAnalyzer(product());
  auto finding = analyzer.run(document);
  ASSERT_TRUE(finding.ok());
  EXPECT_THAT(finding->json, HasSubstr(R"("KeyPhrases":[])")) << "there is no text yet";
  const auto writer = blobs_->Create({"images", flows::TextKey(document.id)});
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE((*writer)->Write("Über den Leuchtturm und die Insel\xff").ok());
  ASSERT_TRUE((*writer)->Commit().ok());
  finding = analyzer.run(document);
  ASSERT_TRUE(finding.ok());
  EXPECT_THAT(finding->json, HasSubstr(R"("Text":"Leuchtturm","BeginOffset":9,"EndOffset":19)"));
  EXPECT_THAT(finding->json, HasSubstr(R"("LanguageCode":"de")"));
}

// Proves that a medium without a transcript has nothing, in the right shape.
TEST_F(TextAnalysisTest, FindsNothingInSilence) {
  gone_ = kTranscribeKind;
  analyzers_ = Analyzers({FakeOf(kTranscribeKind), pipeline::KeyPhraseAnalyzer(product()),
                          pipeline::EntityAnalyzer(product())});
  const std::string id = Audio("silence");
  Drain();
  EXPECT_THAT(flows::ReadAnalysisResult(product(), id, kReaders[0]).value(),
              testing::StartsWith(R"({"KeyPhrases":[],"Method":)"));
  EXPECT_THAT(flows::ReadAnalysisResult(product(), id, kReaders[1]).value(),
              testing::StartsWith(R"({"Entities":[],"Method":)"));
}

}  // namespace
}  // namespace tintype::product
