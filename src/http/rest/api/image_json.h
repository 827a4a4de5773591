#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "contexts/jobs/job.h"
#include "http/rest/api/api.h"
#include "json/writer.h"
#include "tables/language/values/value.h"
#include "views/feed.h"
#include "views/images.h"
#include "views/versions.h"

namespace tintype::http::rest {

/// Until when a link that is made now is good, in seconds since the Unix epoch.
int64_t LinkExpiry(const Api& api);

/// What signs the links of one answer.
LinkSigner LinksOf(const Api& api);

/// What some answers say of an image beside the image.
struct ImageNotes {
  std::optional<std::string> deletes_at = {};  // Of one in the trash.
  bool restored = false;                       // By an upload of the same bytes.
};

/// An image as its owner sees it: the document's attributes without the table's keys, with links
/// that work for a while.
void WriteImage(json::Writer& json, const Api& api, LinkSigner& links, const views::ImageView& view,
                const ImageNotes& notes = {});

/// The versions of an image, the newest first, down to the upload.
void WriteVersions(json::Writer& json, LinkSigner& links, const views::VersionList& list);

/// One image of the feed, in the shape of the Sparks document, with what the catalog knows of it
/// and links to its renditions. The camera's data, with time and place, is not shown to others.
void WriteFeedImage(json::Writer& json, LinkSigner& links, const views::FeedImage& image);

/// The item of a job, as the document has it.
void WriteJob(json::Writer& json, const contexts::jobs::Job& job);

/// An item as plain JSON: strings, numbers, lists and maps without DynamoDB's wrappers.
void WriteItem(json::Writer& json, tables::MapView item);

}  // namespace tintype::http::rest
