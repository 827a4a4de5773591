#include <array>

#include "http/rest/api/api.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/uploads/handlers.h"

namespace tintype::http::rest {
namespace {

constexpr Access kAnyone = Access::kAnyone;
constexpr Access kAccount = Access::kAccount;

// method, path, access, handler, operation, summary, request, answer, success.
constexpr std::array kRoutes = {
    Route{"GET", "/api/v1/auth/state", kAnyone, GetAuthState, "getAuthState",
          "Whether the first account is still to be made", "", "AuthState", 200},
    Route{"POST", "/api/v1/auth/signup", kAnyone, PostSignUp, "signUp", "Make an account", "SignUp",
          "SignedIn", 201},
    Route{"POST", "/api/v1/auth/login", kAnyone, PostLogIn, "logIn", "Log in", "LogIn", "SignedIn",
          200},
    Route{"POST", "/api/v1/auth/refresh", kAnyone, PostRefresh, "refresh",
          "Go on with a session: new tokens for a refresh token", "Refresh", "SignedIn", 200},
    Route{"POST", "/api/v1/auth/logout", kAccount, PostLogOut, "logOut", "End the session", "", "",
          204},
    Route{"GET", "/.well-known/jwks.json", kAnyone, GetJwks, "getJwks",
          "The public keys of access tokens", "", "Jwks", 200},
    Route{"GET", "/api/v1/me", kAccount, GetMe, "getMe", "The account", "", "User", 200},
    Route{"GET", "/api/v1/me/limit", kAccount, GetMyLimit, "getMyLimit",
          "How many more images may be uploaded", "", "Limit", 200},
    Route{"POST", "/api/v1/images", kAccount, PostImage, "uploadImage",
          "Upload an image, as the body or as the part `file` of a form", "Upload", "Image", 202,
          TakeImage},
    Route{"GET", "/api/v1/images", kAccount, GetImages, "listImages",
          "The account's images, newest first", "", "ImagePage", 200},
    Route{"GET", "/api/v1/images/{id}", kAccount, GetImage, "getImage", "One image", "", "Image",
          200},
    Route{"PATCH", "/api/v1/images/{id}", kAccount, PatchImage, "changeImage",
          "Change an image in the version that If-Match names", "ImageChange", "Image", 200},
    Route{"DELETE", "/api/v1/images/{id}", kAccount, DeleteImage, "deleteImage",
          "Put an image into the trash, or with `permanent=true` delete it", "", "Deletion", 202},
    Route{"GET", "/api/v1/images/{id}/similar", kAccount, GetSimilarImages, "listSimilarImages",
          "The account's images that look like one of them, the nearest first", "", "SimilarImages",
          200},
    Route{"POST", "/api/v1/images/{id}/share", kAccount, PostShare, "shareImage",
          "Show an image in the feed", "", "Image", 200},
    Route{"POST", "/api/v1/images/{id}/unshare", kAccount, PostUnshare, "unshareImage",
          "Take an image out of the feed", "", "Image", 200},
    Route{"POST", "/api/v1/images/{id}/restore", kAccount, PostRestore, "restoreImage",
          "Take an image out of the trash", "", "Image", 200},
    Route{"POST", "/api/v1/images/{id}/links", kAccount, PostLink, "makeLink",
          "A signed link to an image in another size or format", "LinkRequest", "Link", 200},
    Route{"OPTIONS", "/api/v1/uploads", kAnyone, OptionsUpload, "getUploadOptions",
          "What this server knows of tus 1.0", "", "", 204},
    Route{"POST", "/api/v1/uploads", kAccount, PostUpload, "createUpload",
          "Begin a resumable upload (tus 1.0), with its first bytes or without", "UploadPart", "",
          201, TakeUploadCreation},
    Route{"OPTIONS", "/api/v1/uploads/{id}", kAnyone, OptionsUpload, "getUploadOptionsOf",
          "What this server knows of tus 1.0", "", "", 204},
    Route{"HEAD", "/api/v1/uploads/{id}", kAccount, HeadUpload, "getUpload",
          "How far a resumable upload is", "", "", 200},
    Route{"PATCH", "/api/v1/uploads/{id}", kAccount, PatchUpload, "appendUpload",
          "Go on with a resumable upload; its last bytes make it an image", "UploadPart", "", 204,
          TakeUploadPart},
    Route{"DELETE", "/api/v1/uploads/{id}", kAccount, DeleteUpload, "cancelUpload",
          "Give up an upload", "", "", 204},
    Route{"POST", "/api/v1/uploads/direct", kAccount, PostDirectUpload, "createDirectUpload",
          "Begin an upload to the storage itself, by a link", "DirectUpload", "DirectUploadLink",
          201},
    Route{"PUT", "/api/v1/uploads/{id}/content", kAnyone, PutUploadContent, "putUploadContent",
          "What the link of a direct upload leads to when the storage has none of its own",
          "Upload", "", 200, TakeUploadContent},
    Route{"POST", "/api/v1/uploads/{id}/complete", kAccount, PostUploadComplete, "completeUpload",
          "Make an image of what was put by the link of a direct upload", "", "Image", 202},
    Route{"GET", "/api/v1/feed", kAccount, GetFeed, "getFeed", "All shared images", "", "FeedPage",
          200},
    Route{"POST", "/api/v1/jobs", kAccount, PostJob, "createJob", "Edit an image", "JobRequest",
          "Job", 202},
    Route{"GET", "/api/v1/jobs", kAccount, GetJobs, "listJobs", "The account's jobs, newest first",
          "", "JobPage", 200},
    Route{"GET", "/api/v1/jobs/{id}", kAccount, GetJob, "getJob", "One job", "", "Job", 200},
    Route{"DELETE", "/api/v1/jobs/{id}", kAccount, DeleteJob, "cancelJob",
          "Cancel a job that is still queued", "", "", 204},
    Route{"GET", "/api/v1/media/{id}", kAccount, GetMediaRecord, "getMediaRecord",
          "The ingest record of a medium", "", "Record", 200},
    Route{"GET", "/api/v1/media/{id}/analysis", kAccount, GetAnalysisRecord, "getAnalysisRecord",
          "What was found in a medium", "", "Record", 200},
    Route{"GET", "/api/v1/openapi.json", kAnyone, GetOpenApi, "getOpenApi", "This document", "",
          "Record", 200},
};

}  // namespace

std::span<const Route> Routes() { return kRoutes; }

}  // namespace tintype::http::rest
