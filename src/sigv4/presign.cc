#include "base/check.h"
#include "base/percent.h"
#include "base/strings.h"
#include "sigv4/internal/text.h"
#include "sigv4/sigv4.h"

namespace tintype::sigv4 {

std::string PresignS3(const SignableRequest& request, const Credentials& credentials,
                      const PresignOptions& options, SigningKeyCache& cache) {
  CHECK(options.expires_s >= 1 && options.expires_s <= kPresignedExpiresMaxS);
  const std::string timestamp = FormatTimestamp(options.now_ms);
  const SigningScope scope{
      .date = std::string_view(timestamp).substr(0, 8), .region = options.region, .service = "s3"};
  std::string credential = StrCat(credentials.access_key_id, "/");
  AppendScope(credential, scope);
  const std::vector<std::string_view> names = NamesOf(request.headers);

  std::string query(request.query);
  StrAppend(query, query.empty() ? "" : "&", "X-Amz-Algorithm=", kAlgorithm,
            "&X-Amz-Credential=", PercentEncoded(credential), "&X-Amz-Date=", timestamp,
            "&X-Amz-Expires=", options.expires_s,
            "&X-Amz-SignedHeaders=", PercentEncoded(StrJoin(names, ";")));
  if (credentials.session_token) {
    StrAppend(query, "&X-Amz-Security-Token=", PercentEncoded(*credentials.session_token));
  }
  const SignableRequest complete{.method = request.method,
                                 .path = request.path,
                                 .query = query,
                                 .headers = request.headers,
                                 .body = ""};
  const std::string canonical =
      CanonicalRequest(complete, names, "UNSIGNED-PAYLOAD", PathEncoding::kOnce);
  const Sha256Digest key = cache.KeyFor(credentials.access_key_id, credentials.secret, scope);
  StrAppend(query, "&X-Amz-Signature=", Signature(key, StringToSign(timestamp, scope, canonical)));
  return query;
}

}  // namespace tintype::sigv4
