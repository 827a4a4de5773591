#include "http/rest/api/sign_in_door.h"

#include <gtest/gtest.h>

namespace tintype::http::rest {
namespace {

using For = SignInDoor::For;

// However a path is spelled that leads to a password's hash or to another issuer, it goes through
// the door, since routes read it alike; nothing else does.
TEST(SignInDoorTest, KnowsItsPathsByEverySpelling) {
  for (const char* const path :
       {"/api/v1/auth/login", "/api/v1/auth/login/", "//api/v1//auth/login", "/api/v1/auth/%6Cogin",
        "/api/v1/auth/login?x=1", "/%61pi/v1/auth/login///?"}) {
    EXPECT_EQ(SignInDoor::PurposeOf("POST", path), For::kPassword) << path;
  }
  for (const char* const path :
       {"/api/v1/auth/outside", "/api/v1/auth/outside/return", "/api/v1/auth/outside/return/",
        "/api/v1/auth/%6Futside/return", "/api/v1/me/identities"}) {
    EXPECT_EQ(SignInDoor::PurposeOf("POST", path), For::kOtherIssuer) << path;
    EXPECT_EQ(SignInDoor::PurposeOf("GET", path), std::nullopt) << path;
  }
  for (const char* const path :
       {"/", "", "/api/v1/images", "/api/v1/auth", "/api/v1/auth/login/x", "/api/v1/auth/%zz"}) {
    EXPECT_EQ(SignInDoor::PurposeOf("POST", path), std::nullopt) << path;
  }
}

}  // namespace
}  // namespace tintype::http::rest
