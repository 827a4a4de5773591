#include "base/strings.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/items/page.h"

namespace tintype::tables::engine {
namespace {

// Where a segment begins: partitions are spread over 65,536 hashes, of which each segment gets an
// even share. With more segments than hashes some stay empty.
std::string SegmentStart(const PagePlan& plan, int64_t segment, int64_t total) {
  constexpr int64_t kHashes = 1 << 16;
  const int64_t hash = segment * kHashes / total;
  std::string key;
  AppendKeyPrefix(key, plan.table->id, plan.index_id());
  if (hash == kHashes) {
    return PrefixSuccessor(key);
  }
  AppendBigEndian16(key, static_cast<uint16_t>(hash));
  return key;
}

Result<PagePlan> PlanScan(Core& core, const ScanRequest& request) {
  ASSIGN_OR_RETURN(PagePlan plan, PlanPage(core, request.table, request.options));
  // Items of one partition ascend; the order of partitions does not matter.
  plan.forward = !plan.descending();
  const ScanRequest::Segment segment = request.segment.value_or(ScanRequest::Segment{});
  plan.lower = SegmentStart(plan, segment.number, segment.total);
  plan.upper = SegmentStart(plan, segment.number + 1, segment.total);
  if (request.options.exclusive_start_key) {
    ASSIGN_OR_RETURN(const std::string key,
                     EncodeStartKey(plan, request.options.exclusive_start_key->view(),
                                    plan.index == nullptr ? kStartKeyMismatch : kStartKeyInvalid));
    if (key < plan.lower || key >= plan.upper) {
      return Error::Validation(
          StrCat("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                 "ExclusiveStartKey with correct Segment. TotalSegments: ",
                 segment.total, " Segment: ", segment.number));
    }
    StartAfter(plan, key);
  }
  return plan;
}

}  // namespace

void Scan(Core& core, ScanRequest request, ReadOn where, Done<ReadResponse> done) {
  Result<PagePlan> plan = PlanScan(core, request);
  if (!plan.ok()) {
    done(std::move(plan).error());
    return;
  }
  RunInSteps(core, PageRead(core, *std::move(plan), std::move(request.options)), where,
             std::move(done));
}

}  // namespace tintype::tables::engine
