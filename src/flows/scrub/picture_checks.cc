#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/people/people.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "flows/scrub/read_blob.h"
#include "flows/scrub/record_checks.h"
#include "tables/language/database.h"

/// Profile pictures, and what the USER items of Sparks say of accounts.
namespace tintype::flows::scrub {
namespace {

using contexts::people::User;

constexpr int64_t kProfilesAtOnce = 100;
/// For so long a file may be there before the account knows of it: the work that makes them agree
/// after a crash is due a minute later.
constexpr int64_t kNewPictureMs = int64_t{5} * 60 * 1000;

/// Compares the stored picture with what the account says of it. Nothing when they agree.
Result<std::optional<Finding>> ComparePicture(Run& run, const Account& account) {
  const std::string key = ProfilePictureKey(account.email);
  const blobs::BlobKey blob{run.parts.config.images_bucket, key};
  if (!account.picture_sha256) {
    return std::optional<Finding>();  // One stored nevertheless is found by its key.
  }
  ASSIGN_OR_RETURN(const auto content, ReadBlob(run, blob));
  const std::string place = StrCat(blob.bucket, "/", key);
  if (!content) {
    return std::optional(Finding{"missing-blob", account.id, place,
                                 "the account's profile picture is lost: have its owner choose it "
                                 "again"});
  }
  if (content->damage || content->hashes.sha256 != *account.picture_sha256) {
    ASSIGN_OR_RETURN(const auto info, run.parts.blobs.Head(blob));
    if (info && info->modified_ms > run.parts.clock.NowMs() - kNewPictureMs) {
      return std::optional<Finding>();
    }
    return std::optional(Finding{"damaged-blob", account.id, place,
                                 "it is not the picture that the account's owner chose: have them "
                                 "choose it again"});
  }
  return std::optional<Finding>();
}

/// Compares the copy with its master. Nothing when they agree.
std::optional<Finding> CompareCopy(const Account& account, const User& user) {
  const std::string key = ProfilePictureKey(account.email);
  const bool agrees = user.username == account.display_name.value_or(account.username) &&
                      user.profile_picture.value_or("") == (account.picture_sha256 ? key : "");
  if (agrees) {
    return std::nullopt;
  }
  return Finding{"differing-copy", account.id, StrCat("sparks ", account.email),
                 "the name or the picture of the USER item is not the account's: it is again once "
                 "the owner changes it"};
}

Status CheckProfile(Run& run, const Account& listed) {
  ++run.counts().records;
  std::vector<Finding> findings;
  ASSIGN_OR_RETURN(const auto picture, ComparePicture(run, listed));
  if (picture) {
    findings.push_back(*picture);
  }
  ASSIGN_OR_RETURN(const auto user, run.parts.people.FindUser(listed.email));
  if (const auto copy = user ? CompareCopy(listed, *user) : std::nullopt) {
    findings.push_back(*copy);
  }
  if (findings.empty()) {
    return OkStatus();
  }
  // Unless the profile was changed since it was listed, or is going.
  ASSIGN_OR_RETURN(const auto account, run.parts.accounts.Find(listed.id));
  if (account && !account->deleting && account->picture_revision == listed.picture_revision &&
      account->display_name == listed.display_name) {
    run.Report(findings);
  }
  return OkStatus();
}

}  // namespace

Status CheckProfiles(Run& run, const Place& place) {
  std::optional<tables::Item> after = KeyAt(place);
  do {
    ASSIGN_OR_RETURN(auto page, run.parts.people.ListUsers(kProfilesAtOnce, after));
    std::vector<std::string> emails;
    emails.reserve(page.users.size());
    for (const User& user : page.users) {
      emails.push_back(user.email);
    }
    ASSIGN_OR_RETURN(const auto accounts, run.parts.accounts.FindAllByEmail(emails));
    for (const Account& account : accounts) {
      RETURN_IF_ERROR(CheckProfile(run, account));
    }
    after = std::move(page.last_evaluated_key);
    RETURN_IF_ERROR(after ? run.Advance(PlaceOf(after)) : run.GoOn());
  } while (after);
  return OkStatus();
}

Status CheckPictureBlob(Run& run, const std::string& key, const std::string& owner) {
  const blobs::BlobKey blob{run.parts.config.images_bucket, key};
  ASSIGN_OR_RETURN(const auto info, run.parts.blobs.Head(blob));
  if (!info || info->modified_ms > run.parts.clock.NowMs() - kNewPictureMs) {
    return OkStatus();
  }
  // Emails alone: by its id, an account has none.
  ASSIGN_OR_RETURN(const auto account, run.parts.accounts.FindForLogin(owner));
  const bool known = account && account->account.picture_sha256 &&
                     ProfilePictureKey(account->account.email) == key;
  if (!known) {
    run.Report({{"orphaned-blob", account ? account->account.id : "", StrCat(blob.bucket, "/", key),
                 "it is no account's profile picture: look at it, and remove it"}});
  }
  return OkStatus();
}

}  // namespace tintype::flows::scrub
