#include <array>

#include "http/rest/api/api.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/uploads/handlers.h"

namespace tintype::http::rest {
namespace {

// Each row is an operation of the contract, which says who may call it; routes_test.cc compares the
// two.
constexpr std::array kRoutes = {
    Route{"GET", "/api/v1/auth/state", GetAuthState, "getAuthState"},
    Route{"POST", "/api/v1/auth/signup", PostSignUp, "signUp"},
    Route{"POST", "/api/v1/auth/login", PostLogIn, "logIn"},
    Route{"POST", "/api/v1/auth/outside", PostOutsideSignIn, "beginOutsideSignIn"},
    Route{"POST", "/api/v1/auth/outside/return", PostOutsideReturn, "finishOutsideSignIn"},
    Route{"POST", "/api/v1/auth/refresh", PostRefresh, "refresh"},
    Route{"POST", "/api/v1/auth/logout", PostLogOut, "logOut"},
    Route{"POST", "/api/v1/auth/password", PostPasswordByLink, "setPassword"},
    Route{"GET", "/.well-known/jwks.json", GetJwks, "getJwks"},
    Route{"GET", "/api/v1/me", GetMe, "getMe"},
    Route{"GET", "/api/v1/me/limit", GetMyLimit, "getMyLimit"},
    Route{"PATCH", "/api/v1/me", PatchMe, "changeMe"},
    Route{"GET", "/api/v1/me/settings", GetMySettings, "getSettings"},
    Route{"PATCH", "/api/v1/me/settings", PatchMySettings, "changeSettings"},
    Route{"PUT", "/api/v1/me/picture", PutMyPicture, "setPicture", TakeMyPicture},
    Route{"DELETE", "/api/v1/me/picture", DeleteMyPicture, "removePicture"},
    Route{"POST", "/api/v1/me/password", PostMyPassword, "changePassword"},
    Route{"POST", "/api/v1/me/deletion", PostMyDeletion, "deleteMe"},
    Route{"GET", "/api/v1/me/sessions", GetSessions, "listSessions"},
    Route{"DELETE", "/api/v1/me/sessions", DeleteOtherSessions, "endOtherSessions"},
    Route{"DELETE", "/api/v1/me/sessions/{id}", DeleteSession, "endSession"},
    Route{"GET", "/api/v1/me/identities", GetIdentities, "listIdentities"},
    Route{"POST", "/api/v1/me/identities", PostIdentity, "beginLink"},
    Route{"DELETE", "/api/v1/me/identities/{id}", DeleteIdentity, "unlinkIdentity"},
    Route{"GET", "/api/v1/me/api-keys", GetApiKeys, "listApiKeys"},
    Route{"POST", "/api/v1/me/api-keys", PostApiKey, "createApiKey"},
    Route{"DELETE", "/api/v1/me/api-keys/{id}", DeleteApiKey, "deleteApiKey"},
    Route{"POST", "/api/v1/images", PostImage, "uploadImage", TakeImage},
    Route{"GET", "/api/v1/images", GetImages, "listImages"},
    Route{"DELETE", "/api/v1/images", DeleteImages, "emptyTrash"},
    Route{"GET", "/api/v1/images/{id}", GetImage, "getImage"},
    Route{"PATCH", "/api/v1/images/{id}", PatchImage, "changeImage"},
    Route{"DELETE", "/api/v1/images/{id}", DeleteImage, "deleteImage"},
    Route{"GET", "/api/v1/images/{id}/similar", GetSimilarImages, "listSimilarImages"},
    Route{"POST", "/api/v1/images/{id}/share", PostShare, "shareImage"},
    Route{"POST", "/api/v1/images/{id}/unshare", PostUnshare, "unshareImage"},
    Route{"POST", "/api/v1/images/{id}/restore", PostRestore, "restoreImage"},
    Route{"GET", "/api/v1/images/{id}/versions", GetVersions, "listVersions"},
    Route{"POST", "/api/v1/images/{id}/revert", PostRevert, "revertImage"},
    Route{"POST", "/api/v1/images/{id}/links", PostLink, "makeLink"},
    Route{"OPTIONS", "/api/v1/uploads", OptionsUpload, "getUploadOptions"},
    Route{"POST", "/api/v1/uploads", PostUpload, "createUpload", TakeUploadCreation},
    Route{"OPTIONS", "/api/v1/uploads/{id}", OptionsUpload, "getUploadOptionsOf"},
    Route{"HEAD", "/api/v1/uploads/{id}", HeadUpload, "getUpload"},
    Route{"PATCH", "/api/v1/uploads/{id}", PatchUpload, "appendUpload", TakeUploadPart},
    Route{"DELETE", "/api/v1/uploads/{id}", DeleteUpload, "cancelUpload"},
    Route{"POST", "/api/v1/uploads/direct", PostDirectUpload, "createDirectUpload"},
    Route{"PUT", "/api/v1/uploads/{id}/content", PutUploadContent, "putUploadContent",
          TakeUploadContent},
    Route{"POST", "/api/v1/uploads/{id}/complete", PostUploadComplete, "completeUpload"},
    Route{"GET", "/api/v1/feed", GetFeed, "getFeed"},
    Route{"POST", "/api/v1/jobs", PostJob, "createJob"},
    Route{"GET", "/api/v1/jobs", GetJobs, "listJobs"},
    Route{"GET", "/api/v1/jobs/{id}", GetJob, "getJob"},
    Route{"DELETE", "/api/v1/jobs/{id}", DeleteJob, "cancelJob"},
    Route{"GET", "/api/v1/media/{id}", GetMediaRecord, "getMediaRecord"},
    Route{"GET", "/api/v1/media/{id}/analysis", GetAnalysisRecord, "getAnalysisRecord"},
    Route{"GET", "/api/v1/media/{id}/analysis/{kind}", GetAnalysisResult, "getAnalysisResult"},
    Route{"GET", "/api/v1/media/{id}/waveform", GetWaveform, "getWaveform"},
    Route{"GET", "/api/v1/media/{id}/text", GetDocumentText, "getDocumentText"},
    Route{"GET", "/api/v1/media/{id}/captions", GetCaptions, "getCaptions"},
    Route{"GET", "/api/v1/media/{id}/pages/{page}", GetDocumentPage, "getDocumentPage"},
    Route{"GET", "/api/v1/audit", GetAudit, "listAudit"},
    Route{"GET", "/api/v1/users", GetUsers, "listUsers"},
    Route{"POST", "/api/v1/users", PostUser, "createUser"},
    Route{"GET", "/api/v1/users/{id}", GetUser, "getUser"},
    Route{"PATCH", "/api/v1/users/{id}", PatchUser, "changeUser"},
    Route{"DELETE", "/api/v1/users/{id}", DeleteUser, "deleteUser"},
    Route{"POST", "/api/v1/users/{id}/password-link", PostPasswordLink, "createPasswordLink"},
    Route{"GET", "/api/v1/users/{id}/identities", GetUserIdentities, "listUserIdentities"},
    Route{"DELETE", "/api/v1/users/{id}/identities/{identityId}", DeleteUserIdentity,
          "unlinkUserIdentity"},
    Route{"GET", "/api/v1/invitations", GetInvitations, "listInvitations"},
    Route{"POST", "/api/v1/invitations", PostInvitation, "createInvitation"},
    Route{"DELETE", "/api/v1/invitations/{id}", DeleteInvitation, "deleteInvitation"},
    Route{"GET", "/api/v1/openapi.json", GetOpenApi, "getOpenApi"},
};

}  // namespace

std::span<const Route> Routes() { return kRoutes; }

}  // namespace tintype::http::rest
