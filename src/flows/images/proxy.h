#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "contexts/common/transaction.h"
#include "flows/parts.h"

/// The copy of a video or a sound that every browser plays. It is made after the asset can be
/// looked at, as work of its own, since it may take an hour.
namespace tintype::flows {

using ProxyParts =
    Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, CatalogPart, AnalysisPart, BacklogPart>;

inline constexpr std::string_view kProxyWork = "proxy";
contexts::backlog::Work ProxyWork(const contexts::catalog::Image& image,
                                  const std::optional<std::string>& correlation_id);
/// How long a worker takes at most for so many seconds of an ordinary video.
std::chrono::milliseconds ProxyCost(double seconds);

/// The copy is stored, with so many bytes: the records say so, the account is charged with it, and
/// the work is complete. Errors: kNotFound when the image was deleted.
Status FinishProxy(const ProxyParts& parts, const contexts::backlog::Work& work, int64_t bytes);

/// Instead of it, when none can be made of the original, which stays. What is committed with the
/// end of the work.
contexts::Pieces FailProxy(const ProxyParts& parts, const contexts::backlog::Work& work,
                           std::string_view error);

}  // namespace tintype::flows
