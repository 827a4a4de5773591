#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "tables/engine/storage/stored_item.h"
#include "tables/language/schema.h"

/// The policy of a table or a stream in a stored description: the attributes NAME, the document,
/// and NAMERevision.
namespace tintype::tables::engine {

inline void StorePolicy(StoredWriter& out, std::string_view name,
                        const std::shared_ptr<const ResourcePolicy>& policy) {
  if (policy != nullptr) {
    out.Put(name, policy->document);
    out.Put(StrCat(name, "Revision"), policy->revision_id);
  }
}

/// Null when there is none. One without its revision is damage: to drop it could allow what it
/// denies.
inline std::shared_ptr<const ResourcePolicy> ReadPolicy(StoredReader& in, std::string_view name) {
  const std::string revision = StrCat(name, "Revision");
  if (!in.Find(name, Type::kString) && !in.Find(revision, Type::kString)) {
    return nullptr;
  }
  ResourcePolicy policy{.document = in.Text(name), .revision_id = in.Text(revision)};
  return std::make_shared<const ResourcePolicy>(std::move(policy));
}

}  // namespace tintype::tables::engine
