#include "http/rest/media.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <utility>

#include "base/strings.h"
#include "darkroom/media_type.h"
#include "flows/media_keys.h"
#include "http/rest/ranges.h"

namespace tintype::http::rest {
namespace {

using contexts::catalog::Image;

std::optional<int64_t> WholeNumber(const std::optional<std::string>& text) {
  int64_t number = 0;
  if (!text) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc() && end == text->data() + text->size() ? std::optional(number)
                                                                    : std::nullopt;
}

/// The link's signature and time.
std::optional<Response> RefuseLink(const Api& api, const Call& call) {
  const auto revision = call.target.Parameter("revision");
  const auto expires = call.target.Parameter("expires");
  const auto signature = call.target.Parameter("signature");
  if (!revision || !expires || !signature ||
      !VerifyUrl(api.keys, call.target.path, *revision, *expires, *signature)) {
    return Refuse(call, 403, "InvalidSignature", "This link is not signed by this server.");
  }
  const std::optional<int64_t> expires_s = WholeNumber(expires);
  if (!expires_s || *expires_s * 1000 < api.product.clock.NowMs()) {
    return Refuse(call, 403, "LinkExpired", "This link has expired. Ask for the image again.");
  }
  return std::nullopt;
}

bool HasETag(std::optional<std::string_view> header, std::string_view etag) {
  return header && (*header == "*" || header->find(etag) != std::string_view::npos);
}

/// A filename in a header: what is not plain goes percent-encoded (RFC 6266).
std::string Disposition(std::string_view filename) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string plain;
  std::string encoded;
  for (const char c : filename) {
    const auto byte = static_cast<unsigned char>(c);
    const bool word = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                      c == '.' || c == '-' || c == '_';
    plain.push_back(word ? c : '_');
    if (word) {
      encoded.push_back(c);
    } else {
      StrAppend(encoded, '%', kDigits[byte >> 4], kDigits[byte & 0x0F]);
    }
  }
  return StrCat("attachment; filename=\"", plain, "\"; filename*=UTF-8''", encoded);
}

/// Headers that depend on what it is: renditions are WebP, originals are what was uploaded.
Status AddContentHeaders(Api& api, const flows::MediaName& name, Response& response) {
  std::string type = "image/webp";
  if (name.size == flows::Size::kOriginal) {
    ASSIGN_OR_RETURN(const std::optional<Image> image, api.product.catalog.Find(name.id));
    if (image && name.revision == 0) {
      // From a table that others may write: only what we took is said.
      type = darkroom::CanDevelop(image->mime_type) ? image->mime_type : "application/octet-stream";
    }
    response.headers.emplace_back("Content-Disposition",
                                  Disposition(image ? image->original_filename : name.id));
  }
  response.headers.emplace_back("Content-Type", type);
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  // The bytes of a link never change, and it is its holder's alone.
  response.headers.emplace_back("Cache-Control", "private, max-age=604800, immutable");
  response.headers.emplace_back("Accept-Ranges", "bytes");
  // Whatever it is, it runs nothing.
  response.headers.emplace_back("Content-Security-Policy", "default-src 'none'; sandbox");
  return OkStatus();
}

void AddBody(const Call& call, const blobs::OpenBlob& blob, std::string_view etag,
             Response& response) {
  const uint64_t size = blob.bytes();
  const auto if_range = call.request.Header("if-range");
  const bool ranges = !if_range || *if_range == etag;
  const RangeDecision decision =
      DecideRange(ranges ? call.request.Header("range").value_or("") : "", size);
  FileBody body;
  body.length = size;
  if (decision.kind == RangeDecision::Kind::kUnsatisfiable) {
    response.status = 416;
    response.headers.emplace_back("Content-Range", StrCat("bytes */", size));
    return;
  }
  if (decision.kind == RangeDecision::Kind::kPart) {
    response.status = 206;
    body.offset = decision.range.offset;
    body.length = decision.range.length;
    response.headers.emplace_back(
        "Content-Range",
        StrCat("bytes ", body.offset, "-", body.offset + body.length - 1, "/", size));
  }
  if (call.request.method != "HEAD") {
    const int file = ::fcntl(blob.descriptor(), F_DUPFD_CLOEXEC, 0);
    if (file < 0) {
      response = Refuse(call, Error(ErrorCode::kOverloaded, "Too many files are open. Try again."));
      return;
    }
    body.file = std::make_shared<const FileDescriptor>(file);
  }
  response.file = std::move(body);
}

}  // namespace

Response GetMedia(Api& api, const Call& call) {
  if (auto refused = RefuseLink(api, call)) {
    return *std::move(refused);
  }
  constexpr std::string_view kPrefix = "/media/";
  const auto key = PercentDecode(std::string_view(call.target.path).substr(kPrefix.size()));
  const auto name =
      key ? flows::ResolveMediaKey(*key, WholeNumber(call.target.Parameter("revision")).value_or(0))
          : std::nullopt;
  if (!name) {
    return Refuse(call, Error::NotFound("There is no such medium."));
  }
  const auto blob = api.product.blobs.OpenLocal(
      {api.product.config.images_bucket, flows::StoredKey(name->id, name->revision, name->size)});
  if (!blob.ok()) {
    return Refuse(call, blob.error());
  }
  Response response;
  const std::string etag = StrCat("\"", name->id, "-", name->revision, "-",
                                  flows::NameOf(name->size), "-", (*blob)->bytes(), "\"");
  response.headers.emplace_back("ETag", etag);
  if (const Status added = AddContentHeaders(api, *name, response); !added.ok()) {
    return Refuse(call, added.error());
  }
  if (HasETag(call.request.Header("if-none-match"), etag)) {
    response.status = 304;
    return response;
  }
  AddBody(call, **blob, etag, response);
  return response;
}

}  // namespace tintype::http::rest
