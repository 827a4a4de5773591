#include "sigv4/sigv4.h"

#include <algorithm>
#include <ctime>

#include "base/hex.h"
#include "base/percent.h"
#include "base/strings.h"
#include "sigv4/internal/text.h"

namespace tintype::sigv4 {
namespace {

// More keys than a server sees in a day; older ones are derived again.
constexpr size_t kCachedKeysMax = 64;

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
    AppendPercentEncoded(out, NormalisedPath(path), /*keep_slash=*/true);
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
    AppendPercentEncoded(name, PercentDecodeLenient(parameter.substr(0, equals)));
    if (equals < parameter.size()) {
      AppendPercentEncoded(value, PercentDecodeLenient(parameter.substr(equals + 1)));
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
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  bool first = true;
  for (;;) {
    size_t begin = 0;
    while (begin < value.size() && is_blank(value[begin])) {
      ++begin;
    }
    if (begin == value.size()) {
      return;
    }
    size_t end = begin;
    while (end < value.size() && !is_blank(value[end])) {
      ++end;
    }
    if (!first) {
      out.push_back(' ');
    }
    first = false;
    out.append(value.substr(begin, end - begin));
    value.remove_prefix(end);
  }
}

}  // namespace

void AppendScope(std::string& out, const SigningScope& scope) {
  StrAppend(out, scope.date, "/", scope.region, "/", scope.service, "/", kTerminator);
}

std::vector<std::string_view> NamesOf(const HeaderList& headers) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : headers) {
    names.push_back(name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
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
  out.append(crypto::Sha256Hex(canonical_request));
  return out;
}

std::string Signature(const Sha256Digest& signing_key, std::string_view string_to_sign) {
  return ToHex(crypto::Bytes(crypto::HmacSha256(crypto::Bytes(signing_key), string_to_sign)));
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
  Sha256Digest key = crypto::HmacSha256(StrCat("AWS4", secret), scope.date);
  for (const std::string_view part : {scope.region, scope.service, kTerminator}) {
    key = crypto::HmacSha256(crypto::Bytes(key), part);
  }

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
  const std::string payload_hash =
      options.payload_hash.empty() ? crypto::Sha256Hex(request.body) : options.payload_hash;
  HeaderList added = {{"x-amz-date", timestamp}};
  if (credentials.session_token) {
    added.emplace_back("x-amz-security-token", *credentials.session_token);
  }
  if (options.add_payload_header) {
    added.emplace_back("x-amz-content-sha256", payload_hash);
  }

  HeaderList all = request.headers;
  all.insert(all.end(), added.begin(), added.end());
  const std::vector<std::string_view> names = NamesOf(all);
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

}  // namespace tintype::sigv4
