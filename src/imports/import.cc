#include "imports/import.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "base/logging.h"
#include "base/strings.h"
#include "blobs/hashing_writer.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/imports.h"
#include "contexts/intake/storage_use.h"
#include "darkroom/media_type.h"
#include "flows/media_keys.h"
#include "flows/uploads/upload.h"

namespace tintype::imports {
namespace {

using contexts::Transaction;
using contexts::backlog::Priority;
using contexts::backlog::WorkStatus;
using contexts::catalog::Image;
using contexts::catalog::ProcessingStatus;
using contexts::intake::ImportedFile;
using contexts::intake::Imports;
using contexts::intake::Upload;

constexpr size_t kNamedMax = 1000;
constexpr size_t kPieceBytes = size_t{1} << 20;
/// How many photos may wait to be developed: those who upload others meanwhile wait behind them.
constexpr int64_t kWaitingMax = 100;
/// How many files are imported before the queue is looked at again.
constexpr int64_t kFilesBetweenLooks = 16;
constexpr std::chrono::milliseconds kWaitStep{200};
/// How long the import waits in the end while no photo gets developed.
constexpr std::chrono::seconds kPatience{30};

Error Stopped() { return {ErrorKind::kUnavailable, "The import was stopped."}; }
Error DiskFull() {
  return {ErrorKind::kUnavailable,
          "The disk is nearly full. Make room, then run the same command again: it goes on."};
}

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string HashOf(const std::string& path) {
  blobs::ContentHasher hasher;
  hasher.Update(path);
  return hasher.hashes().sha256;
}

/// One run over one source.
class ImportRun {
 public:
  ImportRun(flows::Product& product, const flows::Account& account, Source& source,
            const ImportRequest& request, const ImportHost& host)
      : product_(product),
        account_(account),
        source_(source),
        request_(request),
        host_(host),
        imports_(product.database) {}

  Result<ImportResult> Run() {
    RETURN_IF_ERROR(CountFiles());
    const Result<PassedOver> walked = source_.Walk(
        [this](const FoundFile& file) { return LookAt(file); },
        [this](const std::string& /*path*/, const Error& error) { Note(error.message()); });
    if (walked.ok()) {
      result_.passed_over = *walked;
    } else if (!result_.stopped) {
      return walked.error();
    }
    if (!result_.stopped) {
      RETURN_IF_ERROR(AwaitDevelopment());
    }
    if (request_.dry_run) {
      ASSIGN_OR_RETURN(const auto limit, product_.people.FindLimit(account_.email));
      result_.over_limit = std::max<int64_t>(0, result_.imported - limit.value_or(0));
    }
    return std::move(result_);
  }

 private:
  /// What is ahead, so that progress has a total.
  Status CountFiles() {
    RETURN_IF_ERROR(source_.Walk(
        [this](const FoundFile& file) -> Status {
          ++progress_.files_total;
          progress_.bytes_total += file.bytes;
          return host_.progress(progress_) ? OkStatus() : Stop(Stopped());
        },
        [](const std::string&, const Error&) {}));
    progress_.counting = false;
    return OkStatus();
  }

  bool DiskIsFull() const { return !product_.room.HasForIntake(0); }

  /// Ends the run with what was done so far.
  Error Stop(const Error& why) {
    result_.stopped = why;
    return why;
  }

  void Note(std::string problem) {
    ++result_.failed;
    if (result_.problems.size() < kNamedMax) {
      result_.problems.push_back(std::move(problem));
    }
  }

  Status LookAt(const FoundFile& file) {
    const uint64_t bytes_after = progress_.bytes + file.bytes;
    ++result_.files;
    const Status done = ImportFile(file);
    if (!done.ok() && !result_.stopped && IsOutage(done.error())) {
      Stop(DiskIsFull() ? DiskFull() : done.error());
    }
    if (result_.stopped) {
      return *result_.stopped;
    }
    if (!done.ok()) {
      Note(StrCat(file.path, ": ", done.error().message()));
    }
    ++progress_.files;
    progress_.bytes = bytes_after;
    return host_.progress(progress_) ? OkStatus() : Status(Stop(Stopped()));
  }

  Status ImportFile(const FoundFile& file) {
    ImportedFile record{account_.id,
                        HashOf(file.path),
                        file.path,
                        static_cast<int64_t>(file.bytes),
                        file.modified_ns,
                        "",
                        false};
    ASSIGN_OR_RETURN(const bool known, IsKnown(record));
    if (known) {
      ++result_.known;
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<OpenFile> open, source_.Open(file.path));
    ASSIGN_OR_RETURN(const std::string_view type, TypeOf(*open));
    if (!IsMedium(type)) {
      ++result_.unsupported[std::string(type)];
      if (result_.unsupported_files.size() < kNamedMax) {
        result_.unsupported_files.push_back(StrCat(file.path, ": ", type));
      }
      return OkStatus();
    }
    if (open->found().bytes > request_.file_bytes_max) {
      return Error(ErrorKind::kRequestTooLarge,
                   StrCat("it has ", open->found().bytes, " bytes; a file may have at most ",
                          request_.file_bytes_max));
    }
    if (request_.dry_run) {
      ++result_.imported;
      result_.imported_bytes += record.bytes;
      return OkStatus();
    }
    RETURN_IF_ERROR(WaitForRoom());
    return Copy(*open, type, std::move(record));
  }

  /// Whether an earlier run has imported the file as it is now. Also ends what one left half done.
  Result<bool> IsKnown(const ImportedFile& file) {
    ASSIGN_OR_RETURN(std::optional<ImportedFile> seen, imports_.Find(account_.id, file.path_hash));
    const bool same = seen && seen->bytes == file.bytes && seen->modified_ns == file.modified_ns;
    if (!seen || seen->complete || request_.dry_run) {
      return same && seen->complete;
    }
    // It was cut off: either it is an image, and only this record is behind, or it never will be.
    ASSIGN_OR_RETURN(const auto image, product_.catalog.Find(seen->image_id));
    if (!image) {
      RETURN_IF_ERROR(flows::AbandonUpload(product_, seen->image_id));
      return false;
    }
    seen->complete = true;
    RETURN_IF_ERROR(Record(*seen));
    return same;
  }

  Status Record(const ImportedFile& file) {
    return Transaction(StrCat("import ", file.image_id, " ", file.complete ? "ended" : "begun"))
        .Add(Imports::Record(file))
        .Commit(product_.database, product_.retries);
  }

  /// Folders of photos also have databases, thumbnails and settings of other programs in them.
  static bool IsMedium(std::string_view type) {
    return darkroom::CanDevelop(type) || darkroom::CanPlay(type) || type == "application/pdf";
  }

  static Result<std::string_view> TypeOf(const OpenFile& file) {
    char first[darkroom::kMediaTypeBytes];
    ASSIGN_OR_RETURN(const size_t count, file.Read(0, first, sizeof first));
    return count == 0 ? std::string_view("empty file") : darkroom::DetectMediaType({first, count});
  }

  /// Until not too many photos wait to be developed.
  Status WaitForRoom() {
    if (DiskIsFull()) {
      return Stop(DiskFull());
    }
    if (!host_.has_workers || ++since_look_ < kFilesBetweenLooks) {
      return OkStatus();
    }
    since_look_ = 0;
    RETURN_IF_ERROR(LookAtDeveloped());
    for (;;) {
      ASSIGN_OR_RETURN(
          const auto waiting,
          product_.backlog.CountIn(WorkStatus::kPending, Priority::kNormal, kWaitingMax));
      progress_.waiting = waiting.total() >= kWaitingMax;
      if (!host_.progress(progress_)) {
        return Stop(Stopped());
      }
      if (!progress_.waiting) {
        return OkStatus();
      }
      std::this_thread::sleep_for(kWaitStep);
    }
  }

  /// Takes those of the imported photos off the list that have been developed, or could not be, and
  /// notes what is wrong with them.
  Status LookAtDeveloped() {
    std::vector<std::string> ids;
    ids.reserve(undeveloped_.size());
    for (const auto& [id, path] : undeveloped_) {
      ids.push_back(id);
    }
    ASSIGN_OR_RETURN(const auto images, product_.catalog.FindAll(ids));
    for (const std::string& id : ids) {
      const auto found = images.find(id);
      const bool is_gone = found == images.end();
      if (is_gone || IsThrough(found->second)) {
        if (!is_gone) {
          NoteDamage(undeveloped_.at(id), found->second);
        }
        undeveloped_.erase(id);
      }
    }
    return OkStatus();
  }

  static bool IsThrough(const Image& image) {
    return image.processing_status == ProcessingStatus::kCompleted ||
           image.processing_status == ProcessingStatus::kFailed;
  }

  void NoteDamage(const std::string& path, const Image& image) {
    const bool failed = image.processing_status == ProcessingStatus::kFailed;
    if (!failed && !image.processing_warning) {
      return;
    }
    ++result_.damaged;
    if (result_.damaged_files.size() < kNamedMax) {
      result_.damaged_files.push_back(
          StrCat(path, ": ",
                 failed ? image.processing_error.value_or("") : image.processing_warning->message));
    }
  }

  /// Until all are developed that can be, so that the end of the import can tell of each file.
  Status AwaitDevelopment() {
    progress_.developing_total = undeveloped_.size();
    size_t left = undeveloped_.size();
    auto changed = std::chrono::steady_clock::now();
    while (!undeveloped_.empty()) {
      RETURN_IF_ERROR(LookAtDeveloped());
      const auto now = std::chrono::steady_clock::now();
      if (undeveloped_.size() < left) {
        left = undeveloped_.size();
        changed = now;
      }
      progress_.developed = progress_.developing_total - left;
      if (!host_.progress(progress_) || now - changed > kPatience) {
        break;
      }
      if (left > 0) {
        std::this_thread::sleep_for(kWaitStep);
      }
    }
    result_.undeveloped = static_cast<int64_t>(undeveloped_.size());
    return OkStatus();
  }

  Status Copy(const OpenFile& file, std::string_view type, ImportedFile record) {
    flows::UploadRequest upload_request;
    upload_request.filename = BaseName(file.found().path);
    upload_request.album_id = request_.album_id;
    upload_request.length = static_cast<int64_t>(file.found().bytes);
    Result<Upload> upload = flows::BeginUpload(product_, account_, upload_request);
    if (!upload.ok()) {
      const bool limit = upload.error().Is(contexts::people::kUploadLimitReached) ||
                         upload.error().Is(contexts::intake::kQuotaExceeded);
      return limit ? Stop(upload.error()) : upload.error();
    }
    record.image_id = upload->id;
    Status copied = CopyTo(*upload, upload_request, file, type, record);
    if (!copied.ok()) {
      // Anything that cannot be done now is done when the upload's time has passed.
      const Status abandoned = flows::AbandonUpload(product_, upload->id);
      if (!abandoned.ok()) {
        LogWarning("upload not given up yet",
                   {{"id", upload->id}, {"error", abandoned.error().message()}});
      }
    }
    return copied;
  }

  Status CopyTo(const Upload& upload, const flows::UploadRequest& upload_request,
                const OpenFile& file, std::string_view type, ImportedFile& record) {
    RETURN_IF_ERROR(Record(record));
    ASSIGN_OR_RETURN(auto blob, product_.blobs.Create(
                                    {product_.config.uploads_bucket, flows::UploadKey(upload.id)}));
    blobs::HashingWriter writer(std::move(blob));
    RETURN_IF_ERROR(CopyBytes(file, writer));
    const blobs::ContentHashes hashes = writer.hashes();
    RETURN_IF_ERROR(writer.Commit());
    const Result<flows::CompletedUpload> completed = flows::CompleteUpload(
        product_, account_, upload, upload_request,
        {static_cast<int64_t>(file.found().bytes), hashes.md5, hashes.sha256, std::string(type)});
    if (!completed.ok()) {
      const bool outage = IsOutage(completed.error()) && DiskIsFull();
      // With room on the disk it is about these bytes, which an image has that is just being
      // deleted.
      return outage ? completed.error() : Error::InUse(completed.error().message());
    }
    // From here on it is imported, whatever becomes of the record: without it, the next run finds
    // the bytes again.
    record.image_id = completed->image.id;
    record.bytes = static_cast<int64_t>(file.found().bytes);
    record.modified_ns = file.found().modified_ns;
    record.complete = true;
    const Status recorded = Record(record);
    if (!recorded.ok()) {
      LogWarning("import not recorded",
                 {{"path", file.found().path}, {"error", recorded.error().message()}});
    }
    if (host_.has_workers && !completed->duplicate) {
      undeveloped_.emplace(record.image_id, file.found().path);
    }
    ++(completed->duplicate ? result_.duplicates : result_.imported);
    result_.restored += completed->restored ? 1 : 0;
    result_.imported_bytes += completed->duplicate ? 0 : record.bytes;
    return OkStatus();
  }

  Status CopyBytes(const OpenFile& file, blobs::HashingWriter& writer) {
    uint64_t copied = 0;
    for (;;) {
      ASSIGN_OR_RETURN(const size_t count, file.Read(copied, buffer_.get(), kPieceBytes));
      if (count == 0) {
        break;
      }
      RETURN_IF_ERROR(writer.Write({buffer_.get(), count}));
      copied += count;
      ImportProgress now = progress_;
      // All of them are there when the file is an image.
      now.bytes += std::min(copied, file.found().bytes - 1);
      if (!host_.progress(now)) {
        return Stop(Stopped());
      }
      if (DiskIsFull()) {
        return Stop(DiskFull());
      }
    }
    ASSIGN_OR_RETURN(const FoundFile after, file.Now());
    if (copied != file.found().bytes || after.bytes != file.found().bytes ||
        after.modified_ns != file.found().modified_ns) {
      return Error::Io("it was changed while it was read");
    }
    return OkStatus();
  }

  flows::Product& product_;
  const flows::Account& account_;
  Source& source_;
  const ImportRequest& request_;
  const ImportHost& host_;
  Imports imports_;
  ImportProgress progress_;
  ImportResult result_;
  int64_t since_look_ = 0;
  /// Photos of this run that were not developed when they were looked at last: where they came
  /// from, by id. No more than wait at a time.
  std::map<std::string, std::string> undeveloped_;
  const std::unique_ptr<char[]> buffer_ = std::make_unique<char[]>(kPieceBytes);
};

}  // namespace

Result<ImportResult> Import(flows::Product& product, const flows::Account& account, Source& source,
                            const ImportRequest& request, const ImportHost& host) {
  return ImportRun(product, account, source, request, host).Run();
}

}  // namespace tintype::imports
