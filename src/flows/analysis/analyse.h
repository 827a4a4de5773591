#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "flows/parts.h"

/// What is found in a medium, kind by kind. Once it is developed, its analysis record names every
/// kind, each as not started or as skipped; one piece of work then queues another for each kind
/// that is to be done. They end at different times, by different workers: each changes its own part
/// of the record alone, and one that fails leaves the others as they are. A kind that reads
/// another's result is queued when that one ends, whatever its end, in the same transaction; what
/// it made of an older result is made again.
namespace tintype::flows {

using AnalyseParts =
    Uses<ConfigPart, DatabasePart, ClockPart, CatalogPart, AnalysisPart, BacklogPart>;

/// Queues the kinds of one medium.
inline constexpr std::string_view kAnalyseWork = "analyse";
/// Does one of them: pipeline/analysis/analyse_step.h.
inline constexpr std::string_view kAnalyseKindWork = "analyse-kind";

contexts::backlog::Work AnalyseWork(const contexts::catalog::Image& image,
                                    const std::optional<std::string>& correlation_id);

/// A kind that is to be done, by the name that NameOf has for it, and what that takes at most.
struct KindToDo {
  std::string name;
  std::chrono::milliseconds cost{0};
};

/// Queues them, and completes `work`. Work of an earlier run that has not begun is replaced.
Status QueueKinds(const AnalyseParts& parts, const contexts::backlog::Work& work,
                  const contexts::catalog::Image& image, const std::vector<KindToDo>& kinds);

/// The name of the kind that a piece of work of the type kAnalyseKindWork is about.
std::string KindNameOf(const contexts::backlog::Work& work);

/// The kind is in progress from now on. Errors: kNotFound when the record is gone, or does not have
/// the kind; kConditionFailed when the lease is lost.
Status BeginKind(const AnalyseParts& parts, const contexts::backlog::Work& work);

/// The kind has ended as it says; its path, job and times are filled in. Completes `work`, and
/// queues the kinds that read its result: those that have not begun, and, when there is a new
/// result, those that were done with another one. Errors as above.
Status EndKind(const AnalyseParts& parts, const contexts::backlog::Work& work,
               contexts::analysis::KindResult result);

/// For work that was tried often enough: the kind has failed, which is committed with its death,
/// and nobody waits for it any more.
contexts::Pieces FailDeadKind(const AnalyseParts& parts, const contexts::backlog::Work& work,
                              std::string_view error);

/// There is nothing left to analyse.
Status ForgetAnalysis(const AnalyseParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
