#include <string>

#include "contract/contract.h"
#include "http/rest/handlers/handlers.h"

namespace tintype::http::rest {

Response GetOpenApi(Api& /*api*/, const Call& /*call*/) {
  return JsonResponse(200, std::string(contract::ContractText()));
}

}  // namespace tintype::http::rest
