#include "tables/wire/sigv4.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <span>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::tables::wire {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kTerminator = "aws4_request";
// More keys than a server sees in a day; older ones are derived again.
constexpr size_t kCachedKeysMax = 64;

// OpenSSL looks algorithms up by name on every one-shot call, which takes longer than hashing a
// small request. So each thread keeps its contexts.
class Hasher {
 public:
  Hasher()
      : digest_(EVP_MD_fetch(nullptr, "SHA256", nullptr)),
        digest_context_(EVP_MD_CTX_new()),
        mac_(EVP_MAC_fetch(nullptr, "HMAC", nullptr)) {
    CHECK(digest_ != nullptr && digest_context_ != nullptr && mac_ != nullptr);
    mac_context_.reset(EVP_MAC_CTX_new(mac_.get()));
    CHECK(mac_context_ != nullptr);
    char name[] = "SHA256";
    const std::array<OSSL_PARAM, 2> parameters = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
        OSSL_PARAM_construct_end()};
    CHECK(EVP_MAC_CTX_set_params(mac_context_.get(), parameters.data()) == 1);
  }

  Sha256Digest Sha256(std::string_view bytes) {
    Sha256Digest out;
    CHECK(EVP_DigestInit_ex(digest_context_.get(), digest_.get(), nullptr) == 1);
    CHECK(EVP_DigestUpdate(digest_context_.get(), bytes.data(), bytes.size()) == 1);
    CHECK(EVP_DigestFinal_ex(digest_context_.get(), out.data(), nullptr) == 1);
    return out;
  }

  Sha256Digest Hmac(std::span<const unsigned char> key, std::string_view bytes) {
    Sha256Digest out;
    size_t length = 0;
    CHECK(EVP_MAC_init(mac_context_.get(), key.data(), key.size(), nullptr) == 1);
    CHECK(EVP_MAC_update(mac_context_.get(), reinterpret_cast<const unsigned char*>(bytes.data()),
                         bytes.size()) == 1);
    CHECK(EVP_MAC_final(mac_context_.get(), out.data(), &length, out.size()) == 1);
    return out;
  }

  static Hasher& OfThisThread() {
    static thread_local Hasher hasher;
    return hasher;
  }

 private:
  struct Free {
    void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
    void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD, Free> digest_;
  std::unique_ptr<EVP_MD_CTX, Free> digest_context_;
  std::unique_ptr<EVP_MAC, Free> mac_;
  std::unique_ptr<EVP_MAC_CTX, Free> mac_context_;
};

void AppendHex(std::string& out, const Sha256Digest& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::array<char, 2 * std::tuple_size_v<Sha256Digest>> text;
  for (size_t i = 0; i < digest.size(); ++i) {
    text[2 * i] = kDigits[digest[i] >> 4];
    text[2 * i + 1] = kDigits[digest[i] & 15];
  }
  out.append(text.data(), text.size());
}

bool IsUnreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

void AppendEncoded(std::string& out, std::string_view text, bool keep_slash) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    if (IsUnreserved(c) || (keep_slash && c == '/')) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.push_back('%');
      out.push_back(kDigits[byte >> 4]);
      out.push_back(kDigits[byte & 15]);
    }
  }
}

std::string Decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

// Calls `use` with each part of `text` between separators.
template <typename Use>
void Split(std::string_view text, char separator, Use use) {
  for (;;) {
    const size_t end = text.find(separator);
    use(text.substr(0, end));
    if (end == std::string_view::npos) {
      return;
    }
    text.remove_prefix(end + 1);
  }
}

// Removes `.`, `..` and empty segments.
std::string NormalisedPath(std::string_view path) {
  std::vector<std::string_view> segments;
  Split(path, '/', [&](std::string_view segment) {
    if (segment == "..") {
      if (!segments.empty()) {
        segments.pop_back();
      }
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
  });
  std::string out = "/" + StrJoin(segments, "/");
  if (out.size() > 1 && path.ends_with('/')) {
    out.push_back('/');
  }
  return out;
}

void AppendCanonicalPath(std::string& out, std::string_view path, PathEncoding encoding) {
  if (path.empty() || path == "/") {
    out.push_back('/');
  } else if (encoding == PathEncoding::kOnce) {
    out.append(path);
  } else {
    AppendEncoded(out, NormalisedPath(path), true);
  }
}

void AppendCanonicalQuery(std::string& out, std::string_view query) {
  if (query.empty()) {
    return;
  }
  std::vector<std::pair<std::string, std::string>> parameters;
  Split(query, '&', [&](std::string_view parameter) {
    if (parameter.empty()) {
      return;
    }
    const size_t equals = std::min(parameter.find('='), parameter.size());
    auto& [name, value] = parameters.emplace_back();
    AppendEncoded(name, Decoded(parameter.substr(0, equals)), false);
    if (equals < parameter.size()) {
      AppendEncoded(value, Decoded(parameter.substr(equals + 1)), false);
    }
  });
  std::ranges::sort(parameters);
  bool first = true;
  for (const auto& [name, value] : parameters) {
    StrAppend(out, first ? "" : "&", name, "=", value);
    first = false;
  }
}

// Trims a header's value and joins the blanks inside it to one.
void AppendCanonicalValue(std::string& out, std::string_view value) {
  constexpr std::string_view kBlanks = " \t\r\n";
  bool first = true;
  for (;;) {
    const size_t begin = value.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) {
      return;
    }
    const size_t end = std::min(value.find_first_of(kBlanks, begin), value.size());
    if (!first) {
      out.push_back(' ');
    }
    first = false;
    out.append(value.substr(begin, end - begin));
    value.remove_prefix(end);
  }
}

void AppendScope(std::string& out, const SigningScope& scope) {
  StrAppend(out, scope.date, "/", scope.region, "/", scope.service, "/", kTerminator);
}

std::optional<std::string_view> FindHeader(const HeaderList& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) {
      return value;
    }
  }
  return std::nullopt;
}

bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool EqualsConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Error Incomplete(std::string message) {
  return {ErrorCode::kIncompleteSignature, std::move(message)};
}
Error Invalid(std::string message) { return {ErrorCode::kInvalidSignature, std::move(message)}; }

// What an Authorization header says. Views into it.
struct Authorization {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signed_headers;
  std::string_view signature;
};

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

Result<Authorization> ParseAuthorization(std::string_view header, bool has_date) {
  const std::string_view text = Trimmed(header);
  const size_t space = std::min(text.find(' '), text.size());
  Authorization out;
  out.algorithm = text.substr(0, space);
  // Parameters are separated by commas, by blanks or by both.
  std::string_view rest = text.substr(space);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of(", \t"), rest.size());
    const std::string_view parameter = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (parameter.empty()) {
      continue;
    }
    const size_t equals = parameter.find('=');
    if (equals == std::string_view::npos) {
      return Incomplete(StrCat("'", parameter,
                               "' not a valid key=value pair (missing equal-sign) in Authorization "
                               "header: '",
                               header, "'."));
    }
    const std::string_view name = parameter.substr(0, equals);
    const std::string_view value = parameter.substr(equals + 1);
    if (name == "Credential") {
      out.credential = value;
    } else if (name == "SignedHeaders") {
      out.signed_headers = value;
    } else if (name == "Signature") {
      out.signature = value;
    }
  }

  std::string missing;
  const auto require = [&missing](std::string_view name, std::string_view value) {
    if (value.empty()) {
      StrAppend(missing, "Authorization header requires '", name, "' parameter. ");
    }
  };
  require("Credential", out.credential);
  require("Signature", out.signature);
  require("SignedHeaders", out.signed_headers);
  if (!has_date) {
    missing.append(
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  }
  if (!missing.empty()) {
    return Incomplete(StrCat(missing, "Authorization=", header));
  }
  return out;
}

// Milliseconds of YYYYMMDDTHHMMSSZ.
std::optional<int64_t> ParseTimestamp(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') {
    return std::nullopt;
  }
  const auto number = [&text](size_t begin, size_t length) {
    int value = -1;
    const char* const first = text.data() + begin;
    const auto [end, error] = std::from_chars(first, first + length, value);
    return end == first + length && error == std::errc() && *first != '-' ? value : -1;
  };
  const int year = number(0, 4), month = number(4, 2), day = number(6, 2);
  const int hour = number(9, 2), minute = number(11, 2), second = number(13, 2);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (year < 0 || month < 0 || day < 0 || !date.ok() || hour < 0 || hour > 23 || minute < 0 ||
      minute > 59 || second < 0 || second > 60) {
    return std::nullopt;
  }
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  return (int64_t{days.count()} * 86400 + hour * 3600 + minute * 60 + second) * 1000;
}

// The request's time as a timestamp. A Date header may also have HTTP's own form.
std::string RequestTimestamp(std::string_view header) {
  const std::string text(Trimmed(header));
  if (!ParseTimestamp(text)) {
    std::tm parsed{};
    const char* const end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parsed);
    if (end != nullptr && *end == '\0') {
      return FormatTimestamp(int64_t{timegm(&parsed)} * 1000);
    }
  }
  return text;
}

Status CheckSkew(std::string_view timestamp, int64_t now_ms, int64_t skew_ms_max) {
  const std::optional<int64_t> signed_ms = ParseTimestamp(timestamp);
  if (!signed_ms) {
    return Incomplete(StrCat("Date must be in ISO-8601 'basic format'. Got '", timestamp,
                             "'. See http://en.wikipedia.org/wiki/ISO_8601"));
  }
  const int64_t minutes = skew_ms_max / 60'000;
  if (*signed_ms < now_ms - skew_ms_max) {
    return Invalid(StrCat("Signature expired: ", timestamp, " is now earlier than ",
                          FormatTimestamp(now_ms - skew_ms_max), " (", FormatTimestamp(now_ms),
                          " - ", minutes, " min.)"));
  }
  if (*signed_ms > now_ms + skew_ms_max) {
    return Invalid(StrCat("Signature not yet current: ", timestamp, " is still later than ",
                          FormatTimestamp(now_ms + skew_ms_max), " (", FormatTimestamp(now_ms),
                          " + ", minutes, " min.)"));
  }
  return OkStatus();
}

struct ParsedCredential {
  std::string_view access_key_id;
  SigningScope scope;
};

Result<ParsedCredential> ParseCredential(std::string_view credential, std::string_view timestamp,
                                         const VerifierConfig& config) {
  std::string_view trimmed = credential;
  while (trimmed.ends_with('/')) {
    trimmed.remove_suffix(1);
  }
  std::vector<std::string_view> parts;
  parts.reserve(5);
  Split(trimmed, '/', [&](std::string_view part) { parts.push_back(part); });
  if (parts.size() != 5) {
    return Incomplete(
        StrCat("Credential must have exactly 5 slash-delimited elements, e.g. "
               "keyid/date/region/service/term, got '",
               credential, "'"));
  }
  std::string wrong;
  if (config.region ? parts[2] != *config.region : parts[2].empty()) {
    StrAppend(wrong, "Credential should be scoped to a valid region, not '", parts[2], "'. ");
  }
  if (parts[3] != config.service) {
    StrAppend(wrong, "Credential should be scoped to correct service: '", config.service, "'. ");
  }
  if (parts[4] != kTerminator) {
    StrAppend(wrong, "Credential should be scoped with a valid terminator: '", kTerminator,
              "', not '", parts[4], "'. ");
  }
  const std::string_view date = timestamp.substr(0, 8);
  if (parts[1] != date) {
    StrAppend(wrong,
              "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
              "HTTP: '",
              parts[1], "' != '", date, "', from '", timestamp, "'. ");
  }
  if (!wrong.empty()) {
    wrong.pop_back();
    return Invalid(std::move(wrong));
  }
  return ParsedCredential{.access_key_id = parts[0],
                          .scope = {.date = parts[1], .region = parts[2], .service = parts[3]}};
}

}  // namespace

std::string Sha256Hex(std::string_view bytes) {
  std::string out;
  out.reserve(64);
  AppendHex(out, Hasher::OfThisThread().Sha256(bytes));
  return out;
}

std::string CanonicalRequest(const SignableRequest& request,
                             const std::vector<std::string_view>& signed_headers,
                             std::string_view payload_hash, PathEncoding encoding) {
  std::string out;
  out.reserve(1024);
  StrAppend(out, request.method, "\n");
  AppendCanonicalPath(out, request.path, encoding);
  out.push_back('\n');
  AppendCanonicalQuery(out, request.query);
  out.push_back('\n');
  for (const std::string_view name : signed_headers) {
    StrAppend(out, name, ":");
    bool first = true;
    for (const auto& [key, value] : request.headers) {
      if (key == name) {
        if (!first) {
          out.push_back(',');
        }
        first = false;
        AppendCanonicalValue(out, value);
      }
    }
    out.push_back('\n');
  }
  StrAppend(out, "\n", StrJoin(signed_headers, ";"), "\n", payload_hash);
  return out;
}

std::string StringToSign(std::string_view timestamp, const SigningScope& scope,
                         std::string_view canonical_request) {
  std::string out;
  out.reserve(256);
  StrAppend(out, kAlgorithm, "\n", timestamp, "\n");
  AppendScope(out, scope);
  out.push_back('\n');
  AppendHex(out, Hasher::OfThisThread().Sha256(canonical_request));
  return out;
}

std::string Signature(const Sha256Digest& signing_key, std::string_view string_to_sign) {
  std::string out;
  out.reserve(64);
  AppendHex(out, Hasher::OfThisThread().Hmac(signing_key, string_to_sign));
  return out;
}

std::string FormatTimestamp(int64_t time_ms) {
  const std::time_t seconds = static_cast<std::time_t>(time_ms / 1000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text;
  const size_t length = std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc);
  return {text.data(), length};
}

Sha256Digest SigningKeyCache::KeyFor(std::string_view access_key_id, std::string_view secret,
                                     const SigningScope& scope) {
  MutexLock lock(mutex_);
  for (const Entry& entry : entries_) {
    // The secret too: a key may have been given a new one.
    if (entry.access_key_id == access_key_id && entry.date == scope.date &&
        entry.region == scope.region && entry.service == scope.service && entry.secret == secret) {
      return entry.key;
    }
  }
  Hasher& hasher = Hasher::OfThisThread();
  const std::string prefixed = StrCat("AWS4", secret);
  Sha256Digest key = hasher.Hmac(
      {reinterpret_cast<const unsigned char*>(prefixed.data()), prefixed.size()}, scope.date);
  key = hasher.Hmac(key, scope.region);
  key = hasher.Hmac(key, scope.service);
  key = hasher.Hmac(key, kTerminator);

  Entry entry{.access_key_id = std::string(access_key_id),
              .secret = std::string(secret),
              .date = std::string(scope.date),
              .region = std::string(scope.region),
              .service = std::string(scope.service),
              .key = key};
  if (entries_.size() < kCachedKeysMax) {
    entries_.push_back(std::move(entry));
  } else {
    entries_[next_] = std::move(entry);
    next_ = (next_ + 1) % kCachedKeysMax;
  }
  return key;
}

HeaderList Sign(const SignableRequest& request, const Credentials& credentials,
                const SignOptions& options, SigningKeyCache& cache) {
  const std::string timestamp = FormatTimestamp(options.now_ms);
  const std::string payload_hash = Sha256Hex(request.body);
  HeaderList added = {{"x-amz-date", timestamp}};
  if (credentials.session_token) {
    added.emplace_back("x-amz-security-token", *credentials.session_token);
  }
  if (options.add_payload_header) {
    added.emplace_back("x-amz-content-sha256", payload_hash);
  }

  HeaderList all = request.headers;
  all.insert(all.end(), added.begin(), added.end());
  std::vector<std::string_view> names;
  for (const auto& [name, value] : all) {
    names.push_back(name);
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());

  const SigningScope scope{.date = std::string_view(timestamp).substr(0, 8),
                           .region = options.region,
                           .service = options.service};
  const SignableRequest complete{.method = request.method,
                                 .path = request.path,
                                 .query = request.query,
                                 .headers = all,
                                 .body = request.body};
  const std::string to_sign = StringToSign(
      timestamp, scope, CanonicalRequest(complete, names, payload_hash, options.path_encoding));
  const Sha256Digest key = cache.KeyFor(credentials.access_key_id, credentials.secret, scope);
  std::string authorization = StrCat(kAlgorithm, " Credential=", credentials.access_key_id, "/");
  AppendScope(authorization, scope);
  StrAppend(authorization, ", SignedHeaders=", StrJoin(names, ";"),
            ", Signature=", Signature(key, to_sign));
  added.emplace_back("authorization", std::move(authorization));
  return added;
}

// The order of the checks is AWS's: a request with several faults gets the same answer.
Result<VerifiedIdentity> SignatureVerifier::Verify(const SignableRequest& request, int64_t now_ms) {
  const auto header = FindHeader(request.headers, "authorization");
  const bool in_query = request.query.find("X-Amz-Algorithm") != std::string_view::npos;
  if (header && in_query) {
    return Invalid(
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (!header || !Trimmed(*header).starts_with("AWS4-")) {
    return Error(ErrorCode::kMissingAuthentication, "Request is missing Authentication Token");
  }

  auto date_header = FindHeader(request.headers, "x-amz-date");
  if (!date_header) {
    date_header = FindHeader(request.headers, "date");
  }
  ASSIGN_OR_RETURN(const Authorization authorization,
                   ParseAuthorization(*header, date_header.has_value()));
  const std::string timestamp = RequestTimestamp(*date_header);
  RETURN_IF_ERROR(CheckSkew(timestamp, now_ms, config_.skew_ms_max));

  std::vector<std::string_view> names;
  names.reserve(16);
  bool host_signed = false;
  Split(authorization.signed_headers, ';', [&](std::string_view name) {
    names.push_back(name);
    host_signed = host_signed || EqualsIgnoreCase(name, "host");
  });
  if (!host_signed) {
    return Invalid("'Host' must be a 'SignedHeader' in the AWS Authorization.");
  }
  if (authorization.algorithm != kAlgorithm) {
    return Incomplete(StrCat("Unsupported AWS 'algorithm': '", authorization.algorithm, "' (only ",
                             kAlgorithm, " for now). "));
  }
  ASSIGN_OR_RETURN(const ParsedCredential credential,
                   ParseCredential(authorization.credential, timestamp, config_));
  const auto secret = store_.SecretFor(credential.access_key_id);
  if (!secret) {
    return Error(ErrorCode::kUnrecognizedClient,
                 "The security token included in the request is invalid.");
  }

  const std::string payload_hash = Sha256Hex(request.body);
  const std::string canonical = CanonicalRequest(request, names, payload_hash);
  const std::string to_sign = StringToSign(timestamp, credential.scope, canonical);
  const Sha256Digest key = keys_.KeyFor(credential.access_key_id, secret->secret, credential.scope);
  const auto claimed_hash = FindHeader(request.headers, "x-amz-content-sha256");
  if (!EqualsConstantTime(Signature(key, to_sign), authorization.signature) ||
      (claimed_hash && *claimed_hash != payload_hash)) {
    return Invalid(
        StrCat("The request signature we calculated does not match the signature you provided. "
               "Check your AWS Secret Access Key and signing method. Consult the service "
               "documentation for details.\n\nThe Canonical String for this request should have "
               "been\n'",
               canonical, "'\n\nThe String-to-Sign should have been\n'", to_sign, "'\n"));
  }

  // A permanent key must not come with a token, nor a temporary one without its own.
  const auto token = FindHeader(request.headers, "x-amz-security-token");
  if (token.has_value() != secret->session_token.has_value() ||
      (token && !EqualsConstantTime(*token, *secret->session_token))) {
    return Error(ErrorCode::kUnrecognizedClient,
                 "The security token included in the request is invalid");
  }
  return VerifiedIdentity{.access_key_id = std::string(credential.access_key_id),
                          .region = std::string(credential.scope.region)};
}

}  // namespace tintype::tables::wire
