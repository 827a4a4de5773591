#include <array>

#include "http/rest/api/api.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/uploads/handlers.h"

namespace tintype::http::rest {
namespace {

constexpr Access kAnyone = Access::kAnyone;
constexpr Access kAccount = Access::kAccount;

// Each row is an operation of the contract; routes_test.cc compares the two.
constexpr std::array kRoutes = {
    Route{"GET", "/api/v1/auth/state", kAnyone, GetAuthState, "getAuthState"},
    Route{"POST", "/api/v1/auth/signup", kAnyone, PostSignUp, "signUp"},
    Route{"POST", "/api/v1/auth/login", kAnyone, PostLogIn, "logIn"},
    Route{"POST", "/api/v1/auth/refresh", kAnyone, PostRefresh, "refresh"},
    Route{"POST", "/api/v1/auth/logout", kAccount, PostLogOut, "logOut"},
    Route{"GET", "/.well-known/jwks.json", kAnyone, GetJwks, "getJwks"},
    Route{"GET", "/api/v1/me", kAccount, GetMe, "getMe"},
    Route{"GET", "/api/v1/me/limit", kAccount, GetMyLimit, "getMyLimit"},
    Route{"POST", "/api/v1/images", kAccount, PostImage, "uploadImage", TakeImage},
    Route{"GET", "/api/v1/images", kAccount, GetImages, "listImages"},
    Route{"DELETE", "/api/v1/images", kAccount, DeleteImages, "emptyTrash"},
    Route{"GET", "/api/v1/images/{id}", kAccount, GetImage, "getImage"},
    Route{"PATCH", "/api/v1/images/{id}", kAccount, PatchImage, "changeImage"},
    Route{"DELETE", "/api/v1/images/{id}", kAccount, DeleteImage, "deleteImage"},
    Route{"GET", "/api/v1/images/{id}/similar", kAccount, GetSimilarImages, "listSimilarImages"},
    Route{"POST", "/api/v1/images/{id}/share", kAccount, PostShare, "shareImage"},
    Route{"POST", "/api/v1/images/{id}/unshare", kAccount, PostUnshare, "unshareImage"},
    Route{"POST", "/api/v1/images/{id}/restore", kAccount, PostRestore, "restoreImage"},
    Route{"GET", "/api/v1/images/{id}/versions", kAccount, GetVersions, "listVersions"},
    Route{"POST", "/api/v1/images/{id}/revert", kAccount, PostRevert, "revertImage"},
    Route{"POST", "/api/v1/images/{id}/links", kAccount, PostLink, "makeLink"},
    Route{"OPTIONS", "/api/v1/uploads", kAnyone, OptionsUpload, "getUploadOptions"},
    Route{"POST", "/api/v1/uploads", kAccount, PostUpload, "createUpload", TakeUploadCreation},
    Route{"OPTIONS", "/api/v1/uploads/{id}", kAnyone, OptionsUpload, "getUploadOptionsOf"},
    Route{"HEAD", "/api/v1/uploads/{id}", kAccount, HeadUpload, "getUpload"},
    Route{"PATCH", "/api/v1/uploads/{id}", kAccount, PatchUpload, "appendUpload", TakeUploadPart},
    Route{"DELETE", "/api/v1/uploads/{id}", kAccount, DeleteUpload, "cancelUpload"},
    Route{"POST", "/api/v1/uploads/direct", kAccount, PostDirectUpload, "createDirectUpload"},
    Route{"PUT", "/api/v1/uploads/{id}/content", kAnyone, PutUploadContent, "putUploadContent",
          TakeUploadContent},
    Route{"POST", "/api/v1/uploads/{id}/complete", kAccount, PostUploadComplete, "completeUpload"},
    Route{"GET", "/api/v1/feed", kAccount, GetFeed, "getFeed"},
    Route{"POST", "/api/v1/jobs", kAccount, PostJob, "createJob"},
    Route{"GET", "/api/v1/jobs", kAccount, GetJobs, "listJobs"},
    Route{"GET", "/api/v1/jobs/{id}", kAccount, GetJob, "getJob"},
    Route{"DELETE", "/api/v1/jobs/{id}", kAccount, DeleteJob, "cancelJob"},
    Route{"GET", "/api/v1/media/{id}", kAccount, GetMediaRecord, "getMediaRecord"},
    Route{"GET", "/api/v1/media/{id}/analysis", kAccount, GetAnalysisRecord, "getAnalysisRecord"},
    Route{"GET", "/api/v1/audit", kAccount, GetAudit, "listAudit"},
    Route{"GET", "/api/v1/openapi.json", kAnyone, GetOpenApi, "getOpenApi"},
};

}  // namespace

std::span<const Route> Routes() { return kRoutes; }

}  // namespace tintype::http::rest
