#include "contexts/catalog/catalog.h"

#include <algorithm>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "contexts/catalog/similarity.h"
#include "contexts/common/find_items.h"
#include "contexts/common/item.h"
#include "contract/limits.h"

namespace tintype::contexts::catalog {
namespace {

using tables::Value;

Error NoSuchImage() { return Error::NotFound("There is no such image."); }

Error ChangedMeanwhile() { return {kVersionChanged, "The image was changed meanwhile."}; }

std::string TableName() { return std::string(kTable); }

/// Gathers the parts of an update: what is set, what is removed, and what both refer to.
class ChangeText {
 public:
  void Set(std::string_view attribute, Value value) {
    StrAppend(sets_, sets_.empty() ? "" : ", ", "#", attribute, " = :", attribute);
    bindings_.names.emplace(StrCat("#", attribute), attribute);
    bindings_.values.emplace(StrCat(":", attribute), std::move(value));
  }
  void Remove(std::string_view attribute) {
    StrAppend(removes_, removes_.empty() ? "" : ", ", "#", attribute);
    bindings_.names.emplace(StrCat("#", attribute), attribute);
  }
  void SetOrRemove(std::string_view attribute, const std::optional<std::string>& text) {
    if (text && !text->empty()) {
      Set(attribute, Value::String(*text));
    } else {
      Remove(attribute);
    }
  }

  /// Applied to the image that was seen, and to no other state of it; raises the version.
  UpdateWithCondition IfUnchanged(const Image& seen) && {
    StrAppend(sets_, sets_.empty() ? "" : ", ", "#version = if_not_exists(#version, :seen) + :one");
    bindings_.names.emplace("#version", "version");
    bindings_.values.emplace(":one", Value::Integer(1));
    bindings_.values.emplace(":seen", Value::Integer(seen.version));
    bindings_.values.emplace(":owner", Value::String(UserPartition(seen.user_id)));
    // Items that others wrote may lack a version.
    return UpdateIf(Text(),
                    "(attribute_not_exists(#version) OR #version = :seen) AND GSI1PK = :owner",
                    bindings_);
  }

  /// Applied to the image if it is there.
  UpdateWithCondition IfRevision(int64_t revision) && {
    bindings_.names.emplace("#revision", "revision");
    bindings_.values.emplace(":revision", Value::Integer(revision));
    return UpdateIf(Text(),
                    "attribute_exists(PK) AND (attribute_not_exists(#revision) OR #revision = "
                    ":revision)",
                    bindings_);
  }
  UpdateWithCondition IfPresent() && { return UpdateIf(Text(), "attribute_exists(PK)", bindings_); }

 private:
  std::string Text() const {
    return StrCat("SET ", sets_, removes_.empty() ? "" : " REMOVE ", removes_);
  }

  std::string sets_;
  std::string removes_;
  Bindings bindings_;
};

void SetAppearance(ChangeText& text, const Appearance& appearance) {
  text.SetOrRemove("blurhash", appearance.blurhash);
  if (appearance.dominant_colors.empty()) {
    text.Remove("dominantColors");
  } else {
    text.Set("dominantColors", TextListValue(appearance.dominant_colors));
  }
}

std::optional<std::string> OptionalName(Playback playback) {
  return playback == Playback::kNone ? std::nullopt : std::optional(std::string(NameOf(playback)));
}

void SetMedia(ChangeText& text, const AssetMedia& media) {
  if (media.duration) {
    text.Set("duration", DecimalValue(*media.duration));
  } else {
    text.Remove("duration");
  }
  if (media.pages) {
    text.Set("pages", Value::Integer(*media.pages));
  } else {
    text.Remove("pages");
  }
  text.SetOrRemove("playback", OptionalName(media.playback));
}

void SetWarning(ChangeText& text, const std::optional<ProcessingWarning>& warning) {
  if (warning) {
    text.Set("processingWarning", WarningValue(*warning));
  } else {
    text.Remove("processingWarning");
  }
}

constexpr std::string_view kPostingPrefix = "TAG#";

tables::Item PostingKey(const Image& image, const std::string& tag) {
  return ItemBuilder()
      .Text("PK", StrCat(kPostingPrefix, image.user_id, "#", tag))
      .Text("SK", image.id)
      .Build();
}

Piece UpdateImage(const Image& seen, ChangeText change) {
  return UpdatePiece(TableName(), ImageKey(seen.id), std::move(change).IfUnchanged(seen),
                     ChangedMeanwhile());
}

Piece UpdateImage(std::string_view id, ChangeText change) {
  return UpdatePiece(TableName(), ImageKey(id), std::move(change).IfPresent(), NoSuchImage());
}

bool Has(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

Status CheckChange(std::string_view name, const std::optional<std::optional<std::string>>& text,
                   const limits::TextLimit& limit) {
  return text && *text ? limits::CheckText(name, **text, limit) : OkStatus();
}

Status CheckTags(const std::vector<std::string>& tags) {
  if (tags.size() > limits::kTags.max) {
    return Error::Validation(StrCat("An image has at most ", limits::kTags.max, " tags."));
  }
  for (const std::string& tag : tags) {
    RETURN_IF_ERROR(limits::CheckText("tags", tag, limits::kTag));
    if (std::ranges::count(tags, tag) > 1) {
      return Error::Validation(StrCat("The tag `", tag, "` is there twice."));
    }
  }
  return OkStatus();
}

}  // namespace

std::vector<std::string> PostedTags(const std::vector<std::string>& tags) {
  std::vector<std::string> posted;
  for (const std::string& tag : tags) {
    if (posted.size() < limits::kTags.max && limits::Allows(limits::kTag, tag) &&
        !Has(posted, tag)) {
      posted.push_back(tag);
    }
  }
  return posted;
}

Status CheckDetails(const DetailsChange& change) {
  RETURN_IF_ERROR(CheckChange("title", change.title, limits::kTitle));
  RETURN_IF_ERROR(CheckChange("altText", change.alt_text, limits::kAltText));
  RETURN_IF_ERROR(CheckChange("description", change.description, limits::kDescription));
  if (change.album_id && *change.album_id && (*change.album_id)->empty()) {
    return Error::Validation("`albumId` is empty; null takes an image out of its album.");
  }
  RETURN_IF_ERROR(CheckChange("albumId", change.album_id, limits::kAlbumId));
  return change.tags ? CheckTags(*change.tags) : OkStatus();
}

ProductTable Catalog::Table() {
  tables::TableDefinition table =
      OnDemandTable(TableName(), KeyOf("PK", "SK"),
                    {{"PK"}, {"SK"}, {"GSI1PK"}, {"GSI1SK"}, {"GSI2PK"}, {"GSI2SK"}});
  table.global_indexes = {IndexOn("UserIndex", KeyOf("GSI1PK", "GSI1SK")),
                          IndexOn("AlbumIndex", KeyOf("GSI2PK", "GSI2SK"))};
  return {std::move(table), "ttl"};
}

Result<std::optional<Image>> Catalog::Find(std::string_view id) {
  ASSIGN_OR_RETURN(
      const auto response,
      database_.GetItem(
          {.table = TableName(), .key = ImageKey(id), .projection = {}, .consistent_read = true}));
  if (!response.item) {
    return std::optional<Image>();
  }
  return std::optional<Image>(ImageFromItem(*response.item));
}

Result<std::unordered_map<std::string, Image>> Catalog::FindAll(
    const std::vector<std::string>& ids) {
  std::vector<tables::Item> keys;
  keys.reserve(ids.size());
  for (const std::string& id : ids) {
    keys.push_back(ImageKey(id));
  }
  ASSIGN_OR_RETURN(const auto items, FindItems(database_, kTable, std::move(keys)));
  std::unordered_map<std::string, Image> found;
  found.reserve(items.size());
  for (const tables::Item& item : items) {
    Image image = ImageFromItem(item);
    std::string id = image.id;
    found.emplace(std::move(id), std::move(image));
  }
  return found;
}

Result<ImagePage> Catalog::ListOfUser(std::string_view user_id, int64_t limit,
                                      const std::optional<tables::Item>& after) {
  tables::QueryRequest query;
  query.table = TableName();
  query.key_condition =
      KeyConditionOf("GSI1PK = :user", {{}, {{":user", Value::String(UserPartition(user_id))}}});
  query.forward = false;
  query.options.index = "UserIndex";
  query.options.limit = limit;
  query.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  ImagePage page;
  page.images.reserve(response.items.size());
  for (const tables::Item& item : response.items) {
    page.images.push_back(ImageFromItem(item));
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

Result<ImagePage> Catalog::ListAll(const std::optional<tables::Item>& after,
                                   std::optional<int64_t> limit) {
  tables::ScanRequest scan;
  scan.table = TableName();
  scan.options.filter = ConditionOf("SK = :record", {{}, {{":record", Value::String("METADATA")}}});
  scan.options.consistent_read = true;
  scan.options.limit = limit;
  scan.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Scan(std::move(scan)));
  ImagePage page;
  for (const tables::Item& item : response.items) {
    page.images.push_back(ImageFromItem(item));
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

Result<OwnersPage> Catalog::ListVersionOwners(const std::optional<tables::Item>& after) {
  return ScanOwners(
      database_, kTable, after, [](const ItemReader& read) -> std::optional<std::string> {
        constexpr std::string_view kImagePrefix = "IMAGE#";
        const std::string partition = read.Text("PK");
        if (!partition.starts_with(kImagePrefix) || !read.Text("SK").starts_with(kVersionPrefix)) {
          return std::nullopt;
        }
        return partition.substr(kImagePrefix.size());
      });
}

Result<TagPostingsPage> Catalog::ListPostings(const std::optional<tables::Item>& after) {
  TagPostingsPage page;
  ASSIGN_OR_RETURN(
      page.last_evaluated_key,
      ScanItems(database_, kSystemTable, after, [&](const ItemReader& read) {
        const std::string partition = read.Text("PK");
        if (!partition.starts_with(kPostingPrefix)) {
          return;
        }
        // Ids of users have no such sign in them; tags may.
        const std::string rest = partition.substr(kPostingPrefix.size());
        const size_t sign = std::min(rest.find('#'), rest.size());
        page.postings.push_back(
            {rest.substr(0, sign), rest.substr(std::min(sign + 1, rest.size())), read.Text("SK")});
      }));
  return page;
}

Result<bool> Catalog::HasPosting(const Image& image, const std::string& tag) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = std::string(kSystemTable),
                                                           .key = PostingKey(image, tag),
                                                           .projection = {},
                                                           .consistent_read = true}));
  return response.item.has_value();
}

Piece Catalog::Add(const Image& image) {
  return PutPiece(TableName(), ToItem(image), ConditionOf("attribute_not_exists(PK)", {}),
                  Error::InUse("There is an image of this id already."));
}

Piece Catalog::Change(const Image& seen, const DetailsChange& change, std::string_view now) {
  ChangeText text;
  text.Set("updatedAt", Value::String(now));
  if (change.title) {
    text.SetOrRemove("title", *change.title);
  }
  if (change.description) {
    text.SetOrRemove("description", *change.description);
  }
  if (change.alt_text) {
    text.SetOrRemove("altText", *change.alt_text);
  }
  if (change.tags && change.tags->empty()) {
    text.Remove("tags");
  } else if (change.tags) {
    text.Set("tags", TextListValue(*change.tags));
  }
  if (change.album_id && *change.album_id) {
    text.Set("albumId", Value::String(**change.album_id));
    text.Set("GSI2PK", Value::String(AlbumPartition(**change.album_id)));
    text.Set("GSI2SK", Value::String(UploadedSort(seen.uploaded_at)));
  } else if (change.album_id) {
    text.Remove("albumId");
    text.Remove("GSI2PK");
    text.Remove("GSI2SK");
  }
  return UpdateImage(seen, std::move(text));
}

Piece Catalog::Trash(const Image& seen, std::string_view now) {
  ChangeText text;
  text.Set("updatedAt", Value::String(now));
  text.Set("trashedAt", Value::String(now));
  text.Remove("GSI1SK");
  text.Remove("GSI2PK");
  text.Remove("GSI2SK");
  return UpdateImage(seen, std::move(text));
}

Piece Catalog::Restore(const Image& seen, std::string_view now) {
  ChangeText text;
  text.Set("updatedAt", Value::String(now));
  text.Set("GSI1SK", Value::String(UploadedSort(seen.uploaded_at)));
  if (seen.album_id) {
    text.Set("GSI2PK", Value::String(AlbumPartition(*seen.album_id)));
    text.Set("GSI2SK", Value::String(UploadedSort(seen.uploaded_at)));
  }
  text.Remove("trashedAt");
  return UpdateImage(seen, std::move(text));
}

Piece Catalog::SetExpiry(const Image& seen, const std::optional<int64_t>& ttl,
                         std::string_view now) {
  ChangeText text;
  text.Set("updatedAt", Value::String(now));
  if (ttl) {
    text.Set("ttl", Value::Integer(*ttl));
  } else {
    text.Remove("ttl");
  }
  return UpdateImage(seen, std::move(text));
}

Piece Catalog::Revise(const Image& seen, const Image& revised, std::string_view now) {
  ChangeText text;
  text.Set("updatedAt", Value::String(now));
  text.Set("revision", Value::Integer(revised.revision));
  text.Set("width", Value::Integer(revised.width));
  text.Set("height", Value::Integer(revised.height));
  text.Set("aspectRatio", DecimalValue(revised.aspect_ratio));
  text.Set("processedSize", Value::Integer(revised.processed_size));
  text.Set("imageUrl", Value::String(revised.image_url));
  text.Set("thumbnailUrl", Value::String(revised.thumbnail_url));
  SetAppearance(text, revised.appearance);
  if (revised.reverted_to) {
    text.Set("revertedTo", Value::Integer(*revised.reverted_to));
  } else {
    text.Remove("revertedTo");
  }
  if (revised.original) {
    text.Set("originalPicture", Value::Map(ToItem(*revised.original)));
  }
  return UpdateImage(seen, std::move(text));
}

Piece Catalog::CheckUnchanged(const Image& seen) {
  return CheckPiece(
      TableName(), ImageKey(seen.id),
      // Others may have written it without a version, which reads as the first.
      ConditionOf("attribute_exists(PK) AND (attribute_not_exists(#version) OR #version = :seen)",
                  {{{"#version", "version"}}, {{":seen", Value::Integer(seen.version)}}}),
      ChangedMeanwhile());
}

Piece Catalog::CheckPresent(std::string_view id) {
  return CheckPiece(TableName(), ImageKey(id), ConditionOf("attribute_exists(PK)", {}),
                    NoSuchImage());
}

Piece Catalog::AddVersion(const ImageVersion& version) {
  return PutPiece(TableName(), ToItem(version), ConditionOf("attribute_not_exists(PK)", {}),
                  Error(kRevisionTaken, "There is a version of this number already."));
}

Piece Catalog::CompleteVersion(const ImageVersion& version) {
  return PutPiece(TableName(), ToItem(version),
                  ConditionOf("jobId = :job", {{}, {{":job", Value::String(version.job_id)}}}),
                  Error::NotFound("This version is another job's."));
}

Piece Catalog::StartProcessing(std::string_view id, std::string_view now) {
  ChangeText text;
  text.Set("processingStatus", Value::String(NameOf(ProcessingStatus::kProcessing)));
  text.Set("updatedAt", Value::String(now));
  return UpdateImage(id, std::move(text));
}

Piece Catalog::FinishProcessing(std::string_view id, const Development& development,
                                std::string_view now) {
  ChangeText text;
  text.Set("processingStatus", Value::String(NameOf(ProcessingStatus::kCompleted)));
  text.Set("updatedAt", Value::String(now));
  text.Set("width", Value::Integer(development.width));
  text.Set("height", Value::Integer(development.height));
  text.Set("aspectRatio",
           DecimalValue(development.height == 0 ? 0.0
                                                : static_cast<double>(development.width) /
                                                      static_cast<double>(development.height)));
  text.Set("processedSize", Value::Integer(development.processed_size));
  text.Set("format", Value::String(development.format));
  text.Set("quality", Value::Integer(development.quality));
  text.Set("exifData", ExifValue(development.exif));
  SetMedia(text, development.media);
  SetAppearance(text, development.appearance);
  text.SetOrRemove("perceptualHash", development.perceptual_hash
                                         ? std::optional(HashText(*development.perceptual_hash))
                                         : std::nullopt);
  text.Remove("processingError");
  SetWarning(text, development.warning);
  if (development.seen_revision) {
    return UpdatePiece(TableName(), ImageKey(id),
                       std::move(text).IfRevision(*development.seen_revision), NoSuchImage());
  }
  return UpdateImage(id, std::move(text));
}

Piece Catalog::SetPlayback(std::string_view id, Playback playback,
                           const std::optional<ProcessingWarning>& warning, std::string_view now) {
  ChangeText text;
  text.SetOrRemove("playback", OptionalName(playback));
  SetWarning(text, warning);
  text.Set("updatedAt", Value::String(now));
  return UpdateImage(id, std::move(text));
}

Piece Catalog::FailProcessing(std::string_view id, std::string_view error, std::string_view now) {
  ChangeText text;
  text.Set("processingStatus", Value::String(NameOf(ProcessingStatus::kFailed)));
  text.Set("processingError", Value::String(error));
  text.Remove("processingWarning");
  text.Set("updatedAt", Value::String(now));
  return UpdateImage(id, std::move(text));
}

Pieces Catalog::MovePostings(const Image& image, const std::vector<std::string>& tags) {
  const std::vector<std::string> before = PostedTags(image.tags);
  const std::vector<std::string> after = PostedTags(tags);
  Pieces pieces;
  for (const std::string& tag : before) {
    if (!Has(after, tag)) {
      pieces.push_back(RemovePosting(image, tag));
    }
  }
  for (const std::string& tag : after) {
    if (!Has(before, tag)) {
      pieces.push_back(AddPosting(image, tag));
    }
  }
  return pieces;
}

Piece Catalog::AddPosting(const Image& image, const std::string& tag) {
  return PutPiece(std::string(kSystemTable), PostingKey(image, tag));
}

Piece Catalog::RemovePosting(const Image& image, const std::string& tag) {
  return DeletePiece(std::string(kSystemTable), PostingKey(image, tag));
}

Piece Catalog::AddTombstone(std::string_view id, std::string_view now) {
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat("TOMBSTONE#", id))
                          .Text("SK", "TOMBSTONE")
                          .Text("deletedAt", now)
                          .Build();
  return PutPiece(std::string(kSystemTable), std::move(item),
                  ConditionOf("attribute_not_exists(PK)", {}),
                  Error::InUse("The image has been deleted already."));
}

Piece Catalog::Remove(std::string_view id) { return DeletePiece(TableName(), ImageKey(id)); }

Result<std::vector<ImageVersion>> Catalog::ListVersions(std::string_view id) {
  tables::QueryRequest query;
  query.table = TableName();
  query.key_condition = KeyConditionOf("PK = :image AND begins_with(SK, :version)",
                                       {{},
                                        {{":image", Value::String(StrCat("IMAGE#", id))},
                                         {":version", Value::String(kVersionPrefix)}}});
  query.options.consistent_read = true;
  std::vector<ImageVersion> versions;
  do {
    ASSIGN_OR_RETURN(auto response, database_.Query(query));
    for (const tables::Item& item : response.items) {
      versions.push_back(VersionFromItem(item));
    }
    query.options.exclusive_start_key = std::move(response.last_evaluated_key);
  } while (query.options.exclusive_start_key);
  return versions;
}

Piece Catalog::RemoveVersion(std::string_view id, int64_t revision) {
  return DeletePiece(TableName(), VersionKey(id, revision));
}

}  // namespace tintype::contexts::catalog
