#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The names of stored media, and the other spellings that the documents have for them.
namespace tintype::flows {

enum class Size { kOriginal, kLarge, kMedium, kSmall, kThumb, kFull, kPoster, kProxy };

struct SizeSpec {
  Size size;
  std::string_view name;  // As in keys and in `photos.sizes`.
  int32_t longest_side;   // In pixels; 0: as it is.
};

/// What there is of every developed image. ORIGINAL is what was uploaded, whatever edits there are.
inline constexpr std::array<SizeSpec, 5> kSizes = {{
    {Size::kOriginal, "ORIGINAL", 0},
    {Size::kLarge, "LARGE", 2048},
    {Size::kMedium, "MEDIUM", 1024},
    {Size::kSmall, "SMALL", 512},
    {Size::kThumb, "THUMB", 256},
}};
/// The result of an edit as it is. Edits from before there was this size have theirs at ORIGINAL of
/// their revision.
inline constexpr SizeSpec kFullSize = {Size::kFull, "FULL", 0};
/// The picture of what is none itself, from which its other sizes are made.
inline constexpr SizeSpec kPosterSize = {Size::kPoster, "POSTER", 0};
/// A video or a sound as every browser plays it.
inline constexpr SizeSpec kProxySize = {Size::kProxy, "PROXY", 0};
const SizeSpec& SpecOf(Size size);
std::string_view NameOf(Size size);

/// The stored key of one size of an image: `images/{id}/{SIZE}`, of an edited one
/// `images/{id}/v{n}/{SIZE}`; of kProxy, which has no revisions, `{id}/proxy/media.mp4`.
std::string StoredKey(std::string_view id, int64_t revision, Size size);
/// The folder of everything that is stored of an image.
std::string StoredFolder(std::string_view id);
/// The folder of one edited revision. REQUIRES: revision > 0.
std::string StoredRevisionFolder(std::string_view id, int64_t revision);
/// The folder of what was made of a video, a sound or a document beside pictures: `{id}/proxy/`.
std::string ProxyFolder(std::string_view id);
/// How loud a video or a sound is over its time, as JSON.
std::string WaveformKey(std::string_view id);
/// Pictures out of a video, one after the other, and as JSON where each of them is.
std::string FramesKey(std::string_view id);
std::string FrameListKey(std::string_view id);
/// The text of a document, with a form feed between pages.
std::string TextKey(std::string_view id);
/// A page of a document, as PNG; the first is 1. So many of them are stored.
std::string PageKey(std::string_view id, int64_t page);
inline constexpr int64_t kStoredPagesMax = 100;
/// What is said in a video or a sound, as WebVTT.
std::string CaptionsKey(std::string_view id);
/// Where an upload's bytes arrive.
std::string UploadKey(std::string_view id);
/// Where clients put bytes by themselves, in the uploads bucket. Once an upload is completed they
/// are at UploadKey, where a link that has not expired yet does not reach.
std::string DirectKey(std::string_view id);

/// Where what was found of one kind of analysis lies, in the images bucket:
/// `{id}/rekognition/label.json` of `rekognition.label`, `{id}/transcribe/transcript.json` of
/// `transcribe`.
std::string AnalysisKey(std::string_view id, std::string_view kind);

/// Where the result of an edit lies, in the uploads bucket, until it is the image's.
std::string TempKey(std::string_view job_id);

/// What is meant by a key, in whichever spelling.
struct MediaName {
  std::string id;
  int64_t revision = 0;
  Size size = Size::kOriginal;
};

/// Understands the stored keys and the documents' spellings: `images/{userId}/{id}.webp` (LARGE)
/// and its thumbnail `images/{userId}/thumbnails/{id}.webp`, `originals/{id}.jpg`,
/// `processed/{id}_large.webp`, `processed/{id}_medium.webp`. Those do not name a revision:
/// `revision` says which is meant, but for the original, of which there is one. Nothing for any
/// other text.
std::optional<MediaName> ResolveMediaKey(std::string_view key, int64_t revision);

/// Whether a key is of a person's portrait, which is stored under just that key:
/// `persons/{personId}.jpg`.
bool IsPersonKey(std::string_view key);

/// The stored key of an account's profile picture: `profile-pictures/{email}/profile.jpg`. Slashes
/// of an email, which would begin another folder, are `%2F` there.
std::string ProfilePictureKey(std::string_view email);
/// The folder of just that picture.
std::string ProfilePictureFolder(std::string_view email);
/// What stands for the account in such a key: its email, or, in links, its id. Nothing for any
/// other key.
std::optional<std::string> ProfilePictureOwner(std::string_view key);
/// The key as it is in links, which people follow who are not told the email.
std::string ProfilePictureLinkKey(std::string_view account_id);

// The documents' spellings.
std::string ImageServiceKey(std::string_view user_id, std::string_view id);
std::string ImageServiceThumbnailKey(std::string_view user_id, std::string_view id);
std::string SparksOriginalKey(std::string_view id);
std::string SparksLargeKey(std::string_view id);
std::string SparksMediumKey(std::string_view id);

/// The unsigned link to a key, which never shows other bytes: an edit has another revision.
std::string MediaUrl(std::string_view public_url, std::string_view key, int64_t revision);

}  // namespace tintype::flows
