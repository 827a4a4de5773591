#include "access/keys/access_key.h"

#include <algorithm>

#include "base/check.h"
#include "base/random.h"
#include "base/strings.h"
#include "json/value.h"
#include "json/writer.h"
#include "tables/language/records.h"

namespace tintype::access {
namespace {

/// `count` characters of an alphabet whose size divides 256, so that each is equally likely.
std::string RandomText(size_t count, std::string_view alphabet) {
  CHECK(256 % alphabet.size() == 0);
  std::string text = RandomBytes(count);
  for (char& c : text) {
    c = alphabet[static_cast<unsigned char>(c) % alphabet.size()];
  }
  return text;
}

Error Damaged(std::string_view id) {
  return Error::Corruption(StrCat("The stored access key ", id, " is damaged"));
}

bool IsWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-' || c == '.';
}

std::string TextOf(const json::Value& record, std::string_view name) {
  const json::Value* member = record.Find(name);
  const std::string* text = member == nullptr ? nullptr : member->text();
  return text == nullptr ? std::string() : *text;
}

std::optional<int64_t> IntegerOf(const json::Value& record, std::string_view name) {
  const json::Value* member = record.Find(name);
  return member == nullptr ? std::nullopt : member->integer();
}

bool FlagOf(const json::Value& record, std::string_view name) {
  const json::Value* member = record.Find(name);
  return member != nullptr && member->boolean().value_or(false);
}

}  // namespace

std::string NewAccessKeyId() {
  return StrCat("AKIA", RandomText(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"));
}

std::string NewSecretAccessKey() {
  return RandomText(40, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
}

Status CheckKeyName(std::string_view name) {
  constexpr size_t kNameBytesMax = 128;
  if (name.empty() || name.size() > kNameBytesMax || !std::ranges::all_of(name, IsWord)) {
    return Error::Validation(
        StrCat("A key's name has 1 to ", kNameBytesMax, " letters, digits, '_', '-' or '.'"));
  }
  return OkStatus();
}

std::string ToRecord(const AccessKey& key) {
  json::Writer json;
  json.OpenObject();
  json.Text("name", key.name);
  json.Text("secret", key.secret);
  json.Text("policy", key.policy);
  if (!key.document.empty()) {
    json.Text("document", key.document);
  }
  json.Integer("createdMs", key.created_ms);
  if (key.expires_ms) {
    json.Integer("expiresMs", *key.expires_ms);
  }
  json.Bool("disabled", key.disabled);
  json.Bool("replaced", key.replaced);
  json.CloseObject();
  return std::move(json).Take();
}

Result<AccessKey> KeyFromRecord(std::string_view id, std::string_view record) {
  const Result<json::Value> parsed = json::Parse(record, tables::kRecordBytesMax);
  if (!parsed.ok()) {
    return Damaged(id);
  }
  AccessKey key;
  key.id = id;
  key.name = TextOf(*parsed, "name");
  key.secret = TextOf(*parsed, "secret");
  key.policy = TextOf(*parsed, "policy");
  key.document = TextOf(*parsed, "document");
  key.created_ms = IntegerOf(*parsed, "createdMs").value_or(0);
  key.expires_ms = IntegerOf(*parsed, "expiresMs");
  key.disabled = FlagOf(*parsed, "disabled");
  key.replaced = FlagOf(*parsed, "replaced");
  if (key.name.empty() || key.secret.empty() || key.policy.empty()) {
    return Damaged(id);
  }
  return key;
}

}  // namespace tintype::access
