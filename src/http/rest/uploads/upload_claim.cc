#include "http/rest/uploads/upload_claim.h"

#include <memory>

#include "base/retry.h"
#include "http/rest/protocol/reasons.h"

namespace tintype::http::rest {

Error BeingWritten() {
  return Error(reasons::kUploadInUse, "Another request is at this upload. Try again.")
      .WithDetail(std::make_shared<RetryAfter>(1));
}

Result<std::unique_ptr<blobs::SpoolClaim>> TakeUpload(Api& api, const std::string& id) {
  auto claim = api.product.spool.Take(id);
  if (!claim.ok() && claim.error().kind() == ErrorKind::kInUse) {
    return BeingWritten();
  }
  return claim;
}

}  // namespace tintype::http::rest
