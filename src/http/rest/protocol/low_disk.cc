#include "http/rest/protocol/low_disk.h"

#include <algorithm>
#include <array>

namespace tintype::http::rest {
namespace {

// Uploads refuse by themselves, earlier, and say how much room there would have to be.
constexpr std::array<std::string_view, 16> kGoOn = {"logIn",
                                                    "beginOutsideSignIn",
                                                    "finishOutsideSignIn",
                                                    "refresh",
                                                    "logOut",
                                                    "changePassword",
                                                    "setPassword",
                                                    "deleteMe",
                                                    "makeLink",
                                                    "unshareImage",
                                                    "restoreImage",
                                                    "createUpload",
                                                    "createDirectUpload",
                                                    "putUploadContent",
                                                    "uploadImage",
                                                    "appendUpload"};

}  // namespace

bool GoesOnLowOnDisk(std::string_view method, std::string_view operation_id) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "DELETE" ||
         std::ranges::find(kGoOn, operation_id) != kGoOn.end();
}

}  // namespace tintype::http::rest
