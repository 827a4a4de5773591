#include "http/rest/api/audited_operations.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace tintype::http::rest {
namespace {

using access::audit::Audit;
using access::audit::Entry;
using access::audit::Outcome;
namespace kinds = access::audit;

enum class When {
  kDone,        ///< Recorded when it was done; not done when it cannot be recorded.
  kGoesOn,      ///< The same, but done in any case: on a full disk too people log in and delete.
  kSummarised,  ///< Done so often that it is noted as denials are.
  kDenied,      ///< Only denials, under a kind of their own.
};

struct AuditedOperation {
  std::string_view operation_id;
  std::string_view kind;
  When when = When::kDone;
};

/// Operations that are not here are audited only when they are denied; those that take a body as it
/// arrives tell it themselves (AuditUpload, AuditPicture).
constexpr std::array kAudited = {
    AuditedOperation{"signUp", kinds::kSignUp},
    AuditedOperation{"logIn", kinds::kLogIn, When::kGoesOn},
    AuditedOperation{"finishOutsideSignIn", kinds::kLogIn, When::kGoesOn},
    AuditedOperation{"logOut", kinds::kLogOut, When::kGoesOn},
    AuditedOperation{"refresh", kinds::kRefresh, When::kDenied},
    AuditedOperation{"setPassword", kinds::kSetPassword},
    AuditedOperation{"changePassword", kinds::kChangePassword},
    AuditedOperation{"endSession", kinds::kEndSession, When::kGoesOn},
    AuditedOperation{"endOtherSessions", kinds::kEndOtherSessions, When::kGoesOn},
    AuditedOperation{"unlinkIdentity", kinds::kUnlinkIdentity, When::kGoesOn},
    AuditedOperation{"createApiKey", kinds::kCreateApiKey},
    AuditedOperation{"deleteApiKey", kinds::kDeleteApiKey, When::kGoesOn},
    AuditedOperation{"changeMe", kinds::kChangeProfile},
    AuditedOperation{"changeSettings", kinds::kChangeProfile},
    AuditedOperation{"removePicture", kinds::kChangeProfile, When::kGoesOn},
    AuditedOperation{"deleteMe", kinds::kDeleteAccount},
    AuditedOperation{"createUser", kinds::kCreateAccount},
    AuditedOperation{"changeUser", kinds::kChangeAccount},
    AuditedOperation{"deleteUser", kinds::kDeleteAccount},
    AuditedOperation{"createPasswordLink", kinds::kMakePasswordLink},
    AuditedOperation{"unlinkUserIdentity", kinds::kUnlinkIdentity, When::kGoesOn},
    AuditedOperation{"createInvitation", kinds::kInvite},
    AuditedOperation{"deleteInvitation", kinds::kTakeInvitationBack, When::kGoesOn},
    AuditedOperation{"shareImage", kinds::kShareImage},
    AuditedOperation{"unshareImage", kinds::kUnshareImage, When::kGoesOn},
    AuditedOperation{"deleteImage", kinds::kTrashImage, When::kGoesOn},
    AuditedOperation{"restoreImage", kinds::kRestoreImage},
    AuditedOperation{"emptyTrash", kinds::kEmptyTrash, When::kGoesOn},
    AuditedOperation{"listAudit", kinds::kReadAudit, When::kSummarised},
};

const AuditedOperation* FindAudited(const Call& call) {
  if (call.operation == nullptr) {
    return nullptr;
  }
  const auto* found =
      std::ranges::find(kAudited, call.operation->id, &AuditedOperation::operation_id);
  return found == kAudited.end() ? nullptr : found;
}

bool IsDenial(int status) { return status == 401 || status == 403 || status == 429; }

Entry EntryOf(const Call& call) {
  Entry entry;
  entry.principal = PrincipalOf(call);
  entry.request_id = call.request_id;
  if (!call.parameters.empty()) {
    entry.subject = call.parameters[0];
  }
  if (call.operation != nullptr) {
    entry.details["operation"] = call.operation->id;
  }
  if (call.notes != nullptr) {
    entry.subject = call.notes->subject.empty() ? entry.subject : call.notes->subject;
  }
  return entry;
}

void NoteDenial(Audit& audit, const Call& call, const AuditedOperation* audited, int status) {
  Entry entry = EntryOf(call);
  // A denied login is a login; a share that was denied for want of one is not a share.
  const bool own_kind = audited != nullptr && !call.caller && status != 403;
  entry.kind = own_kind && call.operation->id != "listAudit" ? audited->kind
               : status == 401                               ? kinds::kUnauthenticated
                                                             : kinds::kForbidden;
  entry.outcome = Outcome::kDenied;
  entry.details["reason"] = call.notes != nullptr ? call.notes->refusal : "";
  audit.Note(std::move(entry));
}

std::string_view KindOf(const AuditedOperation& audited, const Call& call) {
  if (call.notes != nullptr && !call.notes->act.empty()) {
    return call.notes->act;
  }
  const bool for_good =
      audited.kind == kinds::kTrashImage && call.target.Parameter("permanent") == "true";
  return for_good ? kinds::kDeleteImage : audited.kind;
}

}  // namespace

access::Principal PrincipalOf(const Call& call) {
  if (call.caller) {
    return call.caller->principal;
  }
  access::Principal principal;
  principal.address = call.request.address;
  if (call.notes != nullptr && call.notes->signed_in) {
    const flows::SignedIn& signed_in = *call.notes->signed_in;
    principal.kind = access::PrincipalKind::kSession;
    principal.id = signed_in.session_id;
    principal.account_id = signed_in.account.id;
    principal.administrator = signed_in.account.administrator;
  }
  return principal;
}

std::optional<Response> RefuseUnrecorded(Audit& audit, const Call& call) {
  const AuditedOperation* const audited = FindAudited(call);
  if (audited == nullptr || audited->when != When::kDone) {
    return std::nullopt;
  }
  const Status ready = audit.CheckReady();
  return ready.ok() ? std::nullopt : std::optional(Refuse(call, ready.error()));
}

void AuditAnswer(Audit& audit, const Call& call, Response& response) {
  const AuditedOperation* const audited = FindAudited(call);
  if (response.status >= 400) {
    // Too many requests are a denial of who signs in alone; for others they are ordinary.
    const bool denial = response.status != 429 || (audited != nullptr && !call.caller);
    if (IsDenial(response.status) && denial) {
      NoteDenial(audit, call, audited, response.status);
    }
    return;
  }
  if (audited == nullptr || audited->when == When::kDenied) {
    return;
  }
  Entry entry = EntryOf(call);
  entry.kind = KindOf(*audited, call);
  switch (audited->when) {
    case When::kGoesOn:
      audit.RecordOrQueue(std::move(entry));
      return;
    case When::kSummarised:
      audit.Note(std::move(entry));
      return;
    default:
      break;
  }
  if (const Status recorded = audit.Record(std::move(entry)); !recorded.ok()) {
    response = Refuse(call, recorded.error());
  }
}

void AuditUpload(Audit& audit, const Call& call, const flows::CompletedUpload& completed) {
  const auto record = [&](std::string_view kind) {
    Entry entry = EntryOf(call);
    entry.kind = kind;
    entry.subject = completed.image.id;
    audit.RecordOrQueue(std::move(entry));
  };
  if (completed.restored) {
    record(kinds::kRestoreImage);
  }
  if (completed.shared) {
    record(kinds::kShareImage);
  }
}

void AuditPicture(Audit& audit, const Call& call) {
  Entry entry = EntryOf(call);
  entry.kind = kinds::kChangeProfile;
  audit.RecordOrQueue(std::move(entry));
}

void AuditOutsideSignIn(Audit& audit, const Call& call, const access::Principal& principal,
                        flows::OutsideOutcome how) {
  if (how == flows::OutsideOutcome::kKnown) {
    return;
  }
  Entry entry = EntryOf(call);
  entry.principal = principal;
  entry.kind = how == flows::OutsideOutcome::kMade ? kinds::kSignUp : kinds::kLinkIdentity;
  entry.subject = principal.account_id;
  audit.RecordOrQueue(std::move(entry));
}

void AuditRole(Audit& audit, const Call& call, const flows::Account& account) {
  Entry entry = EntryOf(call);
  entry.kind = kinds::kChangeAccount;
  entry.subject = account.id;
  entry.details["administrator"] = account.administrator ? "true" : "false";
  audit.RecordOrQueue(std::move(entry));
}

void AuditRefusedLink(Audit& audit, const Call& call) {
  Entry entry = EntryOf(call);
  entry.kind = kinds::kForbidden;
  entry.outcome = Outcome::kDenied;
  // Without the query, which is the key to it.
  entry.subject = call.target.path;
  entry.details = {{"operation", "getMedium"}};
  audit.Note(std::move(entry));
}

}  // namespace tintype::http::rest
