#include "tables/engine/registry/table_info.h"

#include <algorithm>

#include "base/strings.h"
#include "tables/engine/registry/stored_policy.h"
#include "tables/engine/storage/stored_item.h"

namespace tintype::tables::engine {
namespace {

template <typename Enum>
int64_t Ordinal(Enum value) {
  return static_cast<int64_t>(value);
}

Item StoreIndex(const IndexInfo& index) {
  StoredWriter out;
  out.Put("id", static_cast<int64_t>(index.id));
  out.Put("name", index.definition.name);
  out.Put("local", Value::Bool(index.local));
  out.Put("hash", index.definition.keys.hash);
  out.Put("range", index.definition.keys.range);
  out.Put("projection", Ordinal(index.definition.projection.kind));
  out.Put("include", index.definition.projection.include);
  out.Put("throughput", index.definition.throughput);
  out.Put("onDemandThroughput", index.definition.on_demand_throughput);
  out.Put("status", Ordinal(index.status));
  return out.Finish();
}

Result<IndexInfo> ReadIndex(MapView stored) {
  StoredReader in(stored);
  IndexInfo index;
  index.id = static_cast<IndexId>(in.Integer("id"));
  index.local = in.Flag("local");
  index.definition.name = in.Text("name");
  index.definition.keys.hash = in.Texts("hash");
  index.definition.keys.range = in.Texts("range");
  index.definition.projection.kind = in.OneOf("projection", IndexProjection::Kind::kInclude);
  index.definition.projection.include = in.Texts("include");
  index.definition.throughput = in.OptionalThroughput("throughput");
  index.definition.on_demand_throughput = in.OptionalThroughput("onDemandThroughput");
  index.status = in.OneOf("status", IndexStatus::kActive);
  if (in.damaged()) {
    return Error::Corruption("The stored description of an index is damaged");
  }
  return index;
}

void StoreEncryption(StoredWriter& out, const std::optional<EncryptionSpecification>& encryption) {
  if (!encryption) {
    return;
  }
  out.Put("encryptionEnabled", Value::Bool(encryption->enabled));
  if (encryption->type) {
    out.Put("encryptionType", *encryption->type);
  }
  if (encryption->master_key) {
    out.Put("encryptionKey", *encryption->master_key);
  }
}

std::optional<EncryptionSpecification> ReadEncryption(StoredReader& in) {
  const std::optional<ValueView> enabled = in.Find("encryptionEnabled", Type::kBool);
  if (!enabled) {
    return std::nullopt;
  }
  EncryptionSpecification encryption;
  encryption.enabled = enabled->AsBool();
  if (const auto type = in.Find("encryptionType", Type::kString)) {
    encryption.type = std::string(type->AsString());
  }
  if (const auto key = in.Find("encryptionKey", Type::kString)) {
    encryption.master_key = std::string(key->AsString());
  }
  return encryption;
}

void ReadRestore(StoredReader& in, TableInfo& table) {
  if (!in.Find("restoreSource", Type::kString)) {
    return;
  }
  RestoreInfo restore;
  restore.from = in.OneOf("restoreFrom", RestoreInfo::From::kDeletedTable);
  restore.source = static_cast<TableId>(in.Integer("restoreSourceId"));
  restore.backup_id = in.Text("restoreBackupId");
  restore.source_table_arn = in.Text("restoreSource");
  if (in.Find("restoreBackup", Type::kString)) {
    restore.source_backup_arn = in.Text("restoreBackup");
  }
  restore.time_ms = in.Integer("restoreTimeMs");
  restore.in_progress = in.Flag("restoring");
  table.restore = std::move(restore);
}

}  // namespace

bool IndexInfo::Projects(std::string_view attribute) const {
  return projects_all() || std::binary_search(projected.begin(), projected.end(), attribute);
}

void IndexInfo::NoteUnprojected(const Path& path, std::vector<std::string>& missing) const {
  const std::string& attribute = path.attribute();
  if (!Projects(attribute) && std::ranges::find(missing, attribute) == missing.end()) {
    missing.push_back(attribute);
  }
}

Type TableInfo::AttributeType(std::string_view name) const {
  const auto found = std::find_if(definition.attributes.begin(), definition.attributes.end(),
                                  [&](const AttributeDefinition& a) { return a.name == name; });
  CHECK(found != definition.attributes.end());
  return found->type;
}

void TableInfo::Derive() {
  const auto typed = [this](const std::string& name) {
    return KeyAttribute{name, AttributeType(name)};
  };
  hash = typed(definition.keys.hash.front());
  range.reset();
  if (!definition.keys.range.empty()) {
    range = typed(definition.keys.range.front());
  }
  for (IndexInfo& index : indexes) {
    const auto& keys = index.definition.keys;
    index.hash.clear();
    index.range.clear();
    std::transform(keys.hash.begin(), keys.hash.end(), std::back_inserter(index.hash), typed);
    std::transform(keys.range.begin(), keys.range.end(), std::back_inserter(index.range), typed);
    index.projected.clear();
    if (index.projects_all()) {
      continue;
    }
    index.projected = keys.All();
    for (const std::string& name : definition.keys.All()) {
      index.projected.push_back(name);
    }
    for (const std::string& name : index.definition.projection.include) {
      index.projected.push_back(name);
    }
    std::sort(index.projected.begin(), index.projected.end());
    index.projected.erase(std::unique(index.projected.begin(), index.projected.end()),
                          index.projected.end());
  }
}

const IndexInfo* TableInfo::FindIndex(std::string_view name) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(), [&](const IndexInfo& index) {
    return index.definition.name == name;
  });
  return found == indexes.end() ? nullptr : &*found;
}

bool TableInfo::has_local_indexes() const {
  return std::any_of(indexes.begin(), indexes.end(),
                     [](const IndexInfo& index) { return index.local; });
}

Item TableInfo::ToStored() const {
  StoredWriter out;
  out.Put("id", static_cast<int64_t>(id));
  out.Put("name", definition.name);
  out.Put("uuid", uuid);
  out.Put("hash", definition.keys.hash);
  out.Put("range", definition.keys.range);
  std::vector<Value> attributes;
  for (const AttributeDefinition& attribute : definition.attributes) {
    attributes.push_back(
        Value::List({Value::String(attribute.name), Value::String(TypeName(attribute.type))}));
  }
  out.Put("attributes", Value::List(attributes));
  std::vector<Value> stored_indexes;
  for (const IndexInfo& index : indexes) {
    stored_indexes.push_back(Value::Map(StoreIndex(index)));
  }
  out.Put("indexes", Value::List(stored_indexes));
  out.Put("nextIndexId", static_cast<int64_t>(next_index_id));
  out.Put("billingMode", Ordinal(definition.billing_mode));
  out.Put("throughput", definition.throughput);
  out.Put("onDemandThroughput", definition.on_demand_throughput);
  if (definition.stream) {
    out.Put("stream", Ordinal(*definition.stream));
  }
  StoreEncryption(out, definition.encryption);
  out.Put("deletionProtection", Value::Bool(definition.deletion_protection));
  out.Put("tableClass", Ordinal(definition.table_class));
  out.Put("createdMs", created_ms);
  out.Put("onDemandSinceMs", on_demand_since_ms);
  out.Put("classChangedMs", class_changed_ms);
  out.Put("lastIncreaseMs", last_increase_ms);
  out.Put("lastDecreaseMs", last_decrease_ms);
  out.Put("decreasesToday", decreases_today);
  if (stream_since) {
    out.Put("streamSince", static_cast<int64_t>(*stream_since));
  }
  if (recovery) {
    out.Put("recoverySince", static_cast<int64_t>(recovery->since));
    out.Put("recoveryDays", recovery->days);
  }
  if (time_to_live) {
    out.Put("ttlAttribute", time_to_live->attribute);
    out.Put("ttlEnabling", Value::Bool(time_to_live->enabling));
  }
  if (restore) {
    out.Put("restoreFrom", Ordinal(restore->from));
    out.Put("restoreSourceId", static_cast<int64_t>(restore->source));
    out.Put("restoreBackupId", restore->backup_id);
    out.Put("restoreSource", restore->source_table_arn);
    if (restore->source_backup_arn) {
      out.Put("restoreBackup", *restore->source_backup_arn);
    }
    out.Put("restoreTimeMs", restore->time_ms);
    out.Put("restoring", Value::Bool(restore->in_progress));
  }
  std::vector<std::pair<std::string, Value>> stored_tags;
  for (const auto& [key, value] : tags) {
    stored_tags.emplace_back(key, Value::String(value));
  }
  out.Put("tags", Value::Map(Item::Of(std::move(stored_tags))));
  StorePolicy(out, "policy", policy);
  StorePolicy(out, "streamPolicy", stream_policy);
  return out.Finish();
}

Result<TableInfo> TableInfo::FromStored(MapView stored) {
  StoredReader in(stored);
  TableInfo table;
  TableDefinition& definition = table.definition;
  table.id = static_cast<TableId>(in.Integer("id"));
  definition.name = in.Text("name");
  table.uuid = in.Text("uuid");
  definition.keys.hash = in.Texts("hash");
  definition.keys.range = in.Texts("range");
  for (const ValueView pair : in.List("attributes")) {
    const std::optional<ValueView> name =
        pair.type() == Type::kList ? pair.AsList().At(0) : std::nullopt;
    const std::optional<ValueView> type =
        pair.type() == Type::kList ? pair.AsList().At(1) : std::nullopt;
    const std::optional<Type> parsed = type ? TypeFromName(type->payload()) : std::nullopt;
    if (!name || !parsed) {
      in.MarkDamaged();
      break;
    }
    definition.attributes.push_back({std::string(name->payload()), *parsed});
  }
  for (const ValueView index : in.List("indexes")) {
    if (index.type() != Type::kMap) {
      in.MarkDamaged();
      break;
    }
    ASSIGN_OR_RETURN(IndexInfo info, ReadIndex(index.AsMap()));
    table.indexes.push_back(std::move(info));
  }
  table.next_index_id = static_cast<IndexId>(in.Integer("nextIndexId"));
  definition.billing_mode = in.OneOf("billingMode", BillingMode::kPayPerRequest);
  definition.throughput = in.OptionalThroughput("throughput");
  definition.on_demand_throughput = in.OptionalThroughput("onDemandThroughput");
  if (in.OptionalInteger("stream")) {
    definition.stream = in.OneOf("stream", StreamView::kNewAndOldImages);
  }
  definition.encryption = ReadEncryption(in);
  definition.deletion_protection = in.Flag("deletionProtection");
  definition.table_class = in.OneOf("tableClass", TableClass::kStandardInfrequentAccess);
  table.created_ms = in.Integer("createdMs");
  table.on_demand_since_ms = in.OptionalInteger("onDemandSinceMs");
  table.class_changed_ms = in.OptionalInteger("classChangedMs");
  table.last_increase_ms = in.OptionalInteger("lastIncreaseMs");
  table.last_decrease_ms = in.OptionalInteger("lastDecreaseMs");
  table.decreases_today = in.Integer("decreasesToday");
  if (const auto since = in.OptionalInteger("streamSince")) {
    table.stream_since = static_cast<Position>(*since);
  }
  if (const auto since = in.OptionalInteger("recoverySince")) {
    table.recovery = {static_cast<Position>(*since), in.Integer("recoveryDays")};
  }
  if (in.Find("ttlAttribute", Type::kString)) {
    table.time_to_live = {in.Text("ttlAttribute"), in.Flag("ttlEnabling")};
  }
  ReadRestore(in, table);
  if (const auto tags = in.Find("tags", Type::kMap)) {
    for (const auto& [key, value] : tags->AsMap()) {
      table.tags.emplace(key, value.payload());
    }
  }
  table.policy = ReadPolicy(in, "policy");
  table.stream_policy = ReadPolicy(in, "streamPolicy");
  const auto has_types = [&definition](const KeySchema& keys) {
    const std::vector<std::string> names = keys.All();
    return !keys.hash.empty() && std::all_of(names.begin(), names.end(), [&](const auto& name) {
      return std::any_of(definition.attributes.begin(), definition.attributes.end(),
                         [&](const AttributeDefinition& a) { return a.name == name; });
    });
  };
  const bool keys_have_types =
      has_types(definition.keys) &&
      std::all_of(table.indexes.begin(), table.indexes.end(),
                  [&](const IndexInfo& index) { return has_types(index.definition.keys); });
  if (in.damaged() || !keys_have_types) {
    return Error::Corruption(
        StrCat("The stored description of table '", definition.name, "' is damaged"));
  }
  table.Derive();
  return table;
}

}  // namespace tintype::tables::engine
