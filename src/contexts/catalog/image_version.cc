#include "contexts/catalog/image_version.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/strings.h"
#include "contexts/common/item.h"

namespace tintype::contexts::catalog {
namespace {

/// The number in `VERSION#n`, which is what counts, whatever others wrote into the item. 0 for what
/// is no number.
int64_t RevisionOf(const std::string& sort) {
  if (sort.size() <= kVersionPrefix.size()) {
    return 0;
  }
  const std::string_view digits = std::string_view(sort).substr(kVersionPrefix.size());
  return std::max<int64_t>(ParseInteger<int64_t>(digits).value_or(0), 0);
}

}  // namespace

tables::Item VersionKey(std::string_view id, int64_t revision) {
  return ItemBuilder()
      .Text("PK", StrCat("IMAGE#", id))
      .Text("SK", StrCat(kVersionPrefix, revision))
      .Build();
}

tables::Item ToItem(const ImageVersion& version) {
  ItemBuilder item;
  item.Text("PK", StrCat("IMAGE#", version.image_id))
      .Text("SK", StrCat(kVersionPrefix, version.revision))
      .Text("id", version.image_id)
      .Integer("revision", version.revision)
      .Text("createdAt", version.created_at)
      .Bool("completed", version.completed)
      .Integer("width", version.width)
      .Integer("height", version.height)
      .Integer("fileSize", version.file_size)
      .Text("s3Key", version.s3_key)
      .MaybeInteger("base", version.base)
      .MaybeText("operations", version.operations)
      .MaybeInteger("revertedTo", version.reverted_to);
  if (!version.job_id.empty()) {
    item.Text("jobId", version.job_id);
  }
  AddAppearance(item, version.appearance);
  return item.Build();
}

ImageVersion VersionFromItem(const tables::Item& item) {
  const ItemReader read(item);
  ImageVersion version;
  version.image_id = read.Text("id");
  version.revision = RevisionOf(read.Text("SK"));
  version.job_id = read.Text("jobId");
  version.created_at = read.Text("createdAt");
  version.completed = read.Bool("completed");
  version.width = read.Integer("width");
  version.height = read.Integer("height");
  version.file_size = read.Integer("fileSize");
  version.s3_key = read.Text("s3Key");
  version.appearance = ReadAppearance(read);
  version.base = read.OptionalInteger("base");
  version.operations = read.OptionalText("operations");
  version.reverted_to = read.OptionalInteger("revertedTo");
  return version;
}

}  // namespace tintype::contexts::catalog
