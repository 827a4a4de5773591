#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "blobs/spool.h"
#include "http/rest/api/api.h"

/// Who may work on an upload that lasts longer than a request, as requests see it.
namespace tintype::http::rest {

/// The error for a claim that is another's: 423.
Error BeingWritten();

/// Errors: 423 while somebody else is at it.
Result<std::unique_ptr<blobs::SpoolClaim>> TakeUpload(Api& api, const std::string& id);

/// The work on an upload between two waits for its client: holds off those who would take it over.
class UploadTurn {
 public:
  explicit UploadTurn(blobs::SpoolClaim& claim) : claim_(claim), begun_(claim.Begin().ok()) {}
  ~UploadTurn() {
    if (begun_) {
      claim_.End();
    }
  }
  UploadTurn(const UploadTurn&) = delete;
  UploadTurn& operator=(const UploadTurn&) = delete;

  /// Errors: 423 when the upload was taken over. Then nothing may be done.
  Status status() const { return begun_ ? OkStatus() : Status(BeingWritten()); }

 private:
  blobs::SpoolClaim& claim_;
  const bool begun_;
};

}  // namespace tintype::http::rest
