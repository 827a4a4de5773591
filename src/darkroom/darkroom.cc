#include "darkroom/darkroom.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/logging.h"
#include "base/strings.h"
#include "darkroom/internal/helper_process.h"
#include "darkroom/internal/item_limits.h"
#include "darkroom/internal/media_outputs.h"
#include "darkroom/internal/starter.h"
#include "darkroom/protocol/document_files.h"
#include "darkroom/protocol/media_messages.h"

namespace tintype::darkroom {
namespace {

Config WithDefaults(Config config) {
  CHECK(config.Validate().ok());
  if (config.processes_max == 0) {
    config.processes_max = std::max(1U, std::thread::hardware_concurrency());
  }
  if (config.idle_max == 0) {
    config.idle_max = config.processes_max;
  }
  return config;
}

Error Stopping() { return MakeFailure(FailureKind::kNotRunning, "The server is stopping"); }

/// The first bytes of an output; fewer if it has become shorter.
std::string ReadOutput(int output, int64_t count) {
  std::string bytes(static_cast<size_t>(count), '\0');
  size_t read = 0;
  while (read < bytes.size()) {
    const ssize_t got =
        ::pread(output, bytes.data() + read, bytes.size() - read, static_cast<off_t>(read));
    if (got <= 0) {
      break;
    }
    read += static_cast<size_t>(got);
  }
  bytes.resize(read);
  return bytes;
}

Error Nonsense(std::string_view note) {
  return MakeFailure(FailureKind::kDied, "The image helper gave an answer that makes no sense")
      .WithNote(std::string(note));
}

/// The lines that a helper has put into the request's output, as far as they make sense.
Result<std::vector<TextLine>> ReadTextLines(const FindTextRequest& request,
                                            const FoundText& found) {
  const std::string bytes = ReadOutput(request.output, found.bytes);
  ASSIGN_OR_RETURN(std::vector<TextLine> lines, DecodeTextLines(bytes));
  const bool by_those_asked = std::ranges::all_of(lines, [&](const TextLine& line) {
    return static_cast<size_t>(line.recogniser) < request.recognisers.size();
  });
  if (!by_those_asked) {
    return Nonsense("a recogniser that there is none of");
  }
  return lines;
}

Status CheckPageFile(int output, const DocumentPage& page) {
  RETURN_IF_ERROR(CheckOutputBytes(output, page.bytes));
  return IsPngOfSize(ReadOutput(output, kPngHeaderBytes), page.width, page.height)
             ? OkStatus()
             : Status(Nonsense("a page that is something else"));
}

Status CheckTextFile(int output, const DocumentText& text) {
  RETURN_IF_ERROR(CheckOutputBytes(output, text.bytes));
  return IsDocumentText(ReadOutput(output, text.bytes), text.pages)
             ? OkStatus()
             : Status(Nonsense("a text that is none"));
}

/// How many bytes a file has; -1 when that cannot be told.
int64_t SizeOf(int file) {
  struct stat status = {};
  return ::fstat(file, &status) == 0 ? status.st_size : -1;
}

/// What a helper has put into the request's output, as far as it makes sense.
Result<Transcript> ReadTranscript(const TranscribeRequest& request,
                                  const Transcribed& transcribed) {
  ASSIGN_OR_RETURN(Transcript transcript,
                   DecodeTranscript(ReadOutput(request.output, transcribed.bytes)));
  const int64_t samples = SizeOf(request.input) / kBytesPerSample;
  const bool is_as_asked = request.language.empty() || transcript.language.empty() ||
                           transcript.language == request.language;
  if (transcript.duration_ms != samples * 1000 / kSamplesPerSecond || !is_as_asked) {
    return MakeFailure(FailureKind::kDied, "The image helper gave an answer that makes no sense")
        .WithNote("a transcript of something else");
  }
  return transcript;
}

Status CheckOutputs(const Request& request, const Reply& reply) {
  if (std::holds_alternative<Failure>(reply)) {
    return OkStatus();
  }
  if (IsMediaRequest(request)) {
    RETURN_IF_ERROR(CheckMediaOutput(request, reply));
    const auto* measured = std::get_if<MeasuredWaveform>(&reply);
    // As with lines of text, below.
    const auto waveform = measured != nullptr
                              ? ReadWaveform(DescriptorsOf(request).back(), *measured)
                              : Result<Waveform>(Waveform{});
    return waveform.ok() ? OkStatus() : Status(waveform.error());
  }
  const std::vector<int> descriptors = DescriptorsOf(request);
  if (const auto* edited = std::get_if<Edited>(&reply)) {
    return CheckOutputBytes(descriptors[1], edited->bytes);
  }
  if (const auto* resized = std::get_if<Resized>(&reply)) {
    return CheckOutputBytes(descriptors[1], resized->bytes);
  }
  if (const auto* found = std::get_if<FoundText>(&reply)) {
    RETURN_IF_ERROR(CheckOutputBytes(descriptors[1], found->bytes));
    // While the helper is known that wrote it: one that writes nonsense is not used again.
    const auto lines = ReadTextLines(std::get<FindTextRequest>(request), *found);
    return lines.ok() ? OkStatus() : Status(lines.error());
  }
  if (const auto* page = std::get_if<DocumentPage>(&reply)) {
    return CheckPageFile(descriptors[1], *page);
  }
  if (const auto* text = std::get_if<DocumentText>(&reply)) {
    return CheckTextFile(descriptors[1], *text);
  }
  if (const auto* transcribed = std::get_if<Transcribed>(&reply)) {
    RETURN_IF_ERROR(CheckOutputBytes(descriptors[1], transcribed->bytes));
    const auto transcript = ReadTranscript(std::get<TranscribeRequest>(request), *transcribed);
    return transcript.ok() ? OkStatus() : Status(transcript.error());
  }
  if (const auto* developed = std::get_if<Developed>(&reply)) {
    for (size_t i = 0; i < developed->renditions.size(); ++i) {
      RETURN_IF_ERROR(CheckOutputBytes(descriptors[i + 1], developed->renditions[i].bytes));
    }
  }
  return OkStatus();
}

using Helpers = std::vector<std::unique_ptr<HelperProcess>>;

// Moves those that fail the test to the end of `to`; the others keep their order.
template <typename Test>
void MoveFailing(Helpers& from, Helpers& to, const Test& test) {
  const auto failing = std::stable_partition(from.begin(), from.end(), test);
  std::move(failing, from.end(), std::back_inserter(to));
  from.erase(failing, from.end());
}

void LogFailure(const std::string& name, const HelperProcess& process, const Error& error) {
  LogWarning(StrCat(name, " replaced"), {{"pid", process.pid()},
                                         {"kind", FailureName(KindOf(error))},
                                         {"message", error.message()},
                                         {"note", error.note()}});
}

}  // namespace

Status Config::Validate() const {
  if (!helper_path.starts_with('/')) {
    return Error::Validation("The path of the image helper must be absolute");
  }
  if (items_per_process < 1 || resident_bytes_max < 1 || limits.pixels.pixels < 1 ||
      limits.pixels.pixels_held_whole < 1 || limits.pixels.pages < 1 || limits.input_bytes < 1 ||
      limits.output_bytes < 1 || limits.address_space_bytes < 1 || limits.cpu_seconds < 1 ||
      limits.wall_ms < 1) {
    return Error::Validation("The limits of the image helper must be positive");
  }
  return OkStatus();
}

Darkroom::Darkroom(Config config)
    : config_(WithDefaults(std::move(config))),
      starter_(std::make_unique<Starter>(HelperProgram{config_.helper_path, config_.library_path,
                                                       config_.sandbox != SandboxUse::kOff},
                                         config_.limits)) {}

Darkroom::~Darkroom() { Stop(); }

Result<Developed> Darkroom::Develop(std::string_view account, const DevelopRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  auto developed = std::get<Developed>(std::move(reply));
  for (size_t i = 0; i < request.sizes.size(); ++i) {
    developed.renditions[i].name = request.sizes[i].name;
  }
  if (developed.original.damage != Damage::kNone) {
    const MutexLock lock(mutex_);
    ++stats_.damaged[developed.original.damage];
  }
  return developed;
}

Result<Edited> Darkroom::Edit(std::string_view account, const EditRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<Edited>(std::move(reply));
}

Result<Resized> Darkroom::Resize(std::string_view account, const ResizeRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<Resized>(std::move(reply));
}

Result<FoundObjects> Darkroom::FindObjects(std::string_view account,
                                           const FindObjectsRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<FoundObjects>(std::move(reply));
}

Result<Classified> Darkroom::Classify(std::string_view account, const ClassifyRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<Classified>(std::move(reply));
}

Result<std::vector<TextLine>> Darkroom::FindText(std::string_view account,
                                                 FindTextRequest request) {
  const Descriptor answer(::memfd_create("found-text", MFD_CLOEXEC));
  if (!answer.valid()) {
    return Error(ErrorKind::kOverloaded, "Too many files are open; try again later");
  }
  request.output = answer.number();
  ASSIGN_OR_RETURN(const Reply reply, Run(account, request));
  return ReadTextLines(request, std::get<FoundText>(reply));
}

Result<MediaProbe> Darkroom::ProbeMedia(std::string_view account,
                                        const ProbeMediaRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<MediaProbe>(std::move(reply));
}

Result<Poster> Darkroom::MakePoster(std::string_view account, const PosterRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<Poster>(std::move(reply));
}

Result<Waveform> Darkroom::Waveform(std::string_view account, WaveformRequest request) {
  const Descriptor answer(::memfd_create("waveform", MFD_CLOEXEC));
  if (!answer.valid()) {
    return Error(ErrorKind::kOverloaded, "Too many files are open; try again later");
  }
  request.output = answer.number();
  ASSIGN_OR_RETURN(const Reply reply, Run(account, request));
  return ReadWaveform(request.output, std::get<MeasuredWaveform>(reply));
}

Result<Frames> Darkroom::Frames(std::string_view account, const FramesRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<darkroom::Frames>(std::move(reply));
}

Result<Proxy> Darkroom::MakeProxy(std::string_view account, const ProxyRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<Proxy>(std::move(reply));
}

Result<Speech> Darkroom::DecodeSpeech(std::string_view account, const SpeechRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<Speech>(std::move(reply));
}

Result<DocumentProbe> Darkroom::ProbeDocument(std::string_view account,
                                              const ProbeDocumentRequest& request) {
  ASSIGN_OR_RETURN(Reply reply, Run(account, request));
  return std::get<DocumentProbe>(std::move(reply));
}

Result<DocumentPage> Darkroom::MakePage(std::string_view account,
                                        const DocumentPageRequest& request) {
  ASSIGN_OR_RETURN(const Reply reply, Run(account, request));
  return std::get<DocumentPage>(reply);
}

Result<DocumentText> Darkroom::DocumentText(std::string_view account,
                                            const DocumentTextRequest& request) {
  ASSIGN_OR_RETURN(const Reply reply, Run(account, request));
  return std::get<darkroom::DocumentText>(reply);
}

Result<Transcript> Darkroom::Transcribe(std::string_view account, TranscribeRequest request) {
  const Descriptor answer(::memfd_create("transcript", MFD_CLOEXEC));
  if (!answer.valid()) {
    return Error(ErrorKind::kOverloaded, "Too many files are open; try again later");
  }
  request.output = answer.number();
  ASSIGN_OR_RETURN(const Reply reply, Run(account, request));
  return ReadTranscript(request, std::get<Transcribed>(reply));
}

Result<Reply> Darkroom::Run(std::string_view account, const Request& request) {
  if (account.empty()) {
    return MakeFailure(FailureKind::kInvalidRequest, "Nobody is named as the file's owner");
  }
  RETURN_IF_ERROR(CheckRequest(request));
  RETURN_IF_ERROR(CheckInput(DescriptorsOf(request).front()));
  ASSIGN_OR_RETURN(std::unique_ptr<HelperProcess> process, Acquire(account));
  Result<Reply> reply = RunOn(*process, account, request);
  if (!reply.ok()) {
    if (process->IsSuspect()) {
      starter_->Distrust(process->generation());
    }
    LogFailure(config_.name, *process, reply.error());
    Release(std::move(process), /*reusable=*/false);
    const MutexLock lock(mutex_);
    if (stopping_) {
      return Stopping();
    }
    ++stats_.failures[KindOf(reply.error())];
    return std::move(reply).error();
  }
  const Failure* failure = std::get_if<Failure>(&reply.value());
  // Short of memory, it may be so because of what earlier items left behind.
  Release(std::move(process), failure == nullptr || failure->kind != FailureKind::kOutOfMemory);
  if (failure != nullptr) {
    const MutexLock lock(mutex_);
    ++stats_.failures[failure->kind];
    return MakeFailure(failure->kind, failure->message);
  }
  return reply;
}

Result<Reply> Darkroom::RunOn(HelperProcess& process, std::string_view account,
                              const Request& request) const {
  const ItemTime time = TimeFor(config_.limits, request);
  const Order order = {request, config_.limits.pixels, time.wall_ms};
  ASSIGN_OR_RETURN(const std::string bytes,
                   process.Exchange(account, EncodeOrder(order), DescriptorsOf(request), time));
  ASSIGN_OR_RETURN(Reply reply, DecodeReply(bytes));
  RETURN_IF_ERROR(CheckReply(request, reply));
  RETURN_IF_ERROR(CheckOutputs(request, reply));
  return reply;
}

Status Darkroom::CheckInput(int input) const {
  struct stat status = {};
  if (::fstat(input, &status) != 0) {
    return Error::Io(StrCat("The file cannot be read: ", std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) {
    return MakeFailure(FailureKind::kNotAnImage, "Only regular files are taken");
  }
  if (status.st_size == 0) {
    return MakeFailure(FailureKind::kNotAnImage, "The file is empty");
  }
  if (status.st_size > config_.limits.input_bytes) {
    return MakeFailure(FailureKind::kTooLarge,
                       StrCat("The file has ", status.st_size, " bytes; at most ",
                              config_.limits.input_bytes, " are allowed"));
  }
  return OkStatus();
}

Result<std::unique_ptr<HelperProcess>> Darkroom::Acquire(std::string_view account) {
  // They end when the lock is not held any more, which takes a moment.
  std::vector<std::unique_ptr<HelperProcess>> unusable;
  {
    const MutexLock lock(mutex_);
    if (busy_count_ >= config_.processes_max && waiting_ >= config_.waiting_max) {
      return Error(ErrorKind::kOverloaded, "Too many files wait to be worked on; try again later");
    }
    ++waiting_;
    while (busy_count_ >= config_.processes_max && !starts_ended_) {
      changed_.Wait(mutex_);
    }
    --waiting_;
    if (stopping_ || busy_count_ >= config_.processes_max) {
      changed_.SignalAll();  // Stop waits for those who wait.
      return Stopping();
    }
    ++busy_count_;
    unusable = TakeUnusable();
    if (auto process = TakeIdle(account)) {
      busy_.push_back(process.get());
      return process;
    }
  }
  return StartHelper();
}

std::vector<std::unique_ptr<HelperProcess>> Darkroom::TakeUnusable() {
  std::vector<std::unique_ptr<HelperProcess>> taken;
  MoveFailing(idle_, taken, [](const auto& process) { return process->IsWaiting(); });
  const size_t died = taken.size();
  for (const auto& process : taken) {
    LogWarning(StrCat("idle ", config_.name, " died"), {{"pid", process->pid()}});
    if (process->IsSuspect()) {
      starter_->Distrust(process->generation());
    }
  }
  MoveFailing(idle_, taken,
              [&](const auto& process) { return !starter_->IsDistrusted(process->generation()); });
  stats_.replaced_failed += died;
  stats_.replaced_worn += taken.size() - died;
  return taken;
}

std::unique_ptr<HelperProcess> Darkroom::TakeIdle(std::string_view account) {
  // The most recently used one is the most likely to have its memory at hand.
  const auto found = std::find_if(idle_.rbegin(), idle_.rend(),
                                  [&](const auto& process) { return process->CanServe(account); });
  if (found == idle_.rend()) {
    return nullptr;
  }
  std::unique_ptr<HelperProcess> process = std::move(*found);
  idle_.erase(std::next(found).base());
  return process;
}

Result<std::unique_ptr<HelperProcess>> Darkroom::StartHelper() {
  auto started = starter_->Start();
  if (started.ok()) {
    if (Status noted = NoteSandbox(**started); !noted.ok()) {
      started = std::move(noted).error();
    }
  }
  if (!started.ok()) {
    Release(nullptr, /*reusable=*/false);
    {
      const MutexLock lock(mutex_);
      if (starts_ended_) {
        return Stopping();
      }
      ++stats_.failures[FailureKind::kNotRunning];
    }
    LogError(StrCat(config_.name, " does not start"), {{"path", config_.helper_path},
                                                       {"message", started.error().message()},
                                                       {"note", started.error().note()}});
    return started;
  }
  bool stopping = false;
  {
    const MutexLock lock(mutex_);
    ++stats_.started;
    busy_.push_back(started->get());
    stopping = stopping_;
  }
  if (stopping) {
    Release(std::move(started).value(), /*reusable=*/false);
    return Stopping();
  }
  return started;
}

Status Darkroom::NoteSandbox(const HelperProcess& process) {
  const std::string& missing = process.sandbox_missing();
  bool is_news = false;
  {
    const MutexLock lock(mutex_);
    is_news = sandbox_missing_ != missing;
    sandbox_missing_ = missing;
  }
  if (!missing.empty() && config_.sandbox == SandboxUse::kRequired) {
    return MakeFailure(FailureKind::kNotRunning,
                       "The image helper has no sandbox, and one is required")
        .WithNote(missing);
  }
  if (is_news && missing.empty()) {
    LogInfo(StrCat(config_.name, "s are in a sandbox"), {{"by", "seccomp"}});
  } else if (is_news) {
    LogWarning(StrCat(config_.name, "s have no sandbox"), {{"reason", missing}});
  }
  return OkStatus();
}

Status Darkroom::Prepare() {
  ASSIGN_OR_RETURN(std::unique_ptr<HelperProcess> process, Acquire(""));
  Release(std::move(process), /*reusable=*/true);
  return OkStatus();
}

bool Darkroom::sandboxed() const {
  const MutexLock lock(mutex_);
  return sandbox_missing_.has_value() && sandbox_missing_->empty();
}

std::string Darkroom::sandbox_missing() const {
  const MutexLock lock(mutex_);
  return sandbox_missing_.value_or("");
}

void Darkroom::Release(std::unique_ptr<HelperProcess> process, bool reusable) {
  const bool keep = reusable && !starter_->IsDistrusted(process->generation()) &&
                    process->items() < config_.items_per_process &&
                    process->ResidentBytes() <= config_.resident_bytes_max;
  std::unique_ptr<HelperProcess> unused;
  {
    const MutexLock lock(mutex_);
    std::erase(busy_, process.get());
    if (keep && !stopping_) {
      idle_.push_back(std::move(process));
      if (idle_.size() > config_.idle_max) {
        unused = std::move(idle_.front());
        idle_.erase(idle_.begin());
        ++stats_.replaced_unused;
      }
    } else if (process != nullptr && !stopping_) {
      ++(reusable ? stats_.replaced_worn : stats_.replaced_failed);
    }
  }
  // It has to be gone before another takes its place, or there would be too many at a time. Waiting
  // for its end takes a moment, so it is not done under the lock.
  process.reset();
  unused.reset();
  const MutexLock lock(mutex_);
  --busy_count_;
  changed_.SignalAll();
}

void Darkroom::StartNoMore() {
  const MutexLock lock(mutex_);
  starts_ended_ = true;
  changed_.SignalAll();
  starter_->Interrupt();
}

void Darkroom::Stop() {
  StartNoMore();
  std::vector<std::unique_ptr<HelperProcess>> idle;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (HelperProcess* process : busy_) {
      process->Abandon();
    }
    idle.swap(idle_);
    changed_.SignalAll();
    while (busy_count_ > 0 || waiting_ > 0) {
      changed_.Wait(mutex_);
    }
  }
  idle.clear();
  starter_->Stop();
}

std::vector<pid_t> Darkroom::process_ids() const {
  const MutexLock lock(mutex_);
  std::vector<pid_t> pids;
  for (const HelperProcess* process : busy_) {
    pids.push_back(process->pid());
  }
  for (const auto& process : idle_) {
    pids.push_back(process->pid());
  }
  return pids;
}

pid_t Darkroom::template_id() const { return starter_->template_id(); }

DarkroomStats Darkroom::stats() const {
  const MutexLock lock(mutex_);
  DarkroomStats stats = stats_;
  stats.running = busy_.size() + idle_.size();
  stats.busy = busy_.size();
  stats.waiting = waiting_;
  stats.starting = starter_->starting();
  stats.templates_started = starter_->templates_started();
  return stats;
}

}  // namespace tintype::darkroom
