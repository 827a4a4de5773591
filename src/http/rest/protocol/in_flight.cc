#include "http/rest/protocol/in_flight.h"

namespace tintype::http::rest {

std::optional<InFlight::Ticket> InFlight::Enter(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto known = counts_.find(name);
  if (known != counts_.end() && known->second >= each_max_) {
    return std::nullopt;
  }
  ++counts_[name];
  return std::optional<Ticket>(std::in_place, *this, name);
}

InFlight::Ticket::~Ticket() {
  if (owner_ == nullptr) {
    return;
  }
  const MutexLock lock(owner_->mutex_);
  const auto found = owner_->counts_.find(name_);
  if (--found->second == 0) {
    owner_->counts_.erase(found);
  }
}

}  // namespace tintype::http::rest
