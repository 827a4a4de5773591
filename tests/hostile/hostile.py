"""What the suites here share: a raw client that can misbehave, and a well-behaved one that must not notice."""

import re
import resource
import select
import socket
import sys
import threading
import time
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, Signer  # noqa: E402

SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
TABLE = {
    "TableName": "Things",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
}
HEALTH = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"  # Answered without a signature.


class RawClient:
    """A socket that sends what it is told and collects all that comes back."""

    def __init__(self, address, source=None):
        """`source` is the address to connect from, if not the usual one."""
        self.socket = socket.create_connection(address, timeout=20, source_address=source and (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        self.ended = False  # The server closed or reset the connection.

    def close(self):
        self.socket.close()

    def send(self, data):
        """Sends unless the server has hung up, which read_end will tell."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def receive(self, seconds):
        """Takes what arrives within `seconds`, returns at the first piece."""
        # Not select.select, which knows only the first 1,024 files.
        poll = select.poll()
        poll.register(self.socket, select.POLLIN)
        if not self.ended and poll.poll(max(0, seconds) * 1000):
            try:
                data = self.socket.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            self.received += data
            self.ended = not data

    def read_end(self, seconds=10):
        """Reads until the server closes; False if it does not in time."""
        deadline = time.monotonic() + seconds
        while not self.ended and time.monotonic() < deadline:
            self.receive(deadline - time.monotonic())
        return self.ended

    def read_responses(self, count, seconds=10):
        """Reads until there are `count` responses, or no more can come."""
        deadline = time.monotonic() + seconds
        while len(self.statuses()) < count and not self.ended and time.monotonic() < deadline:
            self.receive(deadline - time.monotonic())
        return self.statuses()

    def statuses(self):
        """The status of every whole response received so far."""
        statuses, rest = [], self.received
        while b"\r\n\r\n" in rest:
            head, _, rest = rest.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            size = int(length.group(1)) if length else 0
            if len(rest) < size:
                break
            statuses.append(int(head.split(b" ")[1]))
            rest = rest[size:]
        return statuses


class Bystander(threading.Thread):
    """Asks for an item again and again, half the time over a new connection, and notes how long the worst answer
    took."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.slowest = 0.0
        self.answers = 0
        self.failure = None
        self._address = server.address
        self._stopping = threading.Event()

    def run(self):
        kept = Connection(self._address, SIGNER)
        try:
            while not self._stopping.wait(0.01):
                fresh = Connection(self._address, SIGNER)
                for connection in (kept, fresh):
                    started = time.monotonic()
                    answer = connection.call("GetItem", {"TableName": "Things", "Key": {"k": {"S": "here"}}})
                    if answer != {"Item": {"k": {"S": "here"}}}:
                        raise AssertionError(f"wrong answer: {answer}")
                    self.slowest = max(self.slowest, time.monotonic() - started)
                    self.answers += 1
                fresh.close()
        except Exception as problem:  # Shown by the test, which a thread cannot fail.
            self.failure = problem
        finally:
            kept.close()

    def stop(self):
        self._stopping.set()
        self.join()


class HostileTest(unittest.TestCase):
    """One server a class. Every test has a bystander, who must have been served well all the while."""

    ARGUMENTS = ()

    @classmethod
    def setUpClass(cls):
        cls.server = tintype_server.Server(arguments=("--durability", "relaxed", *cls.ARGUMENTS))
        cls.addClassCleanup(cls.server.stop)
        connection = Connection(cls.server.address, SIGNER)
        connection.call("CreateTable", TABLE)
        connection.call("PutItem", {"TableName": "Things", "Item": {"k": {"S": "here"}}})
        connection.close()

    def setUp(self):
        self.bystander = Bystander(self.server)
        self.bystander.start()
        self.addCleanup(self.check_bystander)
        self.assertTrue(self.wait_until(lambda: self.bystander.answers > 0 or self.bystander.failure))

    def check_bystander(self):
        # At least one question was asked and answered after the attack.
        enough = self.bystander.answers + 2
        self.wait_until(lambda: self.bystander.answers >= enough or self.bystander.failure)
        self.bystander.stop()
        self.assertIsNone(self.bystander.failure)
        self.assertGreaterEqual(self.bystander.answers, enough)
        self.assertLess(self.bystander.slowest, 1.0)

    def wait_until(self, condition, seconds=10):
        """False if the condition does not come true in time. Polls, and leaves the bystander room to run."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            self.bystander.join(0.01)
        return True

    def connect(self):
        client = RawClient(self.server.address)
        self.addCleanup(client.close)
        return client

    def signed(self, operation, body):
        """The bytes of a signed request."""
        headers = SIGNER.headers("%s:%d" % self.server.address, "DynamoDB_20120810." + operation, body)
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"POST / HTTP/1.1\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body

    def signed_chunks(self, chunks):
        """A chunked request with the head of a signed one: its body is read before the signature can be checked."""
        head = self.signed("PutItem", b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        return head + chunks

    def open_connections(self):
        """How many connections to the endpoint the server counts."""
        with urllib.request.urlopen(f"http://{self.server.addresses['metrics']}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        return int(re.search(r'tintype_http_connections_open{[^}]*"dynamodb"[^}]*} (\d+)', text).group(1))

    def memory(self):
        """What the server holds in memory, in bytes."""
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024


def raise_file_limit():
    """Lets this process, and the servers it starts, open as many files as it may. Returns how many."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard
