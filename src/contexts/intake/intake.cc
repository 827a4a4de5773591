#include "contexts/intake/intake.h"

#include <utility>

#include "base/strings.h"
#include "contexts/common/item.h"

namespace tintype::contexts::intake {
namespace {

using tables::Value;

std::string TableName() { return std::string(kTable); }
std::string SystemTableName() { return std::string(kSystemTable); }

constexpr std::string_view kChecksumPrefix = "CHECKSUM#";

Error NoSuchPhoto() { return Error::NotFound("There is no such photo."); }

tables::Item PhotoKey(std::string_view username, std::string_view id) {
  return ItemBuilder().Text("username", username).Text("id", id).Build();
}

tables::Item UploadKey(std::string_view id) {
  return ItemBuilder().Text("PK", StrCat("UPLOAD#", id)).Text("SK", "UPLOAD").Build();
}

tables::Item ChecksumKey(std::string_view user_id, std::string_view sha256) {
  return ItemBuilder().Text("PK", StrCat(kChecksumPrefix, user_id)).Text("SK", sha256).Build();
}

}  // namespace

ProductTable Intake::Table() {
  tables::TableDefinition table =
      OnDemandTable(TableName(), KeyOf("username", "id"), {{"username"}, {"id"}});
  table.global_indexes = {IndexOn("id-index", KeyOf("id"))};
  return {std::move(table), std::nullopt};
}

Result<std::optional<Photo>> Intake::Find(std::string_view username, std::string_view id) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = TableName(),
                                                           .key = PhotoKey(username, id),
                                                           .projection = {},
                                                           .consistent_read = true}));
  if (!response.item) {
    return std::optional<Photo>();
  }
  const ItemReader read(*response.item);
  return std::optional<Photo>({read.Text("username"), read.Text("id"), read.Text("filename"),
                               read.Text("description"), read.Text("mimetype"),
                               read.Integer("uploadedAt"), read.TextList("sizes")});
}

Piece Intake::Add(const Photo& photo) {
  ItemBuilder item;
  item.Text("username", photo.username)
      .Text("id", photo.id)
      .Text("filename", photo.filename)
      .Text("description", photo.description)
      .Text("mimetype", photo.mimetype)
      .Integer("uploadedAt", photo.uploaded_ms);
  if (!photo.sizes.empty()) {
    item.TextList("sizes", photo.sizes);
  }
  return PutPiece(TableName(), item.Build());
}

Piece Intake::SetSizes(std::string_view username, std::string_view id,
                       const std::vector<std::string>& sizes) {
  return UpdatePiece(TableName(), PhotoKey(username, id),
                     UpdateIf("SET sizes = :sizes", "attribute_exists(id)",
                              {{}, {{":sizes", TextListValue(sizes)}}}),
                     NoSuchPhoto());
}

Piece Intake::SetDescription(std::string_view username, std::string_view id,
                             std::string_view description) {
  return UpdatePiece(TableName(), PhotoKey(username, id),
                     UpdateIf("SET description = :text", "attribute_exists(id)",
                              {{}, {{":text", Value::String(description)}}}),
                     NoSuchPhoto());
}

Piece Intake::Remove(std::string_view username, std::string_view id) {
  return DeletePiece(TableName(), PhotoKey(username, id));
}

Result<OwnersPage> Intake::ListPhotoOwners(const std::optional<tables::Item>& after) {
  return ScanOwners(database_, kTable, after,
                    [](const ItemReader& read) { return read.OptionalText("id"); });
}

Result<OwnersPage> Intake::ListChecksumOwners(const std::optional<tables::Item>& after) {
  return ScanOwners(database_, kSystemTable, after, [](const ItemReader& read) {
    return read.Text("PK").starts_with(kChecksumPrefix) ? read.OptionalText("id") : std::nullopt;
  });
}

Piece Intake::BeginUpload(const Upload& upload) {
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat("UPLOAD#", upload.id))
                          .Text("SK", "UPLOAD")
                          .Text("id", upload.id)
                          .Text("userId", upload.user_id)
                          .Text("email", upload.email)
                          .Text("username", upload.username)
                          .Text("filename", upload.filename)
                          .Integer("startedAt", upload.started_ms)
                          .Build();
  return PutPiece(SystemTableName(), std::move(item), ConditionOf("attribute_not_exists(PK)", {}),
                  Error::InUse("An upload of this id has begun already."));
}

Result<std::optional<Upload>> Intake::FindUpload(std::string_view id) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = SystemTableName(),
                                                           .key = UploadKey(id),
                                                           .projection = {},
                                                           .consistent_read = true}));
  if (!response.item) {
    return std::optional<Upload>();
  }
  const ItemReader read(*response.item);
  return std::optional<Upload>({read.Text("id"), read.Text("userId"), read.Text("email"),
                                read.Text("username"), read.Text("filename"),
                                read.Integer("startedAt")});
}

Piece Intake::EndUpload(std::string_view id) {
  return DeletePiece(SystemTableName(), UploadKey(id), ConditionOf("attribute_exists(PK)", {}),
                     Error::NotFound("This upload has ended already."));
}

Result<std::optional<std::string>> Intake::FindByChecksum(std::string_view user_id,
                                                          std::string_view sha256) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = SystemTableName(),
                                                           .key = ChecksumKey(user_id, sha256),
                                                           .projection = {},
                                                           .consistent_read = true}));
  return response.item ? ItemReader(*response.item).OptionalText("id") : std::nullopt;
}

Piece Intake::AddChecksum(std::string_view user_id, std::string_view sha256, std::string_view id,
                          std::string_view gone) {
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat(kChecksumPrefix, user_id))
                          .Text("SK", sha256)
                          .Text("id", id)
                          .Build();
  return PutPiece(
      SystemTableName(), std::move(item),
      ConditionOf("attribute_not_exists(PK) OR id = :gone", {{}, {{":gone", Value::String(gone)}}}),
      Error::InUse("These bytes have been uploaded already."));
}

Piece Intake::RemoveChecksum(std::string_view user_id, std::string_view sha256,
                             std::string_view id) {
  return DeletePiece(
      SystemTableName(), ChecksumKey(user_id, sha256),
      ConditionOf("attribute_not_exists(PK) OR id = :id", {{}, {{":id", Value::String(id)}}}),
      Error(ErrorCode::kConditionFailed, "These bytes are another image's meanwhile."));
}

}  // namespace tintype::contexts::intake
