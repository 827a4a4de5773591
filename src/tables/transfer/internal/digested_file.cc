#include "tables/transfer/internal/digested_file.h"

#include <utility>

#include "base/base64.h"
#include "base/hex.h"

namespace tintype::tables::transfer {

std::string FileDigest::Hex() const { return ToHex(md5); }

std::string FileDigest::Base64() const { return tintype::Base64(md5); }

DigestedFile::DigestedFile(NewFile file) : file_(std::move(file)) {}

Result<std::unique_ptr<DigestedFile>> DigestedFile::Create(std::string path) {
  ASSIGN_OR_RETURN(NewFile file, NewFile::Create(std::move(path), kFileMode));
  return std::unique_ptr<DigestedFile>(new DigestedFile(std::move(file)));
}

Status DigestedFile::Write(std::string_view bytes) {
  digest_.Update(bytes);
  return file_.Write(bytes);
}

Result<FileDigest> DigestedFile::Finish() {
  RETURN_IF_ERROR(file_.Finish());
  return FileDigest{digest_.Value()};
}

Result<FileDigest> WriteDigestedFile(const std::string& path, std::string_view content) {
  ASSIGN_OR_RETURN(const auto file, DigestedFile::Create(path));
  RETURN_IF_ERROR(file->Write(content));
  return file->Finish();
}

}  // namespace tintype::tables::transfer
