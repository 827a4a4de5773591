#include "cli/secrets/parameter_store.h"

#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "cli/settings/aws_credentials.h"
#include "json/value.h"
#include "json/writer.h"
#include "net/endpoint.h"
#include "oidc/metadata.h"
#include "sigv4/sigv4.h"

namespace tintype::cli {
namespace {

constexpr std::string_view kParameterScheme = "ssm://";
constexpr std::chrono::seconds kParameterTimeout{10};
// A parameter has at most 8 KB, which JSON may write with six characters each.
constexpr size_t kParameterAnswerBytesMax = size_t{64} * 1024;

/// Where the store is, and how it is asked.
struct Store {
  net::Endpoint endpoint;
  std::string region;
  sigv4::Credentials key;
};

Result<Store> FindStore(const Environment& environment) {
  Store store;
  auto url = environment("AWS_ENDPOINT_URL_SSM");
  url = url ? url : environment("AWS_ENDPOINT_URL");
  auto region = environment("AWS_REGION");
  region = region ? region : environment("AWS_DEFAULT_REGION");
  if (!region) {
    return Error::Validation(
        "AWS's parameter store needs a region: set AWS_REGION, as for AWS's own clients.");
  }
  store.region = *std::move(region);
  if (!url) {
    const bool china = store.region.starts_with("cn-");
    url = StrCat("https://ssm.", store.region, ".amazonaws.com", china ? ".cn" : "");
  }
  auto endpoint = net::ParseEndpoint(*url);
  if (!endpoint.ok()) {
    return Error::Validation(
        StrCat("AWS's parameter store: '", *url, "' is not http://HOST:PORT or https://HOST"));
  }
  if (!oidc::IsTrustworthyUrl(*url)) {
    return Error::Validation(StrCat("AWS's parameter store: the secret would travel from ", *url,
                                    " for everyone to read; use https://"));
  }
  store.endpoint = *std::move(endpoint);
  ASSIGN_OR_RETURN(store.key, FindAwsCredentials(environment, "AWS's parameter store"));
  return store;
}

std::string RequestFor(const std::string& name) {
  json::Writer json;
  json.OpenObject();
  json.Text("Name", name);
  json.Bool("WithDecryption", true);
  json.CloseObject();
  return std::move(json).Take();
}

std::string TextIn(const json::Value* object, std::string_view name) {
  const json::Value* const member = object == nullptr ? nullptr : object->Find(name);
  const std::string* const text = member == nullptr ? nullptr : member->text();
  return text == nullptr ? "" : *text;
}

/// What the store's error means. It may have a namespace before its name, and an address behind it.
ErrorKind KindOf(int status, std::string_view type) {
  type = type.substr(0, type.find(':'));
  type = type.substr(type.rfind('#') + 1);
  if (type == "ParameterNotFound" || type == "ParameterVersionNotFound") {
    return ErrorKind::kNotFound;
  }
  if (type.starts_with("AccessDenied")) {
    return ErrorKind::kAccessDenied;
  }
  if (status >= 500 || status == 429 || type.starts_with("Throttling") ||
      type.starts_with("TooManyRequests")) {
    return ErrorKind::kUnavailable;
  }
  const bool unknown_caller =
      status == 401 || status == 403 || type.starts_with("UnrecognizedClient") ||
      type.starts_with("InvalidSignature") || type.starts_with("ExpiredToken") ||
      type.starts_with("InvalidClientTokenId") || type.starts_with("IncompleteSignature");
  return unknown_caller ? ErrorKind::kUnauthenticated : ErrorKind::kValidation;
}

/// What the answer holds. Of what an error says, only what is no secret: its name and its text.
Result<std::string> ValueIn(const net::HttpAnswer& answer, const std::string& name) {
  const auto parsed = json::Parse(answer.body, kParameterAnswerBytesMax);
  const json::Value* const document = parsed.ok() ? &*parsed : nullptr;
  if (answer.status != 200) {
    const std::string type = TextIn(document, "__type");
    std::string said = TextIn(document, "message");
    said = said.empty() ? TextIn(document, "Message") : said;
    return Error(KindOf(answer.status, type),
                 StrCat("the parameter store does not give ", name, ": ",
                        type.empty() ? StrCat("status ", answer.status) : type,
                        said.empty() ? "" : ", ", said));
  }
  const json::Value* const parameter = document == nullptr ? nullptr : document->Find("Parameter");
  const std::string value = TextIn(parameter, "Value");
  if (value.empty()) {
    return Error::Validation(
        StrCat("the parameter store's answer for ", name, " has no value in it"));
  }
  return value;
}

Result<std::string> AskOnce(net::HttpClient& client, const Store& store, const std::string& name) {
  const std::string body = RequestFor(name);
  sigv4::HeaderList headers = {{"host", store.endpoint.host},
                               {"content-type", "application/x-amz-json-1.1"},
                               {"x-amz-target", "AmazonSSM.GetParameter"}};
  sigv4::SigningKeyCache keys;
  const sigv4::HeaderList signed_headers = sigv4::Sign(
      {.method = "POST", .path = "/", .query = "", .headers = headers, .body = body}, store.key,
      {.region = store.region, .service = "ssm", .now_ms = SystemClock().NowMs()}, keys);
  headers.insert(headers.end(), signed_headers.begin(), signed_headers.end());
  const net::HttpOutcome outcome = client.Perform({.method = "POST",
                                                   .url = store.endpoint.url,
                                                   .headers = headers,
                                                   .body = {.text = body},
                                                   .timeout = kParameterTimeout});
  if (!outcome.answered()) {
    return Error(outcome.kind == net::HttpOutcome::Kind::kUntrusted ? ErrorKind::kValidation
                                                                    : ErrorKind::kUnavailable,
                 StrCat("the parameter store at ", store.endpoint.url,
                        " does not answer: ", outcome.problem));
  }
  return ValueIn(outcome.answer, name);
}

}  // namespace

std::optional<std::string> ParameterNameIn(std::string_view text) {
  return text.starts_with(kParameterScheme)
             ? std::optional(std::string(text.substr(kParameterScheme.size())))
             : std::nullopt;
}

Result<std::string> ReadParameter(const std::string& name, const Environment& environment,
                                  const ParameterStoreOptions& options) {
  if (name.empty()) {
    return Error::Validation(
        "'ssm://' names no parameter: it goes on with the name, such as "
        "ssm:///tintype/prod/secret");
  }
  ASSIGN_OR_RETURN(const Store store, FindStore(environment));
  std::unique_ptr<net::HttpClient> own;
  if (options.client == nullptr) {
    own = net::NewHttpClient({.ca_file = environment("AWS_CA_BUNDLE").value_or(""),
                              .answer_bytes_max = kParameterAnswerBytesMax});
  }
  net::HttpClient& client = own ? *own : *options.client;
  return WithRetries(options.retries, [&] { return AskOnce(client, store, name); });
}

}  // namespace tintype::cli
