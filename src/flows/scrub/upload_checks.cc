#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "blobs/spool.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/intake/intake.h"
#include "contexts/people/limits.h"
#include "contexts/people/people.h"
#include "flows/config.h"
#include "flows/scrub/record_checks.h"
#include "flows/uploads/upload.h"
#include "tables/language/database.h"

/// Uploads on their way, and upload limits.
///
/// What an upload announced (its SHA-256) is compared when it is completed, and its record goes
/// with that; before, not all of its bytes are there. So there is nothing to compare here.
namespace tintype::flows::scrub {
namespace {

using contexts::intake::Upload;
using contexts::people::IsUnlimited;
using contexts::people::LimitRecord;

Status CheckUpload(Run& run, const Upload& listed) {
  ++run.counts().records;
  ASSIGN_OR_RETURN(const auto image, run.parts.catalog.Find(listed.id));
  ASSIGN_OR_RETURN(const auto abandon, run.parts.backlog.Find(AbandonWorkId(listed.id)));
  ASSIGN_OR_RETURN(const auto upload, run.parts.intake.FindUpload(listed.id));
  if (!upload) {
    return OkStatus();  // It has ended meanwhile.
  }
  if (image) {
    run.Report(
        {{"leftover-upload", listed.id, "it is an image already",
          "delete the item UPLOAD# of this id from the table tintype; the account's limit is "
          "short by one until then"}});
  } else if (!abandon) {
    run.Report({{"leftover-upload", listed.id, "no work will give it up when its time has passed",
                 "let the upload end; otherwise delete the item UPLOAD# of this id from the table "
                 "tintype and raise the account's limit by one"}});
  }
  return OkStatus();
}

/// Everything that limits are recounted from.
struct Tally {
  std::vector<LimitRecord> limits;
  std::map<std::string, int64_t> images;   // By email, as the limits.
  std::map<std::string, int64_t> uploads;  // On their way: each has taken one.

  int64_t Taken(const std::string& email) const {
    const auto images_of = images.find(email);
    const auto uploads_of = uploads.find(email);
    return (images_of == images.end() ? 0 : images_of->second) +
           (uploads_of == uploads.end() ? 0 : uploads_of->second);
  }
};

Result<Tally> Recount(Run& run) {
  Tally tally;
  std::optional<tables::Item> after;
  do {
    ASSIGN_OR_RETURN(auto page, contexts::people::ListLimits(run.parts.database, after));
    std::ranges::move(page.limits, std::back_inserter(tally.limits));
    for (const std::string& email : page.uploaders) {
      ++tally.images[email];
    }
    RETURN_IF_ERROR(run.GoOn());
    after = std::move(page.last_evaluated_key);
  } while (after);
  do {
    ASSIGN_OR_RETURN(auto page, run.parts.intake.ListUploads(after));
    for (const Upload& upload : page.uploads) {
      ++tally.uploads[upload.email];
    }
    RETURN_IF_ERROR(run.GoOn());
    after = std::move(page.last_evaluated_key);
  } while (after);
  return tally;
}

/// What a limit should have left; nothing when nobody can know: the number granted is not kept of
/// old accounts, nor of those whose limit somebody has set since.
Result<std::optional<int64_t>> ExpectedLeft(Run& run, const LimitRecord& limit, int64_t taken) {
  if (limit.was_set || !limit.left || IsUnlimited(*limit.left)) {
    return std::optional<int64_t>();
  }
  ASSIGN_OR_RETURN(const auto granted,
                   contexts::people::FindGrant(run.parts.database, limit.email));
  return granted && !IsUnlimited(*granted) ? std::optional(*granted - taken) : std::nullopt;
}

/// Images of an account that have no item in sparks, where limits count them. They are reported by
/// themselves, and have taken theirs.
Result<int64_t> CountUncounted(Run& run, const contexts::identity::Account& account) {
  int64_t count = 0;
  std::optional<tables::Item> after;
  do {
    ASSIGN_OR_RETURN(auto page, run.parts.catalog.ListAll(after));
    for (const contexts::catalog::Image& image : page.images) {
      if (image.user_id == account.id) {
        ASSIGN_OR_RETURN(const auto sparks, run.parts.people.FindImage(image.id, account.email));
        count += sparks ? 0 : 1;
      }
    }
    RETURN_IF_ERROR(run.GoOn());
    after = std::move(page.last_evaluated_key);
  } while (after);
  return count;
}

/// Compares one limit, which was counted twice with the same outcome.
Status CheckLimit(Run& run, const LimitRecord& limit, int64_t taken) {
  ASSIGN_OR_RETURN(const auto account, run.parts.accounts.FindForLogin(limit.email));
  if (!account) {
    run.Report({{"orphaned-record", limit.email, "limit",
                 "there is no account of this email: the item may be deleted"}});
    return OkStatus();
  }
  const std::string next =
      StrCat("tintype users limit ", limit.email,
             " NUMBER, to the right number or a new one; the grant no longer counts then");
  if (!limit.left || *limit.left < 0) {
    run.Report({{"differing-limit", limit.email,
                 limit.left ? StrCat(*limit.left, " uploads left") : "not a whole number", next}});
    return OkStatus();
  }
  ASSIGN_OR_RETURN(auto expected, ExpectedLeft(run, limit, taken));
  if (!expected || *expected == *limit.left) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const int64_t uncounted, CountUncounted(run, account->account));
  if (*expected - uncounted != *limit.left) {
    run.Report({{"differing-limit", limit.email,
                 StrCat(*limit.left, " uploads left instead of ", *expected - uncounted), next}});
  }
  return OkStatus();
}

}  // namespace

Status CheckUploads(Run& run, const Place& place) {
  std::optional<tables::Item> after = KeyAt(place);
  do {
    ASSIGN_OR_RETURN(auto page, run.parts.intake.ListUploads(after));
    for (const Upload& upload : page.uploads) {
      RETURN_IF_ERROR(CheckUpload(run, upload));
    }
    after = std::move(page.last_evaluated_key);
    RETURN_IF_ERROR(after ? run.Advance(PlaceOf(after)) : run.GoOn());
  } while (after);
  return OkStatus();
}

Status CheckSpool(Run& run, const Place& /*place*/) {
  // Bytes on their way that belong to no upload. The next start removes them.
  ASSIGN_OR_RETURN(const std::vector<std::string> ids, run.parts.spool.List());
  for (const std::string& id : ids) {
    ++run.counts().blobs;
    ASSIGN_OR_RETURN(const auto upload, run.parts.intake.FindUpload(id));
    if (upload) {
      continue;
    }
    // Unless it is ending just now: the file goes last.
    ASSIGN_OR_RETURN(const auto in_progress, run.IsInProgress(id));
    const bool at_work = !run.parts.spool.Take(id).ok();
    ASSIGN_OR_RETURN(const auto bytes, run.parts.spool.Bytes(id));
    if (!in_progress && !at_work && bytes) {
      run.Report({{"orphaned-spool", id, "bytes of an upload that has ended",
                   "the next start of the server removes them"}});
    }
  }
  return run.GoOn();
}

Status CheckLimits(Run& run, const Place& /*place*/) {
  // Counted twice: an upload that begins or ends in between is counted here and not there.
  ASSIGN_OR_RETURN(const Tally first, Recount(run));
  ASSIGN_OR_RETURN(const Tally second, Recount(run));
  for (const LimitRecord& limit : second.limits) {
    ++run.counts().records;
    const bool rested = std::ranges::find(first.limits, limit) != first.limits.end() &&
                        first.Taken(limit.email) == second.Taken(limit.email);
    if (rested) {
      RETURN_IF_ERROR(CheckLimit(run, limit, second.Taken(limit.email)));
    }
  }
  return run.GoOn();
}

}  // namespace tintype::flows::scrub
