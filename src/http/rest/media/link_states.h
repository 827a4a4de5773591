#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/recent_cache.h"
#include "base/result.h"
#include "views/account.h"
#include "views/medium.h"
#include "views/sources.h"

namespace tintype::http::rest {

/// Whether the links to one image that were made for one audience, or those to one profile
/// picture, are good, as the tables said a moment ago. Shared by the media that are kept ready and
/// by LinkStates. Thread-safe; looking takes no lock.
class LinkState {
 public:
  LinkState(std::string image_id, views::LinkAudience audience)
      : image_id_(std::move(image_id)), audience_(audience) {}
  explicit LinkState(views::ProfilePicture picture)
      : picture_(std::move(picture)), audience_(views::LinkAudience::kPeople) {}

  /// How long an answer of the tables counts. With what a request takes, a link stops within a
  /// second, on every node.
  static constexpr int64_t kKnownMs = 500;
  /// After so long they are asked again, ahead of the next who follows the link.
  static constexpr int64_t kAskAgainMs = 250;

  enum class Verdict {
    kGood,
    kGoodAskAgain,  ///< Good, but somebody should ask.
    kNotGood,
    kUnknown,  ///< Somebody has to ask first.
  };
  Verdict Look(int64_t now_ms) const;

  /// True for the one who is to ask ahead; false while somebody does. EndAsking ends that.
  bool BeginAsking() { return !asking_.exchange(true); }
  void EndAsking() { asking_ = false; }
  /// `asked_ms` is from before the tables were asked.
  void SetGood(bool good, int64_t asked_ms);

  const std::string& image_id() const { return image_id_; }
  /// Instead of an image, for people.
  const views::ProfilePicture& picture() const { return picture_; }
  views::LinkAudience audience() const { return audience_; }

 private:
  const std::string image_id_;
  const views::ProfilePicture picture_;
  const views::LinkAudience audience_;
  std::atomic<int64_t> asked_and_good_ = 0;  // Twice the time, and one more if it is good.
  std::atomic<bool> asking_ = false;
};

/// The states of links that were followed of late. Bounded (RecentCache). Owned by Media.
/// Thread-safe.
class LinkStates {
 public:
  /// The sources and the clock outlive it.
  LinkStates(const views::Sources& sources, const Clock& clock, size_t states_max = 32'768)
      : sources_(sources), clock_(clock), states_(states_max) {}

  std::shared_ptr<LinkState> Find(std::string_view image_id, views::LinkAudience audience);
  std::shared_ptr<LinkState> Find(const views::ProfilePicture& picture);
  /// Whether the links are good, by the tables if it is not known well enough. May block. Errors:
  /// those of the tables; then nothing is known, and nobody follows them.
  Result<bool> IsGood(LinkState& state);
  /// Asks the tables, whatever is known; for the caller who began asking.
  void AskAhead(LinkState& state);

  size_t size() const { return states_.size(); }

 private:
  Result<bool> Ask(LinkState& state);

  const views::Sources sources_;
  const Clock& clock_;
  RecentCache<std::shared_ptr<LinkState>> states_;
};

}  // namespace tintype::http::rest
