#include "pipeline/analysis/analyse_step.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "contexts/analysis/kind_specs.h"
#include "darkroom/failure.h"
#include "flows/analysis/analyse.h"
#include "flows/images/delete_image.h"
#include "flows/media_keys.h"

namespace tintype::pipeline {
namespace {

using contexts::analysis::KindResult;
using contexts::analysis::MediaStatus;
using contexts::backlog::Work;
using contexts::catalog::Image;

/// A medium that was deleted, or has no record yet, has nothing to be analysed.
bool IsGone(const Error& error) { return error.kind() == ErrorKind::kNotFound; }

Status Analyse(flows::Product& product, const Analyzers& analyzers, const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, product.catalog.Find(work.uuid));
  ASSIGN_OR_RETURN(const auto record, product.analysis.FindKinds(work.uuid));
  if (!image || !record) {
    return flows::ForgetAnalysis(product, work);
  }
  std::vector<flows::KindToDo> kinds;
  for (const KindResult& kind : record->kinds) {
    // What reads another kind's result is queued when that one ends.
    if (kind.status == MediaStatus::kNotStarted &&
        !contexts::analysis::Waits(kind, record->kinds)) {
      const std::string name = NameOf(kind);
      // One that this server cannot do is left for its worker to say so, or to another node's.
      const Analyzer* const analyzer = analyzers.Find(name);
      kinds.push_back(
          {name, analyzer == nullptr ? std::chrono::milliseconds(0) : analyzer->cost(*image)});
    }
  }
  return flows::QueueKinds(product, work, *image, kinds);
}

Result<std::string> StoreFinding(flows::Product& product, const Image& image,
                                 const std::string& kind, const KindFinding& finding) {
  const blobs::BlobKey key{product.config.images_bucket, flows::AnalysisKey(image.id, kind)};
  ASSIGN_OR_RETURN(const auto writer, product.blobs.Create(key));
  RETURN_IF_ERROR(writer->Write(finding.json));
  RETURN_IF_ERROR(writer->Commit());
  return StrCat("s3://", key.bucket, "/", key.key);
}

Status EndSkipped(flows::Product& product, const Work& work, std::string reason) {
  KindResult skipped;
  skipped.status = MediaStatus::kSkipped;
  skipped.reason = std::move(reason);
  return flows::EndKind(product, work, std::move(skipped));
}

Status AnalyseKind(flows::Product& product, const Analyzers& analyzers, const Work& work) {
  const std::string kind = flows::KindNameOf(work);
  ASSIGN_OR_RETURN(const std::optional<Image> image, product.catalog.Find(work.uuid));
  if (!image) {
    return Error::NotFound("The image was deleted.");
  }
  // It may have been there when the work was queued.
  if (std::optional<std::string> reason = analyzers.WhyUnavailable(kind)) {
    return EndSkipped(product, work, *std::move(reason));
  }
  RETURN_IF_ERROR(flows::BeginKind(product, work));
  const Result<KindFinding> finding = analyzers.Find(kind)->run(*image);
  if (!finding.ok()) {
    if (!darkroom::IsPermanent(finding.error())) {
      return finding.error();
    }
    KindResult failed;
    failed.status = MediaStatus::kError;
    failed.reason = finding.error().message();
    return flows::EndKind(product, work, std::move(failed));
  }
  if (finding->skipped) {
    return EndSkipped(product, work, *finding->skipped);
  }
  KindResult completed;
  completed.status = MediaStatus::kCompleted;
  ASSIGN_OR_RETURN(completed.output, StoreFinding(product, *image, kind, *finding));
  completed.details = finding->details;
  return flows::EndKind(product, work, std::move(completed));
}

/// The image was deleted: so is whatever was found in it since.
Status ForgetGone(flows::Product& product, const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, product.catalog.Find(work.uuid));
  if (!image) {
    RETURN_IF_ERROR(flows::DeleteBlobs(product, work.uuid));
  }
  return flows::ForgetAnalysis(product, work);
}

}  // namespace

Step AnalyseStep(flows::Product& product, const Analyzers& analyzers) {
  Step step;
  step.run = [&](const Work& work) { return Analyse(product, analyzers, work); };
  return step;
}

Step AnalyseKindStep(flows::Product& product, const Analyzers& analyzers) {
  Step step;
  step.run = [&](const Work& work) {
    Status done = AnalyseKind(product, analyzers, work);
    return !done.ok() && IsGone(done.error()) ? ForgetGone(product, work) : done;
  };
  step.when_dead = [&](const Work& work, const Error& error) {
    return flows::FailDeadKind(product, work, error.message());
  };
  step.when_lost = [&](const Work& work) { return flows::DeleteBlobsOfGone(product, work.uuid); };
  return step;
}

}  // namespace tintype::pipeline
