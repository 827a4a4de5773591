#include "tables/language/schema_validation.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/strings.h"
#include "tables/language/limits.h"

namespace tintype::tables {

namespace {

Error Invalid(std::string_view what) {
  return Error::Validation(StrCat("One or more parameter values were invalid: ", what));
}

std::vector<std::string> DefinedNames(const TableDefinition& definition) {
  std::vector<std::string> names;
  for (const AttributeDefinition& attribute : definition.attributes) {
    names.push_back(attribute.name);
  }
  return names;
}

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The first name that occurs twice, or null.
const std::string* FindDuplicate(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      return &name;
    }
  }
  return nullptr;
}

/// `where` is empty for the table, " for index: NAME" for an index.
Status CheckOnDemandMode(BillingMode mode, const std::optional<Throughput>& on_demand,
                         std::string_view where) {
  if (!on_demand) {
    return OkStatus();
  }
  const std::string_view first =
      on_demand->read_units != -1 ? "MaxReadRequestUnits" : "MaxWriteRequestUnits";
  if (mode == BillingMode::kProvisioned) {
    return Invalid(StrCat(first, " for OnDemandThroughput", where,
                          " cannot be specified when table BillingMode is PROVISIONED."));
  }
  const auto out_of_range = [](int64_t units) { return units == 0 || units < -1; };
  if (out_of_range(on_demand->read_units) || out_of_range(on_demand->write_units)) {
    return Invalid(
        StrCat("Requested ",
               out_of_range(on_demand->read_units) ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
               " for OnDemandThroughput", where.empty() ? " for table" : where,
               " is outside of valid range"));
  }
  return OkStatus();
}

Status CheckTableThroughput(const TableDefinition& definition) {
  if (definition.billing_mode == BillingMode::kPayPerRequest) {
    if (definition.throughput) {
      return Invalid(
          "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
          "PAY_PER_REQUEST");
    }
  } else {
    if (!definition.throughput) {
      return Invalid(
          "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
          "PROVISIONED");
    }
    RETURN_IF_ERROR(ValidateThroughputBounds(*definition.throughput));
  }
  return CheckOnDemandMode(definition.billing_mode, definition.on_demand_throughput, "");
}

Status CheckKeysDefined(const KeySchema& keys, const std::vector<std::string>& defined) {
  const std::vector<std::string> all = keys.All();
  for (const std::string& name : all) {
    if (!Has(defined, name)) {
      return Invalid(
          StrCat("Some index key attributes are not defined in AttributeDefinitions. Keys: [",
                 StrJoin(all, ", "), "], AttributeDefinitions: [", StrJoin(defined, ", "), "]"));
    }
  }
  return OkStatus();
}

/// The keys of a table or a local index: one hash attribute, at most one range attribute.
Status CheckSimpleKeys(const KeySchema& keys) {
  if (FindDuplicate(keys.All()) != nullptr) {
    return Error::Validation(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  if (keys.hash.empty()) {
    return Error::Validation(
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (keys.hash.size() > 1) {
    return Error::Validation(
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  return OkStatus();
}

/// The keys of a global index: up to four attributes of each role.
Status CheckMultiKeys(const KeySchema& keys) {
  if (FindDuplicate(keys.All()) != nullptr) {
    return Invalid("The KeySchema contains multiple key attributes with the same name");
  }
  if (keys.hash.empty()) {
    return Error::Validation(
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (keys.hash.size() > limits::kKeyAttributesPerRole) {
    return Invalid("The KeySchema exceeds the maximum allowed number of HASH key attributes");
  }
  if (keys.range.size() > limits::kKeyAttributesPerRole) {
    return Invalid("The KeySchema exceeds the maximum allowed number of RANGE key attributes");
  }
  return OkStatus();
}

Status CheckProjection(const IndexProjection& projection) {
  const bool wants_names = projection.kind == IndexProjection::Kind::kInclude;
  if (wants_names != !projection.include.empty()) {
    return Invalid(StrCat("ProjectionType is ", ProjectionTypeName(projection.kind),
                          ", but NonKeyAttributes is ",
                          wants_names ? "not specified" : "specified"));
  }
  for (const std::string& name : projection.include) {
    if (name.empty() || name.size() > limits::kKeyAttributeNameBytes) {
      return Invalid(StrCat("NonKeyAttributes must have names of 1 to ",
                            limits::kKeyAttributeNameBytes, " bytes"));
    }
  }
  if (const std::string* name = FindDuplicate(projection.include)) {
    return Invalid(StrCat("Duplicate element in NonKeyAttributes: ", *name));
  }
  return OkStatus();
}

Status CheckLocalIndex(const TableDefinition& table, const IndexDefinition& index) {
  if (index.keys.range.empty()) {
    return Invalid(StrCat("Index KeySchema does not have a range key for index: ", index.name));
  }
  if (index.keys.hash != table.keys.hash) {
    return Invalid(
        StrCat("Index KeySchema does not have the same leading hash key as table KeySchema for "
               "index: ",
               index.name, ". index hash key: ", index.keys.hash[0],
               ", table hash key: ", table.keys.hash[0]));
  }
  return CheckProjection(index.projection);
}

Status CheckGlobalIndex(const TableDefinition& table, const IndexDefinition& index) {
  RETURN_IF_ERROR(CheckProjection(index.projection));
  if (table.billing_mode == BillingMode::kPayPerRequest && index.throughput) {
    return Invalid(StrCat("ProvisionedThroughput should not be specified for index: ", index.name,
                          " when BillingMode is PAY_PER_REQUEST"));
  }
  if (table.billing_mode == BillingMode::kProvisioned && !index.throughput) {
    return Invalid(StrCat("ProvisionedThroughput is not specified for index: ", index.name));
  }
  if (index.throughput) {
    RETURN_IF_ERROR(ValidateThroughputBounds(*index.throughput));
  }
  return CheckOnDemandMode(table.billing_mode, index.on_demand_throughput,
                           StrCat(" for index: ", index.name));
}

Status CheckAllDefinitionsUsed(const TableDefinition& table,
                               const std::vector<std::string>& defined) {
  std::vector<std::string> used = table.keys.All();
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexDefinition& index : *indexes) {
      for (const std::string& name : index.keys.All()) {
        if (!Has(used, name)) {
          used.push_back(name);
        }
      }
    }
  }
  if (used.size() == defined.size()) {
    return OkStatus();
  }
  if (table.local_indexes.empty() && table.global_indexes.empty()) {
    return Invalid(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  return Invalid(StrCat("Some AttributeDefinitions are not used. AttributeDefinitions: [",
                        StrJoin(defined, ", "), "], keys used: [", StrJoin(used, ", "), "]"));
}

Status CheckIndexNames(const TableDefinition& table) {
  std::vector<std::string> names;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexDefinition& index : *indexes) {
      names.push_back(index.name);
    }
  }
  if (const std::string* name = FindDuplicate(names)) {
    return Invalid(StrCat("Duplicate index name: ", *name));
  }
  return OkStatus();
}

Status CheckIndexLimits(const TableDefinition& table) {
  if (table.local_indexes.size() > limits::kLocalIndexes) {
    return Invalid(StrCat("Number of LocalSecondaryIndexes exceeds per-table limit of ",
                          limits::kLocalIndexes));
  }
  if (table.global_indexes.size() > limits::kGlobalIndexes) {
    return Invalid(StrCat("GlobalSecondaryIndex count exceeds the per-table limit of ",
                          limits::kGlobalIndexes));
  }
  size_t projected = 0;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexDefinition& index : *indexes) {
      projected += index.projection.include.size();
    }
  }
  if (projected > limits::kProjectedAttributes) {
    return Invalid(
        StrCat("Total number of NonKeyAttributes of all indexes exceeds per-table limit of ",
               limits::kProjectedAttributes));
  }
  return OkStatus();
}

}  // namespace

Status ValidateThroughputBounds(const Throughput& throughput) {
  constexpr int64_t kMax = 1'000'000'000'000;
  if (throughput.read_units > kMax) {
    return Error::Validation(
        StrCat("Given value ", throughput.read_units, " for ReadCapacityUnits is out of bounds"));
  }
  if (throughput.write_units > kMax) {
    return Error::Validation(
        StrCat("Given value ", throughput.write_units, " for WriteCapacityUnits is out of bounds"));
  }
  return OkStatus();
}

Status ValidateGlobalIndex(const IndexDefinition& index) {
  RETURN_IF_ERROR(CheckMultiKeys(index.keys));
  RETURN_IF_ERROR(CheckProjection(index.projection));
  return index.throughput ? ValidateThroughputBounds(*index.throughput) : OkStatus();
}

Status ValidateTableDefinition(const TableDefinition& definition) {
  RETURN_IF_ERROR(CheckTableThroughput(definition));

  const std::vector<std::string> defined = DefinedNames(definition);
  if (const std::string* name = FindDuplicate(defined)) {
    return Invalid(StrCat("Attribute Name is duplicated: ", *name));
  }
  if (definition.keys.All().size() > defined.size()) {
    return Error::Validation("Invalid KeySchema: Some index key attribute have no definition");
  }
  RETURN_IF_ERROR(CheckKeysDefined(definition.keys, defined));
  RETURN_IF_ERROR(CheckSimpleKeys(definition.keys));

  if (!definition.local_indexes.empty() && definition.keys.range.empty()) {
    return Invalid(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  for (const IndexDefinition& index : definition.local_indexes) {
    RETURN_IF_ERROR(CheckKeysDefined(index.keys, defined));
    RETURN_IF_ERROR(CheckSimpleKeys(index.keys));
  }
  for (const IndexDefinition& index : definition.global_indexes) {
    RETURN_IF_ERROR(CheckKeysDefined(index.keys, defined));
    RETURN_IF_ERROR(CheckMultiKeys(index.keys));
  }
  // Comes before the other rules of indexes, so that a superfluous definition hides their faults.
  RETURN_IF_ERROR(CheckAllDefinitionsUsed(definition, defined));

  for (const IndexDefinition& index : definition.local_indexes) {
    RETURN_IF_ERROR(CheckLocalIndex(definition, index));
  }
  for (const IndexDefinition& index : definition.global_indexes) {
    RETURN_IF_ERROR(CheckGlobalIndex(definition, index));
  }
  RETURN_IF_ERROR(CheckIndexNames(definition));
  return CheckIndexLimits(definition);
}

}  // namespace tintype::tables
