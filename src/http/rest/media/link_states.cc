#include "http/rest/media/link_states.h"

#include <utility>

#include "base/strings.h"

namespace tintype::http::rest {

LinkState::Verdict LinkState::Look(int64_t now_ms) const {
  const int64_t known = asked_and_good_.load(std::memory_order_acquire);
  const int64_t age_ms = now_ms - known / 2;
  // The clock may have been put back.
  if (age_ms < 0 || age_ms > kKnownMs) {
    return Verdict::kUnknown;
  }
  if (known % 2 == 0) {
    return Verdict::kNotGood;
  }
  return age_ms > kAskAgainMs ? Verdict::kGoodAskAgain : Verdict::kGood;
}

void LinkState::SetGood(bool good, int64_t asked_ms) {
  // A caller that asked earlier and was answered later knows less.
  const int64_t known = 2 * asked_ms + (good ? 1 : 0);
  int64_t before = asked_and_good_.load(std::memory_order_relaxed);
  while (before / 2 <= asked_ms &&
         !asked_and_good_.compare_exchange_weak(before, known, std::memory_order_release)) {
  }
}

std::shared_ptr<LinkState> LinkStates::Find(std::string_view image_id,
                                            views::LinkAudience audience) {
  const std::string name = StrCat(image_id, "\n", views::NameOf(audience));
  if (auto found = states_.Find(name)) {
    return *std::move(found);
  }
  return states_.FindOrAdd(name, std::make_shared<LinkState>(std::string(image_id), audience));
}

std::shared_ptr<LinkState> LinkStates::Find(const views::ProfilePicture& picture) {
  const std::string name =
      StrCat(picture.account_id, "\n", views::NameOf(views::LinkAudience::kPeople), "\n",
             picture.revision);
  if (auto found = states_.Find(name)) {
    return *std::move(found);
  }
  return states_.FindOrAdd(name, std::make_shared<LinkState>(picture));
}

Result<bool> LinkStates::IsGood(LinkState& state) {
  switch (state.Look(clock_.NowMs())) {
    case LinkState::Verdict::kGood:
    case LinkState::Verdict::kGoodAskAgain:
      return true;
    case LinkState::Verdict::kNotGood:
    case LinkState::Verdict::kUnknown:
      break;
  }
  // A link that was not good is looked at again: an owner who has just shared an image again may
  // show it at once.
  return Ask(state);
}

void LinkStates::AskAhead(LinkState& state) {
  Ask(state).PermitUncheckedError();  // The next caller asks, and is told.
  state.EndAsking();
}

Result<bool> LinkStates::Ask(LinkState& state) {
  const int64_t asked_ms = clock_.NowMs();
  ASSIGN_OR_RETURN(const bool good,
                   state.audience() == views::LinkAudience::kPeople
                       ? views::IsPictureLinkGood(sources_, state.picture())
                       : views::IsLinkGood(sources_, state.audience(), state.image_id()));
  state.SetGood(good, asked_ms);
  return good;
}

}  // namespace tintype::http::rest
