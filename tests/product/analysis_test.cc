#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/analysis/kind_specs.h"
#include "darkroom/failure.h"
#include "flows/analysis/analyse.h"
#include "flows/analysis/reanalyse.h"
#include "flows/images/trash.h"
#include "flows/upkeep/purge_work.h"
#include "flows/upkeep/rebuild.h"
#include "product_fixture.h"
#include "tripwire.h"

// What is found in a medium, kind by kind, with analyzers that find what the test says.

namespace tintype::product {
namespace {

using contexts::ItemReader;
using contexts::analysis::AiOptions;
using contexts::analysis::KindResult;
using contexts::analysis::KindsView;
using contexts::analysis::MediaStatus;
using contexts::catalog::Image;
using flows::Account;
using pipeline::Analyzer;
using pipeline::Analyzers;
using pipeline::KindFinding;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kLabel = "rekognition.label";
constexpr std::string_view kText = "rekognition.text";

class AnalysisTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
    analyzers_ = Analyzers({AnalyzerOf(kLabel), AnalyzerOf(kText)});
  }

  Analyzer AnalyzerOf(std::string_view kind) {
    Analyzer analyzer;
    analyzer.kind = kind;
    analyzer.unavailable = [this, kind]() -> std::optional<std::string> {
      return missing_ == kind ? std::optional<std::string>("There is no model.") : std::nullopt;
    };
    analyzer.cost = [](const Image& /*image*/) { return std::chrono::milliseconds(10); };
    analyzer.run = [this, kind](const Image& image) -> Result<KindFinding> {
      ++runs_;
      if (failing_ == kind) {
        return darkroom::MakeFailure(failure_, "It does not work.");
      }
      if (during_) {
        during_(image);
      }
      return KindFinding{StrCat("{\"kind\":\"", kind, "\"}"),
                         contexts::ItemBuilder().Text("note", kind).Build()};
    };
    return analyzer;
  }

  /// What a record says of a kind.
  KindResult Kind(const std::string& id, std::string_view name) {
    const auto record = product().analysis.FindKinds(id);
    CHECK(record.ok() && *record);
    for (const KindResult& kind : (*record)->kinds) {
      if (NameOf(kind) == name) {
        return kind;
      }
    }
    return {};
  }
  ItemReader Record(const std::string& id) {
    record_ = Get("so0050-tintype-analysis", {{"uuid", id}}).value();
    return ItemReader(record_);
  }
  /// What the tables say of the whole.
  std::string Overall(const std::string& id) {
    const ItemReader record = Record(id);
    return StrCat(record.Text("overallStatus"), " ", record.Integer("progress"));
  }

  Account account_;
  tables::Item record_;
  std::string_view missing_;
  std::string_view failing_;
  darkroom::FailureKind failure_ = darkroom::FailureKind::kCorrupt;
  std::function<void(const Image&)> during_;
  std::atomic<int> runs_ = 0;  // Workers may be side by side.
};

// Proves that each kind ends by itself, with its result in a blob at the documented key, and that
// progress and status follow from the parts at each step.
TEST_F(AnalysisTest, EndsKindByKind) {
  const std::string id = Upload(account_, "pixels").id;
  ASSERT_TRUE(DoOne(product()));  // It is developed.
  EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kNotStarted);
  EXPECT_EQ(Kind(id, kText).status, MediaStatus::kNotStarted);
  EXPECT_EQ(Kind(id, "rekognition.face").status, MediaStatus::kSkipped);
  EXPECT_EQ(Kind(id, "transcribe").status, MediaStatus::kSkipped);
  EXPECT_EQ(Kind(id, contexts::analysis::kImageProperties).status, MediaStatus::kCompleted);
  EXPECT_EQ(Overall(id), "IN_PROGRESS 33");
  ASSERT_TRUE(DoOne(product()));  // Each kind is queued.
  EXPECT_EQ(Overall(id), "IN_PROGRESS 33");
  std::string seen;
  during_ = [&](const Image& image) {
    seen = StrCat(seen, Overall(image.id), " ", NameOf(Kind(image.id, kLabel).status), "; ");
  };
  ASSERT_TRUE(DoOne(product()));
  EXPECT_EQ(Overall(id), "IN_PROGRESS 67");
  ASSERT_TRUE(DoOne(product()));
  EXPECT_EQ(Overall(id), "COMPLETED 100");
  EXPECT_EQ(seen, "IN_PROGRESS 33 IN_PROGRESS; IN_PROGRESS 67 COMPLETED; ");
  EXPECT_FALSE(DoOne(product()));

  const KindResult label = Kind(id, kLabel);
  EXPECT_EQ(label.status, MediaStatus::kCompleted);
  EXPECT_EQ(label.output, StrCat("s3://images/", id, "/rekognition/label.json"));
  EXPECT_EQ(label.job_id, StrCat("analyse-", id, "-rekognition.label"));
  EXPECT_TRUE(label.start_time && label.end_time && *label.start_time <= *label.end_time);
  EXPECT_EQ(Record(id).Map("data").Map("rekognition").Map("label").Text("note"), kLabel);
  EXPECT_EQ(Record(id).Text("executionArn"),
            StrCat("arn:aws:states:us-east-1:000000000000:execution:analysis-main:", id));
  const auto blob = blobs_->OpenLocal({"images", StrCat(id, "/rekognition/label.json")});
  ASSERT_TRUE(blob.ok());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that what the owner or the operator did not want is skipped, and says so.
TEST_F(AnalysisTest, HonoursOptions) {
  flows::UploadRequest request{"photo.png"};
  request.ai_options = AiOptions::Parse("text").value();
  const std::string id = Upload(account_, "pixels", request).id;
  Drain();
  EXPECT_EQ(Kind(id, kText).status, MediaStatus::kCompleted);
  const KindResult label = Kind(id, kLabel);
  EXPECT_EQ(label.status, MediaStatus::kSkipped);
  EXPECT_NE(label.reason->find("aiOptions"), std::string::npos);
  EXPECT_EQ(runs_, 1);

  request.ai_options = AiOptions::Parse("none").value();
  const std::string none = Upload(account_, "more pixels", request).id;
  Drain();
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(Overall(none), "COMPLETED 100") << "what developing finds is no option";
}

// Proves that without a model a kind is skipped with the reason, also when the model went while the
// work waited.
TEST_F(AnalysisTest, SkipsWhatHasNoModel) {
  missing_ = kText;
  const std::string id = UploadDeveloped(account_, "pixels").id;
  EXPECT_EQ(Kind(id, kText).status, MediaStatus::kSkipped);
  EXPECT_EQ(Kind(id, kText).reason, "There is no model.");
  EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kCompleted);

  missing_ = "";
  const std::string late = Upload(account_, "more pixels").id;
  ASSERT_TRUE(DoOne(product()));
  ASSERT_TRUE(DoOne(product()));
  missing_ = kLabel;
  Drain();
  EXPECT_EQ(Kind(late, kLabel).status, MediaStatus::kSkipped);
  EXPECT_EQ(Kind(late, kText).status, MediaStatus::kCompleted);
  EXPECT_EQ(Overall(late), "COMPLETED 100");
}

// Proves that an error is that kind's alone: the photo and the other kinds are whole.
TEST_F(AnalysisTest, KeepsErrorsApart) {
  failing_ = kLabel;
  const Image image = UploadDeveloped(account_, "pixels");
  EXPECT_EQ(image.processing_status, contexts::catalog::ProcessingStatus::kCompleted);
  const KindResult label = Kind(image.id, kLabel);
  EXPECT_EQ(label.status, MediaStatus::kError);
  EXPECT_EQ(label.reason, "It does not work.");
  EXPECT_EQ(Kind(image.id, kText).status, MediaStatus::kCompleted);
  EXPECT_EQ(Overall(image.id), "ERROR 67");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that what may work another time is tried again, and given up in the end, with the reason
// in the record.
TEST_F(AnalysisTest, TriesAgainAndGivesUp) {
  failing_ = kLabel;
  failure_ = darkroom::FailureKind::kDied;
  const std::string id = UploadDeveloped(account_, "pixels").id;
  EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kInProgress);
  for (int i = 0; i < 20; ++i) {
    clock_.AdvanceMs(kHourMs);
    Drain();
  }
  EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kError);
  EXPECT_EQ(Kind(id, kLabel).reason, "It does not work.");
  const auto dead = product().backlog.Find(StrCat("analyse-", id, "-rekognition.label"));
  ASSERT_TRUE(dead.ok() && *dead);
  EXPECT_EQ((*dead)->status, contexts::backlog::WorkStatus::kDead);
  // Somebody mended it.
  failing_ = "";
  ASSERT_TRUE(product().backlog.Replay((*dead)->id).ok());
  Drain();
  EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kCompleted);
  EXPECT_EQ(Overall(id), "COMPLETED 100");
}

// Proves that kinds which end at one moment lose nothing of each other.
TEST_F(AnalysisTest, PartsAreWrittenSideBySide) {
  for (int i = 0; i < 10; ++i) {
    const std::string id = Upload(account_, StrCat("pixels ", i)).id;
    ASSERT_TRUE(DoOne(product()));
    ASSERT_TRUE(DoOne(product()));
    std::vector<std::thread> workers;
    workers.reserve(2);
    for (int worker = 0; worker < 2; ++worker) {
      workers.emplace_back([this] { DoOne(product()); });
    }
    for (std::thread& worker : workers) {
      worker.join();
    }
    EXPECT_EQ(Overall(id), "COMPLETED 100");
    EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kCompleted);
    EXPECT_EQ(Kind(id, kText).status, MediaStatus::kCompleted);
  }
}

// Proves that new renditions do not take what was found before.
TEST_F(AnalysisTest, RenditionsLeaveItAsItIs) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  ASSERT_EQ(runs_, 2);
  ASSERT_TRUE(flows::StartRebuild(product(), {}).ok());
  clock_.AdvanceMs(kHourMs);
  Drain();
  EXPECT_EQ(runs_, 2);
  EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kCompleted);
  EXPECT_EQ(Record(id).Map("data").Map("rekognition").Map("label").Text("note"), kLabel);
  EXPECT_EQ(Overall(id), "COMPLETED 100");
}

// Proves that what could not be done before is done when somebody asks for it, and that what was
// done stays as it is, unless they want it again.
TEST_F(AnalysisTest, IsDoneAgain) {
  missing_ = kText;
  failing_ = kLabel;
  const std::string first = UploadDeveloped(account_, "pixels").id;
  const std::string second = UploadDeveloped(account_, "more pixels").id;
  flows::UploadRequest request{"photo.png"};
  request.ai_options = AiOptions::Parse("label").value();
  const std::string third = Upload(account_, "other pixels", request).id;
  Drain();
  EXPECT_EQ(Overall(first), "ERROR 50");
  missing_ = failing_ = "";
  const auto run = [this](const flows::ReanalyseRequest& what) {
    runs_ = 0;
    ASSERT_TRUE(flows::StartReanalysis(product(), what).ok());
    Drain();
    const auto progress = flows::FindReanalysis(product());
    ASSERT_TRUE(progress.ok() && *progress && (*progress)->ended);
    EXPECT_EQ((*progress)->seen, what.image_id.empty() ? 3 : 1);
    clock_.AdvanceMs(kHourMs);
    Drain();
    EXPECT_FALSE(flows::FindReanalysis(product()).value());
  };
  run({.kinds = {std::string(kText)}, .image_id = first});
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(Kind(first, kText).status, MediaStatus::kCompleted);
  EXPECT_EQ(Kind(first, kLabel).status, MediaStatus::kError);
  run({});
  EXPECT_EQ(runs_, 4) << "three labels, and the text of the second";
  EXPECT_EQ(Overall(first), "COMPLETED 100");
  EXPECT_EQ(Overall(second), "COMPLETED 100");
  EXPECT_EQ(Kind(third, kText).status, MediaStatus::kSkipped) << "its owner does not want it";
  run({});
  EXPECT_EQ(runs_, 0);
  run({.kinds = {std::string(kLabel)}, .again = true});
  EXPECT_EQ(runs_, 3);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a request which makes no sense is refused, and that one at a time is carried out.
TEST_F(AnalysisTest, RefusesToAnalyseAgainWhatThereIsNoneOf) {
  const auto unknown = flows::StartReanalysis(product(), {.kinds = {"rekognition.smell"}});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind(), ErrorKind::kValidation);
  EXPECT_NE(unknown.error().message().find("rekognition.label"), std::string::npos);
  EXPECT_EQ(flows::StartReanalysis(product(), {.kinds = {"image.properties"}}).error().kind(),
            ErrorKind::kValidation);
  EXPECT_EQ(
      flows::StartReanalysis(product(), {.image_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV"}).error().kind(),
      ErrorKind::kNotFound);
  ASSERT_TRUE(flows::StartReanalysis(product(), {}).ok());
  EXPECT_TRUE(flows::StartReanalysis(product(), {}).ok()) << "the same goes on";
  EXPECT_EQ(flows::StartReanalysis(product(), {.again = true}).error().kind(), ErrorKind::kInUse);
}

// Proves that a kind which an operator gives up on says so, and waits for nobody.
TEST_F(AnalysisTest, PurgedKindsSayThatTheyFailed) {
  const std::string id = Upload(account_, "pixels").id;
  ASSERT_TRUE(DoOne(product()));
  ASSERT_TRUE(DoOne(product()));
  const auto work = product().backlog.Find(StrCat("analyse-", id, "-rekognition.label"));
  ASSERT_TRUE(work.ok() && *work);
  ASSERT_TRUE(flows::PurgeWork(product(), **work).ok());
  Drain();
  EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kError);
  EXPECT_EQ(Overall(id), "ERROR 67");
}

// Proves that an image which is deleted while it is analysed leaves nothing.
TEST_F(AnalysisTest, LeavesNothingOfDeletedImages) {
  during_ = [this](const Image& image) {
    during_ = {};
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, image.id).ok());
    // The deletion goes first.
    ASSERT_TRUE(DoOne(product()));
  };
  const std::string id = Upload(account_, "pixels").id;
  Drain();
  clock_.AdvanceMs(kHourMs);
  Drain();
  EXPECT_THAT(TracesOf(id), IsEmpty());
}

// Proves that each kind ends once, whatever call fails, before or after it has done what it should.
TEST_F(AnalysisTest, EndsOnceWhateverFails) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    const std::string id = Upload(account_, StrCat("turn ", calls.turn())).id;
    ASSERT_TRUE(DoOne(product()));
    calls.Arm();
    // The kinds are queued, and each is done.
    for (int i = 0; i < 3; ++i) {
      DoOne(tripped->product);
    }
    calls.Note(!wire.tripped());
    wire.Set(1'000'000, Tripwire::When::kBefore);
    for (int i = 0; i < 3; ++i) {
      clock_.AdvanceMs(kHourMs);
      Drain();
    }
    ASSERT_EQ(Overall(id), "COMPLETED 100") << calls.n();
    for (const std::string_view kind : {kLabel, kText}) {
      ASSERT_EQ(Kind(id, kind).status, MediaStatus::kCompleted) << calls.n() << kind;
    }
    ASSERT_THAT(Findings(), IsEmpty()) << calls.n();
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
    Drain();
    ASSERT_THAT(TracesOf(id), IsEmpty()) << calls.n();
  }
}

// Proves that a part is refused once another was written, and that the document's own update of a
// record's status is in nobody's way.
TEST_F(AnalysisTest, PartsDependOnWhatWasRead) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  const auto seen = product().analysis.FindKinds(id);
  ASSERT_TRUE(seen.ok() && *seen);
  KindResult face = Kind(id, "rekognition.face");
  face.status = MediaStatus::kCompleted;
  const std::string now = TimeText(clock_.NowMs());
  const auto set = [&](std::string_view purpose) {
    return contexts::Transaction(purpose)
        .Add(product().analysis.SetKinds(id, **seen, {face}, now))
        .Commit(product().database);
  };
  ASSERT_TRUE(set("first").ok());
  const Status again = set("second");
  ASSERT_FALSE(again.ok());
  EXPECT_TRUE(again.error().Is(contexts::analysis::kRecordChanged));
  EXPECT_EQ(Kind(id, "rekognition.face").status, MediaStatus::kCompleted);
  EXPECT_EQ(Kind(id, kLabel).status, MediaStatus::kCompleted);
}

// Proves that records from before parts had a number, and without a service, take parts too.
TEST_F(AnalysisTest, OldRecordsTakeParts) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  tables::BlockingDatabase database(*database_);
  contexts::ItemBuilder old;
  old.Text("uuid", id)
      .Text("overallStatus", "SKIPPED")
      .Integer("progress", 100)
      .Map("data", contexts::ItemBuilder()
                       .Map("transcribe", contexts::ItemBuilder().Text("status", "SKIPPED").Build())
                       .Build());
  ASSERT_TRUE(database.PutItem({"so0050-tintype-analysis", old.Build(), {}}).ok());
  for (const auto& [kind, path] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"rekognition.label", {"rekognition", "label"}},
           {"rekognition.text", {"rekognition", "text"}},
           {"transcribe", {"transcribe"}}}) {
    const auto seen = product().analysis.FindKinds(id);
    ASSERT_TRUE(seen.ok() && *seen);
    KindResult part;
    part.path = path;
    part.status = MediaStatus::kCompleted;
    ASSERT_TRUE(
        contexts::Transaction(kind)
            .Add(product().analysis.SetKinds(id, **seen, {part}, "2026-01-01T00:00:00.000Z"))
            .Commit(product().database)
            .ok());
    EXPECT_EQ(Kind(id, kind).status, MediaStatus::kCompleted) << kind;
  }
  EXPECT_EQ(Overall(id), "COMPLETED 100");
}

}  // namespace
}  // namespace tintype::product
