#include "cli/commands/keys.h"

#include <sys/stat.h>

#include <array>
#include <ctime>
#include <utility>
#include <vector>

#include "access/audit/audit_kinds.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "cli/admin/client.h"
#include "cli/audit/audited_commands.h"
#include "cli/audit/open_audit.h"
#include "cli/audit/pending_acts.h"
#include "cli/console/console.h"
#include "cli/console/text_table.h"
#include "cli/settings/credentials.h"
#include "cli/settings/tables_place.h"
#include "cli/tables/tables.h"

namespace tintype::cli {
namespace {

using access::AccessKey;
using access::AccessKeys;

constexpr int64_t kNever = -1;

std::string StateOf(const AccessKey& key, int64_t now_ms) {
  if (key.disabled) {
    return "disabled";
  }
  if (!key.IsActive(now_ms)) {
    return "expired";
  }
  return key.replaced ? "replaced" : "active";
}

/// A key for people and programs, without its secret.
AdminFields FieldsOf(const AccessKey& key) {
  return {{"name", key.name},
          {"accessKeyId", key.id},
          {"policy", key.policy},
          {"state", StateOf(key, SystemClock().NowMs())},
          {"createdAt", TimeText(key.created_ms)},
          {"expiresAt", key.expires_ms ? AdminFields::Value(TimeText(*key.expires_ms))
                                       : AdminFields::Value(AdminFields::Null())}};
}

AdminFields FieldsWithSecret(const AccessKey& key) {
  AdminFields fields = FieldsOf(key);
  fields.Set("secretAccessKey", key.secret);
  return fields;
}

/// A key that lies in the credentials file: the root key or one before it, or one from before keys
/// had policies.
AdminFields FieldsOf(const ProfileKey& key, bool root) {
  const bool replaced = key.good_until_ms != 0;
  const bool over = replaced && key.good_until_ms <= SystemClock().NowMs();
  return {{"name", key.profile},
          {"accessKeyId", key.id},
          {"policy", root || replaced ? std::string("root") : std::string(access::kAdminPolicy)},
          {"state", std::string(over       ? "expired"
                                : replaced ? "replaced"
                                           : "active")},
          {"createdAt", AdminFields::Null()},
          {"expiresAt", replaced ? AdminFields::Value(TimeText(key.good_until_ms))
                                 : AdminFields::Value(AdminFields::Null())}};
}

Result<AdminFields> RotateRoot(const std::string& credentials, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const int64_t overlap_ms, arguments.Number("overlap_ms"));
  const int64_t now_ms = SystemClock().NowMs();
  ASSIGN_OR_RETURN(const ProfileKey key, RotateRootKey(credentials, overlap_ms, now_ms));
  return AdminFields{{"accessKeyId", key.id},
                     {"file", credentials},
                     {"oldGoodUntil", TimeText(now_ms + overlap_ms)}};
}

Result<AdminFields> List(AccessKeys& keys, const std::string& credentials) {
  std::string listed;
  ASSIGN_OR_RETURN(const std::vector<ProfileKey> in_file, ReadCredentials(credentials));
  for (const ProfileKey& key : in_file) {
    StrAppend(listed, FormatMessage({"key", FieldsOf(key, key.id == RootOf(in_file).id)}), "\n");
  }
  for (const AccessKey& key : keys.List()) {
    StrAppend(listed, FormatMessage({"key", FieldsOf(key)}), "\n");
  }
  return AdminFields{{"keys", listed}};
}

std::optional<int64_t> ExpiryOf(int64_t expires_ms) {
  return expires_ms == kNever ? std::nullopt : std::optional(expires_ms);
}

/// Whether no key from before there were policies has that name: policies of tables know keys by
/// their names, and would mean both. Errors: kInUse.
Status CheckProfiles(const std::string& credentials, const std::string& name) {
  const auto in_file = ReadCredentials(credentials);
  if (!in_file.ok()) {
    const bool none = in_file.error().kind() == ErrorKind::kNotFound;
    return none ? OkStatus() : Status(in_file.error());
  }
  for (const ProfileKey& key : *in_file) {
    if (key.profile == name && key.id != RootOf(*in_file).id && key.good_until_ms == 0) {
      return Error::InUse(StrCat("The profile '", name, "' in ", credentials,
                                 " is a key of that name, from before keys had policies. Take "
                                 "another name, or remove it first: tintype keys delete ",
                                 name));
    }
  }
  return OkStatus();
}

Result<AdminFields> Create(AccessKeys& keys, const std::string& credentials,
                           const AdminFields& arguments) {
  AccessKeys::NewKey described;
  ASSIGN_OR_RETURN(described.name, arguments.Text("name"));
  RETURN_IF_ERROR(CheckProfiles(credentials, described.name));
  ASSIGN_OR_RETURN(described.policy, arguments.Text("policy"));
  ASSIGN_OR_RETURN(described.document, arguments.Text("document"));
  ASSIGN_OR_RETURN(const int64_t expires_ms, arguments.Number("expires_ms"));
  described.expires_ms = ExpiryOf(expires_ms);
  ASSIGN_OR_RETURN(const AccessKey key, keys.Create(described));
  return FieldsWithSecret(key);
}

Result<AdminFields> Rotate(AccessKeys& keys, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(const int64_t overlap_ms, arguments.Number("overlap_ms"));
  ASSIGN_OR_RETURN(const AccessKey key, keys.Rotate(name, std::chrono::milliseconds(overlap_ms)));
  return FieldsWithSecret(key);
}

Result<AdminFields> Show(AccessKeys& keys, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  for (const AccessKey& key : keys.List()) {
    if ((key.name == name && !key.replaced) || key.id == name) {
      AdminFields fields = FieldsOf(key);
      fields.Set("document", std::string(keys.Find(key.id)->policy.document()));
      return fields;
    }
  }
  return Error::NotFound(StrCat("There is no access key '", name, "'"));
}

AdminFields IdFields(std::vector<std::string> ids) { return {{"accessKeyIds", std::move(ids)}}; }

Result<AdminFields> SetPolicy(AccessKeys& keys, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(const std::string policy, arguments.Text("policy"));
  ASSIGN_OR_RETURN(const std::string document, arguments.Text("document"));
  ASSIGN_OR_RETURN(auto ids, keys.SetPolicy(name, policy, document));
  return IdFields(std::move(ids));
}

Result<AdminFields> SetDisabled(AccessKeys& keys, const AdminFields& arguments, bool disabled) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(auto ids, keys.SetDisabled(name, disabled));
  return IdFields(std::move(ids));
}

Result<AdminFields> Expire(AccessKeys& keys, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(const int64_t expires_ms, arguments.Number("expires_ms"));
  ASSIGN_OR_RETURN(auto ids, keys.Expire(name, expires_ms));
  return IdFields(std::move(ids));
}

Result<AdminFields> Delete(AccessKeys& keys, const std::string& credentials,
                           const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  auto ids = keys.Delete(name);
  if (ids.ok()) {
    return IdFields(*std::move(ids));
  }
  if (ids.error().kind() != ErrorKind::kNotFound) {
    return std::move(ids).error();
  }
  ASSIGN_OR_RETURN(const std::string id, RemoveProfileKey(credentials, name));
  return IdFields({id});
}

/// By the server that has the data directory open, else by this process.
Result<AdminFields> DoOnKeys(const ServeConfig& config, const AdminMessage& request,
                             const ProgressReport& report) {
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(config.data_dir));
  // A server whose tables are elsewhere has no keys.
  ASSIGN_OR_RETURN(const std::string elsewhere, FindTablesAddress(directory));
  if (!elsewhere.empty()) {
    return NeedsEmbeddedTables("keys", elsewhere);
  }
  ASSIGN_OR_RETURN(std::optional<AdminClient> server, AdminClient::Connect(directory.path));
  if (server) {
    return server->Call(request, report);
  }
  // RocksDB creates its files for everyone to read.
  ::umask(077);
  ASSIGN_OR_RETURN(const auto tables, OpenEmbeddedTables(directory, config, "keys"));
  ASSIGN_OR_RETURN(const auto keys, AccessKeys::Open({.product_tables = ProtectedTables()},
                                                     tables->embedded()->records(), SystemClock()));
  AdminCommand command = KeysCommands(*keys, directory.credentials()).at(request.name);
  if (!IsAudited(request.name)) {
    return command(request.fields, report);
  }
  ASSIGN_OR_RETURN(const auto audit, OpenAudit(config, directory, *tables));
  return Audited(request.name, std::move(command), *audit)(request.fields, report);
}

/// A policy as a command takes it: one that comes with the program, or a file.
struct PolicyArgument {
  std::string policy;
  std::string document;
};

Result<PolicyArgument> ReadPolicy(const std::string& text) {
  if (text == access::kAdminPolicy || text == access::kReadOnlyPolicy ||
      text == access::kTablesPolicy) {
    return PolicyArgument{text, ""};
  }
  auto document = ReadFile(text);
  if (!document.ok()) {
    return Error::Validation(StrCat("--policy: '", text, "' is neither '", access::kAdminPolicy,
                                    "', '", access::kReadOnlyPolicy, "' or '",
                                    access::kTablesPolicy,
                                    "' nor a file that can be read: ", document.error().message()));
  }
  // Here too, so that the message names the file.
  if (const auto parsed = access::Policy::Parse(*document); !parsed.ok()) {
    return Error::Validation(StrCat(text, ": ", parsed.error().message()));
  }
  return PolicyArgument{std::string(access::kCustomPolicy), *std::move(document)};
}

Result<int64_t> ExpiryArgument(const std::string& text) {
  return text.empty() ? Result<int64_t>(kNever) : ParseExpiry(text, SystemClock().NowMs());
}

/// Prints a key that was made just now.
Status ShowNewKey(Console& console, const AdminFields& fields, const std::string& region) {
  ProfileKey key;
  ASSIGN_OR_RETURN(key.profile, fields.Text("name"));
  ASSIGN_OR_RETURN(key.id, fields.Text("accessKeyId"));
  ASSIGN_OR_RETURN(key.secret, fields.Text("secretAccessKey"));
  std::string profile = FormatProfile(key, region);
  profile.pop_back();
  return console.End(OkStatus(), fields, profile);
}

Status RunSimply(const KeysArguments& arguments, const ServeConfig& config, AdminMessage request,
                 std::string_view done) {
  Console console(arguments.json);
  request.fields.Set("name", arguments.name);
  const auto fields = DoOnKeys(config, request, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const auto ids, fields->List("accessKeyIds"));
  std::string text;
  for (const std::string& id : ids) {
    StrAppend(text, text.empty() ? "" : "\n", done, " ", id);
  }
  return console.End(OkStatus(), *fields, text);
}

using Row = std::array<std::string, 5>;

Result<Row> RowOf(const AdminFields& key) {
  ASSIGN_OR_RETURN(const std::string name, key.Text("name"));
  ASSIGN_OR_RETURN(const std::string id, key.Text("accessKeyId"));
  ASSIGN_OR_RETURN(const std::string policy, key.Text("policy"));
  ASSIGN_OR_RETURN(const std::string state, key.Text("state"));
  const Result<std::string> expires = key.Text("expiresAt");
  return Row{OneLine(name), OneLine(id), OneLine(policy), OneLine(state),
             expires.ok() ? OneLine(*expires) : "never"};
}

}  // namespace

Result<int64_t> ParseExpiry(const std::string& text, int64_t now_ms) {
  constexpr int64_t kMinuteMs = 60'000;
  constexpr int64_t kCountMax = 100'000;
  const Error wrong = Error::Validation(
      StrCat("'", text,
             "' is neither a time from now on such as 90d, 12h or 30m, nor a moment to "
             "come such as 2030-01-31T12:00:00Z"));
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end != nullptr && *end == '\0') {
    const int64_t moment_ms = static_cast<int64_t>(::timegm(&parts)) * 1000;
    return moment_ms > now_ms ? Result<int64_t>(moment_ms) : wrong;
  }
  if (text.empty()) {
    return wrong;
  }
  const auto count = ParseDigits<int64_t>(std::string_view(text).substr(0, text.size() - 1));
  const int64_t unit_ms = text.back() == 'm'   ? kMinuteMs
                          : text.back() == 'h' ? 60 * kMinuteMs
                          : text.back() == 'd' ? 24 * 60 * kMinuteMs
                                               : 0;
  if (!count || unit_ms == 0 || *count > kCountMax) {
    return wrong;
  }
  return now_ms + *count * unit_ms;
}

std::vector<std::string> ProtectedTables() {
  return {"ImageMetadata", "photos", "sparks", "so0050-*", "photoeditor-*", "tintype", "tintype-*"};
}

Status RunKeysList(const KeysArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoOnKeys(config, {"keys-list", {}}, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const std::string listed, fields->Text("keys"));
  std::vector<Row> rows = {{"NAME", "ACCESS KEY ID", "POLICY", "STATE", "EXPIRES"}};
  for (size_t begin = 0; begin < listed.size();) {
    const size_t end = listed.find('\n', begin);
    ASSIGN_OR_RETURN(const AdminMessage line, ParseMessage(listed.substr(begin, end - begin)));
    ASSIGN_OR_RETURN(Row row, RowOf(line.fields));
    rows.push_back(std::move(row));
    begin = end + 1;
  }
  if (arguments.json) {
    std::fputs(listed.c_str(), stdout);
  }
  std::string text = TextTable(rows);
  text.pop_back();
  return console.End(OkStatus(), {{"count", static_cast<int64_t>(rows.size()) - 1}}, text);
}

Status RunKeysCreate(const KeysArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto policy = ReadPolicy(arguments.policy);
  if (!policy.ok()) {
    return console.Fail(policy.error());
  }
  const auto expires_ms = ExpiryArgument(arguments.expires);
  if (!expires_ms.ok()) {
    return console.Fail(expires_ms.error());
  }
  const auto fields = DoOnKeys(config,
                               {"keys-create",
                                {{"name", arguments.name},
                                 {"policy", policy->policy},
                                 {"document", policy->document},
                                 {"expires_ms", *expires_ms}}},
                               console.report());
  return fields.ok() ? ShowNewKey(console, *fields, config.region) : console.Fail(fields.error());
}

Status RunKeysRotate(const KeysArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  // Measured from 0, the moment is the length of time.
  const auto overlap_ms = ParseExpiry(arguments.overlap, 0);
  if (!overlap_ms.ok()) {
    return console.Fail(overlap_ms.error());
  }
  const auto fields =
      DoOnKeys(config, {"keys-rotate", {{"name", arguments.name}, {"overlap_ms", *overlap_ms}}},
               console.report());
  return fields.ok() ? ShowNewKey(console, *fields, config.region) : console.Fail(fields.error());
}

Status RunRotateRoot(const KeysArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto overlap_ms = ParseExpiry(arguments.overlap, 0);
  if (!overlap_ms.ok()) {
    return console.Fail(overlap_ms.error());
  }
  const auto fields =
      DoOnKeys(config, {"rotate-root", {{"overlap_ms", *overlap_ms}}}, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const std::string id, fields->Text("accessKeyId"));
  ASSIGN_OR_RETURN(const std::string file, fields->Text("file"));
  ASSIGN_OR_RETURN(const std::string until, fields->Text("oldGoodUntil"));
  return console.End(OkStatus(), *fields,
                     StrCat("The root key is ", id, ", in ", file, ". The one before ",
                            *overlap_ms == 0 ? "is refused from now on."
                                             : StrCat("stays good until ", until, ".")));
}

Status RunKeysShow(const KeysArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoOnKeys(config, {"keys-show", {{"name", arguments.name}}}, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const Row row, RowOf(*fields));
  ASSIGN_OR_RETURN(const std::string document, fields->Text("document"));
  return console.End(OkStatus(), *fields,
                     StrCat("name     ", row[0], "\nid       ", row[1], "\npolicy   ", row[2],
                            "\nstate    ", row[3], "\nexpires  ", row[4], "\n", document));
}

Status RunKeysPolicy(const KeysArguments& arguments, const ServeConfig& config) {
  const auto policy = ReadPolicy(arguments.policy);
  if (!policy.ok()) {
    return Console(arguments.json).Fail(policy.error());
  }
  return RunSimply(arguments, config,
                   {"keys-policy", {{"policy", policy->policy}, {"document", policy->document}}},
                   "changed");
}

Status RunKeysDisable(const KeysArguments& arguments, const ServeConfig& config) {
  return RunSimply(arguments, config, {"keys-disable", {}}, "disabled");
}

Status RunKeysEnable(const KeysArguments& arguments, const ServeConfig& config) {
  return RunSimply(arguments, config, {"keys-enable", {}}, "enabled");
}

Status RunKeysExpire(const KeysArguments& arguments, const ServeConfig& config) {
  const auto expires_ms = ParseExpiry(arguments.expires, SystemClock().NowMs());
  if (!expires_ms.ok()) {
    return Console(arguments.json).Fail(expires_ms.error());
  }
  return RunSimply(arguments, config, {"keys-expire", {{"expires_ms", *expires_ms}}},
                   StrCat("expires ", TimeText(*expires_ms), ":"));
}

Status RunKeysDelete(const KeysArguments& arguments, const ServeConfig& config) {
  return RunSimply(arguments, config, {"keys-delete", {}}, "deleted");
}

AdminCommands KeysCommands(AccessKeys& keys, const std::string& credentials) {
  const auto with_keys = [&keys](Result<AdminFields> (*command)(AccessKeys&, const AdminFields&)) {
    return [&keys, command](const AdminFields& arguments, const ProgressReport&) {
      return command(keys, arguments);
    };
  };
  AdminCommands commands;
  commands["keys-list"] = [&keys, credentials](const AdminFields&, const ProgressReport&) {
    return List(keys, credentials);
  };
  commands["keys-create"] = [&keys, credentials](const AdminFields& arguments,
                                                 const ProgressReport&) {
    return Create(keys, credentials, arguments);
  };
  commands["keys-rotate"] = with_keys(Rotate);
  commands["rotate-root"] = [credentials](const AdminFields& arguments, const ProgressReport&) {
    return RotateRoot(credentials, arguments);
  };
  commands["keys-show"] = with_keys(Show);
  commands["keys-policy"] = with_keys(SetPolicy);
  commands["keys-disable"] = with_keys([](AccessKeys& all, const AdminFields& arguments) {
    return SetDisabled(all, arguments, /*disabled=*/true);
  });
  commands["keys-enable"] = with_keys([](AccessKeys& all, const AdminFields& arguments) {
    return SetDisabled(all, arguments, /*disabled=*/false);
  });
  commands["keys-expire"] = with_keys(Expire);
  commands["keys-delete"] = [&keys, credentials](const AdminFields& arguments,
                                                 const ProgressReport&) {
    return Delete(keys, credentials, arguments);
  };
  return commands;
}

Status RotateMasterKey(const RotateMasterConfig& config) {
  RETURN_IF_ERROR(RotateMaster(config));
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(config.data_dir));
  return RecordAct(directory, {std::string(access::audit::kRotateMasterKey), "master key",
                               "keys rotate-master"});
}

Status RotateDataKey(const MasterKeyConfig& config) {
  RETURN_IF_ERROR(RotateDataKeys(config.data_dir, config.source));
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(config.data_dir));
  return RecordAct(directory,
                   {std::string(access::audit::kRotateDataKey), "data key", "rotate data-keys"});
}

}  // namespace tintype::cli
