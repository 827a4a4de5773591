#include "flows/accounts/profile_picture.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/hex.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/reasons.h"
#include "contexts/people/people.h"
#include "contract/limits.h"
#include "crypto/digest.h"
#include "flows/accounts/profile.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Piece;
using contexts::Transaction;
using contexts::backlog::Work;
using contexts::identity::Accounts;
using contexts::people::People;

/// Longer than any write of a small blob and the transaction after it take.
constexpr int64_t kSettleAfterMs = 60'000;
/// Of those who change one picture at once, each try lets one through.
constexpr int kPictureTries = 16;
constexpr const char* kPictureAccount = "accountId";
constexpr const char* kPictureEmail = "email";

blobs::BlobKey PictureBlob(const PictureParts& parts, std::string_view email) {
  return {parts.config.images_bucket, ProfilePictureKey(email)};
}

Error PictureDeleting() {
  return {contexts::identity::kAccountDeleting, "The account is being deleted."};
}

/// The account, as long as it is to stay.
Result<Account> FindStaying(const PictureParts& parts, std::string_view account_id) {
  ASSIGN_OR_RETURN(auto account, parts.accounts.Find(account_id));
  if (!account || account->deleting) {
    return PictureDeleting();
  }
  return *std::move(account);
}

/// Has the work done in a minute that SettleProfilePicture is for, unless it is withdrawn.
Result<Work> PlanSettling(const PictureParts& parts, const Account& account) {
  const std::string token = RandomUuid();
  Work work;
  work.id = StrCat(kSettlePictureWork, "-", account.id, "-", token);
  work.type = kSettlePictureWork;
  work.input.emplace(kPictureAccount, account.id);
  work.input.emplace(kPictureEmail, account.email);
  work.due_ms = parts.clock.NowMs() + kSettleAfterMs;
  RETURN_IF_ERROR(Transaction(work.id)
                      .Add(Accounts::CheckStays(account.id))
                      .Add(parts.backlog.Enqueue(work))
                      .Commit(parts.database, parts.retries));
  return work;
}

/// Has account and USER item say what is stored now, if the account is as it was seen before that
/// was stored. `end` is what becomes of the work.
Status RecordPicture(const PictureParts& parts, const Account& seen,
                     const std::optional<std::string>& sha256, Piece end) {
  contexts::people::UserChange copy;
  copy.profile_picture = sha256 ? std::optional(ProfilePictureKey(seen.email)) : std::nullopt;
  return Transaction(StrCat("picture ", seen.id, " ", seen.picture_revision, " ", RandomUuid()))
      .Add(Accounts::SetPicture(seen.id, seen.picture_revision, sha256))
      .Add(People::ChangeUser(NewUser(seen), copy, TimeText(parts.clock.NowMs())))
      .Add(std::move(end))
      .Commit(parts.database, parts.retries);
}

Status StorePicture(const PictureParts& parts, const blobs::BlobKey& key,
                    const std::optional<std::string_view>& jpeg) {
  if (!jpeg) {
    return parts.blobs.Delete(key);
  }
  ASSIGN_OR_RETURN(const auto writer, parts.blobs.Create(key));
  RETURN_IF_ERROR(writer->Write(*jpeg));
  RETURN_IF_ERROR(writer->Commit());
  return OkStatus();
}

/// Removes what was stored for an account that went meanwhile, unless another one has its email and
/// a picture by now.
Status RemoveStrayPicture(const PictureParts& parts, const std::string& account_id,
                          const std::string& email) {
  ASSIGN_OR_RETURN(const auto found, parts.accounts.FindForLogin(email));
  const bool taken_over = found && found->account.id != account_id && found->account.picture_sha256;
  return taken_over ? OkStatus() : parts.blobs.Delete(PictureBlob(parts, email));
}

/// The SHA-256 of what is stored; nothing when there is nothing.
Result<std::optional<std::string>> StoredPicture(const PictureParts& parts,
                                                 const blobs::BlobKey& key) {
  const auto blob = parts.blobs.Open(key);
  if (!blob.ok()) {
    return blob.error().kind() == ErrorKind::kNotFound
               ? Result<std::optional<std::string>>(std::optional<std::string>())
               : Result<std::optional<std::string>>(blob.error());
  }
  constexpr size_t kPieceBytes = size_t{64} * 1024;
  const auto piece = std::make_unique<std::array<char, kPieceBytes>>();
  crypto::Digest digest(crypto::DigestKind::kSha256);
  // A blob larger than any picture is another one than any account's: so much of it tells that.
  for (uint64_t offset = 0; offset <= static_cast<uint64_t>(limits::kPictureBytes.max);) {
    ASSIGN_OR_RETURN(const size_t count, (*blob)->Read(offset, *piece));
    if (count == 0) {
      break;
    }
    digest.Update({piece->data(), count});
    offset += count;
  }
  return std::optional(ToHex(digest.Value()));
}

/// Nothing: takes the picture away.
Result<Account> ChangePicture(const PictureParts& parts, Account account,
                              const std::optional<std::string_view>& jpeg) {
  const std::optional<std::string> sha256 =
      jpeg ? std::optional(crypto::Sha256Hex(*jpeg)) : std::nullopt;
  const blobs::BlobKey key = PictureBlob(parts, account.email);
  RETURN_IF_ERROR(blobs::ValidateBlobKey(key));
  if (account.picture_sha256 == sha256) {
    // Another one may have been stored whose record is still to come: its work would settle on it.
    ASSIGN_OR_RETURN(const auto stored, StoredPicture(parts, key));
    if (stored == sha256) {
      return account;
    }
  }
  ASSIGN_OR_RETURN(const Work work, PlanSettling(parts, account));
  for (int i = 0; i < kPictureTries; ++i) {
    Result<Account> seen = FindStaying(parts, account.id);
    if (!seen.ok() && seen.error().Is(contexts::identity::kAccountDeleting)) {
      RETURN_IF_ERROR(RemoveStrayPicture(parts, account.id, account.email));
    }
    if (!seen.ok()) {
      return seen.error();
    }
    RETURN_IF_ERROR(StorePicture(parts, key, jpeg));
    const Status recorded = RecordPicture(parts, *seen, sha256, parts.backlog.Withdraw(work.id));
    if (recorded.ok()) {
      ++seen->picture_revision;
      seen->picture_sha256 = sha256;
      return seen;
    }
    if (!recorded.error().Is(contexts::identity::kPictureChanged)) {
      return recorded.error();
    }
  }
  return Error(ErrorKind::kOverloaded,
               "The profile picture is being changed by others. Try again.");
}

}  // namespace

Result<Account> SetProfilePicture(const PictureParts& parts, std::string_view account_id,
                                  std::string_view jpeg) {
  ASSIGN_OR_RETURN(Account account, FindStaying(parts, account_id));
  return ChangePicture(parts, std::move(account), jpeg);
}

Result<Account> RemoveProfilePicture(const PictureParts& parts, std::string_view account_id) {
  ASSIGN_OR_RETURN(Account account, FindStaying(parts, account_id));
  return ChangePicture(parts, std::move(account), std::nullopt);
}

Status SettleProfilePicture(const PictureParts& parts, const Work& work) {
  const auto id = work.input.find(kPictureAccount);
  const auto email = work.input.find(kPictureEmail);
  if (id == work.input.end() || email == work.input.end()) {
    return Error::Validation("The work names no account.");
  }
  const auto complete = [&] {
    return Transaction(StrCat(work.id, " ", work.token))
        .Add(parts.backlog.Complete(work))
        .Commit(parts.database, parts.retries);
  };
  ASSIGN_OR_RETURN(std::optional<Account> account, parts.accounts.Find(id->second));
  const bool gone = !account;
  if (gone) {
    ASSIGN_OR_RETURN(const auto heir, parts.accounts.FindForLogin(email->second));
    if (!heir) {
      const blobs::BlobKey left = PictureBlob(parts, email->second);
      RETURN_IF_ERROR(blobs::ValidateBlobKey(left));
      RETURN_IF_ERROR(parts.blobs.Delete(left));
      return complete();
    }
    account = heir->account;
  }
  if (account->deleting) {
    return complete();  // The deletion takes the picture with it.
  }
  const blobs::BlobKey key = PictureBlob(parts, account->email);
  ASSIGN_OR_RETURN(std::optional<std::string> stored, StoredPicture(parts, key));
  ASSIGN_OR_RETURN(const auto user, parts.people.FindUser(account->email));
  // A picture left by an account that is gone does not become that of the next one of its email. If
  // that one is just setting its first, it notices by the record, and stores it again.
  const bool is_stray = gone && stored && !account->picture_sha256;
  if (is_stray) {
    RETURN_IF_ERROR(parts.blobs.Delete(key));
    stored.reset();
  }
  const bool agrees = !is_stray && stored == account->picture_sha256;
  if (agrees || !user) {
    return complete();
  }
  return RecordPicture(parts, *account, stored, parts.backlog.Complete(work));
}

}  // namespace tintype::flows
