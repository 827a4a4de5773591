#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/callback.h"
#include "base/descriptor.h"

/// HTTP messages as handlers see them, free of any transport library.
namespace tintype::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A part of a regular file as the body of a response. It is read while it is sent, by position, so
/// that the file must not shrink meanwhile: a client of one that does is cut off.
struct FileBody {
  std::shared_ptr<const Descriptor> file;  // Shared: several responses may send one file.
  uint64_t offset = 0;
  uint64_t length = 0;
};

/// Bytes of a response that come piece by piece, from elsewhere. Shared by the server, while it
/// sends them, and by whoever reads for it; destroyed on any thread when both are done.
class BodySource {
 public:
  virtual ~BodySource() = default;

  /// Gets the next piece. Called on the server's threads, for one piece after another, each when
  /// the client has taken the one before, and must not block. `next` is to be called exactly once,
  /// from any thread: with 1 byte or more, not beyond the body's length, or with nothing when there
  /// are no more, whereupon the client is cut off. A `next` that is dropped does the
  /// same. Once the client has gone it leads nowhere.
  virtual void Read(OnceCallback<std::optional<std::string>> next) = 0;
};

/// A body that a source gives.
struct SourceBody {
  std::shared_ptr<BodySource> source;
  uint64_t length = 0;
};

struct Response {
  int status = 200;
  Headers headers;  // Content-Length, Date and Connection are the server's business.
  std::string body;
  /// Sent instead of `body`. An answer to HEAD needs only its length; `file->file` may be null
  /// then.
  std::optional<FileBody> file = std::nullopt;
  /// The same from elsewhere.
  std::optional<SourceBody> source = std::nullopt;
};

/// What a status is called; `Unknown` for one that nothing here answers with.
std::string_view ReasonPhrase(int status);

/// Takes a request's body as it arrives. Made by Handler::TakeBody and owned by the server until
/// the body is complete; then it comes to Handle with the request. Destroyed without that when the
/// client goes away, sends nonsense or is refused, on any thread, but never while `next` is
/// outstanding. So destroying it should not take long, and is where an unfinished file is removed.
class BodySink {
 public:
  virtual ~BodySink() = default;

  /// Takes the next piece, of 1 byte to 256 KB. Called on the server's threads, for one piece after
  /// another, and must not block. `next` is to be called exactly once, from any thread: with
  /// nothing to go on, or with a response that ends the connection instead. The piece is valid
  /// until then, and nothing is read from the client; the sink must not be touched afterwards by
  /// whoever called it. A `next` that is dropped ends the connection with 500.
  virtual void Write(std::string_view piece, OnceCallback<std::optional<Response>> next) = 0;

  /// Whether a part of the body is of use: then what was received before the client went away is
  /// written too, whatever its size, before the sink is destroyed; and bytes that come slowly are
  /// not held back for longer than a second. Default: all or nothing.
  virtual bool KeepsPart() const { return false; }
};

/// The other end of a request's connection, for who does long work for it. Thread-safe.
class ClientState {
 public:
  virtual ~ClientState() = default;
  /// Whether it has hung up, so that nobody will read the answer. One that has only ended its own
  /// sending cannot be told apart. Does not block.
  virtual bool IsGone() const = 0;
};

struct Request {
  std::string method;
  std::string target;  // Path and query as they were sent, without the host; or `*` for OPTIONS.
  Headers headers;     // Names in lower case, in the order received.
  std::string body;    // Empty when a sink took it.
  std::string peer;    // The other end of the connection, with its port, for logs.
  /// The client's address, without a port; behind a trusted proxy, the one that it names. Anything
  /// counted or decided by address uses this. One client has one text (base/ip_address.h).
  std::string address = {};
  /// Whether the client's own connection is encrypted: to this server, or to a trusted proxy.
  bool https = false;
  /// What TakeBody made for this request; it has the whole body now.
  std::unique_ptr<BodySink> sink = nullptr;
  /// Shared with the connection, which may end before the request is answered. Null in a request
  /// that did not come over a connection.
  std::shared_ptr<const ClientState> client = nullptr;

  /// The first header of that (lower-case) name.
  std::optional<std::string_view> Header(std::string_view name) const;
  /// All headers of that (lower-case) name as one list (RFC 9110, 5.3); empty when there are none.
  std::string HeaderList(std::string_view name) const;
};

/// Bodies from this size on are large: received whole, they count against the server's memory.
inline constexpr uint64_t kLargeBodyBytes = 64 * 1024;

/// How a request's body is to be received: by the sink, or not at all because of the refusal. With
/// neither it becomes Request::body, unless there is a refusal for large ones and it is, or turns
/// out to be, one of them. Small ones are received all the same: reading them is cheaper than
/// ending the connection.
struct BodyDecision {
  std::unique_ptr<BodySink> sink;
  std::optional<Response> refusal;
  std::optional<Response> refusal_if_large = std::nullopt;
};

/// Sends the response. To be called exactly once, from any thread.
using Respond = OnceCallback<Response>;

/// Answers requests. Handle is called on the server's threads and must not block for long; it may
/// keep `respond` and call it later. Requests of one connection are handled one after another.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void Handle(Request request, Respond respond) = 0;

  /// Asked for each request that has a body (a Content-Length above 0, or chunks) when its header
  /// is complete, before the client is told to continue and before any of the body is looked at. A
  /// refusal is sent at once and ends the connection, as the body will not be read. Called on the
  /// server's threads; must not block. Default: the body is received whole.
  virtual BodyDecision TakeBody(const Request& head);

  /// The answer to a request that the server refuses before it could be handled: 400 malformed, 408
  /// too slow, 413 body too large, 417 unknown expectation, 431 header too large, 503 too much at
  /// once. The status stands; override to give the body the form of a protocol. `reason` is one
  /// sentence that may be shown to a client. Called on any of the server's threads.
  virtual Response Refuse(int status, std::string_view reason);
};

}  // namespace tintype::http
