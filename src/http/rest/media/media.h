#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "delivery/resizer.h"
#include "flows/media_keys.h"
#include "http/rest/api/api.h"
#include "http/rest/media/link_states.h"
#include "http/rest/media/ready_media.h"
#include "http/rest/protocol/pool.h"

namespace tintype::http::rest {

/// `GET` and `HEAD /media/{key}?revision=&expires=&for=&signature=`: an original, a rendition, a
/// person's portrait or an account's profile picture, by its stored key or one of the documents'
/// spellings, to whoever has a signed link that has not expired, while those for whom it was made
/// may see the image and the profile picture is the account's (LinkState); with `w`,
/// `h`, `fit`, `format` and `q`, which are signed too, in any size. `download` of
/// whatever value, which is not signed, has browsers save it.
///
/// With conditional requests, one range (several are answered with all of it), and headers for
/// caches. Media asked for a moment ago are sent at once, on the server's thread; all else on the
/// pools, and resizing by the Resizer's threads. Where the storage has no files, clients are
/// redirected to it, or its bytes are passed on in pieces. Owned by the endpoint. Thread-safe.
class Media {
 public:
  /// All outlive it; the pools are not used before Handle.
  Media(Api& api, Pools pools);

  /// Does not block. REQUIRES: the request is a GET or HEAD, and its path begins with `/media/`.
  void Handle(Request request, Respond respond);

 private:
  struct Ask;
  /// What there is to know about a file before it can be sent.
  struct Found;

  /// Sends what is ready, once it is known whether the link is still good.
  void Follow(Ask& ask, const ReadyMedium& medium);
  void SendReady(Ask& ask, const ReadyMedium& medium);
  void RefuseLink(Ask& ask);

  // Who is asked for what, by the parts of a link. Each ends in one of the next.
  void Locate(const std::shared_ptr<Ask>& ask);
  void LocateStored(const std::shared_ptr<Ask>& ask, const flows::MediaName& name);
  void LocatePerson(const std::shared_ptr<Ask>& ask, const std::string& key);
  void LocateProfilePicture(const std::shared_ptr<Ask>& ask, const std::string& owner);
  void LocateResized(const std::shared_ptr<Ask>& ask, const flows::MediaName& name);

  void SendStored(const std::shared_ptr<Ask>& ask, const std::string& key, Found found);
  void SendResized(const std::shared_ptr<Ask>& ask, const flows::MediaName& name,
                   const delivery::ResizeParameters& resizing, darkroom::OutputFormat format,
                   Found found);
  /// Nothing when the storage has no links of its own.
  Result<std::optional<Response>> Redirection(const Ask& ask, const blobs::BlobKey& key,
                                              const Found& found);
  void OpenStored(Ask& ask, const blobs::BlobKey& key, Found found);
  /// Whether what was found is sent to whoever asks next as well.
  static bool WillBeKept(const Ask& ask, const Found& found);
  /// Reads the blob to memory, if that is worth it and there is room. Errors: those of reading it.
  Status HoldInMemory(const Ask& ask, const blobs::OpenBlob& blob, Found& found);
  void OpenOriginal(const std::shared_ptr<Ask>& ask, const flows::MediaName& name,
                    const delivery::ResizeParameters& resizing, darkroom::OutputFormat format,
                    Found found);
  void Send(Ask& ask, Found found);
  void Finish(Ask& ask, Response response);
  void Submit(Pool& pool, const std::shared_ptr<Ask>& ask, OnceCallback<> task);

  /// Where the picture of a revision is in full size. Edits from before there was FULL have it
  /// where originals are. Asks the storage.
  Result<blobs::BlobKey> FullSize(const flows::MediaName& name);
  Result<std::string> NameOf(const flows::MediaName& name, std::string_view type);
  static std::string DispositionOf(const Ask& ask, const Found& found);

  Api& api_;
  const Pools pools_;
  LinkStates link_states_;
  ReadyMedia ready_;
  MediaMemory sent_once_;  // For what is made in memory and not kept: as long as it is being sent.
};

}  // namespace tintype::http::rest
