"""A small DynamoDB client: one keep-alive connection, SigV4, JSON in and out. No retries, so that a test sees every
answer."""

import datetime
import hashlib
import hmac
import json
import socket


class Response:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers  # Names in lower case.
        self.body = body

    def json(self):
        return json.loads(self.body)


class DynamoError(Exception):
    """An answer other than 200. `name` is the exception's name without its prefix."""

    def __init__(self, status, body):
        super().__init__(f"{status}: {body}")
        self.status = status
        self.body = body
        self.name = body.get("__type", "").rpartition("#")[2]


def _hmac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


class Signer:
    """Signs requests by headers with one key. The scope's key is derived once a day."""

    def __init__(self, access_key_id, secret_access_key, region="us-east-1", service="dynamodb"):
        self._access_key_id = access_key_id
        self._secret = secret_access_key
        self._region = region
        self._service = service
        self._day = None
        self._key = b""

    def headers(self, host, target, body, now=None, more=None):
        """The headers of a POST to `/`, with more that are signed too: by their names in lower case."""
        now = now or datetime.datetime.now(datetime.timezone.utc)
        stamp = now.strftime("%Y%m%dT%H%M%SZ")
        day = stamp[:8]
        if day != self._day:
            key = _hmac(("AWS4" + self._secret).encode(), day)
            for part in (self._region, self._service, "aws4_request"):
                key = _hmac(key, part)
            self._day, self._key = day, key
        covered = sorted({"host": host, "x-amz-date": stamp, "x-amz-target": target, **(more or {})}.items())
        names = ";".join(name for name, _ in covered)
        canonical = "POST\n/\n\n%s\n%s\n%s" % (
            "".join(f"{name}:{value}\n" for name, value in covered), names, hashlib.sha256(body).hexdigest())
        scope = f"{day}/{self._region}/{self._service}/aws4_request"
        to_sign = "AWS4-HMAC-SHA256\n%s\n%s\n%s" % (stamp, scope, hashlib.sha256(canonical.encode()).hexdigest())
        return {
            "Host": host,
            "X-Amz-Date": stamp,
            "X-Amz-Target": target,
            "Content-Type": "application/x-amz-json-1.0",
            "Authorization": "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                             % (self._access_key_id, scope, names, _hmac(self._key, to_sign).hex()),
            **(more or {}),
        }


class Connection:
    """One connection, opened on first use. Raises OSError when the other side goes away."""

    def __init__(self, address, signer):
        self.address = address
        self.host = "%s:%d" % address
        self.signer = signer
        self._socket = None
        self._received = b""

    def close(self):
        if self._socket:
            self._socket.close()
            self._socket = None
            self._received = b""

    def call(self, operation, request, service="DynamoDB_20120810"):
        """The answer's body as a dictionary. Raises DynamoError for anything but 200."""
        body = json.dumps(request).encode()
        headers = self.signer.headers(self.host, f"{service}.{operation}", body)
        response = self.post(headers, body)
        if response.status != 200:
            raise DynamoError(response.status, response.json())
        return response.json()

    def post(self, headers, body):
        self.send_request("POST / HTTP/1.1", {**headers, "Content-Length": str(len(body))}, body)
        return self.read_response()

    def send_request(self, line, headers, body=b""):
        head = line + "\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
        self.send(head.encode() + body)

    def send(self, data):
        if self._socket is None:
            self._socket = socket.create_connection(self.address, timeout=60)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(data)

    def read_response(self):
        while b"\r\n\r\n" not in self._received:
            self._receive()
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", "0"))
        while len(self._received) < length:
            self._receive()
        body, self._received = self._received[:length], self._received[length:]
        return Response(int(first.split(" ")[1]), headers, body)

    def _receive(self):
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionResetError("the server closed the connection")
        self._received += data
