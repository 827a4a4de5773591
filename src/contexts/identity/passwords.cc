#include "contexts/identity/passwords.h"

#include <sodium.h>

#include <array>

#include "base/check.h"
#include "base/random.h"
#include "base/strings.h"
#include "contract/limits.h"

namespace tintype::contexts::identity {

Status CheckPassword(std::string_view password) {
  if (!limits::Allows(limits::kPassword, password)) {
    return Error::Validation(StrCat("`password` has ", limits::kPassword.min, " to ",
                                    limits::kPassword.max, " characters. Longer is better."));
  }
  return OkStatus();
}

class Passwords::Slot {
 public:
  explicit Slot(const Passwords& passwords) : passwords_(passwords) {
    constexpr size_t kSlots = 2;
    const MutexLock lock(passwords_.mutex_);
    taken_ = passwords_.running_ < kSlots;
    passwords_.running_ += taken_ ? 1 : 0;
  }
  ~Slot() {
    const MutexLock lock(passwords_.mutex_);
    passwords_.running_ -= taken_ ? 1 : 0;
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  Status taken() const {
    return taken_ ? OkStatus()
                  : Status(Error(ErrorKind::kOverloaded,
                                 "Too many people are logging in just now. Try again."));
  }

 private:
  const Passwords& passwords_;
  bool taken_ = false;
};

Passwords::Passwords(PasswordCost cost) : cost_(cost) {
  CHECK(sodium_init() >= 0);
  pretended_ = Hash(RandomBytes(32)).value();
}

Result<std::string> Passwords::Hash(std::string_view password) const {
  const Slot slot(*this);
  RETURN_IF_ERROR(slot.taken());
  std::array<char, crypto_pwhash_STRBYTES> hash{};
  if (crypto_pwhash_str_alg(hash.data(), password.data(), password.size(), cost_.operations,
                            cost_.memory_bytes, crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return Error(ErrorKind::kUnavailable, "There is not enough memory to hash a password.");
  }
  return std::string(hash.data());
}

Result<bool> Passwords::Verify(std::string_view hash, std::string_view password) const {
  const Slot slot(*this);
  RETURN_IF_ERROR(slot.taken());
  std::array<char, crypto_pwhash_STRBYTES> text{};
  if (hash.size() >= text.size()) {
    return false;
  }
  hash.copy(text.data(), hash.size());
  return crypto_pwhash_str_verify(text.data(), password.data(), password.size()) == 0;
}

Status Passwords::PretendToVerify(std::string_view password) const {
  RETURN_IF_ERROR(Verify(pretended_, password));
  return OkStatus();
}

bool Passwords::IsOutdated(const std::string& hash) const {
  return crypto_pwhash_str_needs_rehash(hash.c_str(), cost_.operations, cost_.memory_bytes) != 0;
}

}  // namespace tintype::contexts::identity
