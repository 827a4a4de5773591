// The client of tables/remote over TLS, against our own server.

#include <gtest/gtest.h>

#include <atomic>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "http/server/testing/tls.h"
#include "local_server.h"
#include "tables/language/blocking_database.h"
#include "tables/remote/remote_database.h"

namespace tintype::conformance {
namespace {

class RemoteTlsTest : public testing::Test {
 protected:
  static http::ServerConfig Secure(const std::string& certificate, const std::string& key) {
    http::testing::WriteCertificate(certificate, key, 1);
    http::ServerConfig config;
    config.tls_certificate_file = certificate;
    config.tls_key_file = key;
    return config;
  }

  // Counts attempts: the time is asked for once for each signature.
  class CountingClock : public Clock {
   public:
    int64_t NowMs() const override {
      ++count_;
      return SystemClock().NowMs();
    }
    int count() const { return count_; }

   private:
    mutable std::atomic<int> count_ = 0;
  };

  Result<tables::ListTablesResponse> ListTables(const std::string& ca_file) {
    tables::remote::RemoteConfig config;
    config.endpoint = StrCat("https://127.0.0.1:", server_.port());
    config.credentials = server_.credentials();
    config.ca_file = ca_file;
    const auto database = tables::remote::RemoteDatabase::Open(config, clock_).value();
    return tables::BlockingDatabase(*database).ListTables({});
  }

  CountingClock clock_;
  const TemporaryDirectory folder_;
  const std::string certificate_ = folder_.path() + "/server.pem";
  LocalServer server_{Secure(certificate_, folder_.path() + "/server.key")};
};

// A certificate that the client was told to trust is trusted.
TEST_F(RemoteTlsTest, TrustsTheGivenCertificate) {
  const auto tables = ListTables(certificate_);
  ASSERT_TRUE(tables.ok()) << tables.error().message();
}

// One that nobody vouches for is not, and that is an error at once: waiting would not change it.
TEST_F(RemoteTlsTest, RefusesAnUnknownCertificate) {
  const std::string other = folder_.path() + "/other.pem";
  http::testing::WriteCertificate(other, folder_.path() + "/other.key", 2);
  int attempts = 0;
  for (const std::string& ca_file : {std::string(), other, folder_.path() + "/missing.pem"}) {
    const auto tables = ListTables(ca_file);
    ASSERT_FALSE(tables.ok()) << ca_file;
    EXPECT_EQ(tables.error().kind(), ErrorKind::kUnavailable);
    EXPECT_EQ(tables.error().message().find("may have been"), std::string::npos);
    EXPECT_EQ(clock_.count(), ++attempts);
  }
}

}  // namespace
}  // namespace tintype::conformance
