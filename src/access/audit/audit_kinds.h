#pragma once

#include <string_view>

/// The kinds of audit entries, one constant each: what was done, as `what.act`. Programs filter by
/// these names and entries are kept for more than a year, so a name never changes its meaning. An
/// entry's outcome (entry.h) tells whether it was done or denied: there is no kind of its own for
/// "login failed".
namespace tintype::access::audit {

// Who comes and goes.
inline constexpr std::string_view kSignUp = "account.sign-up";
inline constexpr std::string_view kLogIn = "session.login";
inline constexpr std::string_view kLogOut = "session.logout";
/// A refresh token that was not accepted. Those that were are not recorded.
inline constexpr std::string_view kRefresh = "session.refresh";

/// The owner ended one of the account's sessions, whose id is the subject, or all but the one that
/// is in use.
inline constexpr std::string_view kEndSession = "session.end";
inline constexpr std::string_view kEndOtherSessions = "session.end-others";
inline constexpr std::string_view kChangePassword = "account.change-password";
/// By a one-time link.
inline constexpr std::string_view kSetPassword = "account.set-password";
/// Another issuer by which the account signs in; of the latter, the subject is the identity's id.
inline constexpr std::string_view kLinkIdentity = "account.link-identity";
inline constexpr std::string_view kUnlinkIdentity = "account.unlink-identity";

/// The owner changed what the account shows of them: a name, the own picture.
inline constexpr std::string_view kChangeProfile = "account.profile";

// API keys of accounts. The subject is the key's id.
inline constexpr std::string_view kCreateApiKey = "api-key.create";
inline constexpr std::string_view kDeleteApiKey = "api-key.delete";

// Requests that were turned away, whatever they asked for: `details.operation` names it.
/// Nobody that we know: 401 of the REST API, a wrong or missing signature at the DynamoDB endpoint.
inline constexpr std::string_view kUnauthenticated = "access.unauthenticated";
/// Somebody that we know, who may not do that.
inline constexpr std::string_view kForbidden = "access.forbidden";

// Photos. The subject is the image's id.
inline constexpr std::string_view kShareImage = "image.share";
inline constexpr std::string_view kUnshareImage = "image.unshare";
inline constexpr std::string_view kTrashImage = "image.trash";
inline constexpr std::string_view kRestoreImage = "image.restore";
inline constexpr std::string_view kDeleteImage = "image.delete";
inline constexpr std::string_view kEmptyTrash = "trash.empty";

// Accounts, by an administrator. The subject is the account.
inline constexpr std::string_view kCreateAccount = "account.create";
inline constexpr std::string_view kLimitAccount = "account.limit";
inline constexpr std::string_view kResetPassword = "account.reset-password";
/// Its state, role or limit.
inline constexpr std::string_view kChangeAccount = "account.change";
/// Also by its owner.
inline constexpr std::string_view kDeleteAccount = "account.delete";
inline constexpr std::string_view kMakePasswordLink = "account.password-link";
/// The subject is the invitation's id.
inline constexpr std::string_view kInvite = "invitation.create";
inline constexpr std::string_view kTakeInvitationBack = "invitation.delete";

// Access keys of the tables. The subject is the key's id.
inline constexpr std::string_view kCreateKey = "key.create";
inline constexpr std::string_view kDeleteKey = "key.delete";
inline constexpr std::string_view kRotateKey = "key.rotate";
inline constexpr std::string_view kChangeKeyPolicy = "key.policy";
inline constexpr std::string_view kDisableKey = "key.disable";
inline constexpr std::string_view kEnableKey = "key.enable";
inline constexpr std::string_view kExpireKey = "key.expire";
inline constexpr std::string_view kRotateMasterKey = "key.rotate-master";
inline constexpr std::string_view kRotateDataKey = "key.rotate-data";
inline constexpr std::string_view kRotateRootKey = "key.rotate-root";
inline constexpr std::string_view kRotateLinkKey = "key.rotate-links";
inline constexpr std::string_view kRotateTokenKey = "key.rotate-signing";

// Control calls of the tables, by the DynamoDB API or the command line. The subject is the table's
// name or the ARN that the call names; `details.operation` is DynamoDB's name of the call.
inline constexpr std::string_view kCreateTable = "table.create";
inline constexpr std::string_view kUpdateTable = "table.update";
inline constexpr std::string_view kDeleteTable = "table.delete";
inline constexpr std::string_view kRestoreTable = "table.restore";
inline constexpr std::string_view kTagTable = "table.tags";
/// The policy of a table or a stream was put or deleted.
inline constexpr std::string_view kTablePolicy = "table.policy";
inline constexpr std::string_view kExpireItems = "table.time-to-live";
inline constexpr std::string_view kRecovery = "table.recovery";
inline constexpr std::string_view kExportTable = "table.export";
inline constexpr std::string_view kImportTable = "table.import";
inline constexpr std::string_view kCreateBackup = "backup.create";
inline constexpr std::string_view kDeleteBackup = "backup.delete";

// Commands of who runs the server, beside those above.
inline constexpr std::string_view kBackUpDirectory = "directory.backup";
inline constexpr std::string_view kImportFolder = "images.import";
inline constexpr std::string_view kRebuildRenditions = "images.rebuild";
inline constexpr std::string_view kRebuildAnalysis = "images.analyse";
inline constexpr std::string_view kRebuildUsage = "images.recount";
inline constexpr std::string_view kScrub = "images.scrub";
inline constexpr std::string_view kEncryptPhotos = "images.encrypt";
inline constexpr std::string_view kReplayWork = "work.replay";
inline constexpr std::string_view kPurgeWork = "work.purge";
/// Somebody read the audit itself.
inline constexpr std::string_view kReadAudit = "audit.read";

// Of the audit itself, by the server.
inline constexpr std::string_view kAuditBegin = "audit.begin";
/// Entries that were older than is kept were removed from the start of a chain.
inline constexpr std::string_view kAuditTrim = "audit.trim";
/// The chain in the table is not the one that this server wrote; `details` says how.
inline constexpr std::string_view kAuditDamage = "audit.damage";
/// Entries that were not written, for lack of room in the queue; `count` is how many.
inline constexpr std::string_view kAuditLost = "audit.lost";

}  // namespace tintype::access::audit
