#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tintype::contexts::intake {

/// How the bytes of an upload arrive.
enum class UploadKind {
  kStreamed,   ///< By one request, to its end.
  kResumable,  ///< By any number of requests, into the spool.
  kDirect,     ///< By one request to the blob store itself, which is told of afterwards.
};

/// An upload that has begun: bytes are arriving, and the limit is reserved. One that lasts longer
/// than a request remembers what its beginning said.
struct Upload {
  std::string id;
  std::string user_id;
  std::string email;
  std::string username;
  std::string filename;
  int64_t started_ms = 0;
  std::string node = {};  // In whose spool its bytes are; empty before nodes had names.

  UploadKind kind = UploadKind::kStreamed;
  int64_t length = 0;          // Of all bytes, as it was announced; 0 where nobody did.
  int64_t offset = 0;          // How many of them are synced in the spool.
  std::string mime_type = {};  // As the first bytes tell; empty until they are there.
  int64_t expires_ms = 0;      // When it counts as abandoned; moves with its progress.
  std::string metadata = {};   // As the client wrote it, to be given back.
  std::optional<std::string> title = {};
  std::optional<std::string> album_id = {};
  std::optional<std::string> visibility = {};
  std::optional<std::string> ai_options = {};    // As analysis::AiOptions::Text has them.
  std::optional<int64_t> image_lifetime_s = {};  // Of a temporary image.
  std::optional<std::string> sha256 = {};        // What the client says that it is.
  std::optional<std::string> correlation_id = {};
  bool restored = false;  // Its bytes are those of an image that it has taken out of the trash.
};

}  // namespace tintype::contexts::intake
