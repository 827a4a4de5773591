#include "http/server/internal/tls_session.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::http::internal {

// The socket, as OpenSSL sees it: reads from incoming_, writes to outgoing_.
struct TlsWire {
  static TlsSession& SessionOf(BIO* bio) { return *static_cast<TlsSession*>(BIO_get_data(bio)); }

  static int Read(BIO* bio, char* out, int length) {
    BIO_clear_retry_flags(bio);
    std::string_view& incoming = SessionOf(bio).incoming_;
    if (incoming.empty()) {
      BIO_set_retry_read(bio);
      return -1;
    }
    const size_t bytes = std::min(incoming.size(), static_cast<size_t>(length));
    std::memcpy(out, incoming.data(), bytes);
    incoming.remove_prefix(bytes);
    return static_cast<int>(bytes);
  }

  static int Write(BIO* bio, const char* bytes, int length) {
    SessionOf(bio).outgoing_.append(bytes, static_cast<size_t>(length));
    return length;
  }

  static long Control(BIO* /*bio*/, int command, long /*number*/, void* /*pointer*/) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }

  static const BIO_METHOD* Method() {
    static const BIO_METHOD* const method = [] {
      BIO_METHOD* made =
          BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "connection buffers");
      CHECK(made != nullptr);
      BIO_meth_set_read(made, Read);
      BIO_meth_set_write(made, Write);
      BIO_meth_set_ctrl(made, Control);
      return made;
    }();
    return method;
  }
};

namespace {

// For TLS 1.2; all of 1.3's are fine.
constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

// What OpenSSL says went wrong, which empties its list.
std::string LastError() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  // Errors of the operating system have no text of OpenSSL's.
  return reason != nullptr             ? reason
         : ERR_SYSTEM_ERROR(code) != 0 ? std::strerror(ERR_GET_REASON(code))
                                       : "unknown reason";
}

Error CannotUse(std::string_view what, const std::string& file) {
  return Error::Validation(StrCat("Cannot use ", what, " in ", file, ": ", LastError()));
}

// A key that is encrypted would need somebody to type its password.
int NoPassword(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) { return -1; }

int ChooseProtocol(SSL* /*session*/, const unsigned char** out, unsigned char* out_length,
                   const unsigned char* offered, unsigned int offered_length, void* /*data*/) {
  static constexpr std::array<unsigned char, 9> kHttp11 = {8,   'h', 't', 't', 'p',
                                                           '/', '1', '.', '1'};
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_length, kHttp11.data(), kHttp11.size(), offered,
                            offered_length) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

void TlsContext::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }
void TlsSession::Free::operator()(ssl_st* session) const { SSL_free(session); }

Result<std::shared_ptr<const TlsContext>> TlsContext::Load(const std::string& certificate_file,
                                                           const std::string& key_file) {
  ERR_clear_error();
  Handle handle(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* const context = handle.get();
  CHECK(context != nullptr);
  CHECK(SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1);
  CHECK(SSL_CTX_set_cipher_list(context, kCiphers) == 1);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
  // An idle connection should not keep OpenSSL's buffers, which are larger than all of ours.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  // Clients resume with tickets; nothing is kept here for them.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 1);
  SSL_CTX_set_alpn_select_cb(context, ChooseProtocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context, NoPassword);
  if (SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) != 1) {
    return CannotUse("the TLS certificate", certificate_file);
  }
  if (SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1) {
    return CannotUse("the TLS key", key_file);
  }
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(handle)));
}

TlsSession::TlsSession(const TlsContext& context) : session_(SSL_new(context.handle_.get())) {
  CHECK(session_ != nullptr);
  BIO* const wire = BIO_new(TlsWire::Method());
  CHECK(wire != nullptr);
  BIO_set_data(wire, this);
  BIO_set_init(wire, 1);
  SSL_set_bio(session_.get(), wire, wire);
  SSL_set_accept_state(session_.get());
}

size_t TlsSession::Receive(std::string_view cipher, std::span<char> plain) {
  CHECK(plain.size() >= cipher.size() + kKeptBytesMax);
  ERR_clear_error();
  incoming_ = cipher;
  size_t total = 0;
  while (!ended_) {
    size_t bytes = 0;
    const int outcome =
        SSL_read_ex(session_.get(), plain.data() + total, plain.size() - total, &bytes);
    total += bytes;
    if (outcome != 1) {
      const int error = SSL_get_error(session_.get(), outcome);
      if (error == SSL_ERROR_WANT_READ) {
        break;
      }
      ended_ = true;
      failed_ = error != SSL_ERROR_ZERO_RETURN;
      ERR_clear_error();
    }
  }
  incoming_ = {};
  return total;
}

bool TlsSession::Encrypt(std::string_view plain) {
  ERR_clear_error();
  size_t written = 0;
  const int outcome = SSL_write_ex(session_.get(), plain.data(), plain.size(), &written);
  ERR_clear_error();
  failed_ = failed_ || outcome != 1;
  return outcome == 1;
}

void TlsSession::End() {
  if (SSL_is_init_finished(session_.get()) == 1 && !failed_) {
    SSL_shutdown(session_.get());
    ERR_clear_error();
  }
}

void TlsSession::Sent(size_t bytes) {
  sent_ += bytes;
  if (sent_ == outgoing_.size()) {
    std::string().swap(outgoing_);  // Clearing it would keep the memory.
    sent_ = 0;
  }
}

}  // namespace tintype::http::internal
