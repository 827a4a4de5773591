"""Clients that take their time, go away half-way, or do not read: each is let go after its time, and costs little until
then."""

import json
import socket
import struct
import time
import unittest

from hostile import HEALTH, HostileTest

HEADER_TIMEOUT, BODY_TIMEOUT, IDLE_TIMEOUT, WRITE_TIMEOUT = 0.3, 0.3, 0.4, 0.4
SLACK = 3  # For a busy machine; without the time-outs everything here would wait far longer.


class SlowTest(HostileTest):
    ARGUMENTS = ("--header-timeout", str(HEADER_TIMEOUT), "--body-timeout", str(BODY_TIMEOUT),
                 "--idle-timeout", str(IDLE_TIMEOUT), "--write-timeout", str(WRITE_TIMEOUT))

    def drip(self, client, piece, seconds):
        """Sends a piece every 20 ms until the server hangs up or the time is over; returns how long it took."""
        started = time.monotonic()
        while not client.ended and time.monotonic() < started + seconds:
            client.send(piece)
            client.receive(0.02)
        return time.monotonic() - started

    def assert_dropped(self, start, piece, timeout, statuses):
        client = self.connect()
        client.send(start)
        took = self.drip(client, piece, timeout + SLACK)
        self.assertTrue(client.ended, "the server goes on waiting")
        self.assertGreater(took, timeout * 0.9)
        self.assertEqual(statuses, client.statuses(), client.received)

    def test_slow_request_line(self):
        self.assert_dropped(b"GET /", b"a", HEADER_TIMEOUT, [408])

    def test_slow_header(self):
        self.assert_dropped(b"GET / HTTP/1.1\r\nHost: x\r\n", b"X: y\r\n", HEADER_TIMEOUT, [408])

    def test_slow_body(self):
        self.assert_dropped(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n", b"a", BODY_TIMEOUT, [408])

    def test_slow_chunks(self):
        self.assert_dropped(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n",
                            BODY_TIMEOUT, [408])

    def test_promised_body_that_never_comes(self):
        client = self.connect()
        client.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        self.assertTrue(client.read_end(BODY_TIMEOUT + SLACK))
        self.assertEqual([100, 408], client.statuses())

    def test_silence(self):
        client = self.connect()
        self.assertTrue(client.read_end(IDLE_TIMEOUT + SLACK))

    def test_silence_after_a_request(self):
        client = self.connect()
        client.send(HEALTH)
        self.assertEqual([200], client.read_responses(1))
        self.assertTrue(client.read_end(IDLE_TIMEOUT + SLACK))
        self.assertEqual([200], client.statuses())

    def test_empty_lines_are_no_activity(self):
        client = self.connect()
        self.drip(client, b"\r\n", HEADER_TIMEOUT + IDLE_TIMEOUT + SLACK)
        self.assertTrue(client.ended, "empty lines keep a connection alive")

    def test_client_that_has_finished_sending_is_answered(self):
        client = self.connect()
        client.send(HEALTH + HEALTH)
        client.socket.shutdown(socket.SHUT_WR)
        self.assertTrue(client.read_end(SLACK))
        self.assertEqual([200, 200], client.statuses())

    def test_clients_that_vanish_leave_nothing_behind(self):
        """Half a header, half a body, an answer in progress: 200 clients each, gone without a word."""
        for half in (b"POST / HTT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc", HEALTH * 3):
            clients = [self.connect() for _ in range(200)]
            for client in clients:
                client.send(half)
                # Closing then resets the connection.
                client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            for client in clients:
                client.close()
        # The bystander has one or two.
        self.assertTrue(self.wait_until(lambda: self.open_connections() <= 2))

    def test_clients_that_are_half_there_are_let_go(self):
        """Nothing more will come from a client that is gone without a reset; the time-outs are what ends it."""
        clients = [self.connect() for _ in range(200)]
        for client in clients:
            client.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc")
        for client in clients:
            self.assertTrue(client.read_end(BODY_TIMEOUT + SLACK))
            self.assertEqual([408], client.statuses())

    def test_endless_pipelining_without_reading(self):
        """The server stops reading when its answers are not read, and in the end drops the client."""
        before = self.memory()
        client = self.connect()
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.socket.setblocking(False)
        sent, dropped = 0, False
        deadline = time.monotonic() + WRITE_TIMEOUT + 10
        while not dropped and time.monotonic() < deadline:
            try:
                sent += client.socket.send(HEALTH * 200)
            except BlockingIOError:
                self.bystander.join(0.01)
            except (BrokenPipeError, ConnectionResetError):
                dropped = True
        self.assertTrue(dropped, f"still there after {sent} bytes")
        self.assertLess(self.memory() - before, 32 * 1024 * 1024)

    def test_endless_pipelining_with_reading(self):
        """A greedy client is served, and others beside it."""
        client = self.connect()
        client.socket.setblocking(False)
        deadline = time.monotonic() + 1
        sent, received, pending = 0, 0, b""
        while time.monotonic() < deadline:
            pending = pending or HEALTH * 100
            try:
                count = client.socket.send(pending)
                sent, pending = sent + count, pending[count:]
            except BlockingIOError:
                pass
            try:
                received += client.socket.recv(1 << 20).count(b"HTTP/1.1 200")
            except BlockingIOError:
                pass
        self.assertGreater(received, 1000)

    def test_large_answers_that_nobody_reads(self):
        """Twenty clients, each with 35 MB of answers to come, of which they read nothing."""
        big = json.dumps({"TableName": "Things", "Item": {"k": {"S": "big"}, "v": {"S": "x" * 350_000}}}).encode()
        writer = self.connect()
        writer.send(self.signed("PutItem", big))
        self.assertEqual([200], writer.read_responses(1))
        writer.close()
        before = self.memory()
        clients = [self.connect() for _ in range(20)]
        request = self.signed("GetItem", b'{"TableName":"Things","Key":{"k":{"S":"big"}}}')
        for client in clients:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.send(request * 100)
        most = [0]

        def all_dropped():
            most[0] = max(most[0], self.memory() - before)
            return self.open_connections() <= 3

        self.assertTrue(self.wait_until(all_dropped, WRITE_TIMEOUT + 10))
        self.assertLess(most[0], 128 * 1024 * 1024)


if __name__ == "__main__":
    unittest.main()
