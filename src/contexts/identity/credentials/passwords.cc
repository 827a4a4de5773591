#include "contexts/identity/credentials/passwords.h"

#include <sodium.h>

#include <array>
#include <thread>

#include "base/base64.h"
#include "base/check.h"
#include "base/random.h"
#include "base/strings.h"
#include "contract/limits.h"

namespace tintype::contexts::identity {
namespace {

constexpr std::string_view kSealed = "sealed:";
constexpr std::string_view kSealedFor = "password hash";

}  // namespace

Status CheckPassword(std::string_view password) {
  if (!limits::Allows(limits::kPassword, password)) {
    return Error::Validation(StrCat("`password` has ", limits::kPassword.min, " to ",
                                    limits::kPassword.max, " characters. Longer is better."));
  }
  return OkStatus();
}

std::string SealPasswordHash(const Key256& sealing_key, std::string_view hash) {
  return StrCat(kSealed, Base64Url(Seal(sealing_key, kSealedFor, hash)));
}

Passwords::Passwords(PasswordCost cost, std::optional<Key256> sealing_key)
    : Passwords(cost, HashingQueueConfig::ForCores(std::thread::hardware_concurrency()),
                sealing_key) {}

Passwords::Passwords(PasswordCost cost, const HashingQueueConfig& queue,
                     std::optional<Key256> sealing_key)
    : cost_(cost), sealing_key_(sealing_key), queue_(queue) {
  CHECK(sodium_init() >= 0);
  pretended_ = HashUnsealed(RandomBytes(32)).value();
}

Result<std::string> Passwords::HashUnsealed(std::string_view password) const {
  std::array<char, crypto_pwhash_STRBYTES> hash{};
  if (crypto_pwhash_str_alg(hash.data(), password.data(), password.size(), cost_.operations,
                            cost_.memory_bytes, crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return Error(ErrorKind::kUnavailable, "There is not enough memory to hash a password.");
  }
  return std::string(hash.data());
}

Result<std::string> Passwords::Hash(std::string_view password, const HashingTurn& turn) const {
  ASSIGN_OR_RETURN(const HashingQueue::Place place, queue_.Enter(turn));
  ASSIGN_OR_RETURN(std::string hash, HashUnsealed(password));
  return sealing_key_ ? SealPasswordHash(*sealing_key_, hash) : hash;
}

std::string Passwords::Opened(std::string_view hash) const {
  if (!hash.starts_with(kSealed)) {
    return std::string(hash);
  }
  hash.remove_prefix(kSealed.size());
  const auto sealed = ParseBase64Url(hash);
  const Result<std::string> opened = sealing_key_ && sealed
                                         ? Unseal(*sealing_key_, kSealedFor, *sealed)
                                         : Error::Corruption("There is no key for it");
  return opened.ok() ? *opened : "";
}

Result<bool> Passwords::Verify(std::string_view hash, std::string_view password,
                               const HashingTurn& turn) const {
  ASSIGN_OR_RETURN(const HashingQueue::Place place, queue_.Enter(turn));
  const std::string opened = Opened(hash);
  std::array<char, crypto_pwhash_STRBYTES> text{};
  opened.copy(text.data(), text.size() - 1);
  // Text that is no hash, of an account without a password say, fits nothing, and takes as long.
  const bool is_hash =
      opened.size() < text.size() &&
      crypto_pwhash_str_needs_rehash(text.data(), cost_.operations, cost_.memory_bytes) >= 0;
  const char* const compared = is_hash ? text.data() : pretended_.c_str();
  return crypto_pwhash_str_verify(compared, password.data(), password.size()) == 0 && is_hash;
}

Status Passwords::PretendToVerify(std::string_view password, const HashingTurn& turn) const {
  RETURN_IF_ERROR(Verify(pretended_, password, turn));
  return OkStatus();
}

bool Passwords::IsOutdated(const std::string& hash) const {
  return (sealing_key_ && !hash.starts_with(kSealed)) ||
         crypto_pwhash_str_needs_rehash(Opened(hash).c_str(), cost_.operations,
                                        cost_.memory_bytes) != 0;
}

}  // namespace tintype::contexts::identity
