#include "http/rest/api/image_json.h"

#include "base/base64.h"
#include "base/strings.h"
#include "contexts/catalog/image_hash.h"
#include "contexts/common/media_type.h"
#include "flows/media_keys.h"
#include "http/rest/api/account_json.h"
#include "pipeline/edit_operations.h"

namespace tintype::http::rest {
namespace {

using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::ProcessingStatus;
using tables::Type;

/// The links in `sizes` to what is stored of an image. They have no host: the client knows by which
/// name the server is reached.
class SizesWriter {
 public:
  SizesWriter(json::Writer& json, LinkSigner& links, const std::string& id)
      : json_(json), links_(links), id_(id) {
    json_.Name("sizes");
    json_.OpenObject();
  }

  /// As it was uploaded, whatever edits there are.
  void Original() {
    const std::string_view name = flows::NameOf(flows::Size::kOriginal);
    json_.Text(name, links_.Sign("", StrCat(flows::StoredFolder(id_), name), 0));
  }
  /// Every rendition of a revision.
  void Renditions(int64_t revision) {
    std::string key = FolderOf(revision);
    const size_t folder_bytes = key.size();
    for (const flows::SizeSpec& spec : flows::kSizes) {
      if (spec.size != flows::Size::kOriginal) {
        key.resize(folder_bytes);
        key.append(spec.name);
        json_.Text(spec.name, links_.Sign("", key, revision));
      }
    }
  }
  /// The picture of what is none itself.
  void Poster() {
    json_.Text(flows::kPosterSize.name,
               links_.Sign("", flows::StoredKey(id_, 0, flows::Size::kPoster), 0));
  }
  /// What every browser plays.
  void Played(contexts::catalog::Playback from) {
    const flows::Size size =
        from == contexts::catalog::Playback::kProxy ? flows::Size::kProxy : flows::Size::kOriginal;
    json_.Text(flows::kProxySize.name, links_.Sign("", flows::StoredKey(id_, 0, size), 0));
  }
  /// The result of an edit; nothing of the upload, which is the original.
  void Full(int64_t revision) {
    if (revision > 0) {
      const std::string_view name = flows::kFullSize.name;
      json_.Text(name, links_.Sign("", StrCat(FolderOf(revision), name), revision));
    }
  }
  void End() { json_.CloseObject(); }

 private:
  std::string FolderOf(int64_t revision) const {
    return revision > 0 ? flows::StoredRevisionFolder(id_, revision) : flows::StoredFolder(id_);
  }

  json::Writer& json_;
  LinkSigner& links_;
  const std::string& id_;
};

/// Links to the sizes that there are of an image, as far as they are shown to whoever asked.
void WriteSizes(json::Writer& json, LinkSigner& links, const Image& image, views::Sight sight) {
  const bool developed = image.processing_status == ProcessingStatus::kCompleted;
  // A photo that could not be developed still has its original.
  const bool failed = image.processing_status == ProcessingStatus::kFailed;
  const bool may_see_original = views::MaySeeOriginal(sight);
  if (!developed && !(failed && may_see_original)) {
    return;
  }
  SizesWriter sizes(json, links, image.id);
  if (may_see_original) {
    sizes.Original();
  }
  const bool shown = developed && image.has_picture();
  if (shown) {
    sizes.Renditions(image.picture());
  }
  if (shown && may_see_original) {
    sizes.Full(image.picture());
  }
  if (shown && contexts::MediaTypeOf(image.mime_type) != "image") {
    sizes.Poster();
  }
  if (image.media.playback != contexts::catalog::Playback::kNone) {
    sizes.Played(image.media.playback);
  }
  sizes.End();
}

void MaybeNumber(json::Writer& json, std::string_view name, const std::optional<double>& number) {
  if (number) {
    json.Name(name).Number(*number);
  }
}

void WriteExif(json::Writer& json, const contexts::catalog::Exif& exif) {
  json.Name("exifData");
  json.OpenObject();
  json.MaybeText("camera", exif.camera);
  json.MaybeText("lens", exif.lens);
  if (exif.iso) {
    json.Integer("iso", *exif.iso);
  }
  json.MaybeText("shutterSpeed", exif.shutter_speed);
  json.MaybeText("takenAt", exif.taken_at);
  MaybeNumber(json, "aperture", exif.aperture);
  MaybeNumber(json, "focalLength", exif.focal_length);
  if (exif.place) {
    json.Name("gps");
    json.OpenObject();
    json.Name("latitude").Number(exif.place->latitude);
    json.Name("longitude").Number(exif.place->longitude);
    MaybeNumber(json, "altitude", exif.place->altitude);
    json.CloseObject();
  }
  json.CloseObject();
}

void WriteWarning(json::Writer& json, const contexts::catalog::ProcessingWarning& warning) {
  json.Name("processingWarning");
  json.OpenObject();
  json.Text("code", warning.code);
  json.Text("message", warning.message);
  if (warning.percent_there) {
    json.Integer("percentThere", *warning.percent_there);
  }
  json.CloseObject();
}

void WriteBlurhash(json::Writer& json, const Image& image) {
  if (!image.appearance.blurhash.empty()) {
    json.Text("blurhash", image.appearance.blurhash);
  }
}

void WriteValue(json::Writer& json, tables::ValueView value) {
  switch (value.type()) {
    case Type::kString:
      json.Text(value.AsString());
      break;
    case Type::kNumber:
      json.Raw(value.AsNumber().ToString());
      break;
    case Type::kBinary:
      json.Text(Base64Url(value.AsString()));
      break;
    case Type::kBool:
      json.Bool(value.AsBool());
      break;
    case Type::kNull:
      json.Null();
      break;
    case Type::kMap:
      WriteItem(json, value.AsMap());
      break;
    case Type::kList:
      json.OpenArray();
      for (const tables::ValueView member : value.AsList()) {
        WriteValue(json, member);
      }
      json.CloseArray();
      break;
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      json.OpenArray();
      for (const std::string_view member : value.AsSet()) {
        if (value.type() == Type::kStringSet) {
          json.Text(member);
        } else if (value.type() == Type::kNumberSet) {
          json.Raw(tables::Number::FromStored(member).ToString());
        } else {
          json.Text(Base64Url(member));
        }
      }
      json.CloseArray();
      break;
  }
}

void WriteVersion(json::Writer& json, LinkSigner& links, const Image& image,
                  const ImageVersion& version) {
  json.OpenObject();
  json.Integer("revision", version.revision);
  json.Bool("current", version.revision == image.revision);
  json.Text("createdAt", version.created_at);
  json.Integer("width", version.width);
  json.Integer("height", version.height);
  json.Integer("fileSize", version.file_size);
  json.Integer("base", version.base.value_or(version.revision));
  if (version.operations) {
    // Anybody with a key may have written them.
    const auto operations = pipeline::ParseEditOperations(*version.operations);
    json.Name("operations")
        .Raw(operations.ok() ? pipeline::FormatEditOperations(*operations) : "[]");
  }
  if (version.reverted_to) {
    json.Integer("revertedTo", *version.reverted_to);
  }
  if (!version.job_id.empty()) {
    json.Text("jobId", version.job_id);
  }
  SizesWriter sizes(json, links, image.id);
  sizes.Renditions(version.picture());
  sizes.Full(version.picture());
  sizes.End();
  json.CloseObject();
}

/// The upload, as the first of the versions.
void WriteUpload(json::Writer& json, LinkSigner& links, const Image& image) {
  json.OpenObject();
  json.Integer("revision", 0);
  json.Bool("current", image.revision == 0);
  json.Text("createdAt", image.uploaded_at);
  if (image.picture() == 0) {
    json.Integer("width", image.width);
    json.Integer("height", image.height);
  } else if (image.original) {
    json.Integer("width", image.original->width);
    json.Integer("height", image.original->height);
  }
  json.Integer("fileSize", image.file_size);
  json.Integer("base", 0);
  json.Name("operations");
  json.OpenArray();
  json.CloseArray();
  const bool developed = image.processing_status == ProcessingStatus::kCompleted;
  SizesWriter sizes(json, links, image.id);
  if (developed || image.processing_status == ProcessingStatus::kFailed) {
    sizes.Original();
  }
  if (developed) {
    sizes.Renditions(0);
  }
  sizes.End();
  json.CloseObject();
}

}  // namespace

int64_t LinkExpiry(const Api& api) {
  // On the hour, so that a page that is loaded again gets the same links, and the browser's cache
  // works.
  const int64_t kept = api.config.url_kept.count();
  const int64_t now = api.product.clock.NowMs() / 1000;
  return (now / kept + 2) * kept;
}

LinkSigner LinksOf(const Api& api) {
  // Until who they are for is known, those who may see the least.
  return {api.link_keys.Signing(), LinkExpiry(api), views::NameOf(views::LinkAudience::kViewer)};
}

void WriteImage(json::Writer& json, const Api& api, LinkSigner& links, const views::ImageView& view,
                const ImageNotes& notes) {
  const Image& image = view.image;
  links.SetAudience(views::NameOf(views::AudienceOf(view.sight, image)));
  json.OpenObject();
  json.Text("id", image.id);
  json.Text("userId", image.user_id);
  json.MaybeText("albumId", image.album_id);
  json.Text("originalFilename", image.original_filename);
  json.Text("mimeType", image.mime_type);
  json.Text("assetType", contexts::AssetTypeOf(image.mime_type));
  MaybeNumber(json, "duration", image.media.duration);
  if (image.media.pages) {
    json.Integer("pages", *image.media.pages);
  }
  if (image.media.playback != contexts::catalog::Playback::kNone) {
    json.Text("playback", NameOf(image.media.playback));
  }
  json.Integer("fileSize", image.file_size);
  json.Integer("processedSize", image.processed_size);
  json.Integer("width", image.width);
  json.Integer("height", image.height);
  json.Name("aspectRatio").Number(image.aspect_ratio);
  json.Text("s3Key", image.s3_key);
  json.Text("s3Bucket", image.s3_bucket);
  json.Text("thumbnailKey", image.thumbnail_key);
  // Made anew: whatever stands in the table, only links to this image are signed.
  const std::string& host = api.product.config.public_url;
  json.Text("imageUrl",
            links.Sign(host, flows::ImageServiceKey(image.user_id, image.id), image.picture()));
  json.Text(
      "thumbnailUrl",
      links.Sign(host, flows::ImageServiceThumbnailKey(image.user_id, image.id), image.picture()));
  json.Text("processingStatus", NameOf(image.processing_status));
  json.MaybeText("processingError", image.processing_error);
  if (image.processing_warning) {
    WriteWarning(json, *image.processing_warning);
  }
  json.Text("format", image.format);
  json.Integer("quality", image.quality);
  json.MaybeText("title", image.title);
  json.MaybeText("description", image.description);
  json.MaybeText("altText", image.alt_text);
  json.TextList("tags", image.tags);
  if (image.exif) {
    WriteExif(json, *image.exif);
  }
  WriteBlurhash(json, image);
  if (!image.appearance.dominant_colors.empty()) {
    json.TextList("dominantColors", image.appearance.dominant_colors);
  }
  if (image.perceptual_hash) {
    json.Text("perceptualHash", contexts::catalog::HashText(*image.perceptual_hash));
  }
  json.Text("createdAt", image.created_at);
  json.Text("updatedAt", image.updated_at);
  json.Text("uploadedAt", image.uploaded_at);
  json.MaybeText("trashedAt", image.trashed_at);
  json.MaybeText("deletesAt", notes.deletes_at);
  if (image.ttl) {
    json.Integer("ttl", *image.ttl);
  }
  json.Integer("version", image.version);
  json.Integer("revision", image.revision);
  json.Text("visibility", contexts::people::NameOf(view.visibility));
  WriteSizes(json, links, image, view.sight);
  if (notes.restored) {
    json.Bool("restored", true);
  }
  json.CloseObject();
}

void WriteVersions(json::Writer& json, LinkSigner& links, const views::VersionList& list) {
  const Image& image = list.image;
  links.SetAudience(views::NameOf(views::LinkAudience::kOwner));
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const ImageVersion& version : list.versions) {
    WriteVersion(json, links, image, version);
  }
  WriteUpload(json, links, image);
  json.CloseArray();
  json.CloseObject();
}

void WriteFeedImage(json::Writer& json, LinkSigner& links, const views::FeedImage& feed_image) {
  const contexts::people::SparksImage& image = feed_image.shared;
  const std::optional<Image>& record = feed_image.record;
  json.OpenObject();
  json.Text("imageId", image.id);
  json.Text("uploadedBy", image.uploaded_by);
  json.MaybeText("username", feed_image.username);
  json.MaybeText("displayName", feed_image.display_name);
  if (feed_image.picture) {
    json.Text("picture", PictureLink(links, *feed_image.picture));
  }
  json.Text("uploaded_datetime", image.uploaded_at);
  json.Text("lastModified", image.modified_at);
  json.Text("s3Key", image.s3_key);
  if (image.variants) {
    json.Name("images");
    json.OpenObject();
    json.Text("large", image.variants->large);
    json.Text("medium", image.variants->medium);
    json.Text("processedAt", image.variants->processed_at);
    json.CloseObject();
  }
  json.TextList("persons", image.persons);
  json.TextList("tags", image.tags);
  if (record) {
    json.MaybeText("title", record->title);
    json.MaybeText("description", record->description);
    json.MaybeText("altText", record->alt_text);
    json.Integer("width", record->width);
    json.Integer("height", record->height);
    json.Text("assetType", contexts::AssetTypeOf(record->mime_type));
    MaybeNumber(json, "duration", record->media.duration);
    if (record->media.playback != contexts::catalog::Playback::kNone) {
      json.Text("playback", NameOf(record->media.playback));
    }
    // What happened to a file is its owner's business, but why there is nothing to see or play.
    if (record->processing_warning && (record->processing_warning->code == "unplayable" ||
                                       record->processing_warning->code == "no-preview")) {
      WriteWarning(json, *record->processing_warning);
    }
    WriteBlurhash(json, *record);
    // As everybody sees it, its owner too.
    links.SetAudience(views::NameOf(views::LinkAudience::kViewer));
    WriteSizes(json, links, *record, views::Sight::kRenditions);
  }
  json.CloseObject();
}

void WriteJob(json::Writer& json, const contexts::jobs::Job& job) {
  WriteItem(json, contexts::jobs::ToItem(job).view());
}

void WriteItem(json::Writer& json, tables::MapView item) {
  json.OpenObject();
  for (const auto& [name, value] : item) {
    json.Name(name);
    WriteValue(json, value);
  }
  json.CloseObject();
}

}  // namespace tintype::http::rest
