#include "contexts/people/people.h"

#include <functional>
#include <map>
#include <utility>

#include "base/strings.h"
#include "contexts/common/find_items.h"
#include "contexts/common/item.h"
#include "contexts/common/update_builder.h"
#include "contexts/people/internal/keys.h"
#include "contexts/people/limits.h"

namespace tintype::contexts::people {
namespace {

using tables::Value;

constexpr std::string_view kShared = "IMAGE";
constexpr std::string_view kPrivate = "IMAGE#PRIVATE";
constexpr std::string_view kTrashed = "IMAGE#TRASHED";

std::string TableName() { return std::string(kTable); }

Error NoSuchImage() { return Error::NotFound("There is no such image."); }

std::string_view EntityTypeOf(Visibility visibility) {
  return visibility == Visibility::kShared ? kShared : kPrivate;
}

constexpr std::string_view kUser = "USER";
constexpr std::string_view kLimitPrefix = "LIMIT#";
constexpr std::string_view kDefaultLimitType = "DEFAULT_LIMIT";

tables::Item UserKey(std::string_view email) {
  return ItemBuilder().Text("PK", email).Text("SK", email).Build();
}

tables::Item LimitKey(std::string_view email) {
  return KeyOfItem(StrCat(kLimitPrefix, email), email);
}

Error LimitIsAnother() { return {kLimitIsAnother, "The upload limit was changed just now."}; }

/// With `#limit` and `:unlimited` bound, beside whatever else.
Bindings LimitBindings(std::map<std::string, Value, std::less<>> values) {
  values.emplace(":unlimited", Value::Integer(kUnlimited));
  return {{{"#limit", "limit"}}, std::move(values)};
}

tables::Item VariantsItem(const Variants& variants) {
  return ItemBuilder()
      .Text("large", variants.large)
      .Text("medium", variants.medium)
      .Text("processedAt", variants.processed_at)
      .Build();
}

Sharing SharingFromItem(const ItemReader& read) {
  const std::string entity_type = read.Text("entityType");
  const bool trashed = entity_type == kTrashed;
  // Items that others wrote have no `visibility`; the entity type tells as long as it is not in the
  // trash.
  const bool shared =
      trashed ? read.Text("visibility") == NameOf(Visibility::kShared) : entity_type == kShared;
  return {shared ? Visibility::kShared : Visibility::kPrivate, trashed};
}

User UserFromItem(const tables::Item& item) {
  const ItemReader read(item);
  User user;
  user.email = read.Text("PK");
  user.username = read.Text("username");
  user.profile_picture = read.OptionalText("profilePicture");
  user.person_id = read.OptionalText("personId");
  user.user_id = read.OptionalText("userId");
  user.created_s = read.OptionalInteger("createdAt");
  user.modified_at = read.OptionalText("lastModified");
  return user;
}

SparksImage ImageFromItem(const tables::Item& item) {
  const ItemReader read(item);
  SparksImage image;
  // The key's, whatever else others wrote into the item: they say who shares which image.
  image.id = read.Text("PK");
  const std::string sort = read.Text("SK");
  image.uploaded_by = sort.starts_with(kUploadedByPrefix) ? sort.substr(kUploadedByPrefix.size())
                                                          : read.Text("uploadedBy");
  image.uploaded_at = read.Text("uploaded_datetime");
  image.modified_at = read.Text("lastModified");
  image.s3_key = read.Text("s3Key");
  if (read.Has("images")) {
    const ItemReader variants = read.Map("images");
    image.variants =
        Variants{variants.Text("large"), variants.Text("medium"), variants.Text("processedAt")};
  }
  image.persons = read.TextList("persons");
  image.tags = read.TextList("tags");
  image.stated_visibility = read.OptionalText("visibility");
  const Sharing sharing = SharingFromItem(read);
  image.visibility = sharing.visibility;
  image.trashed = sharing.trashed;
  return image;
}

}  // namespace

std::string_view NameOf(Visibility visibility) {
  return visibility == Visibility::kShared ? "shared" : "private";
}

ProductTable People::Table() {
  tables::TableDefinition table = OnDemandTable(
      TableName(), KeyOf("PK", "SK"),
      {{"PK"}, {"SK"}, {"entityType"}, {"uploadedBy"}, {"limit", tables::Type::kNumber}});
  table.global_indexes = {IndexOn("entityType-PK-index", KeyOf("entityType", "PK")),
                          IndexOn("uploadedBy-PK-index", KeyOf("uploadedBy", "PK"))};
  table.local_indexes = {IndexOn("PK-limit-index", KeyOf("PK", "limit"))};
  return {std::move(table), std::nullopt};
}

Result<std::optional<int64_t>> People::FindLimit(std::string_view email) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = TableName(),
                                                           .key = LimitKey(email),
                                                           .projection = {},
                                                           .consistent_read = true}));
  return response.item ? ItemReader(*response.item).OptionalInteger("limit") : std::nullopt;
}

Result<std::unordered_map<std::string, int64_t>> People::FindLimits(
    const std::vector<std::string>& emails) {
  std::vector<tables::Item> keys;
  keys.reserve(emails.size());
  for (const std::string& email : emails) {
    keys.push_back(LimitKey(email));
  }
  ASSIGN_OR_RETURN(const auto items, FindItems(database_, kTable, std::move(keys)));
  std::unordered_map<std::string, int64_t> found;
  found.reserve(items.size());
  for (const tables::Item& item : items) {
    const ItemReader read(item);
    if (const auto limit = read.OptionalInteger("limit")) {
      found.emplace(read.Text("SK"), *limit);
    }
  }
  return found;
}

tables::Item People::PlaceOfUser(std::string_view email) {
  return ItemBuilder().Text("PK", email).Text("SK", email).Text("entityType", kUser).Build();
}

Result<UsersPage> People::ListUsers(int64_t limit, const std::optional<tables::Item>& after) {
  tables::QueryRequest query;
  query.table = TableName();
  query.key_condition =
      KeyConditionOf("entityType = :type", {{}, {{":type", Value::String(kUser)}}});
  query.options.index = "entityType-PK-index";
  query.options.limit = limit;
  query.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  UsersPage page;
  for (const tables::Item& item : response.items) {
    page.users.push_back(UserFromItem(item));
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

Result<std::optional<User>> People::FindUser(std::string_view email) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = TableName(),
                                                           .key = UserKey(email),
                                                           .projection = {},
                                                           .consistent_read = true}));
  return response.item ? std::optional<User>(UserFromItem(*response.item)) : std::nullopt;
}

Result<std::optional<SparksImage>> People::FindImage(std::string_view id, std::string_view email) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = TableName(),
                                                           .key = ImageKey(id, email),
                                                           .projection = {},
                                                           .consistent_read = true}));
  return response.item ? std::optional<SparksImage>(ImageFromItem(*response.item)) : std::nullopt;
}

Result<std::unordered_map<std::string, Sharing>> People::FindSharing(
    const std::vector<std::string>& ids, std::string_view email) {
  std::vector<tables::Item> keys;
  keys.reserve(ids.size());
  for (const std::string& id : ids) {
    keys.push_back(ImageKey(id, email));
  }
  ASSIGN_OR_RETURN(const auto items, FindItems(database_, kTable, std::move(keys)));
  std::unordered_map<std::string, Sharing> found;
  found.reserve(items.size());
  for (const tables::Item& item : items) {
    const ItemReader read(item);
    found.emplace(read.Text("PK"), SharingFromItem(read));
  }
  return found;
}

Result<OwnersPage> People::ListImageOwners(const std::optional<tables::Item>& after) {
  return ScanOwners(database_, kTable, after, [](const ItemReader& read) {
    const std::string sort = read.Text("SK");
    const bool about_image = sort.starts_with(kUploadedByPrefix) || sort.starts_with(kPersonPrefix);
    return about_image ? read.OptionalText("PK") : std::nullopt;
  });
}

Result<FeedPage> People::Feed(int64_t limit, const std::optional<tables::Item>& after) {
  tables::QueryRequest query;
  query.table = TableName();
  query.key_condition =
      KeyConditionOf("entityType = :type", {{}, {{":type", Value::String(kShared)}}});
  query.forward = false;
  query.options.index = "entityType-PK-index";
  query.options.limit = limit;
  query.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  FeedPage page;
  for (const tables::Item& item : response.items) {
    page.images.push_back(ImageFromItem(item));
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

Pieces People::AddUser(const User& user, int64_t limit) {
  tables::Item item = ItemBuilder()
                          .Text("PK", user.email)
                          .Text("SK", user.email)
                          .Text("entityType", kUser)
                          .Text("email", user.email)
                          .Text("username", user.username)
                          .MaybeText("displayName", user.display_name)
                          .MaybeText("profilePicture", user.profile_picture)
                          .MaybeText("personId", user.person_id)
                          .MaybeText("userId", user.user_id)
                          .MaybeInteger("createdAt", user.created_s)
                          .MaybeText("lastModified", user.modified_at)
                          .Build();
  tables::Item limit_item = ItemBuilder()
                                .Text("PK", StrCat(kLimitPrefix, user.email))
                                .Text("SK", user.email)
                                .Text("entityType", kDefaultLimitType)
                                .Integer("limit", limit)
                                .Build();
  Pieces pieces;
  pieces.push_back(PutPiece(TableName(), std::move(item),
                            ConditionOf("attribute_not_exists(PK)", {}),
                            Error::InUse("There is a user of this email already.")));
  pieces.push_back(PutPiece(TableName(), std::move(limit_item)));
  pieces.push_back(RecordGrant(user.email, limit));
  return pieces;
}

Piece People::ChangeUser(const User& user, const UserChange& change, std::string_view now) {
  UpdateBuilder update;
  update.Text("lastModified", now);
  if (user.user_id) {
    update.Text("userId", *user.user_id);
  }
  if (user.created_s) {
    update.Integer("createdAt", *user.created_s);
  }
  if (change.username) {
    update.Text("username", *change.username);
  }
  if (change.display_name) {
    update.MaybeText("displayName", *change.display_name);
  }
  if (change.about) {
    update.MaybeText("about", *change.about);
  }
  if (change.profile_picture) {
    update.MaybeText("profilePicture", *change.profile_picture);
  }
  return UpdatePiece(TableName(), UserKey(user.email),
                     UpdateIf(update.text(), "attribute_exists(PK)", update.bindings()),
                     Error::NotFound("There is no such user."));
}

Pieces People::RemoveUser(std::string_view email) {
  Pieces pieces;
  pieces.push_back(DeletePiece(TableName(), UserKey(email)));
  pieces.push_back(DeletePiece(TableName(), LimitKey(email)));
  pieces.push_back(RemoveGrant(email));
  return pieces;
}

Piece People::TakeFromLimit(std::string_view email) {
  return UpdatePiece(
      TableName(), LimitKey(email),
      UpdateIf("SET #limit = #limit - :one", "#limit > :none AND #limit < :unlimited",
               LimitBindings({{":one", Value::Integer(1)}, {":none", Value::Integer(0)}})),
      Error(kUploadLimitReached, "The upload limit is used up."));
}

Piece People::CheckUnlimited(std::string_view email) {
  return CheckPiece(TableName(), LimitKey(email),
                    ConditionOf("#limit >= :unlimited", LimitBindings({})), LimitIsAnother());
}

bool People::IsRefusedAsUnlimited(const Error& error) {
  const auto* refused = error.Is(kUploadLimitReached) ? error.DetailAs<RefusedPiece>() : nullptr;
  return refused != nullptr && refused->item &&
         IsUnlimited(ItemReader(*refused->item).Integer("limit"));
}

Piece People::GiveBackToLimit(std::string_view email) {
  return UpdatePiece(TableName(), LimitKey(email),
                     UpdateIf("SET #limit = #limit + :one", "#limit < :unlimited",
                              LimitBindings({{":one", Value::Integer(1)}})),
                     LimitIsAnother());
}

Piece People::CheckNothingToGiveBackTo(std::string_view email) {
  return CheckPiece(TableName(), LimitKey(email),
                    ConditionOf("NOT (#limit < :unlimited)", LimitBindings({})), LimitIsAnother());
}

Piece People::SetLimit(std::string_view email, int64_t limit, std::string_view now) {
  // Also where somebody has removed the item.
  return UpdatePiece(TableName(), LimitKey(email),
                     UpdateOf("SET #limit = :limit, entityType = :type, setAt = :now",
                              {{{"#limit", "limit"}},
                               {{":limit", Value::Integer(limit)},
                                {":type", Value::String(kDefaultLimitType)},
                                {":now", Value::String(now)}}}));
}

Piece People::AddToLimit(std::string_view email, int64_t more, std::string_view now) {
  // Where somebody has removed the item, none are left.
  return UpdatePiece(
      TableName(), LimitKey(email),
      UpdateIf(
          "SET #limit = if_not_exists(#limit, :none) + :more, entityType = :type, setAt = :now",
          "NOT (#limit >= :unlimited)",
          LimitBindings({{":none", Value::Integer(0)},
                         {":more", Value::Integer(more)},
                         {":type", Value::String(kDefaultLimitType)},
                         {":now", Value::String(now)}})),
      LimitIsAnother());
}

Piece People::TakeAwayDefaultLimit(std::string_view email) {
  return UpdatePiece(
      TableName(), LimitKey(email),
      UpdateIf("SET #limit = :unlimited",
               "attribute_exists(#limit) AND attribute_not_exists(setAt)", LimitBindings({})),
      LimitIsAnother());
}

Piece People::AddImage(const SparksImage& image) {
  ItemBuilder item;
  item.Text("PK", image.id)
      .Text("SK", StrCat(kUploadedByPrefix, image.uploaded_by))
      .Text("entityType", EntityTypeOf(image.visibility))
      .Text("visibility", NameOf(image.visibility))
      .Text("assetType", "IMAGE")
      .Text("imageId", image.id)
      .Text("uploadedBy", image.uploaded_by)
      .Text("uploaded_datetime", image.uploaded_at)
      .Text("lastModified", image.modified_at)
      .Text("s3Key", image.s3_key)
      .TextList("persons", image.persons)
      .TextList("tags", image.tags);
  if (image.variants) {
    item.Map("images", VariantsItem(*image.variants));
  }
  return PutPiece(TableName(), item.Build());
}

Piece People::SetVariants(std::string_view id, std::string_view email, const Variants& variants) {
  return UpdatePiece(TableName(), ImageKey(id, email),
                     UpdateIf("SET images = :images, lastModified = :at", "attribute_exists(PK)",
                              {{},
                               {{":images", Value::Map(VariantsItem(variants))},
                                {":at", Value::String(variants.processed_at)}}}),
                     NoSuchImage());
}

Piece People::SetTags(std::string_view id, std::string_view email,
                      const std::vector<std::string>& tags, std::string_view now) {
  return UpdatePiece(TableName(), ImageKey(id, email),
                     UpdateIf("SET tags = :tags, lastModified = :now", "attribute_exists(PK)",
                              {{}, {{":tags", TextListValue(tags)}, {":now", Value::String(now)}}}),
                     NoSuchImage());
}

Piece People::SetVisibility(std::string_view id, std::string_view email, Visibility visibility,
                            std::string_view now) {
  return UpdatePiece(
      TableName(), ImageKey(id, email),
      UpdateIf("SET entityType = :type, visibility = :visibility, lastModified = :now",
               "attribute_exists(PK)",
               {{},
                {{":type", Value::String(EntityTypeOf(visibility))},
                 {":visibility", Value::String(NameOf(visibility))},
                 {":now", Value::String(now)}}}),
      NoSuchImage());
}

Piece People::Trash(std::string_view id, std::string_view email, Visibility visibility,
                    std::string_view now) {
  return UpdatePiece(
      TableName(), ImageKey(id, email),
      UpdateIf("SET entityType = :type, visibility = :visibility, lastModified = :now",
               "attribute_exists(PK)",
               {{},
                {{":type", Value::String(kTrashed)},
                 {":visibility", Value::String(NameOf(visibility))},
                 {":now", Value::String(now)}}}),
      NoSuchImage());
}

Piece People::RemoveImage(std::string_view id, std::string_view email) {
  return DeletePiece(TableName(), ImageKey(id, email));
}

Result<std::vector<std::string>> People::ListTaggings(std::string_view id) {
  tables::QueryRequest query;
  query.table = TableName();
  query.key_condition = KeyConditionOf(
      "PK = :image AND begins_with(SK, :person)",
      {{}, {{":image", Value::String(id)}, {":person", Value::String(kPersonPrefix)}}});
  query.options.consistent_read = true;
  std::vector<std::string> persons;
  do {
    ASSIGN_OR_RETURN(auto response, database_.Query(query));
    for (const tables::Item& item : response.items) {
      persons.push_back(ItemReader(item).Text("SK").substr(kPersonPrefix.size()));
    }
    query.options.exclusive_start_key = std::move(response.last_evaluated_key);
  } while (query.options.exclusive_start_key);
  return persons;
}

Piece People::RemoveTagging(std::string_view id, std::string_view person_id) {
  return DeletePiece(TableName(), KeyOfItem(id, StrCat(kPersonPrefix, person_id)));
}

}  // namespace tintype::contexts::people
