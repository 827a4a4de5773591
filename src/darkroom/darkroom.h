#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "darkroom/failure.h"
#include "darkroom/limits.h"
#include "darkroom/protocol/messages.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

class HelperProcess;
class Starter;

/// What becomes of helpers that the kernel does not keep from files and the network.
enum class SandboxUse : uint8_t {
  kRequired,   ///< They are refused, as if they did not start.
  kPreferred,  ///< They are used, and the log has a warning.
  kOff,        ///< No helper enters a sandbox, so that it can be traced; the log has a warning.
};

struct Config {
  /// What its helpers are called in the log.
  std::string name = "image helper";
  /// Where their program is, such as tintype-darkroom; absolute.
  std::string helper_path = {};
  /// A library that the program loads when it starts, absolute too; empty for one that needs none
  /// by name.
  std::string library_path = {};
  /// Helpers at work at a time. Default 0, which means one for each core; each works with one
  /// thread.
  size_t processes_max = 0;
  /// Helpers without work that are kept, each for the account whose files it has seen. Default 0,
  /// which means as many as may be at work. More of them spare those accounts that take turns some
  /// milliseconds for each item, and take five to fifteen megabytes each.
  size_t idle_max = 0;
  /// Calls that may wait for a helper; more are refused at once as kOverloaded. Default 256.
  size_t waiting_max = 256;
  /// A helper is replaced after so many items, in case something in it wears out. Default 500.
  int64_t items_per_process = 500;
  /// A helper that has more memory than this in use after an item is replaced, in bytes. Default
  /// 256 MiB.
  int64_t resident_bytes_max = int64_t{256} << 20;
  Limits limits = {};
  /// Default kRequired.
  SandboxUse sandbox = SandboxUse::kRequired;

  /// What is wrong with the settings, if anything is.
  Status Validate() const;
};

/// What the helpers have done since the start, for metrics.
struct DarkroomStats {
  uint64_t running = 0;
  uint64_t busy = 0;      // Of those, at work.
  uint64_t waiting = 0;   // Calls that wait for a helper.
  uint64_t starting = 0;  // Helpers that are being started.
  uint64_t started = 0;
  uint64_t replaced_failed = 0;  // Helpers that died, hung or answered nonsense.
  // Helpers that had done enough, had grown, or came from the template of one that failed.
  uint64_t replaced_worn = 0;
  uint64_t replaced_unused = 0;  // Idle helpers that made room for other accounts'.
  uint64_t templates_started = 0;
  std::map<FailureKind, uint64_t> failures;  // Items that failed.
  std::map<Damage, uint64_t> damaged;        // Pictures developed of which a part is missing.
};

/// What the server knows of media files: it has them looked at, developed and edited by helper
/// processes, and never decodes a byte of them itself. Helpers are started when there is work, kept
/// for the next item, and replaced when they die, hang or grow; a file that kills its helper harms
/// no other file. No helper ever gets files of two accounts: all are forked from a template that
/// has seen none.
///
/// One instance is enough for a server; its maker owns it. Thread-safe: calls block, each has a
/// helper for itself, and those beyond Config::processes_max wait for their turn. Nothing is kept
/// on disk, and after a crash of the server its helpers are killed by the kernel.
///
/// Errors are made by MakeFailure: IsPermanent(error) tells whether another attempt makes sense,
/// and the message may be shown to the owner of the file. kOverloaded when too many calls wait
/// already.
class Darkroom {
 public:
  /// REQUIRES: config.Validate().ok(). Starts no helper yet.
  explicit Darkroom(Config config);
  ~Darkroom();

  /// `account` is the id of the one whose file it is, whoever asks; not empty.
  Result<Developed> Develop(std::string_view account, const DevelopRequest& request);
  Result<Edited> Edit(std::string_view account, const EditRequest& request);
  Result<Resized> Resize(std::string_view account, const ResizeRequest& request);
  /// REQUIRES: the helpers are those for vision.
  Result<FoundObjects> FindObjects(std::string_view account, const FindObjectsRequest& request);
  /// REQUIRES: the helpers are those for vision.
  Result<Classified> Classify(std::string_view account, const ClassifyRequest& request);
  /// `request.output` is made here. REQUIRES: the helpers are those for vision.
  Result<std::vector<TextLine>> FindText(std::string_view account, FindTextRequest request);
  /// The same. It may take as long as the recording, and the time that it may take grows with that.
  Result<Transcript> Transcribe(std::string_view account, TranscribeRequest request);
  /// REQUIRES, for these three: the helpers are those for pages. The text that the last one leaves
  /// in its output is as DocumentText tells, whoever wrote it.
  Result<DocumentProbe> ProbeDocument(std::string_view account,
                                      const ProbeDocumentRequest& request);
  Result<DocumentPage> MakePage(std::string_view account, const DocumentPageRequest& request);
  Result<darkroom::DocumentText> DocumentText(std::string_view account,
                                              const DocumentTextRequest& request);

  /// Of these, REQUIRES: the helpers are those for films and sound, tintype-av.
  Result<MediaProbe> ProbeMedia(std::string_view account, const ProbeMediaRequest& request);
  Result<Poster> MakePoster(std::string_view account, const PosterRequest& request);
  /// `request.output` is made here.
  Result<darkroom::Waveform> Waveform(std::string_view account, WaveformRequest request);
  Result<darkroom::Frames> Frames(std::string_view account, const FramesRequest& request);
  Result<Proxy> MakeProxy(std::string_view account, const ProxyRequest& request);
  Result<Speech> DecodeSpeech(std::string_view account, const SpeechRequest& request);

  /// Starts a helper for the items to come, so that what is wrong with helpers is known before the
  /// first of them: kNotRunning when none can be started.
  Status Prepare();
  /// Whether the helpers have their sandbox, as far as any has started.
  bool sandboxed() const;
  /// Why the last helper that started has none; empty when it has one, or when none has started.
  std::string sandbox_missing() const;

  /// Starts no helper any more, and gives up what is being started, however long that would have
  /// taken: those who wait for it or for their turn fail with kNotRunning. Files that helpers have
  /// are finished. For whoever wants to join threads that call this one, before Stop.
  void StartNoMore();
  /// Kills every helper; calls in progress and to come fail with kNotRunning. Returns when none is
  /// left.
  void Stop();

  /// The helpers that run, for health reports.
  std::vector<pid_t> process_ids() const;
  /// The process that helpers are forked from; 0 when there is none.
  pid_t template_id() const;
  DarkroomStats stats() const;

 private:
  // Checks, sends and checks again; returns only what may be the answer to the request.
  Result<Reply> Run(std::string_view account, const Request& request);
  Result<Reply> RunOn(HelperProcess& process, std::string_view account,
                      const Request& request) const;
  Status CheckInput(int input) const;

  // What a new helper says about its sandbox: logged when it is news, refused when it is missing
  // but required.
  Status NoteSandbox(const HelperProcess& process);
  // A helper for that account, or for any if it is empty. Waits for its turn.
  Result<std::unique_ptr<HelperProcess>> Acquire(std::string_view account);
  // One that is free and has seen no other account's files, if there is one.
  std::unique_ptr<HelperProcess> TakeIdle(std::string_view account) REQUIRES_LOCK(mutex_);
  // Takes those away that have died, and those of a template that is distrusted.
  std::vector<std::unique_ptr<HelperProcess>> TakeUnusable() REQUIRES_LOCK(mutex_);
  // A new one, for a caller whose turn it is.
  Result<std::unique_ptr<HelperProcess>> StartHelper();
  // Gives it back if it can be used again; else it ends here. Null stands for one that never
  // started.
  void Release(std::unique_ptr<HelperProcess> process, bool reusable);

  const Config config_;
  const std::unique_ptr<Starter> starter_;
  mutable Mutex mutex_;
  CondVar changed_;
  bool starts_ended_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  // What the last helper said of its sandbox; nothing before the first one.
  std::optional<std::string> sandbox_missing_ GUARDED_BY(mutex_);
  size_t waiting_ GUARDED_BY(mutex_) = 0;
  DarkroomStats stats_ GUARDED_BY(mutex_);  // But for what is told by the other members.
  // Those in use or being started; the idle ones are not among them.
  size_t busy_count_ GUARDED_BY(mutex_) = 0;
  std::vector<HelperProcess*> busy_ GUARDED_BY(mutex_);
  // The one that was used last is the last.
  std::vector<std::unique_ptr<HelperProcess>> idle_ GUARDED_BY(mutex_);
};

}  // namespace tintype::darkroom
