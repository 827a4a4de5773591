#include "http/rest/media/media.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/percent.h"
#include "base/strings.h"
#include "blobs/sealed/memory_file.h"
#include "darkroom/failure.h"
#include "darkroom/media_type.h"
#include "delivery/resizing.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/media/accept.h"
#include "http/rest/media/blob_source.h"
#include "http/rest/media/disposition.h"
#include "http/rest/media/media_link.h"
#include "http/rest/media/ranges.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/protocol/request_log.h"
#include "views/account.h"
#include "views/medium.h"

namespace tintype::http::rest {
namespace {

using darkroom::OutputFormat;

constexpr std::string_view kPrefix = "/media/";
/// What may be in memory for answers alone, beside what is kept for others.
constexpr uint64_t kSentOnceBytesMax = uint64_t{256} << 20;
constexpr std::string_view kRenditionType = "image/webp";
constexpr std::string_view kUnknownType = "application/octet-stream";
constexpr std::string_view kPdfType = "application/pdf";
constexpr std::string_view kPortraitType = "image/jpeg";
/// The content of a link never changes, and it is its holder's alone.
constexpr std::string_view kCacheControl = "private, max-age=604800, immutable";
/// But while a profile picture is changed, a link may show the other one: not for long.
constexpr std::string_view kProfilePictureCacheControl = "private, max-age=600";

/// From a table that others may write: a type is said only of what browsers show and do not run.
std::string OriginalTypeOf(const std::optional<views::Medium>& medium) {
  if (!medium) {
    return std::string(kUnknownType);
  }
  const std::string& type = medium->mime_type;
  if (darkroom::CanDevelop(type) || darkroom::CanPlay(type) || type == kPdfType) {
    return type;
  }
  return type.starts_with("text/") ? "text/plain; charset=utf-8" : std::string(kUnknownType);
}

std::string ProxyTypeOf(const std::optional<views::Medium>& medium) {
  return medium && medium->mime_type.starts_with("audio/") ? "audio/mp4" : "video/mp4";
}

/// What browsers show as it is, in a tab of its own.
bool IsShownByBrowsers(std::string_view type) {
  return type.starts_with("image/") || type.starts_with("video/") || type.starts_with("audio/") ||
         type.starts_with("text/plain") || type == kPdfType;
}

/// What a poster is: a helper has written it, or a file had it for a cover.
std::string PosterTypeOf(const blobs::OpenBlob& blob) {
  std::string first(std::min<size_t>(darkroom::kMediaTypeBytes, blob.bytes()), '\0');
  const auto count = blob.Read(0, first);
  const std::string_view type =
      count.ok() ? darkroom::DetectMediaType(first) : std::string_view(kUnknownType);
  return std::string(darkroom::CanDevelop(type) ? type : kUnknownType);
}

OutputFormat FormatFor(const Request& request) {
  return ChooseFormat(request.HeaderList("accept"));
}

/// What an answer about these bytes depends on: the link and, where that leaves the format open,
/// which one the client gets.
std::string ReadyKey(const Request& request) {
  if (request.target.find("format=auto") == std::string::npos) {
    return request.target;
  }
  return StrCat(request.target, "\n", delivery::NameOf(FormatFor(request)));
}

/// A descriptor of one's own for the same file. Null for -1.
std::shared_ptr<const Descriptor> Share(int descriptor) {
  return descriptor < 0
             ? nullptr
             : std::make_shared<const Descriptor>(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

/// The bytes of a blob, in a file in memory that has room for them.
Result<std::shared_ptr<const Descriptor>> ReadToMemory(const blobs::OpenBlob& blob,
                                                       MediaMemory::Part part) {
  ASSIGN_OR_RETURN(blobs::MemoryFile file, blobs::MemoryFile::Create());
  std::string bytes(static_cast<size_t>(blob.bytes()), '\0');
  ASSIGN_OR_RETURN(const size_t count, blob.Read(0, bytes));
  RETURN_IF_ERROR(file.Append(std::string_view(bytes).substr(0, count)));
  return MediaMemory::Hold(std::make_shared<const Descriptor>(std::move(file).Release()),
                           std::move(part));
}

std::string HexText(uint64_t number) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

/// Strong: whatever is written in place of these bytes has another time, or another tag.
Validators ValidatorsOf(const blobs::BlobInfo& info) {
  const std::string tag = info.tag.empty() ? "" : StrCat("-", info.tag);
  return {StrCat("\"", HexText(static_cast<uint64_t>(info.modified_ms)), "-", HexText(info.bytes),
                 tag, "\""),
          info.modified_ms / 1000};
}

/// The part of it that is asked for, or all.
Response Send(const ReadyMedium& medium, const Request& request, std::string_view request_id,
              Pool& pool) {
  Response response;
  response.headers = medium.headers;
  switch (CheckPreconditions(request, medium.validators)) {
    case Precondition::kNotModified:
      response.status = 304;
      return response;
    case Precondition::kFailed:
      return ProblemResponse(Error(reasons::kPreconditionFailed,
                                   "The medium is not in the state that the request names."),
                             request_id);
    case Precondition::kHolds:
      break;
  }
  FileBody body;
  body.file = medium.file;
  body.length = medium.bytes;
  // Ranges are for GET alone (RFC 9110, 14.2).
  const auto range = request.method == "GET" ? request.Header("range") : std::nullopt;
  if (range && RangeStands(request, medium.validators)) {
    const RangeDecision decision = DecideRange(*range, medium.bytes);
    if (decision.kind == RangeDecision::Kind::kUnsatisfiable) {
      response = ProblemResponse(
          Error(reasons::kRangeNotSatisfiable, StrCat("The medium has ", medium.bytes, " bytes.")),
          request_id);
      response.headers.emplace_back("Content-Range", StrCat("bytes */", medium.bytes));
      return response;
    }
    if (decision.kind == RangeDecision::Kind::kPart) {
      response.status = 206;
      body.offset = decision.range.offset;
      body.length = decision.range.length;
      response.headers.emplace_back(
          "Content-Range",
          StrCat("bytes ", body.offset, "-", body.offset + body.length - 1, "/", medium.bytes));
    }
  }
  if (medium.file == nullptr) {
    const BlobSource::Part part{body.offset, body.length};
    response.source =
        SourceBody{std::make_shared<BlobSource>(medium.blob, part, pool), body.length};
  } else {
    response.file = std::move(body);
  }
  return response;
}

}  // namespace

/// One request on its way.
struct Media::Ask {
  Ask(Request given, Respond answer)
      : request(std::move(given)),
        call{request, {}, {}, RequestIdOf(request), std::nullopt, std::nullopt},
        respond(std::move(answer)) {}

  const Request request;
  Call call;
  Respond respond;
  const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::string ready_key;
  MediaLink link;
  std::shared_ptr<LinkState> link_state;  // Null for portraits of persons.

  int64_t seconds_left(const Clock& clock) const {
    return (link.expires_ms - clock.NowMs()) / 1000;
  }
  bool is_download() const { return call.target.Parameter("download").has_value(); }
};

struct Media::Found {
  // As in ReadyMedium.
  std::shared_ptr<const Descriptor> file;
  std::shared_ptr<const blobs::OpenBlob> blob;
  std::vector<std::shared_ptr<const Descriptor>> names;
  bool in_memory = false;
  blobs::BlobInfo info;
  std::string type;
  std::string_view cache_control = kCacheControl;
  std::string filename;        // Empty when none is to be said.
  std::string account_id;      // Whose it is, of what is to be resized.
  bool is_no_picture = false;  // Likewise: its poster is resized.
  bool negotiated = false;
  bool key_is_private = false;  // It tells an email, so the storage's own links are not for others.
};

Media::Media(Api& api, Pools pools)
    : api_(api),
      pools_(pools),
      link_states_(api.views, api.product.clock),
      ready_(api.config.ready_media_max, api.config.media_memory_max, api.product.clock),
      sent_once_(kSentOnceBytesMax) {}

void Media::Handle(Request request, Respond respond) {
  auto ask = std::make_shared<Ask>(std::move(request), std::move(respond));
  ask->ready_key = ReadyKey(ask->request);
  const std::shared_ptr<const ReadyMedium> medium = ready_.Find(ask->ready_key);
  if (medium == nullptr) {
    return Submit(pools_.local, ask, [this, ask] { Locate(ask); });
  }
  const std::string& target = ask->request.target;
  ask->call.target.path = target.substr(0, target.find('?'));
  const std::shared_ptr<LinkState>& state = medium->link_state;
  switch (state ? state->Look(api_.product.clock.NowMs()) : LinkState::Verdict::kGood) {
    case LinkState::Verdict::kGood:
      return SendReady(*ask, *medium);
    case LinkState::Verdict::kGoodAskAgain:
      if (state->BeginAsking()) {
        pools_.local.Submit([this, state] { link_states_.AskAhead(*state); },
                            [state] { state->EndAsking(); });
      }
      return SendReady(*ask, *medium);
    case LinkState::Verdict::kNotGood:
    case LinkState::Verdict::kUnknown:
      return Submit(pools_.local, ask, [this, ask, medium] { Follow(*ask, *medium); });
  }
}

void Media::Follow(Ask& ask, const ReadyMedium& medium) {
  const Result<bool> good = link_states_.IsGood(*medium.link_state);
  if (!good.ok()) {
    return Finish(ask, Refuse(ask.call, good.error()));
  }
  return *good ? SendReady(ask, medium) : RefuseLink(ask);
}

void Media::SendReady(Ask& ask, const ReadyMedium& medium) {
  Finish(ask, rest::Send(medium, ask.request, ask.call.request_id, pools_.storage));
}

/// Whether it was unshared, put into the trash or deleted is nobody's business.
void Media::RefuseLink(Ask& ask) {
  Finish(ask, Refuse(ask.call, Error::NotFound("There is no such medium.")));
}

void Media::Submit(Pool& pool, const std::shared_ptr<Ask>& ask, OnceCallback<> task) {
  pool.Submit(std::move(task), [this, ask] { Finish(*ask, Refuse(ask->call, ServerBusy())); });
}

void Media::Finish(Ask& ask, Response response) {
  if (response.status == 403) {
    AuditRefusedLink(api_.audit, ask.call);
  }
  response.headers.emplace_back("X-Request-Id", ask.call.request_id);
  LogRequest(ask.request, ask.call.target.path, response, ask.call.request_id, ask.started);
  ask.respond(std::move(response));
}

void Media::Locate(const std::shared_ptr<Ask>& ask) {
  Call& call = ask->call;
  std::optional<Target> target = ParseTarget(ask->request.target);
  if (!target) {
    return Finish(*ask,
                  Refuse(call, ErrorKind::kValidation, "The path or the query cannot be decoded."));
  }
  call.target = *std::move(target);
  const Result<MediaLink> link = ReadMediaLink(api_, call.target);
  if (!link.ok()) {
    return Finish(*ask, Refuse(call, link.error()));
  }
  ask->link = *link;
  const auto key = PercentDecode(std::string_view(call.target.path).substr(kPrefix.size()));
  if (key && flows::IsPersonKey(*key)) {
    return LocatePerson(ask, *key);
  }
  if (const auto owner = key ? flows::ProfilePictureOwner(*key) : std::nullopt) {
    return LocateProfilePicture(ask, *owner);
  }
  const auto name = key ? flows::ResolveMediaKey(*key, ask->link.revision) : std::nullopt;
  if (!name) {
    return RefuseLink(*ask);
  }
  ask->link_state = link_states_.Find(name->id, ask->link.audience);
  const Result<bool> good = link_states_.IsGood(*ask->link_state);
  if (!good.ok() || !*good) {
    return good.ok() ? RefuseLink(*ask) : Finish(*ask, Refuse(call, good.error()));
  }
  if (SignedResizing(call.target).empty()) {
    return LocateStored(ask, *name);
  }
  LocateResized(ask, *name);
}

/// What a file is called that was uploaded as the image, or made of it.
Result<std::string> Media::NameOf(const flows::MediaName& name, std::string_view type) {
  ASSIGN_OR_RETURN(const auto medium, views::FindMedium(api_.views, name.id));
  return RenamedFor(medium ? medium->filename : name.id, type);
}

void Media::LocateStored(const std::shared_ptr<Ask>& ask, const flows::MediaName& name) {
  Found found;
  found.type = kRenditionType;
  const bool as_uploaded = name.size == flows::Size::kOriginal && name.revision == 0;
  const bool is_proxy = name.size == flows::Size::kProxy;
  if (as_uploaded || is_proxy) {
    const auto medium = views::FindMedium(api_.views, name.id);
    if (!medium.ok()) {
      return Finish(*ask, Refuse(ask->call, medium.error()));
    }
    found.type = is_proxy ? ProxyTypeOf(*medium) : OriginalTypeOf(*medium);
    if (as_uploaded) {
      found.filename = *medium ? (*medium)->filename : name.id;
    } else if (ask->is_download()) {
      found.filename = RenamedFor(*medium ? (*medium)->filename : name.id, found.type);
    }
  } else if (name.size == flows::Size::kPoster) {
    found.type.clear();  // As its bytes are.
  } else if (ask->is_download() || flows::SpecOf(name.size).longest_side == 0) {
    auto filename = NameOf(name, found.type);
    if (!filename.ok()) {
      return Finish(*ask, Refuse(ask->call, filename.error()));
    }
    found.filename = *std::move(filename);
  }
  if (name.size == flows::Size::kFull) {
    return Submit(pools_.storage, ask, [this, ask, name, found = std::move(found)]() mutable {
      const auto key = FullSize(name);
      if (!key.ok()) {
        return Finish(*ask, Refuse(ask->call, key.error()));
      }
      SendStored(ask, key->key, std::move(found));
    });
  }
  SendStored(ask, flows::StoredKey(name.id, name.revision, name.size), std::move(found));
}

Result<blobs::BlobKey> Media::FullSize(const flows::MediaName& name) {
  blobs::BlobKey key{api_.product.config.images_bucket,
                     flows::StoredKey(name.id, name.revision, flows::Size::kFull)};
  if (name.revision > 0) {
    ASSIGN_OR_RETURN(const auto info, api_.product.blobs.Head(key));
    if (info) {
      return key;
    }
  }
  key.key = flows::StoredKey(name.id, name.revision, flows::Size::kOriginal);
  return key;
}

void Media::LocatePerson(const std::shared_ptr<Ask>& ask, const std::string& key) {
  Found found;
  found.type = kPortraitType;
  if (ask->is_download()) {
    found.filename = key.substr(key.rfind('/') + 1);
  }
  SendStored(ask, key, std::move(found));
}

void Media::LocateProfilePicture(const std::shared_ptr<Ask>& ask, const std::string& owner) {
  const auto account = views::FindPictured(api_.views, owner);
  if (!account.ok()) {
    return Finish(*ask, Refuse(ask->call, account.error()));
  }
  if (!*account || ask->link.audience != views::LinkAudience::kPeople) {
    return RefuseLink(*ask);
  }
  ask->link_state = link_states_.Find({(*account)->id, ask->link.revision});
  const Result<bool> good = link_states_.IsGood(*ask->link_state);
  if (!good.ok() || !*good) {
    return good.ok() ? RefuseLink(*ask) : Finish(*ask, Refuse(ask->call, good.error()));
  }
  Found found;
  found.type = kPortraitType;
  found.cache_control = kProfilePictureCacheControl;
  found.key_is_private = true;
  if (ask->is_download()) {
    found.filename = StrCat((*account)->username, ".jpg");
  }
  SendStored(ask, flows::ProfilePictureKey((*account)->email), std::move(found));
}

void Media::LocateResized(const std::shared_ptr<Ask>& ask, const flows::MediaName& name) {
  // A rendition is as large as it is, unless the link says otherwise.
  std::map<std::string, std::string> query = ask->call.target.query;
  const int32_t longest_side = flows::SpecOf(name.size).longest_side;
  const bool as_rendition = longest_side > 0 && !query.contains("w") && !query.contains("h");
  if (as_rendition) {
    query["w"] = query["h"] = std::to_string(longest_side);
  }
  const auto resizing = delivery::ParseResizing(query);
  if (!resizing.ok()) {
    return Finish(*ask, Refuse(ask->call, resizing.error()));
  }
  const auto medium = views::FindMedium(api_.views, name.id);
  if (!medium.ok()) {
    return Finish(*ask, Refuse(ask->call, medium.error()));
  }
  const OutputFormat format = resizing->format.value_or(FormatFor(ask->request));
  Found found;
  found.account_id = *medium ? (*medium)->owner_id : name.id;
  found.is_no_picture = *medium && !darkroom::CanDevelop((*medium)->mime_type);
  found.type = delivery::MediaTypeOf(format);
  found.negotiated = !resizing->format;
  if (ask->is_download()) {
    found.filename = RenamedFor(*medium ? (*medium)->filename : name.id, found.type);
  }
  if (as_rendition && format == OutputFormat::kWebp && resizing->quality == 0) {
    // Pictures that are stored already are not made again.
    return SendStored(ask, flows::StoredKey(name.id, name.revision, name.size), std::move(found));
  }
  SendResized(ask, name, *resizing, format, std::move(found));
}

void Media::SendStored(const std::shared_ptr<Ask>& ask, const std::string& key, Found found) {
  blobs::BlobKey blob_key{api_.product.config.images_bucket, key};
  const bool may_redirect = api_.config.redirect_to_storage && !found.key_is_private;
  // A link of the storage's is for GET alone.
  if (may_redirect && ask->request.method == "GET") {
    auto url = Redirection(*ask, blob_key, found);
    if (!url.ok() || *url) {
      return Finish(*ask, url.ok() ? **std::move(url) : Refuse(ask->call, url.error()));
    }
  }
  if (may_redirect) {
    ask->ready_key.clear();  // A result for a HEAD is not for the next GET.
  }
  Submit(pools_.storage, ask,
         [this, ask, blob_key = std::move(blob_key), found = std::move(found)]() mutable {
           OpenStored(*ask, blob_key, std::move(found));
         });
}

void Media::OpenStored(Ask& ask, const blobs::BlobKey& key, Found found) {
  auto blob = api_.product.blobs.Open(key);
  if (!blob.ok()) {
    return Finish(ask, Refuse(ask.call, blob.error()));
  }
  if (found.type.empty()) {
    found.type = PosterTypeOf(**blob);
  }
  found.file = Share((*blob)->descriptor());
  if (auto name = Share((*blob)->named_descriptor())) {
    found.names.push_back(std::move(name));
  }
  if (found.file == nullptr) {
    if (const Status held = HoldInMemory(ask, **blob, found); !held.ok()) {
      return Finish(ask, Refuse(ask.call, held.error()));
    }
  }
  if (found.file == nullptr) {
    found.blob = *blob;
  }
  found.info = (*blob)->info();
  Send(ask, std::move(found));
}

bool Media::WillBeKept(const Ask& ask, const Found& found) {
  // A link may be spelled so that its format does not look open.
  const bool tells_apart = !found.negotiated || ask.ready_key.size() > ask.request.target.size();
  return !ask.ready_key.empty() && tells_apart && IsSpelledAsSigned(ask.request, ask.call.target);
}

Status Media::HoldInMemory(const Ask& ask, const blobs::OpenBlob& blob, Found& found) {
  // Only what is asked for as a whole, may be asked for again, and can be found to be gone, is
  // worth it.
  const bool wants_all = ask.request.method == "GET" &&
                         !ask.request.Header("if-none-match").has_value() &&
                         !ask.request.Header("range").has_value();
  if (!wants_all || found.names.empty() || !WillBeKept(ask, found)) {
    return OkStatus();
  }
  MediaMemory::Part part = ready_.TakeMemory(blob.bytes());
  if (part == nullptr) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(found.file, ReadToMemory(blob, std::move(part)));
  found.in_memory = true;
  return OkStatus();
}

void Media::SendResized(const std::shared_ptr<Ask>& ask, const flows::MediaName& name,
                        const delivery::ResizeParameters& resizing, OutputFormat format,
                        Found found) {
  Submit(pools_.storage, ask,
         [this, ask, name, resizing, format, found = std::move(found)]() mutable {
           OpenOriginal(ask, name, resizing, format, std::move(found));
         });
}

void Media::OpenOriginal(const std::shared_ptr<Ask>& ask, const flows::MediaName& name,
                         const delivery::ResizeParameters& resizing, OutputFormat format,
                         Found found) {
  const Result<blobs::BlobKey> original =
      found.is_no_picture ? blobs::BlobKey{api_.product.config.images_bucket,
                                           flows::StoredKey(name.id, 0, flows::Size::kPoster)}
                          : FullSize(name);
  if (!original.ok()) {
    return Finish(*ask, Refuse(ask->call, original.error()));
  }
  // Of what is deleted nothing is shown, though the cache may have it.
  const auto blob = api_.product.blobs.Open(*original);
  if (!blob.ok()) {
    return Finish(*ask, Refuse(ask->call, blob.error()));
  }
  if (auto source = Share((*blob)->named_descriptor())) {
    found.names.push_back(std::move(source));
  }
  std::string account_id = std::move(found.account_id);
  api_.resizer.Get(
      {name.id, std::move(account_id), name.revision, *original, (*blob)->info()}, resizing, format,
      [this, ask, found = std::move(found)](Result<delivery::Picture> picture) mutable {
        if (!picture.ok()) {
          const Error& error = picture.error();
          return Finish(*ask,
                        Refuse(ask->call, darkroom::IsPermanent(error)
                                              ? Error(error).WithReason(reasons::kCannotResize)
                                              : error));
        }
        found.file = picture->file;
        if (!picture->in_memory) {
          found.names.push_back(found.file);
        } else if (auto kept = ask->request.method == "GET" && WillBeKept(*ask, found)
                                   ? ready_.TakeMemory(picture->bytes)
                                   : nullptr) {
          found.file = MediaMemory::Hold(found.file, std::move(kept));
          found.in_memory = true;
        } else if (auto part = sent_once_.Take(picture->bytes)) {
          found.file = MediaMemory::Hold(found.file, std::move(part));
          found.names.clear();  // Sent, and not kept.
        } else {
          return Finish(*ask,
                        Refuse(ask->call, Error(ErrorKind::kOverloaded,
                                                "Too many pictures are being sent. Try again.")));
        }
        found.info = {.bytes = picture->bytes, .modified_ms = picture->modified_ms};
        Send(*ask, std::move(found));
      },
      [client = ask->request.client] { return client != nullptr && client->IsGone(); });
}

Result<std::optional<Response>> Media::Redirection(const Ask& ask, const blobs::BlobKey& key,
                                                   const Found& found) {
  // Long enough for a slow line to begin, and no longer: the holder of the link needs no other, and
  // the storage does not know when an image is unshared. The redirection itself is forgotten well
  // before that, and neither outlives the link that led here.
  constexpr int64_t kLinkSecondsMax = 2 * 60;
  constexpr int64_t kCachedSecondsMax = 60;
  const int64_t left_s = std::max<int64_t>(1, ask.seconds_left(api_.product.clock));
  blobs::PresignGetOptions options;
  options.expires_s = std::min(kLinkSecondsMax, left_s);
  options.content_type = found.type;
  options.content_disposition = DispositionOf(ask, found);
  options.cache_control = found.cache_control;
  ASSIGN_OR_RETURN(const std::optional<std::string> url,
                   api_.product.blobs.PresignGet(key, options));
  if (!url) {
    return std::optional<Response>();
  }
  Response response;
  response.status = 302;
  response.headers.emplace_back("Location", *url);
  response.headers.emplace_back("Cache-Control",
                                StrCat("private, max-age=", std::min(kCachedSecondsMax, left_s)));
  if (found.negotiated) {
    response.headers.emplace_back("Vary", "Accept");
  }
  return std::optional<Response>(std::move(response));
}

std::string Media::DispositionOf(const Ask& ask, const Found& found) {
  if (found.filename.empty()) {
    return "";
  }
  const bool is_shown = IsShownByBrowsers(found.type) && !ask.is_download();
  return Disposition(is_shown ? Presentation::kInline : Presentation::kAttachment, found.filename);
}

void Media::Send(Ask& ask, Found found) {
  const auto is_open = [](const auto& file) { return file->valid(); };
  if ((found.file != nullptr && !is_open(found.file)) ||
      !std::ranges::all_of(found.names, is_open)) {
    return Finish(ask, Refuse(ask.call, Error(ErrorKind::kOverloaded,
                                              "Too many files are open. Try again.")));
  }
  auto medium = std::make_shared<ReadyMedium>();
  medium->validators = ValidatorsOf(found.info);
  medium->file = std::move(found.file);
  medium->blob = std::move(found.blob);
  medium->names = std::move(found.names);
  medium->in_memory = found.in_memory;
  medium->bytes = found.info.bytes;
  medium->expires_ms = ask.link.expires_ms;
  medium->link_state = ask.link_state;
  Headers& headers = medium->headers;
  headers.emplace_back("Content-Type", found.type);
  headers.emplace_back("ETag", medium->validators.etag);
  headers.emplace_back("Last-Modified", HttpDate(medium->validators.modified_s));
  headers.emplace_back("Cache-Control", found.cache_control);
  headers.emplace_back("Accept-Ranges", "bytes");
  // It runs nothing, whatever it is. Viewers of PDF do not start in a sandbox, and have their own.
  headers.emplace_back("Content-Security-Policy",
                       found.type == kPdfType
                           ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
                           : "default-src 'none'; sandbox");
  if (found.negotiated) {
    headers.emplace_back("Vary", "Accept");
  }
  if (std::string disposition = DispositionOf(ask, found); !disposition.empty()) {
    headers.emplace_back("Content-Disposition", std::move(disposition));
  }
  Response response = rest::Send(*medium, ask.request, ask.call.request_id, pools_.storage);
  if (WillBeKept(ask, found)) {
    ready_.Add(ask.ready_key, std::move(medium));
  }
  Finish(ask, std::move(response));
}

}  // namespace tintype::http::rest
