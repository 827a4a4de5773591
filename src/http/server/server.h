#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "http/server/forwarded.h"
#include "http/server/message.h"

namespace tintype::http {

/// What one client may take of a server, so that no client has all of it: an IPv4 address, or 64
/// bits of an IPv6 one. 0: as much as there is.
struct ClientLimits {
  /// Open connections. Further ones are answered with 503 and closed.
  size_t connections_max = 0;
  /// Its part of body_bytes_in_flight_max, in bytes. More is answered with 503.
  size_t body_bytes_max = 0;
};

/// How a Server listens and what it lets clients take. Time-outs are checked by a sweep, so that a
/// connection may live up to a quarter of the shortest of them (at most a second) longer.
struct ServerConfig {
  /// An IPv4 or IPv6 address of this machine; no host names. Default: loopback only.
  std::string address = "127.0.0.1";
  /// Default 0: the system picks a free port; see Server::port().
  uint16_t port = 0;
  /// Threads that serve connections, each with its own event loop. Default 0: one per core.
  size_t threads = 0;

  /// Request line and header fields together, in bytes. Default 16 KB. More is answered with 431.
  size_t header_bytes_max = 16 * 1024;
  /// One request body that is received whole, in bytes. Default 16 MB, DynamoDB's own limit. More
  /// is answered with 413.
  size_t body_bytes_max = 16 * 1024 * 1024;
  /// One request body that a BodySink takes, in bytes. Default 16 GB. More is answered with 413.
  uint64_t streamed_body_bytes_max = 16ULL * 1024 * 1024 * 1024;
  /// All request bodies being received or handled, in bytes, so that many connections with large
  /// bodies cannot take all memory. Bodies below 64 KB are not counted; one that a BodySink takes
  /// counts for the 256 KB of its buffer, while it is received. Default 256 MB. More is answered
  /// with 503.
  size_t body_bytes_in_flight_max = 256 * 1024 * 1024;
  /// All answers that wait for their clients to read them, in bytes; a file, which is read as it is
  /// sent, counts for what is encrypted of it. Default 256 MB. When they are more, clients that
  /// read nothing for unread_answer_patience are dropped, and while that does not help, answers of
  /// 1 MB and more are replaced by 503. Smaller ones, and files, always go out.
  size_t unread_answer_bytes_max = 256 * 1024 * 1024;
  /// Open connections. Default 16384; the process's file limit must allow for it. Further ones are
  /// answered with 503 and closed.
  size_t connections_max = 16384;
  /// For clients elsewhere, and for those on this machine, among which may be a proxy that nobody
  /// named. Default: none. A trusted proxy has no such limits: its connections carry the requests
  /// of many. The bodies of those count for the clients that it names.
  ClientLimits client_limits = {};
  ClientLimits loopback_limits = {};
  /// Who is believed about the clients that they speak for. Default: nobody.
  TrustedProxies proxies = {};

  /// From the first byte of a request (or the start of a connection) to the end of its header.
  /// Default 10 s. Slower is answered with 408.
  std::chrono::milliseconds header_timeout{10'000};
  /// From the end of the header to the end of the body; when a BodySink takes it, how long no byte
  /// may arrive. Default 60 s; raise it for large whole bodies over slow lines. Slower is answered
  /// with 408.
  std::chrono::milliseconds body_timeout{60'000};
  /// How many bytes a second a body that a BodySink takes has to have on average, once
  /// streamed_body_grace is over; the time that the sink takes does not count. So that one byte a
  /// minute does not hold a connection for ever. Default 1 KB. Slower is answered with 408. 0: any.
  uint64_t streamed_body_rate_min = 1024;
  std::chrono::milliseconds streamed_body_grace{60'000};
  /// How long a connection may wait for its next request. Default 75 s: a little more than the
  /// clients' own pools usually keep theirs, so that they close first.
  std::chrono::milliseconds idle_timeout{75'000};
  /// For one write of answers to a client that does not read; for a file, how long a client may
  /// take nothing of it. Default 60 s.
  std::chrono::milliseconds write_timeout{60'000};
  /// How long a client may read nothing of its answer while memory for answers is short. Default 5
  /// s: the operating system tells what was read in steps of about a megabyte, which take a while
  /// on slow lines.
  std::chrono::milliseconds unread_answer_patience{5'000};
  /// How long Stop waits for requests in progress. Default 10 s.
  std::chrono::milliseconds shutdown_grace{10'000};

  /// What every answer carries that does not have such a header of its own, refusals of the server
  /// included. Default: nothing.
  Headers headers = {};
  /// The same for answers to requests that came by https, here or at a trusted proxy.
  Headers https_headers = {};

  /// A certificate, with its chain, and its key, as PEM files. Default: empty, for plain HTTP. Both
  /// or neither. When the files change, connections made from then on get the new certificate; a
  /// pair that cannot be used is reported in the log, and the old one stays in use.
  std::string tls_certificate_file = {};
  std::string tls_key_file = {};
  /// How often those files are looked at. Default: every second.
  std::chrono::milliseconds tls_check_interval{1'000};
};

struct ServerStats {
  uint64_t connections_open = 0;
  uint64_t connections_accepted = 0;  // Since the start, refused ones not counted.
  uint64_t connections_refused = 0;   // Over connections_max.
  uint64_t unread_answer_bytes = 0;   // Answers that wait for their clients to read them.
  /// Refused because one client had too much.
  uint64_t client_connections_refused = 0;
  uint64_t client_bodies_refused = 0;
};

/// An HTTP/1.1 server, plain or over TLS: keep-alive, pipelining, chunked requests, `Expect:
/// 100-continue`, bodies streamed in and files streamed out with flat memory. It answers each
/// request through a Handler and refuses what is malformed, ambiguous, too large or too slow.
///
/// Owned by whoever started it; the handler must outlive it. Thread-safe. Nothing survives a crash:
/// a client that got no answer does not know whether its request was handled.
class Server {
 public:
  /// Listens at once. Errors: kIo when the address cannot be used (the message names it),
  /// kValidation when the certificate or its key cannot (the message names the file).
  static Result<std::unique_ptr<Server>> Start(ServerConfig config, Handler& handler);

  /// Stops, if Stop was not called.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The port that is listened on.
  uint16_t port() const;
  ServerStats stats() const;

  /// Stops accepting, closes idle connections, lets requests in progress finish and be answered
  /// (for at most shutdown_grace), closes all others and joins the threads. May be called twice,
  /// but not from a handler. A response that comes later is dropped.
  void Stop();

 private:
  class Listener;
  explicit Server(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace tintype::http
