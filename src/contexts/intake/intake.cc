#include "contexts/intake/intake.h"

#include <array>
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

constexpr std::string_view kUploadPrefix = "UPLOAD#";
constexpr std::string_view kUploadSort = "UPLOAD";

tables::Item UploadKey(std::string_view id) {
  return ItemBuilder().Text("PK", StrCat(kUploadPrefix, id)).Text("SK", kUploadSort).Build();
}

constexpr std::string_view kAnswerSort = "ANSWER";

constexpr std::array<std::string_view, 3> kKinds = {"streamed", "resumable", "direct"};

UploadKind KindOf(std::string_view name) {
  return name == kKinds[1]   ? UploadKind::kResumable
         : name == kKinds[2] ? UploadKind::kDirect
                             : UploadKind::kStreamed;
}

Upload UploadFromItem(const ItemReader& read) {
  Upload upload;
  upload.id = read.Text("id");
  upload.user_id = read.Text("userId");
  upload.email = read.Text("email");
  upload.username = read.Text("username");
  upload.filename = read.Text("filename");
  upload.started_ms = read.Integer("startedAt");
  upload.node = read.Text("node");
  upload.kind = KindOf(read.Text("kind"));
  upload.length = read.Integer("length");
  upload.offset = read.Integer("offset");
  upload.mime_type = read.Text("mimeType");
  upload.expires_ms = read.Integer("expiresAt");
  upload.metadata = read.Text("metadata");
  upload.title = read.OptionalText("title");
  upload.album_id = read.OptionalText("albumId");
  upload.visibility = read.OptionalText("visibility");
  upload.ai_options = read.OptionalText("aiOptions");
  upload.image_lifetime_s = read.OptionalInteger("imageLifetime");
  upload.sha256 = read.OptionalText("sha256");
  upload.correlation_id = read.OptionalText("correlationId");
  upload.restored = read.Bool("restored");
  return upload;
}

std::string UploadsPartition(std::string_view user_id) { return StrCat("UPLOADS#", user_id); }

Error UploadHasEnded() { return Error::NotFound("This upload has ended already."); }

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

Result<ChecksumsPage> Intake::ListChecksums(const std::optional<tables::Item>& after) {
  ChecksumsPage page;
  ASSIGN_OR_RETURN(page.last_evaluated_key,
                   ScanItems(database_, kSystemTable, after, [&](const ItemReader& read) {
                     const std::string partition = read.Text("PK");
                     if (partition.starts_with(kChecksumPrefix)) {
                       page.postings.push_back({partition.substr(kChecksumPrefix.size()),
                                                read.Text("SK"), read.Text("id")});
                     }
                   }));
  return page;
}

Result<UploadsPage> Intake::ListUploads(const std::optional<tables::Item>& after) {
  UploadsPage page;
  ASSIGN_OR_RETURN(
      page.last_evaluated_key,
      ScanItems(database_, kSystemTable, after, [&](const ItemReader& read) {
        if (read.Text("PK").starts_with(kUploadPrefix) && read.Text("SK") == kUploadSort) {
          page.uploads.push_back(UploadFromItem(read));
        }
      }));
  return page;
}

Piece Intake::BeginUpload(const Upload& upload) {
  ItemBuilder item;
  item.Text("PK", StrCat(kUploadPrefix, upload.id))
      .Text("SK", kUploadSort)
      .Text("id", upload.id)
      .Text("userId", upload.user_id)
      .Text("email", upload.email)
      .Text("username", upload.username)
      .Text("filename", upload.filename)
      .Integer("startedAt", upload.started_ms)
      .Text("node", upload.node);
  if (upload.kind != UploadKind::kStreamed) {
    item.Text("kind", kKinds[static_cast<size_t>(upload.kind)])
        .Integer("length", upload.length)
        .Integer("offset", upload.offset)
        .Text("mimeType", upload.mime_type)
        .Integer("expiresAt", upload.expires_ms)
        .Text("metadata", upload.metadata)
        .MaybeText("title", upload.title)
        .MaybeText("albumId", upload.album_id)
        .MaybeText("visibility", upload.visibility)
        .MaybeText("aiOptions", upload.ai_options)
        .MaybeInteger("imageLifetime", upload.image_lifetime_s)
        .MaybeText("sha256", upload.sha256)
        .MaybeText("correlationId", upload.correlation_id)
        .Text("GSI1PK", UploadsPartition(upload.user_id))
        .Text("GSI1SK", upload.id);
  }
  return PutPiece(SystemTableName(), item.Build(), ConditionOf("attribute_not_exists(PK)", {}),
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
  return std::optional<Upload>(UploadFromItem(ItemReader(*response.item)));
}

Result<std::vector<std::string>> Intake::ListUploadsOf(std::string_view user_id, int64_t limit) {
  tables::QueryRequest query;
  query.table = SystemTableName();
  query.key_condition =
      KeyConditionOf("GSI1PK = :user", {{}, {{":user", Value::String(UploadsPartition(user_id))}}});
  query.options.index = "GSI1";
  query.options.limit = limit;
  ASSIGN_OR_RETURN(const auto response, database_.Query(std::move(query)));
  std::vector<std::string> ids;
  ids.reserve(response.items.size());
  for (const tables::Item& item : response.items) {
    ids.push_back(UploadFromItem(ItemReader(item)).id);
  }
  return ids;
}

Result<int64_t> Intake::CountUploads(std::string_view user_id, int64_t limit) {
  ASSIGN_OR_RETURN(const std::vector<std::string> ids, ListUploadsOf(user_id, limit));
  return static_cast<int64_t>(ids.size());
}

Piece Intake::SetProgress(const Upload& upload) {
  return UpdatePiece(SystemTableName(), UploadKey(upload.id),
                     UpdateIf("SET #offset = :offset, mimeType = :type, expiresAt = :expires",
                              "attribute_exists(PK)",
                              {{{"#offset", "offset"}},
                               {{":offset", Value::Integer(upload.offset)},
                                {":type", Value::String(upload.mime_type)},
                                {":expires", Value::Integer(upload.expires_ms)}}}),
                     UploadHasEnded());
}

Piece Intake::SetRestored(std::string_view id) {
  return UpdatePiece(
      SystemTableName(), UploadKey(id),
      UpdateIf("SET restored = :yes", "attribute_exists(PK)", {{}, {{":yes", Value::Bool(true)}}}),
      UploadHasEnded());
}

Piece Intake::AddAnswer(const UploadAnswer& answer) {
  ItemBuilder item;
  item.Text("PK", StrCat("UPLOAD#", answer.id))
      .Text("SK", kAnswerSort)
      .Text("userId", answer.user_id)
      .Text("imageId", answer.image_id)
      .Integer("length", answer.length)
      .Integer("ttl", answer.ttl);
  if (answer.restored) {
    item.Bool("restored", true);
  }
  return PutPiece(SystemTableName(), item.Build());
}

Result<std::optional<UploadAnswer>> Intake::FindAnswer(std::string_view id) {
  ASSIGN_OR_RETURN(
      const auto response,
      database_.GetItem(
          {.table = SystemTableName(),
           .key = ItemBuilder().Text("PK", StrCat("UPLOAD#", id)).Text("SK", kAnswerSort).Build(),
           .projection = {},
           .consistent_read = true}));
  if (!response.item) {
    return std::optional<UploadAnswer>();
  }
  const ItemReader read(*response.item);
  return std::optional<UploadAnswer>({std::string(id), read.Text("userId"), read.Text("imageId"),
                                      read.Integer("length"), read.Integer("ttl"),
                                      read.Bool("restored")});
}

Piece Intake::EndUpload(std::string_view id) {
  return DeletePiece(SystemTableName(), UploadKey(id), ConditionOf("attribute_exists(PK)", {}),
                     UploadHasEnded());
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
      Error(kUploadedAlready, "These bytes have been uploaded already."));
}

Piece Intake::RemoveChecksum(std::string_view user_id, std::string_view sha256,
                             std::string_view id) {
  return DeletePiece(
      SystemTableName(), ChecksumKey(user_id, sha256),
      ConditionOf("attribute_not_exists(PK) OR id = :id", {{}, {{":id", Value::String(id)}}}),
      Error(ErrorKind::kConditionFailed, "These bytes are another image's meanwhile."));
}

}  // namespace tintype::contexts::intake
