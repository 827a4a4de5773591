#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/common/item.h"
#include "darkroom/failure.h"
#include "flows/media_keys.h"
#include "pipeline/media/develop_media.h"
#include "pipeline/media/made_blobs.h"
#include "pipeline/media/media_details.h"

/// Documents, and files of which nothing can be shown.
namespace tintype::pipeline {
namespace {

using contexts::ItemBuilder;
using contexts::catalog::Image;
using contexts::catalog::ProcessingWarning;
using flows::DevelopResult;
using flows::Product;

Result<int64_t> StoreDocumentText(Product& product, const Helpers& helpers, const Image& image,
                                  int original) {
  return StoreMade(product, flows::TextKey(image.id), [&](int output) -> Status {
    darkroom::DocumentTextRequest text;
    text.input = original;
    text.media_type = image.mime_type;
    text.output = output;
    const auto read = helpers.pages.DocumentText(image.user_id, text);
    return read.ok() ? OkStatus() : Status(read.error());
  });
}

/// Pictures of the pages, for readers that turn them. Those that cannot be drawn are left out.
Result<int64_t> StorePages(Product& product, const Helpers& helpers, const Image& image,
                           int original, int32_t pages) {
  constexpr int32_t kPageSide = 1600;
  const int64_t count = std::min<int64_t>(pages, flows::kStoredPagesMax);
  int64_t bytes = 0;
  for (int64_t number = 1; number <= count; ++number) {
    const auto stored =
        StoreMade(product, flows::PageKey(image.id, number), [&](int output) -> Status {
          darkroom::DocumentPageRequest page;
          page.input = original;
          page.media_type = image.mime_type;
          page.page = static_cast<int32_t>(number - 1);
          page.longest_side = kPageSide;
          page.output = output;
          const auto made = helpers.pages.MakePage(image.user_id, page);
          return made.ok() ? OkStatus() : Status(made.error());
        });
    if (!stored.ok() && !darkroom::IsPermanent(stored.error())) {
      return stored.error();
    }
    bytes += stored.ok() ? *stored : 0;
  }
  return bytes;
}

}  // namespace

Result<DevelopResult> DevelopDocument(Product& product, const Helpers& helpers,
                                      const Image& image) {
  ASSIGN_OR_RETURN(const auto original,
                   product.blobs.OpenLocal(
                       ImagesKey(product, flows::StoredKey(image.id, 0, flows::Size::kOriginal))));
  darkroom::ProbeDocumentRequest request;
  request.input = original->descriptor();
  request.media_type = image.mime_type;
  ASSIGN_OR_RETURN(const darkroom::DocumentProbe probe,
                   helpers.pages.ProbeDocument(image.user_id, request));
  DevelopResult result;
  ASSIGN_OR_RETURN(result.made_bytes,
                   StoreMade(product, flows::StoredKey(image.id, 0, flows::Size::kPoster),
                             [&](int output) -> Status {
                               darkroom::DocumentPageRequest page;
                               page.input = original->descriptor();
                               page.media_type = image.mime_type;
                               page.output = output;
                               const auto made = helpers.pages.MakePage(image.user_id, page);
                               return made.ok() ? OkStatus() : Status(made.error());
                             }));
  RETURN_IF_ERROR(DevelopPoster(product, helpers, image, result));
  ASSIGN_OR_RETURN(
      const int64_t text_bytes,
      LeftOutIfImpossible(image, "text",
                          StoreDocumentText(product, helpers, image, original->descriptor())));
  ASSIGN_OR_RETURN(const int64_t page_bytes,
                   StorePages(product, helpers, image, original->descriptor(), probe.pages));
  result.made_bytes += text_bytes + page_bytes;
  result.development.media.pages = probe.pages;
  ItemBuilder details;
  details.Integer("pages", probe.pages)
      .MaybeText("title", Given(probe.title))
      .MaybeText("author", Given(probe.author))
      .Bool("encrypted", probe.encrypted);
  result.details.document = details.Build();
  return result;
}

DevelopResult KeepAsItIs(const Image& image) {
  constexpr std::string_view kKept = ". It is kept as it is and can be downloaded.";
  const bool is_known = image.mime_type != "application/octet-stream";
  DevelopResult result;
  result.sizes = {flows::Size::kOriginal};
  result.development.format = image.format;
  result.development.quality = image.quality;
  result.development.warning = ProcessingWarning{
      "no-preview",
      is_known ? StrCat("There is no preview of files of the type ", image.mime_type, kKept)
               : StrCat("There is no preview of this file", kKept),
      std::nullopt};
  return result;
}

}  // namespace tintype::pipeline
