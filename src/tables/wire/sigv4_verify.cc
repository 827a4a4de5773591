#include <openssl/crypto.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>

#include "base/strings.h"
#include "tables/wire/internal/sigv4_text.h"
#include "tables/wire/sigv4.h"

namespace tintype::tables::wire {
namespace {

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
    const auto is_separator = [](char c) { return c == ',' || c == ' ' || c == '\t'; };
    const auto end = static_cast<size_t>(std::ranges::find_if(rest, is_separator) - rest.begin());
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

bool Lists(const std::vector<std::string_view>& names, std::string_view wanted) {
  return std::ranges::any_of(names,
                             [&](std::string_view name) { return EqualsIgnoreCase(name, wanted); });
}

}  // namespace

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
  Split(authorization.signed_headers, ';', [&](std::string_view name) { names.push_back(name); });
  if (!Lists(names, "host")) {
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

  // The operation is as much part of the request as its body.
  constexpr std::string_view kTarget = "x-amz-target";
  if (FindHeader(request.headers, kTarget) && !Lists(names, kTarget)) {
    return Invalid(
        StrCat("There were headers present in the request which were not signed: ", kTarget));
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
