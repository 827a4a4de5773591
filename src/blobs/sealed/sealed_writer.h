#pragma once

#include <memory>
#include <optional>
#include <string>

#include "blobs/blob_store.h"
#include "blobs/sealed/memory_file.h"
#include "blobs/sealed/sealed_form.h"

namespace tintype::blobs {

/// Seals what it is given into a blob of another store. As BlobWriter; the file behind descriptor()
/// is in memory.
class SealedWriter : public BlobWriter {
 public:
  SealedWriter(std::unique_ptr<BlobWriter> stored, const SealingKeys& keys);

  Status Write(std::string_view piece) override;
  int descriptor() const override;
  Result<BlobInfo> Commit() override;

 private:
  /// Errors: kInternal once it was committed or has failed.
  Status CheckUsable() const;
  Status WriteSealed(std::string_view piece);
  /// Takes what others have written to the descriptor.
  Status TakeFile();
  Status SealChunk(bool last);
  Error Fail(Error error);

  const std::unique_ptr<BlobWriter> stored_;
  std::string
      sealed_;  // What goes to `stored_` next: at first the header, which comes with the form.
  const SealedForm form_;
  std::string chunk_;    // What is not sealed yet, at most a chunk.
  uint64_t number_ = 0;  // Of that chunk.
  bool over_ = false;
  // Made when somebody asks for it. Why it could not be is said when the blob is committed.
  mutable std::optional<Result<MemoryFile>> file_;
};

}  // namespace tintype::blobs
