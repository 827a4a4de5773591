#pragma once

#include <optional>
#include <string_view>

#include "access/audit/audit.h"
#include "access/principal.h"
#include "flows/accounts/outside_sign_in.h"
#include "flows/uploads/upload.h"
#include "http/rest/api/api.h"

/// What the audit is told of calls of the REST API: the one place that decides it.
namespace tintype::http::rest {

/// Who makes a call, as far as it was authenticated.
access::Principal PrincipalOf(const Call& call);

/// The answer instead, when a call must not be made because it could not be recorded.
std::optional<Response> RefuseUnrecorded(access::audit::Audit& audit, const Call& call);

/// Records what was done, or notes that it was denied. May replace the answer, when something was
/// done that could not be recorded. Waits for the audit unless the answer is a refusal.
void AuditAnswer(access::audit::Audit& audit, const Call& call, Response& response);

/// Records what an upload did beside bringing an image: that it is shared, or out of the trash.
/// `completed` was completed by this very call, or it would be recorded again whenever somebody
/// asks for the answer once more. The upload goes on in any case, as it is done by now.
void AuditUpload(access::audit::Audit& audit, const Call& call,
                 const flows::CompletedUpload& completed);
/// Records that the caller has another profile picture.
void AuditPicture(access::audit::Audit& audit, const Call& call);

/// Records what somebody's arrival from another issuer brought about, if it did.
void AuditOutsideSignIn(access::audit::Audit& audit, const Call& call,
                        const access::Principal& principal, flows::OutsideOutcome how);
/// Records that an account has another role because the other issuer says so.
void AuditRole(access::audit::Audit& audit, const Call& call, const flows::Account& account);

/// Notes a link to a medium that was refused.
void AuditRefusedLink(access::audit::Audit& audit, const Call& call);

}  // namespace tintype::http::rest
