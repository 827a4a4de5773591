#include "http/server/testing/tls.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "base/check.h"
#include "http/server/testing/client.h"

namespace tintype::http::testing {
namespace {

// Beside the file first, so that a server never sees half of it.
template <typename Write>
void WritePem(const std::string& path, Write write) {
  const std::string unfinished = path + ".tmp";
  std::FILE* const file = std::fopen(unfinished.c_str(), "w");
  CHECK(file != nullptr);
  CHECK(write(file) == 1);
  CHECK(std::fclose(file) == 0);
  CHECK(std::rename(unfinished.c_str(), path.c_str()) == 0);
}

}  // namespace

void WriteCertificate(const std::string& certificate_file, const std::string& key_file,
                      int64_t serial) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  CHECK(key != nullptr && certificate != nullptr);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("127.0.0.1"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  CHECK(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0);
  WritePem(certificate_file,
           [&](std::FILE* file) { return PEM_write_X509(file, certificate.get()); });
  WritePem(key_file, [&](std::FILE* file) {
    return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
}

void TlsClient::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }
void TlsClient::Free::operator()(ssl_st* session) const { SSL_free(session); }

TlsClient::TlsClient(uint16_t port, const Options& options)
    : port_(port), socket_(Connect(port)), context_(SSL_CTX_new(TLS_client_method())) {
  // OpenSSL writes to sockets without asking to be spared it.
  std::signal(SIGPIPE, SIG_IGN);
  if (options.version_max != 0) {
    // The security level of the distribution would not even offer the old ones.
    SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_set_min_proto_version(context_.get(), 0);
    SSL_CTX_set_max_proto_version(context_.get(), options.version_max);
  }
  session_.reset(SSL_new(context_.get()));
  const std::string offer =
      std::string(1, static_cast<char>(options.protocol.size())) + options.protocol;
  SSL_set_alpn_protos(session_.get(), reinterpret_cast<const unsigned char*>(offer.data()),
                      static_cast<unsigned>(offer.size()));
  SSL_set_fd(session_.get(), socket_);
  connected_ = socket_ >= 0 && SSL_connect(session_.get()) == 1;
}

TlsClient::~TlsClient() {
  if (socket_ >= 0) {
    ::close(socket_);
  }
}

int64_t TlsClient::serial() const {
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      SSL_get1_peer_certificate(session_.get()), X509_free);
  int64_t serial = -1;
  if (certificate != nullptr) {
    ASN1_INTEGER_get_int64(&serial, X509_get_serialNumber(certificate.get()));
  }
  return serial;
}

std::string TlsClient::protocol() const {
  const unsigned char* name = nullptr;
  unsigned length = 0;
  SSL_get0_alpn_selected(session_.get(), &name, &length);
  return {reinterpret_cast<const char*>(name), length};
}

std::string TlsClient::version() const { return SSL_get_version(session_.get()); }

bool TlsClient::Send(std::string_view bytes) {
  size_t written = 0;
  return SSL_write_ex(session_.get(), bytes.data(), bytes.size(), &written) == 1;
}

size_t TlsClient::Receive(char* buffer, size_t size) {
  size_t read = 0;
  SSL_read_ex(session_.get(), buffer, size, &read);
  return read;
}

std::optional<Response> TlsClient::Read(bool head) {
  const auto receive = [this](char* buffer, size_t size) { return Receive(buffer, size); };
  return ReadResponse(received_, receive, head);
}

std::optional<Response> TlsClient::Call(std::string_view method, std::string_view target,
                                        std::string_view body) {
  if (!Send(FormatRequest(port_, method, target, {}, body))) {
    return std::nullopt;
  }
  return Read();
}

bool TlsClient::ReadEnd() {
  char byte = 0;
  const int outcome = SSL_read(session_.get(), &byte, 1);
  return received_.empty() && outcome <= 0 &&
         SSL_get_error(session_.get(), outcome) == SSL_ERROR_ZERO_RETURN;
}

}  // namespace tintype::http::testing
