#include "http/server/internal/request_parser.h"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstring>
#include <optional>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::http::internal {
namespace {

namespace beast = boost::beast;

// More fields than any client sends; bounds the work per request.
constexpr size_t kFieldsMax = 128;
// Bodies up to this size get their memory in one piece; beyond it a client must first send some.
constexpr size_t kBodyReserveMax = RequestParser::kPieceBytes;

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

// Beast's parser for one message, filling our Request as it goes.
class MessageParser final : public beast::http::basic_parser<true> {
 public:
  using Error = beast::error_code;

  explicit MessageParser(size_t header_bytes_max) : header_bytes_max_(header_bytes_max) {
    header_limit(static_cast<uint32_t>(header_bytes_max));
    // The body's limit is known when it is known where the body goes, which is after the header.
    body_limit(boost::none);
    eager(true);
  }

  Request request;
  int refusal_status = 0;
  std::string_view refusal_reason;
  bool expects_continue = false;
  bool at_head = false;  // Put stopped between header and body.
  bool streamed = false;

  bool http_1_1() const { return http_1_1_; }
  size_t header_bytes() const { return header_bytes_; }

  size_t Put(std::string_view bytes, Error& error) {
    input_ = bytes;
    return put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  }

  // Goes on with the body. False when the header announced a larger one.
  bool LeaveHead(uint64_t body_bytes_max) {
    at_head = false;
    eager(true);
    body_limit(body_bytes_max);
    return content_length().value_or(0) <= body_bytes_max;
  }

 private:
  void Refuse(int status, std::string_view reason, Error& error) {
    refusal_status = status;
    refusal_reason = reason;
    error = beast::http::error::bad_value;
  }

  void on_request_impl(beast::http::verb /*method*/, beast::string_view method,
                       beast::string_view target, int version, Error& error) override {
    request.method.assign(method.data(), method.size());
    if (!TakeTarget(View(target))) {
      return Refuse(400, "The request target is neither a path nor an http address.", error);
    }
    request.headers.reserve(16);
    http_1_1_ = version == 11;
    header_bytes_ = method.size() + target.size();
  }

  // Takes a path as it is. Of the absolute form, which proxies are sent and every server has to
  // understand, the path remains, and the authority counts instead of Host (RFC 9112, 3.2.2). False
  // for what is neither.
  bool TakeTarget(std::string_view target) {
    const bool of_server = target == "*" && request.method == "OPTIONS";
    if (of_server || target.starts_with('/')) {
      request.target = target;
      return true;
    }
    const size_t scheme_bytes = EqualsIgnoreCase(target.substr(0, 7), "http://")    ? 7
                                : EqualsIgnoreCase(target.substr(0, 8), "https://") ? 8
                                                                                    : 0;
    target.remove_prefix(scheme_bytes);
    authority_ = target.substr(0, target.find_first_of("/?"));
    if (scheme_bytes == 0 || authority_.empty() || authority_.find('@') != std::string::npos) {
      return false;
    }
    target.remove_prefix(authority_.size());
    request.target = StrCat(target.starts_with('/') ? "" : "/", target);
    return true;
  }

  void on_field_impl(beast::http::field field, beast::string_view name, beast::string_view value,
                     Error& error) override {
    if (is_header_done()) {
      return;  // A trailer after a chunked body: allowed, but it never becomes a header.
    }
    // Beast gives fields away one by one as they arrive, so its own limit does not see the sum.
    header_bytes_ += name.size() + value.size() + 4;
    if (header_bytes_ > header_bytes_max_ || request.headers.size() >= kFieldsMax) {
      return Refuse(431, "The request header is too large.", error);
    }
    if (IsFolded(name, value)) {
      return Refuse(400, "Folded header lines are not accepted.", error);
    }
    switch (field) {
      case beast::http::field::host:
        if (has_host_) {
          return Refuse(400, "There is more than one Host header.", error);
        }
        has_host_ = true;
        break;
      case beast::http::field::content_length:
        if (has_length_ || value.find(',') != beast::string_view::npos) {
          return Refuse(400, "There is more than one Content-Length.", error);
        }
        has_length_ = true;
        break;
      case beast::http::field::transfer_encoding:
        // Beast would take a body whose encoding it does not know for no body at all.
        if (!http_1_1_ || !EqualsIgnoreCase(View(value), "chunked")) {
          return Refuse(400, "The only Transfer-Encoding accepted is chunked.", error);
        }
        break;
      case beast::http::field::expect:
        if (!EqualsIgnoreCase(View(value), "100-continue")) {
          return Refuse(417, "The only expectation understood is 100-continue.", error);
        }
        expects_continue = http_1_1_;
        break;
      default:
        break;
    }
    const bool replaced = field == beast::http::field::host && !authority_.empty();
    std::string& lowered =
        request.headers.emplace_back(std::string(), replaced ? authority_ : View(value)).first;
    lowered.resize(name.size());
    std::ranges::transform(name, lowered.begin(), ToLower);
  }

  // Beast joins folded lines in a buffer of its own, or skips the line break after the name; either
  // way the value does not directly follow the name in what was received.
  bool IsFolded(beast::string_view name, beast::string_view value) const {
    const char* const begin = input_.data();
    const char* const end = begin + input_.size();
    if (value.data() < begin || value.data() > end) {
      return true;
    }
    const char* const gap = name.data() + name.size();
    return std::memchr(gap, '\n', static_cast<size_t>(value.data() - gap)) != nullptr;
  }

  void on_header_impl(Error& error) override {
    if (http_1_1_ && !has_host_) {
      Refuse(400, "The Host header is missing.", error);
    }
    if (!has_host_ && !authority_.empty()) {
      request.headers.emplace_back("host", authority_);
    }
    at_head = !is_done();
    eager(!at_head);
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& length, Error& /*error*/) override {
    if (length || streamed) {
      request.body.reserve(std::min<size_t>(length.value_or(kBodyReserveMax), kBodyReserveMax));
    }
  }

  std::size_t on_body_impl(beast::string_view bytes, Error& /*error*/) override {
    request.body.append(bytes.data(), bytes.size());
    return bytes.size();
  }

  void on_chunk_header_impl(std::uint64_t /*size*/, beast::string_view /*extensions*/,
                            Error& /*error*/) override {}

  std::size_t on_chunk_body_impl(std::uint64_t /*remain*/, beast::string_view bytes,
                                 Error& /*error*/) override {
    request.body.append(bytes.data(), bytes.size());
    return bytes.size();
  }

  void on_finish_impl(Error& /*error*/) override {}
  void on_response_impl(int /*code*/, beast::string_view /*reason*/, int /*version*/,
                        Error& /*error*/) override {}

  const size_t header_bytes_max_;
  std::string_view input_;  // What Put was given; valid only during Put.
  std::string authority_;   // Of a target in the absolute form, else empty.
  size_t header_bytes_ = 0;
  bool http_1_1_ = false;
  bool has_host_ = false;
  bool has_length_ = false;
};

void ExplainRefusal(MessageParser& message, const beast::error_code& error) {
  if (message.refusal_status != 0) {
    return;
  }
  if (error == beast::http::error::body_limit) {
    message.refusal_status = 413;
    message.refusal_reason = "The request body is too large.";
  } else if (error == beast::http::error::header_limit) {
    message.refusal_status = 431;
    message.refusal_reason = "The request header is too large.";
  } else {
    message.refusal_status = 400;
    message.refusal_reason = "The request is not well-formed HTTP/1.1.";
  }
}

}  // namespace

class RequestParser::Grammar {
 public:
  std::optional<MessageParser> message;
};

RequestParser::RequestParser(Limits limits)
    : limits_(limits), grammar_(std::make_unique<Grammar>()) {
  Reset();
}

RequestParser::~RequestParser() = default;

void RequestParser::Reset() { grammar_->message.emplace(limits_.header_bytes_max); }

RequestParser::Step RequestParser::Feed(std::string_view bytes) {
  MessageParser& message = *grammar_->message;
  if (message.at_head && !message.LeaveHead(message.streamed ? limits_.streamed_body_bytes_max
                                                             : limits_.body_bytes_max)) {
    ExplainRefusal(message, beast::http::error::body_limit);
    return {Outcome::kRefused, 0};
  }
  size_t consumed = 0;
  if (!message.got_some()) {
    // Some clients send an empty line after a body; RFC 9112, 2.2 wants it ignored.
    while (bytes.substr(consumed, 2) == "\r\n") {
      consumed += 2;
    }
    // Half of such a line is kept until the rest arrives.
    if (consumed == bytes.size() || bytes.substr(consumed) == "\r") {
      return {Outcome::kNeedMore, consumed};
    }
  }
  beast::error_code error;
  consumed += message.Put(bytes.substr(consumed), error);
  if (error && error != beast::http::error::need_more) {
    ExplainRefusal(message, error);
    return {Outcome::kRefused, consumed};
  }
  if (message.is_done()) {
    return {Outcome::kComplete, consumed};
  }
  if (message.at_head) {
    return {Outcome::kHead, consumed};
  }
  // Everything that is neither header nor body, chunk sizes with their extensions and trailers, has
  // the same limit. Of the body itself nothing is left over here.
  const size_t taken = message.is_header_done() ? 0 : message.header_bytes();
  if (taken + bytes.size() - consumed > limits_.header_bytes_max) {
    ExplainRefusal(message, beast::http::error::header_limit);
    return {Outcome::kRefused, consumed};
  }
  return {Outcome::kNeedMore, consumed};
}

bool RequestParser::started() const { return grammar_->message->got_some(); }
bool RequestParser::header_done() const { return grammar_->message->is_header_done(); }
bool RequestParser::expects_continue() const { return grammar_->message->expects_continue; }
Request& RequestParser::head() { return grammar_->message->request; }
void RequestParser::Stream() { grammar_->message->streamed = true; }
std::string& RequestParser::body() { return grammar_->message->request.body; }
size_t RequestParser::body_bytes() const { return grammar_->message->request.body.size(); }
Request RequestParser::TakeRequest() { return std::move(grammar_->message->request); }
bool RequestParser::keep_alive() const {
  return grammar_->message->http_1_1() && grammar_->message->keep_alive();
}
int RequestParser::refusal_status() const { return grammar_->message->refusal_status; }
std::string_view RequestParser::refusal_reason() const { return grammar_->message->refusal_reason; }

}  // namespace tintype::http::internal
