#include "contexts/backlog/backlog.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/logging.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/common/item.h"

namespace tintype::contexts::backlog {
namespace {

using tables::Value;

constexpr std::string_view kIndex = "status-order-index";
/// How many candidates are looked at: more than one, because others look at the same ones.
constexpr int64_t kCandidates = 8;
/// And how many, page by page, when all of them may have to be passed over.
constexpr int64_t kCheapCandidates = 64;
constexpr int kCheapPagesMax = 10;
/// What work is taken to cost at most, however long an attempt took.
constexpr std::chrono::milliseconds kCostMax{60 * 60 * 1000};
constexpr int64_t kEndOfTime = 999'999'999'999'999;
/// How far ahead of the clock the queue may be: a week of work.
constexpr int64_t kAheadMsMax = int64_t{7} * 24 * 60 * 60 * 1000;
/// The first lease leaves this mark for good. The state would not do: work that was begun and
/// failed is delayed, as work is that nobody has touched.
constexpr std::string_view kNotBegun = "attribute_not_exists(startedAt)";

/// Work of one priority in one state, up to a time.
tables::KeyCondition DueCondition(WorkStatus status, Priority priority, int64_t until_ms) {
  return KeyConditionOf("#status = :status AND #order BETWEEN :first AND :last",
                        {{{"#status", "status"}, {"#order", "order"}},
                         {{":status", Value::String(NameOf(status))},
                          {":first", Value::String(OrderOf(priority, 0, ""))},
                          // A tilde sorts after whatever an id may begin with.
                          {":last", Value::String(OrderOf(priority, until_ms, "~"))}}});
}

std::string TableName(std::string_view stack) { return StrCat("so0050-", stack, "-backlog"); }

Value StatusValue(WorkStatus status) { return Value::String(NameOf(status)); }

}  // namespace

Error LeaseLost() {
  return {ErrorKind::kConditionFailed, "The lease on this work is lost: another worker has it."};
}

Backlog::Backlog(BacklogConfig config, tables::Database& database, const Clock& clock)
    : config_(std::move(config)),
      table_(TableName(config_.stack)),
      database_(database),
      turns_(database, clock),
      clock_(clock) {}

ProductTable Backlog::Table(std::string_view stack) {
  tables::TableDefinition table =
      OnDemandTable(TableName(stack), KeyOf("id"), {{"id"}, {"status"}, {"order"}});
  table.global_indexes = {IndexOn(std::string(kIndex), KeyOf("status", "order"))};
  return {std::move(table), std::nullopt};
}

Work Backlog::Queued(Work work) const {
  const int64_t now_ms = clock_.NowMs();
  work.created_ms = now_ms;
  work.updated_ms = now_ms;
  work.due_ms = std::max(work.due_ms, now_ms);
  work.status = work.due_ms > now_ms ? WorkStatus::kDelayed : WorkStatus::kPending;
  return work;
}

Result<int64_t> Backlog::ReachedMs(Priority priority) {
  ASSIGN_OR_RETURN(const WorkPage next, FindDue(WorkStatus::kPending, priority, kEndOfTime, 1));
  const int64_t now_ms = clock_.NowMs();
  // Others may have written it: accounts would follow to a place that the clock never comes to.
  return next.work.empty()
             ? now_ms
             : std::clamp(OrderMs(next.work.front()), int64_t{1}, now_ms + kAheadMsMax);
}

Work Backlog::InTurn(Work work, std::string_view account_id, std::chrono::milliseconds cost) {
  work.account_id = account_id;
  work.cost_ms = cost.count();
  Result<int64_t> turn = ReachedMs(work.priority);
  if (turn.ok()) {
    turn = turns_.Take(account_id, *turn, cost.count());
  }
  if (!turn.ok()) {
    LogWarning("work without a turn", {{"work", work.id}, {"error", turn.error().message()}});
  }
  work.turn_ms = turn.ok() ? *turn : clock_.NowMs();
  return work;
}

Piece Backlog::Enqueue(Work work) const {
  return PutPiece(table_, ToItem(Queued(std::move(work))));
}

Piece Backlog::EnqueueUnlessBegun(Work work) const {
  return PutPiece(table_, ToItem(Queued(std::move(work))), ConditionOf(kNotBegun, {}),
                  Error::InUse("This is being done already."));
}

Piece Backlog::Withdraw(std::string_view id) const { return DeletePiece(table_, WorkKey(id)); }

Piece Backlog::WithdrawUnlessBegun(std::string_view id) const {
  return DeletePiece(table_, WorkKey(id), ConditionOf(kNotBegun, {}),
                     Error::NotFound("It is too late: this is being done already."));
}

Result<Backlog::WorkPage> Backlog::FindDue(WorkStatus status, Priority priority, int64_t until_ms,
                                           int64_t limit, std::optional<tables::Item> after) {
  tables::QueryRequest query;
  query.table = table_;
  query.key_condition = DueCondition(status, priority, until_ms);
  query.options.index = std::string(kIndex);
  query.options.limit = limit;
  query.options.exclusive_start_key = std::move(after);
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  WorkPage found;
  for (const tables::Item& item : response.items) {
    found.work.push_back(WorkFromItem(item));
  }
  found.last_evaluated_key = std::move(response.last_evaluated_key);
  return found;
}

Result<std::vector<Work>> Backlog::FindCheap(WorkStatus status, Priority priority,
                                             int64_t until_ms) {
  WorkPage page;
  int pages = 0;
  do {
    ASSIGN_OR_RETURN(page, FindDue(status, priority, until_ms, kCheapCandidates,
                                   std::move(page.last_evaluated_key)));
    std::erase_if(page.work, IsExpensive);
    ++pages;
  } while (page.work.empty() && page.last_evaluated_key && pages < kCheapPagesMax);
  return std::move(page.work);
}

Result<std::vector<Work>> Backlog::FindCandidates(Priority priority, int64_t now_ms, Which which) {
  constexpr std::array kStates = {WorkStatus::kPending, WorkStatus::kDelayed, WorkStatus::kLeased};
  std::vector<Work> candidates;
  for (const WorkStatus status : kStates) {
    // Pending work is due, whatever the clock says: it may have been put back since.
    const int64_t until_ms = status == WorkStatus::kPending ? kEndOfTime : now_ms;
    std::vector<Work> found;
    if (which == Which::kCheap) {
      ASSIGN_OR_RETURN(found, FindCheap(status, priority, until_ms));
    } else {
      ASSIGN_OR_RETURN(WorkPage page, FindDue(status, priority, until_ms, kCandidates));
      found = std::move(page.work);
    }
    std::ranges::move(found, std::back_inserter(candidates));
  }
  // All states by one order, or a queue that never runs empty would keep the others waiting.
  std::ranges::stable_sort(candidates, {}, OrderMs);
  return candidates;
}

Result<std::optional<Work>> Backlog::TryLease(const Work& candidate) {
  Work leased = candidate;
  const int64_t now_ms = clock_.NowMs();
  leased.status = WorkStatus::kLeased;
  leased.token = RandomUuid();
  leased.lease_until_ms = now_ms + config_.lease.count();
  leased.updated_ms = now_ms;
  leased.node = config_.node;
  // The order names state and time that were seen in the index: any change of the item since has
  // changed it too.
  UpdateWithCondition update = UpdateIf(
      "SET #status = :leased, #token = :token, leaseUntil = :until, #order = :order, "
      "updatedAt = :now, #node = :node, startedAt = if_not_exists(startedAt, :now)",
      "#status = :seen AND #order = :seenOrder",
      {{{"#status", "status"}, {"#order", "order"}, {"#token", "token"}, {"#node", "node"}},
       {{":leased", StatusValue(WorkStatus::kLeased)},
        {":token", Value::String(leased.token)},
        {":until", Value::Integer(leased.lease_until_ms)},
        {":order", Value::String(OrderOf(leased.priority, leased.lease_until_ms, leased.id))},
        {":now", Value::Integer(now_ms)},
        {":node", Value::String(leased.node)},
        {":seen", StatusValue(candidate.status)},
        {":seenOrder", Value::String(candidate.order)}}});
  tables::UpdateItemRequest request;
  request.table = table_;
  request.key = WorkKey(candidate.id);
  request.update = std::move(update.update);
  request.options.condition = std::move(update.condition);
  request.options.return_values = tables::ReturnValues::kAllNew;
  const auto written = database_.UpdateItem(std::move(request));
  if (!written.ok() && written.error().kind() == ErrorKind::kConditionFailed) {
    return std::optional<Work>();
  }
  if (!written.ok()) {
    // The answer may have got lost: then it is leased, and only this token says to whom.
    const Result<std::optional<Work>> now = Find(candidate.id);
    const bool ours = now.ok() && *now && (*now)->token == leased.token;
    return ours ? now : Result<std::optional<Work>>(written.error());
  }
  return std::optional<Work>(WorkFromItem(*written->attributes));
}

Result<std::optional<Work>> Backlog::Lease(Which which) {
  for (const Priority priority : kPriorities) {
    ASSIGN_OR_RETURN(const std::vector<Work> candidates,
                     FindCandidates(priority, clock_.NowMs(), which));
    for (const Work& candidate : candidates) {
      ASSIGN_OR_RETURN(std::optional<Work> leased, TryLease(candidate));
      if (leased) {
        return leased;
      }
    }
  }
  return std::optional<Work>();
}

Status Backlog::Renew(Work& work) {
  const int64_t now_ms = clock_.NowMs();
  const int64_t until_ms = now_ms + config_.lease.count();
  UpdateWithCondition update =
      UpdateIf("SET leaseUntil = :until, #order = :order, updatedAt = :now", "#token = :token",
               {{{"#order", "order"}, {"#token", "token"}},
                {{":until", Value::Integer(until_ms)},
                 {":order", Value::String(OrderOf(work.priority, until_ms, work.id))},
                 {":now", Value::Integer(now_ms)},
                 {":token", Value::String(work.token)}}});
  RETURN_IF_ERROR(Write({table_,
                         WorkKey(work.id),
                         std::move(update.update),
                         {.condition = std::move(update.condition)}}));
  work.lease_until_ms = until_ms;
  return OkStatus();
}

Result<tables::WriteItemResponse> Backlog::Write(tables::UpdateItemRequest request) {
  auto written = database_.UpdateItem(std::move(request));
  if (!written.ok() && written.error().kind() == ErrorKind::kConditionFailed) {
    return LeaseLost();
  }
  return written;
}

Piece Backlog::Fence(const Work& work) const {
  return CheckPiece(table_, WorkKey(work.id),
                    ConditionOf("#token = :token",
                                {{{"#token", "token"}}, {{":token", Value::String(work.token)}}}),
                    LeaseLost());
}

Piece Backlog::Complete(const Work& work) const {
  return DeletePiece(table_, WorkKey(work.id),
                     ConditionOf("#token = :token",
                                 {{{"#token", "token"}}, {{":token", Value::String(work.token)}}}),
                     LeaseLost());
}

Piece Backlog::Continue(const Work& work, int64_t due_ms) const {
  Work later = work;
  later.due_ms = due_ms;
  later.retry_count = 0;
  later.last_error = std::nullopt;
  later.updated_ms = clock_.NowMs();
  later.status = due_ms > later.updated_ms ? WorkStatus::kDelayed : WorkStatus::kPending;
  return PutPiece(table_, ToItem(later),
                  ConditionOf("#token = :token",
                              {{{"#token", "token"}}, {{":token", Value::String(work.token)}}}),
                  LeaseLost());
}

Backlog::GivenBack Backlog::GiveBack(const Work& work, std::string_view error, Failure failure,
                                     std::chrono::milliseconds taken) const {
  const int64_t now_ms = clock_.NowMs();
  const bool outage = failure == Failure::kOutage;
  const int64_t retries = work.retry_count + (outage ? 0 : 1);
  const bool dead = failure == Failure::kForGood || (!outage && retries > work.max_retries);
  const WorkStatus status = dead ? WorkStatus::kDead : WorkStatus::kDelayed;
  std::chrono::milliseconds wait = outage ? config_.outage_wait : config_.retry_wait_first;
  for (int64_t i = 1; !outage && i < retries && wait < config_.retry_wait_max; ++i) {
    wait *= 2;
  }
  const int64_t due_ms = dead ? now_ms : now_ms + std::min(wait, config_.retry_wait_max).count();
  // An outage takes its time of everything.
  const int64_t cost_ms =
      outage ? work.cost_ms : std::max(work.cost_ms, std::min(taken, kCostMax).count());
  UpdateWithCondition update = UpdateIf(
      "SET #status = :status, #order = :order, dueAt = :due, retryCount = :retries, "
      "costMs = :cost, lastError = :error, updatedAt = :now REMOVE #token, leaseUntil, #node",
      "#token = :token",
      {{{"#status", "status"}, {"#order", "order"}, {"#token", "token"}, {"#node", "node"}},
       {{":status", StatusValue(status)},
        {":order", Value::String(OrderOf(work.priority, due_ms, work.id))},
        {":due", Value::Integer(due_ms)},
        {":retries", Value::Integer(retries)},
        {":cost", Value::Integer(cost_ms)},
        {":error", Value::String(error)},
        {":now", Value::Integer(now_ms)},
        {":token", Value::String(work.token)}}});
  return {UpdatePiece(table_, WorkKey(work.id), std::move(update), LeaseLost()), status};
}

Result<std::optional<Work>> Backlog::Find(std::string_view id) {
  ASSIGN_OR_RETURN(
      const auto response,
      database_.GetItem(
          {.table = table_, .key = WorkKey(id), .projection = {}, .consistent_read = true}));
  return response.item ? std::optional<Work>(WorkFromItem(*response.item)) : std::nullopt;
}

Result<Backlog::WorkPage> Backlog::List(const ListRequest& request) {
  tables::QueryRequest query;
  query.table = table_;
  query.key_condition = KeyConditionOf(
      "#status = :status", {{{"#status", "status"}}, {{":status", StatusValue(request.status)}}});
  query.options.index = std::string(kIndex);
  query.options.limit = request.limit;
  query.options.exclusive_start_key = request.after;
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  WorkPage page;
  for (const tables::Item& item : response.items) {
    page.work.push_back(WorkFromItem(item));
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

tables::Item Backlog::PlaceOf(WorkStatus status, std::string_view order) {
  // Behind `priority#time#` it has the id, in which there may be any character.
  const size_t time = order.find('#');
  const size_t id = time == std::string_view::npos ? time : order.find('#', time + 1);
  return ItemBuilder()
      .Text("id", id == std::string_view::npos ? order : order.substr(id + 1))
      .Text("status", NameOf(status))
      .Text("order", order)
      .Build();
}

int64_t Backlog::Count::total() const {
  int64_t sum = 0;
  for (const auto& [type, count] : by_type) {
    sum += count;
  }
  return sum;
}

Result<Backlog::Count> Backlog::CountWhere(const tables::KeyCondition& condition, int64_t limit,
                                           int64_t created_since_ms) {
  Count count;
  int64_t left = limit;
  std::optional<tables::Item> after;
  do {
    tables::QueryRequest query;
    query.table = table_;
    query.key_condition = condition;
    query.options.index = std::string(kIndex);
    query.options.limit = left;
    query.options.exclusive_start_key = std::move(after);
    ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
    for (const tables::Item& item : response.items) {
      const ItemReader read(item);
      if (read.Integer("createdAt") >= created_since_ms) {
        const std::string type = read.Text("type");
        const int64_t due_ms = read.Integer("dueAt");
        ++count.by_type[type];
        int64_t& first_due_ms = count.first_due_ms.emplace(type, due_ms).first->second;
        first_due_ms = std::min(first_due_ms, due_ms);
      }
    }
    left -= static_cast<int64_t>(response.items.size());
    after = std::move(response.last_evaluated_key);
  } while (after && left > 0);
  // A page that ends with the last item may say that there is more; one who counts is told so.
  count.complete = !after;
  return count;
}

Result<Backlog::Count> Backlog::CountIn(WorkStatus status, int64_t limit) {
  return CountWhere(KeyConditionOf("#status = :status",
                                   {{{"#status", "status"}}, {{":status", StatusValue(status)}}}),
                    limit);
}

Result<Backlog::Count> Backlog::CountIn(WorkStatus status, Priority priority, int64_t limit,
                                        int64_t created_since_ms) {
  return CountWhere(DueCondition(status, priority, kEndOfTime), limit, created_since_ms);
}

Result<std::optional<int64_t>> Backlog::OldestDueMs(Priority priority) {
  std::optional<int64_t> oldest;
  for (const WorkStatus status : {WorkStatus::kPending, WorkStatus::kDelayed}) {
    // Delayed work waits for its own time first.
    const int64_t until_ms = status == WorkStatus::kPending ? kEndOfTime : clock_.NowMs();
    ASSIGN_OR_RETURN(const WorkPage first, FindDue(status, priority, until_ms, 1));
    for (const Work& work : first.work) {
      oldest = std::min(oldest.value_or(work.due_ms), work.due_ms);
    }
  }
  return oldest;
}

Piece Backlog::Purge(const Work& seen) const {
  return DeletePiece(
      table_, WorkKey(seen.id),
      ConditionOf("#status = :status AND #order = :order",
                  {{{"#status", "status"}, {"#order", "order"}},
                   {{":status", StatusValue(seen.status)}, {":order", Value::String(seen.order)}}}),
      Error::InUse(StrCat(seen.id, " has changed just now. Look at it again.")));
}

Status Backlog::EndLeases() {
  ListRequest request;
  request.status = WorkStatus::kLeased;
  do {
    ASSIGN_OR_RETURN(WorkPage page, List(request));
    for (const Work& work : page.work) {
      if (!work.node.empty() && work.node != config_.node) {
        continue;
      }
      Work pending = work;
      pending.status = WorkStatus::kPending;
      UpdateWithCondition update = UpdateIf(
          "SET #status = :pending, #order = :order, updatedAt = :now REMOVE #token, leaseUntil, "
          "#node",
          "#token = :token",
          {{{"#status", "status"}, {"#order", "order"}, {"#token", "token"}, {"#node", "node"}},
           {{":pending", StatusValue(WorkStatus::kPending)},
            {":order", Value::String(OrderOf(work.priority, OrderMs(pending), work.id))},
            {":now", Value::Integer(clock_.NowMs())},
            {":token", Value::String(work.token)}}});
      const auto ended = Write({table_,
                                WorkKey(work.id),
                                std::move(update.update),
                                {.condition = std::move(update.condition)}});
      // The index may be behind: then it was ended before.
      if (!ended.ok() && ended.error().kind() != ErrorKind::kConditionFailed) {
        return ended.error();
      }
    }
    request.after = std::move(page.last_evaluated_key);
  } while (request.after);
  return OkStatus();
}

Status Backlog::Replay(std::string_view id) {
  ASSIGN_OR_RETURN(const std::optional<Work> work, Find(id));
  const int64_t now_ms = clock_.NowMs();
  const Error gone = Error::NotFound(StrCat("There is no dead work of the id ", id, "."));
  if (!work || work->status != WorkStatus::kDead) {
    return gone;
  }
  Work pending = *work;
  pending.status = WorkStatus::kPending;
  pending.due_ms = now_ms;
  UpdateWithCondition update = UpdateIf(
      "SET #status = :pending, #order = :order, dueAt = :now, updatedAt = :now, retryCount = :none",
      "#status = :dead",
      {{{"#status", "status"}, {"#order", "order"}},
       {{":pending", StatusValue(WorkStatus::kPending)},
        {":dead", StatusValue(WorkStatus::kDead)},
        {":order", Value::String(OrderOf(work->priority, OrderMs(pending), work->id))},
        {":now", Value::Integer(now_ms)},
        {":none", Value::Integer(0)}}});
  const auto written = database_.UpdateItem(
      {table_, WorkKey(id), std::move(update.update), {.condition = std::move(update.condition)}});
  if (!written.ok() && written.error().kind() == ErrorKind::kConditionFailed) {
    return gone;
  }
  return written.ok() ? OkStatus() : Status(written.error());
}

}  // namespace tintype::contexts::backlog
