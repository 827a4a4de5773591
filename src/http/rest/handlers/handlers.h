#pragma once

#include "http/rest/api/api.h"

/// The handlers of the route table, one file per resource.
namespace tintype::http::rest {

// auth_handlers.cc
Response GetAuthState(Api& api, const Call& call);
Response PostSignUp(Api& api, const Call& call);
Response PostLogIn(Api& api, const Call& call);
Response PostRefresh(Api& api, const Call& call);
Response PostLogOut(Api& api, const Call& call);
Response PostPasswordByLink(Api& api, const Call& call);
Response GetJwks(Api& api, const Call& call);

// outside_handlers.cc
Response PostOutsideSignIn(Api& api, const Call& call);
Response PostOutsideReturn(Api& api, const Call& call);
Response GetIdentities(Api& api, const Call& call);
Response PostIdentity(Api& api, const Call& call);
Response DeleteIdentity(Api& api, const Call& call);
Response GetUserIdentities(Api& api, const Call& call);
Response DeleteUserIdentity(Api& api, const Call& call);

// account_handlers.cc
Response GetMe(Api& api, const Call& call);
Response GetMyLimit(Api& api, const Call& call);
Response PatchMe(Api& api, const Call& call);
Response GetMySettings(Api& api, const Call& call);
Response PatchMySettings(Api& api, const Call& call);
Response DeleteMyPicture(Api& api, const Call& call);
Response PostMyPassword(Api& api, const Call& call);
Response PostMyDeletion(Api& api, const Call& call);

// session_handlers.cc
Response GetSessions(Api& api, const Call& call);
Response DeleteOtherSessions(Api& api, const Call& call);
Response DeleteSession(Api& api, const Call& call);

// api_key_handlers.cc
Response GetApiKeys(Api& api, const Call& call);
Response PostApiKey(Api& api, const Call& call);
Response DeleteApiKey(Api& api, const Call& call);

// user_handlers.cc
Response GetUsers(Api& api, const Call& call);
Response PostUser(Api& api, const Call& call);
Response GetUser(Api& api, const Call& call);
Response PatchUser(Api& api, const Call& call);
Response DeleteUser(Api& api, const Call& call);
Response PostPasswordLink(Api& api, const Call& call);

// invitation_handlers.cc
Response GetInvitations(Api& api, const Call& call);
Response PostInvitation(Api& api, const Call& call);
Response DeleteInvitation(Api& api, const Call& call);

// image_handlers.cc
Response GetImages(Api& api, const Call& call);
Response DeleteImages(Api& api, const Call& call);
Response GetImage(Api& api, const Call& call);
Response PatchImage(Api& api, const Call& call);
Response DeleteImage(Api& api, const Call& call);
Response PostShare(Api& api, const Call& call);
Response PostUnshare(Api& api, const Call& call);
Response PostRestore(Api& api, const Call& call);
Response GetVersions(Api& api, const Call& call);
Response PostRevert(Api& api, const Call& call);
Response GetFeed(Api& api, const Call& call);
Response GetMediaRecord(Api& api, const Call& call);
Response GetAnalysisRecord(Api& api, const Call& call);
Response GetAnalysisResult(Api& api, const Call& call);
Response GetWaveform(Api& api, const Call& call);
Response GetDocumentText(Api& api, const Call& call);
Response GetCaptions(Api& api, const Call& call);
Response GetDocumentPage(Api& api, const Call& call);

// similar_handlers.cc
Response GetSimilarImages(Api& api, const Call& call);

// job_handlers.cc
Response PostJob(Api& api, const Call& call);
Response GetJobs(Api& api, const Call& call);
Response GetJob(Api& api, const Call& call);
Response DeleteJob(Api& api, const Call& call);

// link_handlers.cc
Response PostLink(Api& api, const Call& call);

// audit_handlers.cc
Response GetAudit(Api& api, const Call& call);

// contract_handlers.cc
Response GetOpenApi(Api& api, const Call& call);

}  // namespace tintype::http::rest
