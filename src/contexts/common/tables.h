#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/language/backups.h"
#include "tables/language/database.h"
#include "tables/language/schema.h"

/// The tables of the product, as their contexts declare them.
namespace tintype::contexts {

struct ProductTable {
  tables::TableDefinition definition;
  std::optional<std::string> expiry_attribute;
};

/// A key or an index as the documents print it: names of the hash attribute and, where there is
/// one, of the range attribute.
tables::KeySchema KeyOf(std::string hash, std::string range = {});
tables::IndexDefinition IndexOn(std::string name, tables::KeySchema keys);

/// What all product tables share: on demand, encrypted, with a stream of new and old images.
/// `attributes` gives the types of all key attributes.
tables::TableDefinition OnDemandTable(std::string name, tables::KeySchema keys,
                                      std::vector<tables::AttributeDefinition> attributes);

/// The table `tintype`, for what no document has a place for. Each context has prefixes of its own
/// for the partition key: identity ACCOUNT#, EMAIL#, USERNAME#, SESSION#, SETUP, KEY#; intake
/// UPLOAD#, CHECKSUM#, IMPORTED#; catalog TAG#, TRASH#, TOMBSTONE#; pipeline FOLLOWER#; system
/// SCHEMA.
inline constexpr std::string_view kSystemTable = "tintype";
ProductTable SystemTable();

/// Creates those of the tables that do not exist, turns recovery and expiry on where they are off,
/// and waits until all can be used. A table that exists with other keys or indexes than declared is
/// an error that names it; more indexes than declared are fine. `backups` may be null: some
/// services have none. Safe to repeat, and to run on several nodes at once.
Status CreateTables(const std::vector<ProductTable>& wanted, tables::Database& database,
                    tables::Backups* backups);

}  // namespace tintype::contexts
