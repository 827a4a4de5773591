#include "sigv4/internal/claim.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"
#include "sigv4/internal/text.h"

namespace tintype::sigv4 {
namespace {

Error Incomplete(std::string message) {
  return {reasons::kIncompleteSignature, std::move(message)};
}

// The request's time as a timestamp. A Date header may also have HTTP's own form.
std::string RequestTimestamp(std::string_view header) {
  std::string text(Trim(header));
  if (!ParseTimestamp(text)) {
    std::tm parsed{};
    const char* const end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parsed);
    if (end != nullptr && *end == '\0') {
      return FormatTimestamp(int64_t{timegm(&parsed)} * 1000);
    }
  }
  return text;
}

// An Authorization header, with the date that another header has.
Result<SignatureClaim> ReadHeaderClaim(std::string_view header, const HeaderList& headers,
                                       std::string_view query) {
  auto date = FindHeader(headers, "x-amz-date");
  if (!date) {
    date = FindHeader(headers, "date");
  }
  const std::string_view text = Trim(header);
  const size_t space = std::min(text.find(' '), text.size());
  SignatureClaim out;
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
  if (!date) {
    missing.append(
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  }
  if (!missing.empty()) {
    return Incomplete(StrCat(missing, "Authorization=", header));
  }
  out.timestamp = RequestTimestamp(*date);
  out.token = FindHeader(headers, "x-amz-security-token");
  out.query = query;
  return out;
}

// One of the parameters that make a request a presigned one.
struct QueryParameter {
  std::string_view name;
  std::string* value = nullptr;
  bool required = true;
  bool found = false;
};

Result<int64_t> ParseExpires(std::string_view text) {
  const std::optional<int64_t> seconds = ParseInteger<int64_t>(text);
  if (!seconds) {
    return Incomplete("X-Amz-Expires should be a number");
  }
  if (*seconds < 1 || *seconds > kPresignedExpiresMaxS) {
    return Error(reasons::kInvalidSignature,
                 StrCat("X-Amz-Expires must be between 1 and ", kPresignedExpiresMaxS,
                        " seconds (a week), not ", *seconds));
  }
  return *seconds;
}

Result<SignatureClaim> ReadQueryClaim(std::string_view query) {
  SignatureClaim out;
  auto decoded = std::make_unique<PresignedParameters>();
  std::string expires;
  std::array<QueryParameter, 7> parameters = {{{"X-Amz-Algorithm", &decoded->algorithm},
                                               {"X-Amz-Credential", &decoded->credential},
                                               {"X-Amz-Signature", &decoded->signature},
                                               {"X-Amz-SignedHeaders", &decoded->signed_headers},
                                               {"X-Amz-Date", &out.timestamp},
                                               {"X-Amz-Expires", &expires, false},
                                               {"X-Amz-Security-Token", &decoded->token, false}}};
  std::string repeated;
  Split(query, '&', [&](std::string_view text) {
    const size_t equals = std::min(text.find('='), text.size());
    const std::string name = PercentDecodeLenient(text.substr(0, equals));
    const auto known = std::ranges::find(parameters, name, &QueryParameter::name);
    if (known != parameters.end()) {
      if (known->found) {
        repeated = name;
      }
      known->found = true;
      *known->value = PercentDecodeLenient(text.substr(std::min(equals + 1, text.size())));
    }
    if (name != "X-Amz-Signature") {
      StrAppend(decoded->query, decoded->query.empty() ? "" : "&", text);
    }
  });

  std::string missing;
  for (const QueryParameter& parameter : parameters) {
    if (parameter.required && parameter.value->empty()) {
      StrAppend(missing, "AWS query-string parameters must include '", parameter.name, "'. ");
    }
  }
  if (!missing.empty()) {
    return Incomplete(missing + "Re-examine the query-string parameters.");
  }
  if (!repeated.empty()) {
    return Incomplete(StrCat("AWS query-string parameters must include '", repeated,
                             "' only once. Re-examine the query-string parameters."));
  }
  if (parameters[5].found) {
    ASSIGN_OR_RETURN(out.expires_s, ParseExpires(expires));
  }
  if (parameters[6].found) {
    out.token = decoded->token;
  }
  out.algorithm = decoded->algorithm;
  out.credential = decoded->credential;
  out.signed_headers = decoded->signed_headers;
  out.signature = decoded->signature;
  out.query = decoded->query;
  out.presigned = std::move(decoded);
  return out;
}

bool IsPresigned(std::string_view query) {
  bool found = false;
  if (!query.empty()) {
    Split(query, '&', [&found](std::string_view text) {
      found = found || PercentDecodeLenient(text.substr(0, text.find('='))) == "X-Amz-Algorithm";
    });
  }
  return found;
}

}  // namespace

std::optional<std::string_view> FindHeader(const HeaderList& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<int64_t> ParseTimestamp(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') {
    return std::nullopt;
  }
  const auto number = [&text](size_t begin, size_t length) {
    return ParseDigits<int>(text.substr(begin, length)).value_or(-1);
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

Result<SignatureClaim> ReadClaim(const SignableRequest& request) {
  const auto header = FindHeader(request.headers, "authorization");
  const bool presigned = IsPresigned(request.query);
  if (header && presigned) {
    return Error(reasons::kInvalidSignature,
                 "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
                 "header.");
  }
  if (presigned) {
    return ReadQueryClaim(request.query);
  }
  if (!header || !Trim(*header).starts_with("AWS4-")) {
    return Error(reasons::kMissingAuthentication, "Request is missing Authentication Token");
  }
  return ReadHeaderClaim(*header, request.headers, request.query);
}

}  // namespace tintype::sigv4
