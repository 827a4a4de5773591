#include "flows/develop.h"

#include <utility>

#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/common/transaction.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::analysis::KindResult;
using contexts::analysis::MediaStatus;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::intake::Intake;
using contexts::people::People;

constexpr int64_t kAllProgress = 100;
constexpr int64_t kHalfProgress = 50;  // The original is safe, and nothing else.

/// The image and its owner.
struct Subject {
  Image image;
  Account account;
};

Result<Subject> FindSubject(Product& product, const Work& work) {
  ASSIGN_OR_RETURN(std::optional<Image> image, product.catalog.Find(work.uuid));
  if (!image) {
    return Error::NotFound("The image was deleted.");
  }
  ASSIGN_OR_RETURN(std::optional<Account> account, product.accounts.Find(image->user_id));
  if (!account) {
    return Error::NotFound("The account was deleted.");
  }
  return Subject{*std::move(image), *std::move(account)};
}

contexts::analysis::Analysis AnalysisOf(const Image& image, std::vector<KindResult> kinds,
                                        std::string_view started_at, int64_t now_ms) {
  contexts::analysis::Analysis analysis;
  analysis.uuid = image.id;
  analysis.timestamp_ms = now_ms;
  analysis.type = contexts::analysis::MediaTypeOf(image.mime_type);
  analysis.start_time = started_at;
  analysis.end_time = TimeText(now_ms);
  analysis.kinds = std::move(kinds);
  return analysis;
}

/// What all records say of an image that could not be developed.
contexts::Pieces FailurePieces(Product& product, const Image& image, std::string_view error,
                               std::string_view started_at) {
  const int64_t now_ms = product.clock.NowMs();
  std::vector<KindResult> kinds = SkippedKinds();
  KindResult properties;
  properties.path = {"image", "properties"};
  properties.status = MediaStatus::kError;
  properties.start_time = started_at;
  properties.end_time = TimeText(now_ms);
  properties.reason = error;
  kinds.push_back(std::move(properties));
  return {Catalog::FailProcessing(image.id, error, TimeText(now_ms)),
          product.analysis.SetIngestStatus(image.id, MediaStatus::kError, kHalfProgress),
          product.analysis.PutAnalysis(AnalysisOf(image, std::move(kinds), started_at, now_ms))};
}

}  // namespace

Work DevelopWork(const Image& image, const std::optional<std::string>& correlation_id) {
  Work work;
  work.id = StrCat(kDevelopWork, "-", image.id);
  work.type = kDevelopWork;
  work.uuid = image.id;
  work.correlation_id = correlation_id;
  return work;
}

Status PlaceOriginal(Product& product, std::string_view id) {
  return product.blobs.Move({product.config.uploads_bucket, UploadKey(id)},
                            {product.config.images_bucket, StoredKey(id, 0, Size::kOriginal)});
}

Status KeepOriginal(Product& product, const Work& work) {
  ASSIGN_OR_RETURN(const Subject subject, FindSubject(product, work));
  const std::string& id = subject.image.id;
  const std::string key = StoredKey(id, 0, Size::kOriginal);
  const std::string& bucket = product.config.images_bucket;
  RETURN_IF_ERROR(PlaceOriginal(product, id));
  const std::string now = TimeText(product.clock.NowMs());
  return Transaction(StrCat("keep-original ", id))
      .Add(product.backlog.Fence(work))
      .Add(Intake::SetSizes(subject.account.username, id, {std::string(NameOf(Size::kOriginal))}))
      .Add(Catalog::StartProcessing(id, now))
      .Add(product.analysis.MoveIngest(id, bucket, key))
      .Commit(product.database, product.retries);
}

Status FinishDevelopment(Product& product, const Work& work, const DevelopResult& result,
                         std::string_view started_at) {
  ASSIGN_OR_RETURN(const Subject subject, FindSubject(product, work));
  const std::string& id = subject.image.id;
  const int64_t now_ms = product.clock.NowMs();
  const std::string now = TimeText(now_ms);
  std::vector<std::string> sizes;
  sizes.reserve(kSizes.size());
  for (const SizeSpec& spec : kSizes) {
    sizes.emplace_back(spec.name);
  }
  const contexts::people::Variants variants{SparksLargeKey(id), SparksMediumKey(id), now};
  return Transaction(StrCat("develop ", id))
      .Add(Catalog::FinishProcessing(id, result.development, now))
      .Add(Intake::SetSizes(subject.account.username, id, sizes))
      .Add(People::SetVariants(id, subject.account.email, variants))
      .Add(product.analysis.SetIngestStatus(id, MediaStatus::kCompleted, kAllProgress))
      .Add(
          product.analysis.PutAnalysis(AnalysisOf(subject.image, result.kinds, started_at, now_ms)))
      .Add(product.backlog.Complete(work))
      .Commit(product.database, product.retries);
}

Status FailDevelopment(Product& product, const Work& work, std::string_view error,
                       std::string_view started_at) {
  ASSIGN_OR_RETURN(const Subject subject, FindSubject(product, work));
  return Transaction(StrCat("fail-development ", subject.image.id))
      .Add(FailurePieces(product, subject.image, error, started_at))
      .Add(product.backlog.Complete(work))
      .Commit(product.database, product.retries);
}

contexts::Pieces FailDeadDevelopment(Product& product, const Work& work, std::string_view error) {
  const Result<std::optional<Image>> image = product.catalog.Find(work.uuid);
  // Of an image that is gone there is nothing to say.
  if (!image.ok() || !*image) {
    return {};
  }
  return FailurePieces(product, **image, error, TimeText(product.clock.NowMs()));
}

std::vector<KindResult> SkippedKinds() {
  const std::vector<std::vector<std::string>> paths = {
      {"rekognition", "celeb"},    {"rekognition", "face"},
      {"rekognition", "label"},    {"transcribe"},
      {"comprehend", "keyphrase"}, {"comprehend", "entity"},
      {"comprehend", "sentiment"},
  };
  std::vector<KindResult> kinds;
  for (const std::vector<std::string>& path : paths) {
    KindResult kind;
    kind.path = path;
    kind.status = MediaStatus::kSkipped;
    kind.reason = "This version does not do this kind of analysis.";
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

}  // namespace tintype::flows
