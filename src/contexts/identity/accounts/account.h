#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tintype::contexts::identity {

/// Who someone is to this server.
struct Account {
  std::string id;        // A ULID, for life: `userId` in every table.
  std::string email;     // Verified, in lower case: the key of Sparks' items.
  std::string username;  // Unique and immutable: the key of `photos`.
  bool administrator = false;
  int64_t created_ms = 0;
  /// Raised when all sessions of the account end at once: those that began before have a lower one.
  int64_t session_generation = 0;
  /// What people call themselves. Nothing: the username.
  std::optional<std::string> display_name = {};
  /// A few words on themselves.
  std::optional<std::string> about = {};
  /// What is looked for in uploads that do not say, as analysis::AiOptions::Text has it. Nothing:
  /// what the server does by default.
  std::optional<std::string> ai_options = {};
  /// How often the profile picture was set or taken away: links to it name this, so that each
  /// change has links of its own. The bytes change a moment before, so in that moment a link from
  /// before shows the next picture.
  int64_t picture_revision = 0;
  /// Of the stored profile picture, in hexadecimal. Nothing: there is none.
  std::optional<std::string> picture_sha256 = {};
  /// Nobody can sign in; everything stays.
  bool disabled = false;
  /// Everything of it is being removed, and in the end the account.
  bool deleting = false;
  /// Somebody who may do so said that the email is its owner's: an administrator, or an invitation
  /// to that address. Only then does an outside identity of the same email come to the account by
  /// itself (flows/accounts/outside_sign_in.h), and only one: an address may be somebody else's
  /// later.
  bool email_vouched = false;
  /// It was made by an outside identity, whose issuer says at each sign-in whether it is an
  /// administrator's. Not where an invitation made it one.
  bool role_from_outside = false;
  /// Not where another issuer signs its owner in, or until they have set one.
  bool has_password = false;
};

}  // namespace tintype::contexts::identity
