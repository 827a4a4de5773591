#include "http/rest/uploads/upload_claim.h"

#include "http/rest/uploads/upload_answers.h"

namespace tintype::http::rest {

Error BeingWritten() {
  return RefusalError(423, "UploadInUse", "Another request is at this upload. Try again.", 1);
}

Result<std::unique_ptr<blobs::SpoolClaim>> TakeUpload(Api& api, const std::string& id) {
  auto claim = api.product.spool.Take(id);
  if (!claim.ok() && claim.error().code() == ErrorCode::kInUse) {
    return BeingWritten();
  }
  return claim;
}

}  // namespace tintype::http::rest
