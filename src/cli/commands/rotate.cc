#include "cli/commands/rotate.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "cli/console/console.h"
#include "cli/tables/sealing.h"
#include "contexts/identity/credentials/key_ring.h"
#include "contexts/identity/credentials/tokens.h"
#include "flows/product.h"

namespace tintype::cli {
namespace {

using contexts::identity::KeyPurpose;
using contexts::identity::KeyRing;

constexpr size_t kLinkSecretBytes = 64;

/// What the keys of a ring sign.
struct SignedThings {
  KeyPurpose purpose;
  std::chrono::seconds kept;  // How long it lasts at most.
  std::function<std::string()> make_secret;
};

ProductCommand RotateRingCommand(SignedThings what) {
  return [what = std::move(what)](const ProductHost& host) -> AdminCommand {
    return [what, host](const AdminFields& arguments,
                        const ProgressReport& /*report*/) -> Result<AdminFields> {
      ASSIGN_OR_RETURN(const bool at_once, arguments.Flag("atOnce"));
      ASSIGN_OR_RETURN(const std::string secret, host.secret());
      const flows::Product& product = host.product;
      KeyRing ring(what.purpose, RingSealingKeyOf(secret), product.database, product.clock);
      // A gallery that was never served since there are rings has none: earlier signatures are good
      // by the key that made them.
      RETURN_IF_ERROR(ring.ReadOrMake([&] {
        return what.purpose.name == contexts::identity::kLinkKeys.name ? secret
                                                                       : what.make_secret();
      }));
      const int64_t kept_ms = what.kept.count() * 1000;
      ASSIGN_OR_RETURN(const auto keys, ring.Rotate({what.make_secret(), kept_ms, at_once}));
      const int64_t used_from_ms = keys.front().used_from_ms;
      return AdminFields{{"usedFrom", TimeText(used_from_ms)},
                         {"honouredUntil",
                          at_once ? TimeText(used_from_ms) : TimeText(keys[1].honoured_until_ms)}};
    };
  };
}

Status RunRotateRing(const std::string& name, std::string_view what, const ProductCommand& command,
                     const RotateArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields =
      DoOnProduct(config, {name, {{"atOnce", arguments.at_once}}}, command, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const std::string used_from, fields->Text("usedFrom"));
  ASSIGN_OR_RETURN(const std::string honoured_until, fields->Text("honouredUntil"));
  return console.End(
      OkStatus(), *fields,
      arguments.at_once
          ? StrCat("Those ", what,
                   " that were signed before are refused within 15 seconds, on "
                   "every server.")
          : StrCat("The new key signs ", what, " from ", used_from,
                   " on. Those that were signed before stay good until they expire, at the latest ",
                   honoured_until, "."));
}

}  // namespace

ProductCommand RotateLinksCommand(const ServeConfig& config) {
  // Links to put uploads to are good for an hour, whatever the longest time of others is.
  const std::chrono::seconds kept =
      std::max(std::chrono::seconds(config.link_seconds_max), std::chrono::seconds(60 * 60));
  return RotateRingCommand(
      {contexts::identity::kLinkKeys, kept, [] { return RandomBytes(kLinkSecretBytes); }});
}

ProductCommand RotateSigningCommand() {
  return RotateRingCommand(
      {contexts::identity::kAccessTokenKeys,
       contexts::identity::Tokens::LongestOf(contexts::identity::TokensConfig()),
       contexts::identity::Tokens::MakeSecret});
}

Status RunRotateLinks(const RotateArguments& arguments, const ServeConfig& config) {
  return RunRotateRing("rotate-links", "links", RotateLinksCommand(config), arguments, config);
}

Status RunRotateSigning(const RotateArguments& arguments, const ServeConfig& config) {
  return RunRotateRing("rotate-signing", "access tokens", RotateSigningCommand(), arguments,
                       config);
}

}  // namespace tintype::cli
