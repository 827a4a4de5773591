#pragma once

#include "http/rest/api/api.h"

/// The handlers of uploads, by one request, resumable, or straight to the storage; and of the own
/// profile picture, which comes as a file too.
namespace tintype::http::rest {

// upload.cc: who takes the body, and what remains to be done when it has been streamed.
BodyDecision TakeImage(Api& api, Pools pools, const Call& call);
Response PostImage(Api& api, const Call& call);

// tus_handlers.cc
BodyDecision TakeUploadCreation(Api& api, Pools pools, const Call& call);
BodyDecision TakeUploadPart(Api& api, Pools pools, const Call& call);
Response OptionsUpload(Api& api, const Call& call);
Response PostUpload(Api& api, const Call& call);
Response HeadUpload(Api& api, const Call& call);
Response PatchUpload(Api& api, const Call& call);
Response DeleteUpload(Api& api, const Call& call);
/// What every answer below `/api/v1/uploads` says, refusals too.
void AddUploadHeaders(const Call& call, Response& response);

// direct_handlers.cc
BodyDecision TakeUploadContent(Api& api, Pools pools, const Call& call);
Response PostDirectUpload(Api& api, const Call& call);
Response PutUploadContent(Api& api, const Call& call);
Response PostUploadComplete(Api& api, const Call& call);

// picture_handlers.cc
BodyDecision TakeMyPicture(Api& api, Pools pools, const Call& call);
Response PutMyPicture(Api& api, const Call& call);

}  // namespace tintype::http::rest
