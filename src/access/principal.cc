#include "access/principal.h"

#include "base/check.h"

namespace tintype::access {

std::string_view NameOf(PrincipalKind kind) {
  switch (kind) {
    case PrincipalKind::kAnonymous:
      return "anonymous";
    case PrincipalKind::kServer:
      return "server";
    case PrincipalKind::kRootKey:
      return "root-key";
    case PrincipalKind::kAccessKey:
      return "access-key";
    case PrincipalKind::kSession:
      return "session";
    case PrincipalKind::kApiKey:
      return "api-key";
    case PrincipalKind::kOutsideIdentity:
      return "outside-identity";
  }
  CHECK(false);
}

}  // namespace tintype::access
