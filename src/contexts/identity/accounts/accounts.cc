#include "contexts/identity/accounts/accounts.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "contexts/common/find_items.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "contexts/common/update_builder.h"
#include "contexts/identity/reasons.h"
#include "contract/limits.h"

namespace tintype::contexts::identity {
namespace {

using tables::Value;

tables::Item KeyOfItem(std::string_view kind, std::string_view name) {
  return ItemBuilder().Text("PK", StrCat(kind, "#", name)).Text("SK", kind).Build();
}

tables::Item SetUpKey() { return ItemBuilder().Text("PK", "SETUP").Text("SK", "SETUP").Build(); }

/// An item that says whose a name is.
Piece ClaimName(std::string_view kind, std::string_view name, std::string_view id, Error taken) {
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat(kind, "#", name))
                          .Text("SK", kind)
                          .Text("accountId", id)
                          .Build();
  return PutPiece(std::string(kSystemTable), std::move(item),
                  ConditionOf("attribute_not_exists(PK)", {}), std::move(taken));
}

/// An update of an account that stays.
Piece ChangePiece(std::string_view id, std::string_view update, const Bindings& bindings) {
  return UpdatePiece(
      std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
      UpdateIf(update, "attribute_exists(PK) AND attribute_not_exists(deleting)", bindings),
      Error(kAccountDeleting, "The account is being deleted."));
}

/// The update of an account that is to be removed.
Piece DeletingPiece(std::string_view id, std::string_view condition, Error refusal) {
  return UpdatePiece(
      std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
      UpdateIf("SET #disabled = :true, deleting = :true ADD sessionGeneration :one", condition,
               {{{"#disabled", "disabled"}},
                {{":true", Value::Bool(true)}, {":one", Value::Integer(1)}}}),
      std::move(refusal));
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

}  // namespace

Result<std::string> CheckEmail(std::string_view text) {
  // An address ends sort keys of other tables, which have 1024 bytes whatever the characters.
  constexpr size_t kKeyEndBytesMax = 1000;
  const size_t at = text.find('@');
  const bool printable = std::ranges::all_of(
      text, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != 127; });
  if (!limits::Allows(limits::kEmail, text) || text.size() > kKeyEndBytesMax || at == 0 ||
      at == std::string_view::npos || at + 1 == text.size() ||
      text.find('@', at + 1) != std::string_view::npos || !printable) {
    return Error::Validation("`email` is not an email address.");
  }
  return LowerCase(text);
}

Result<std::string> CheckUsername(std::string_view text) {
  const std::string name = LowerCase(text);
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
  if (!limits::Allows(limits::kUsername, name) || !plain) {
    return Error::Validation(StrCat("`username` has ", limits::kUsername.min, " to ",
                                    limits::kUsername.max,
                                    " letters, digits, dots, hyphens and underscores."));
  }
  return name;
}

tables::Item Accounts::KeyOf(std::string_view id) { return KeyOfItem("ACCOUNT", id); }

Account Accounts::FromItem(const ItemReader& read) {
  Account account;
  account.id = read.Text("id");
  account.email = read.Text("email");
  account.username = read.Text("username");
  account.administrator = read.Bool("administrator");
  account.created_ms = read.Integer("createdAt");
  account.session_generation = read.Integer("sessionGeneration");
  account.display_name = read.OptionalText("displayName");
  account.about = read.OptionalText("about");
  account.ai_options = read.OptionalText("aiOptions");
  account.picture_revision = read.Integer("pictureRevision");
  account.picture_sha256 = read.OptionalText("pictureSha256");
  account.disabled = read.Bool("disabled");
  account.deleting = read.Bool("deleting");
  account.email_vouched = read.Bool("emailVouched");
  account.role_from_outside = read.Bool("roleFromOutside");
  account.has_password = !read.Text("passwordHash").empty();
  return account;
}

Result<std::optional<AccountWithPassword>> Accounts::FindWithPassword(std::string_view id) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = std::string(kSystemTable),
                                                           .key = KeyOfItem("ACCOUNT", id),
                                                           .projection = {},
                                                           .consistent_read = true}));
  if (!response.item) {
    return std::optional<AccountWithPassword>();
  }
  const ItemReader read(*response.item);
  AccountWithPassword found;
  found.account = FromItem(read);
  found.password_hash = read.Text("passwordHash");
  return std::optional<AccountWithPassword>(std::move(found));
}

Result<std::optional<Account>> Accounts::Find(std::string_view id) {
  ASSIGN_OR_RETURN(auto found, FindWithPassword(id));
  return found ? std::optional<Account>(std::move(found->account)) : std::nullopt;
}

Result<std::unordered_map<std::string, Account>> Accounts::FindAll(
    const std::vector<std::string>& ids) {
  std::vector<tables::Item> keys;
  keys.reserve(ids.size());
  for (const std::string& id : ids) {
    keys.push_back(KeyOfItem("ACCOUNT", id));
  }
  ASSIGN_OR_RETURN(const auto items, FindItems(database_, kSystemTable, std::move(keys)));
  std::unordered_map<std::string, Account> found;
  for (const tables::Item& item : items) {
    Account account = FromItem(ItemReader(item));
    std::string id = account.id;
    found.emplace(std::move(id), std::move(account));
  }
  return found;
}

Result<std::vector<Account>> Accounts::FindAllByEmail(const std::vector<std::string>& emails) {
  std::vector<tables::Item> keys;
  keys.reserve(emails.size());
  for (const std::string& email : emails) {
    keys.push_back(KeyOfItem("EMAIL", email));
  }
  ASSIGN_OR_RETURN(const auto claims, FindItems(database_, kSystemTable, std::move(keys)));
  std::vector<std::string> ids;
  ids.reserve(claims.size());
  for (const tables::Item& claim : claims) {
    ids.push_back(ItemReader(claim).Text("accountId"));
  }
  ASSIGN_OR_RETURN(auto by_id, FindAll(ids));
  std::unordered_map<std::string, Account> by_email;
  for (auto& [id, account] : by_id) {
    std::string email = account.email;
    by_email.emplace(std::move(email), std::move(account));
  }
  std::vector<Account> found;
  for (const std::string& email : emails) {
    if (const auto it = by_email.find(email); it != by_email.end()) {
      found.push_back(it->second);
    }
  }
  return found;
}

Result<std::optional<AccountWithPassword>> Accounts::FindForLogin(std::string_view name) {
  const std::string lower = LowerCase(name);
  const std::string_view kind = lower.find('@') == std::string::npos ? "USERNAME" : "EMAIL";
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = std::string(kSystemTable),
                                                           .key = KeyOfItem(kind, lower),
                                                           .projection = {},
                                                           .consistent_read = true}));
  if (!response.item) {
    return std::optional<AccountWithPassword>();
  }
  return FindWithPassword(ItemReader(*response.item).Text("accountId"));
}

Result<bool> Accounts::IsSetUp() {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = std::string(kSystemTable),
                                                           .key = SetUpKey(),
                                                           .projection = {},
                                                           .consistent_read = true}));
  return response.item.has_value();
}

Pieces Accounts::Add(const AccountWithPassword& with_password) {
  const Account& account = with_password.account;
  ItemBuilder item;
  item.Text("PK", StrCat("ACCOUNT#", account.id))
      .Text("SK", "ACCOUNT")
      .Text("id", account.id)
      .Text("email", account.email)
      .Text("username", account.username)
      .Bool("administrator", account.administrator)
      .Integer("createdAt", account.created_ms)
      .Text("passwordHash", with_password.password_hash)
      .MaybeText("displayName", account.display_name);
  if (account.email_vouched) {
    item.Bool("emailVouched", true);
  }
  if (account.role_from_outside) {
    item.Bool("roleFromOutside", true);
  }
  Pieces pieces;
  pieces.push_back(ClaimName("EMAIL", account.email, account.id,
                             {kEmailTaken, "There is an account of this email already."}));
  pieces.push_back(ClaimName("USERNAME", account.username, account.id,
                             {kUsernameTaken, "This username is taken."}));
  pieces.push_back(PutPiece(std::string(kSystemTable), item.Build()));
  return pieces;
}

Piece Accounts::SetUp(const Account& account) {
  tables::Item item =
      ItemBuilder().Text("PK", "SETUP").Text("SK", "SETUP").Text("accountId", account.id).Build();
  return PutPiece(std::string(kSystemTable), std::move(item),
                  ConditionOf("attribute_not_exists(PK)", {}),
                  Error(kSetUpAlready, "The first account has been made already."));
}

Piece Accounts::ResetPassword(std::string_view id, std::string_view password_hash) {
  return UpdatePiece(
      std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
      UpdateIf("SET passwordHash = :hash ADD sessionGeneration :one", "attribute_exists(PK)",
               {{}, {{":hash", Value::String(password_hash)}, {":one", Value::Integer(1)}}}),
      Error::NotFound("There is no such account."));
}

Piece Accounts::SetStanding(std::string_view id, const StandingChange& change) {
  std::string set;
  std::string_view rest;
  Bindings bindings;
  if (change.administrator) {
    set = "SET administrator = :administrator";
    bindings.values.emplace(":administrator", Value::Bool(*change.administrator));
  }
  if (change.disabled) {
    bindings.names.emplace("#disabled", "disabled");
  }
  if (change.disabled == true) {
    StrAppend(set, set.empty() ? "SET " : ", ", "#disabled = :true");
    rest = " ADD sessionGeneration :one";
    bindings.values.emplace(":true", Value::Bool(true));
    bindings.values.emplace(":one", Value::Integer(1));
  } else if (change.disabled == false) {
    rest = " REMOVE #disabled";
  }
  return ChangePiece(id, StrCat(set, rest), bindings);
}

Piece Accounts::CheckAdministrator(std::string_view id) {
  return CheckPiece(std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
                    ConditionOf("administrator = :true AND attribute_not_exists(#disabled)",
                                {{{"#disabled", "disabled"}}, {{":true", Value::Bool(true)}}}),
                    Error(kAdministratorNoMore, "You are not an administrator any more."));
}

Piece Accounts::SetProfile(std::string_view id, const ProfileChange& change) {
  UpdateBuilder update;
  if (change.display_name) {
    update.MaybeText("displayName", *change.display_name);
  }
  if (change.about) {
    update.MaybeText("about", *change.about);
  }
  return ChangePiece(id, update.text(), update.bindings());
}

Piece Accounts::SetAiOptions(std::string_view id, const std::optional<std::string>& options) {
  UpdateBuilder update;
  update.MaybeText("aiOptions", options);
  return ChangePiece(id, update.text(), update.bindings());
}

Piece Accounts::SpendVouch(std::string_view id, Error refusal) {
  return UpdatePiece(
      std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
      UpdateIf("REMOVE emailVouched", "emailVouched = :true AND attribute_not_exists(deleting)",
               {{}, {{":true", Value::Bool(true)}}}),
      std::move(refusal));
}

Piece Accounts::DropVouch(std::string_view id) {
  return ChangePiece(id, "REMOVE emailVouched", {});
}

Piece Accounts::CheckStays(std::string_view id) {
  return CheckPiece(std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
                    ConditionOf("attribute_exists(PK) AND attribute_not_exists(deleting)", {}),
                    Error(kAccountDeleting, "The account is being deleted."));
}

Piece Accounts::SetPicture(std::string_view id, int64_t seen,
                           const std::optional<std::string>& sha256) {
  UpdateBuilder update;
  update.Integer("pictureRevision", seen + 1).MaybeText("pictureSha256", sha256);
  Bindings bindings = update.bindings();
  std::string condition = "attribute_exists(PK) AND attribute_not_exists(deleting) AND ";
  if (seen == 0) {
    condition += "attribute_not_exists(pictureRevision)";
  } else {
    condition += "pictureRevision = :seen";
    bindings.values.emplace(":seen", Value::Integer(seen));
  }
  return UpdatePiece(std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
                     UpdateIf(update.text(), condition, bindings),
                     Error(kPictureChanged, "The profile picture was changed at the same time."));
}

Piece Accounts::MarkDeleting(std::string_view id) {
  return DeletingPiece(id, "attribute_exists(PK)", Error::NotFound("There is no such account."));
}

Piece Accounts::MarkDeletingUser(std::string_view id) {
  // As FromItem reads it: anything but true is no administrator.
  return DeletingPiece(
      id, "attribute_exists(PK) AND NOT administrator = :true",
      Error(kIsAdministrator,
            "An administrator's account is deleted by another administrator, or by 'tintype users "
            "delete', so that there is always one left."));
}

Pieces Accounts::Remove(const Account& account) {
  Pieces pieces;
  pieces.push_back(DeletePiece(std::string(kSystemTable), KeyOfItem("ACCOUNT", account.id)));
  // Nobody else can have taken the names: they are free only once this has been committed.
  pieces.push_back(DeletePiece(std::string(kSystemTable), KeyOfItem("EMAIL", account.email)));
  pieces.push_back(DeletePiece(std::string(kSystemTable), KeyOfItem("USERNAME", account.username)));
  return pieces;
}

Piece Accounts::ChangePassword(std::string_view id, std::string_view from, std::string_view to) {
  return UpdatePiece(
      std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
      UpdateIf("SET passwordHash = :to ADD sessionGeneration :one", "passwordHash = :from",
               {{},
                {{":to", Value::String(to)},
                 {":from", Value::String(from)},
                 {":one", Value::Integer(1)}}}),
      Error(kPasswordChanged, "The password was changed."));
}

Piece Accounts::ReplaceHash(std::string_view id, std::string_view from, std::string_view to) {
  return UpdatePiece(std::string(kSystemTable), KeyOfItem("ACCOUNT", id),
                     UpdateIf("SET passwordHash = :to", "passwordHash = :from",
                              {{}, {{":to", Value::String(to)}, {":from", Value::String(from)}}}),
                     Error(kPasswordChanged, "The password was changed."));
}

}  // namespace tintype::contexts::identity
