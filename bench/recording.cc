#include "recording.h"

#include "base/clock.h"
#include "base/strings.h"
#include "sigv4/sigv4.h"

namespace tintype::bench {

std::vector<std::string> Record(const std::vector<Call>& calls, const RecordingOptions& options) {
  const sigv4::Credentials credentials{
      .access_key_id = options.access_key_id, .secret = options.secret, .session_token = {}};
  const sigv4::SignOptions sign{
      .region = "us-east-1", .service = "dynamodb", .now_ms = SystemClock().NowMs()};
  sigv4::SigningKeyCache keys;
  std::vector<std::string> recording;
  recording.reserve(calls.size());
  for (const Call& call : calls) {
    const sigv4::HeaderList headers = {
        {"host", options.host},
        {"content-type", "application/x-amz-json-1.0"},
        {"x-amz-target", StrCat("DynamoDB_20120810.", call.operation)},
    };
    const sigv4::SignableRequest request{
        .method = "POST", .path = "/", .query = "", .headers = headers, .body = call.body};
    std::string bytes = "POST / HTTP/1.1\r\n";
    for (const sigv4::HeaderList& part : {headers, Sign(request, credentials, sign, keys)}) {
      for (const auto& [name, value] : part) {
        StrAppend(bytes, name, ": ", value, "\r\n");
      }
    }
    StrAppend(bytes, "content-length: ", call.body.size(), "\r\n\r\n", call.body);
    recording.push_back(std::move(bytes));
  }
  return recording;
}

}  // namespace tintype::bench
