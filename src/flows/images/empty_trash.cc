#include "flows/images/empty_trash.h"

#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "contexts/common/transaction.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::TrashPosting;

/// Images that one turn looks at.
constexpr int64_t kEmptiedAtOnce = 100;

// Of the work's input.
constexpr std::string_view kOwner = "userId";
constexpr std::string_view kUntil = "until";
constexpr std::string_view kPlace = "after";

std::string EmptyingInput(const Work& work, std::string_view name) {
  const auto found = work.input.find(std::string(name));
  return found == work.input.end() ? "" : found->second;
}

}  // namespace

std::string EmptyTrashWorkId(std::string_view user_id) {
  return StrCat(kEmptyTrashWork, "-", user_id);
}

Result<std::string> EmptyTrash(const TrashParts& parts, const Account& account) {
  const std::string until = TimeText(parts.clock.NowMs());
  Work work;
  work.id = EmptyTrashWorkId(account.id);
  work.type = kEmptyTrashWork;
  work.input.emplace(kOwner, account.id);
  work.input.emplace(kUntil, until);
  // It ends in the end: while tables cannot be reached, it waits.
  work.max_retries = 1'000'000;
  // Two requests in one moment are two: the random part keeps their tokens apart.
  RETURN_IF_ERROR(Transaction(StrCat(work.id, " ", RandomUuid()))
                      .Add(parts.backlog.Enqueue(work))
                      .Commit(parts.database, parts.retries));
  return until;
}

Status ContinueEmptyTrash(const TrashParts& parts, const Work& work) {
  Account owner;
  owner.id = EmptyingInput(work, kOwner);
  const std::string until = EmptyingInput(work, kUntil);
  ASSIGN_OR_RETURN(const auto page, parts.catalog.ListTrashUntil(owner.id, until, kEmptiedAtOnce,
                                                                 EmptyingInput(work, kPlace)));
  for (const TrashPosting& posting : page.postings) {
    // Those whose time has come are being deleted already.
    if (posting.deletes_ms > parts.clock.NowMs()) {
      RETURN_IF_ERROR(DeleteTrashedImage(parts, owner, posting.image_id, until));
    }
  }
  Transaction turn(StrCat(work.id, " ", work.token));
  if (page.last_evaluated_key) {
    Work later = work;
    later.input.insert_or_assign(std::string(kPlace),
                                 contexts::ItemReader(*page.last_evaluated_key).Text("SK"));
    turn.Add(parts.backlog.Continue(later, parts.clock.NowMs()));
  } else {
    turn.Add(parts.backlog.Complete(work));
  }
  return turn.Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
