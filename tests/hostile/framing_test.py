"""Requests whose length can be read in more than one way, or in none: each gets one refusal, and the connection ends,
so that nothing after it is taken for another request."""

import unittest

from hostile import HEALTH, HostileTest

POST = b"POST / HTTP/1.1\r\nHost: x\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"


def post(fields, body=b""):
    return POST + fields + b"\r\n\r\n" + body


def chunked(body):
    return post(b"Transfer-Encoding: chunked", body)


LENGTHS = {
    "negative": b"Content-Length: -1",
    "with a sign": b"Content-Length: +3",
    "hexadecimal": b"Content-Length: 0x3",
    "fraction": b"Content-Length: 3.0",
    "two words": b"Content-Length: 3 3",
    "list of equals": b"Content-Length: 3, 3",
    "list": b"Content-Length: 3,4",
    "empty": b"Content-Length:",
    "text": b"Content-Length: three",
    "over 64 bits": b"Content-Length: 18446744073709551619",
    "twice the same": b"Content-Length: 3\r\nContent-Length: 3",
    "two of them": b"Content-Length: 3\r\nContent-Length: 4",
    "twice in two cases": b"Content-Length: 3\r\ncontent-length: 0",
    "space before the colon": b"Content-Length : 3",
    "folded": b"Content-Length:\r\n 3",
    "zero byte": b"Content-Length: 3\0",
}
ENCODINGS = {
    "after a length": b"Content-Length: 4\r\nTransfer-Encoding: chunked",
    "before a length": b"Transfer-Encoding: chunked\r\nContent-Length: 4",
    "twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "with another": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    "after another": b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
    "ends in it": b"Transfer-Encoding: xchunked",
    "starts with it": b"Transfer-Encoding: chunkedx",
    "quoted": b"Transfer-Encoding: \"chunked\"",
    "list": b"Transfer-Encoding: gzip, chunked",
    "list the other way": b"Transfer-Encoding: chunked, gzip",
    "empty member": b"Transfer-Encoding: ,chunked",
    "empty": b"Transfer-Encoding:",
    "parameter": b"Transfer-Encoding: chunked;q=1",
    "vertical tab": b"Transfer-Encoding: \x0bchunked",
    "zero byte after": b"Transfer-Encoding: chunked\0",
    "high byte": b"Transfer-Encoding: chunke\xe4",
    "space before the colon": b"Transfer-Encoding : chunked",
    "tab before the colon": b"Transfer-Encoding\t: chunked",
    "space before the name": b" Transfer-Encoding: chunked",
    "folded": b"Transfer-Encoding:\r\n chunked",
    "behind a line feed": b"X: y\nTransfer-Encoding: chunked",
    "behind a carriage return": b"X: y\rTransfer-Encoding: chunked",
    "carriage return within": b"Transfer-Encoding: chun\rked",
    "line feed in the name": b"Transfer-Encoding\n: chunked",
    "underscore and length": b"Transfer-Encoding: chunked\r\nTransfer_Encoding: x\r\nContent-Length: 4",
}
HEADERS = {
    "no version": b"GET /\r\n\r\n",
    "another version": b"GET / HTTP/1.2\r\nHost: x\r\n\r\n",
    "version 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "small letters": b"GET / http/1.1\r\nHost: x\r\n\r\n",
    "two spaces": b"GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
    "tab for space": b"GET\t/\tHTTP/1.1\r\nHost: x\r\n\r\n",
    "space in the target": b"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
    "a target that is no path": b"GET elsewhere HTTP/1.1\r\nHost: x\r\n\r\n",
    # What came next would be for somebody else.
    "a tunnel": b"CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    "zero byte in the target": b"GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n",
    "line feeds alone": b"GET / HTTP/1.1\nHost: x\n\n\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "the same host twice": b"GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n",
    "folded": b"GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n\tb\r\n\r\n",
    "no name": b"GET / HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n",
    "no colon": b"GET / HTTP/1.1\r\nHost: x\r\nX\r\n\r\n",
    "zero byte in a name": b"GET / HTTP/1.1\r\nHost: x\r\nX\0: a\r\n\r\n",
    "zero byte in a value": b"GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n",
    "parentheses in a name": b"GET / HTTP/1.1\r\nHost: x\r\nX(y): a\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n",
}
CHUNKS = {
    "size that is no number": chunked(b"xyz\r\nabc\r\n0\r\n\r\n"),
    "size with a sign": chunked(b"-3\r\nabc\r\n0\r\n\r\n"),
    "size with 0x": chunked(b"0x3\r\nabc\r\n0\r\n\r\n"),
    "size with a space before": chunked(b" 3\r\nabc\r\n0\r\n\r\n"),
    "size of 17 digits": chunked(b"F0000000000000003\r\nabc\r\n0\r\n\r\n"),
    "no size": chunked(b"\r\nabc\r\n0\r\n\r\n"),
    "too short": chunked(b"2\r\nabc\r\n0\r\n\r\n"),
    "too long": chunked(b"4\r\nabc\r\n0\r\n\r\n"),
    "line feed after the size": chunked(b"3\nabc\r\n0\r\n\r\n"),
    "line feed after the data": chunked(b"3\r\nabc\n0\r\n\r\n"),
    "carriage return in the extension": chunked(b"3;a\rb\r\nabc\r\n0\r\n\r\n"),
    "zero byte in the extension": chunked(b"3;a=\0\r\nabc\r\n0\r\n\r\n"),
    "extension without its semicolon": chunked(b"3 a=b\r\nabc\r\n0\r\n\r\n"),
    "length among the trailers": chunked(b"3\r\nabc\r\n0\r\nContent-Length: 40\r\n\r\n"),
    "encoding among the trailers": chunked(b"3\r\nabc\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"),
}


class FramingTest(HostileTest):
    def assert_refused(self, cases, statuses=(400,)):
        """Each of `cases` gets one answer, a refusal, however it arrives, and then the end."""
        for name, request in cases.items():
            for first in (len(request), 1, len(request) // 2):
                with self.subTest(name, first=first):
                    client = self.connect()
                    client.send(request[:first])
                    client.send(request[first:] + SMUGGLED)
                    self.assertTrue(client.read_end(), "the connection stays open")
                    answers = client.statuses()
                    self.assertEqual(1, len(answers), client.received)
                    self.assertIn(answers[0], statuses, client.received)
                    client.close()

    def test_refuses_doubtful_lengths(self):
        self.assert_refused({name: post(field, b"abc") for name, field in LENGTHS.items()})

    def test_refuses_doubtful_encodings(self):
        """CL.TE and TE.CL among them: the body would be three bytes to one reader, and a request to another."""
        self.assert_refused({name: post(field, b"0\r\n\r\n") for name, field in ENCODINGS.items()})
        self.assert_refused({"HTTP/1.0": b"POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"})

    def test_refuses_malformed_headers(self):
        self.assert_refused(HEADERS)

    def test_refuses_malformed_chunks(self):
        self.assert_refused(CHUNKS)

    def test_refuses_chunks_over_the_limit(self):
        self.assert_refused({"at once": chunked(b"7FFFFFFFFFFFFFFF\r\nabc")}, (413,))
        large = b"F00000\r\n" + b"x" * 0xF00000 + b"\r\n200000\r\nabc"
        self.assert_refused({"one by one": self.signed_chunks(large)}, (413,))
        self.assert_refused({"not signed": chunked(large)}, (404,))

    def test_reads_what_is_unusual_but_clear(self):
        """None of these is refused for its form, and the next request on the connection is read as what it is."""
        for name, request in {
            "empty lines before": b"\r\n\r\n" + HEALTH,
            "tab for the space": b"GET / HTTP/1.1\r\nHost:\tx\r\n\r\n",
            "spaces around a value": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length:   3  \r\n\r\nabc",
            "zeros before a length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 003\r\n\r\nabc",
            "name in any case": b"POST / HTTP/1.1\r\nhOST: x\r\ntRANSFER-eNCODING: CHUNKED\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "extensions": chunked(b"3;a=b;c=\"d\"\r\nabc\r\n000;e\r\nX: y\r\n\r\n"),
            "absolute target": b"GET http://elsewhere/ HTTP/1.1\r\nHost: x\r\n\r\n",
            "asterisk": b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        }.items():
            for first in (len(request), 1, len(request) // 2):
                with self.subTest(name, first=first):
                    client = self.connect()
                    client.send(request[:first])
                    client.send(request[first:] + HEALTH)
                    answers = client.read_responses(2)
                    self.assertEqual(2, len(answers), client.received)
                    self.assertEqual(200, answers[1])
                    self.assertNotIn(answers[0], (408, 413, 431, 500, 502, 503))
                    client.close()

    def test_body_shorter_than_its_length_is_no_request(self):
        """The rest never comes: no answer to the half, and no waiting for more from a client that has finished."""
        client = self.connect()
        client.send(post(b"Content-Length: 10", b"abc"))
        client.socket.shutdown(1)
        self.assertTrue(client.read_end(5))
        self.assertNotIn(200, client.statuses())

    def test_body_longer_than_its_length_is_the_next_request(self):
        client = self.connect()
        client.send(post(b"Content-Length: 3", b"abc" + HEALTH + b"left over\r\n\r\n"))
        self.assertTrue(client.read_end())
        self.assertEqual([200, 400], client.statuses()[1:])


class FloodTest(HostileTest):
    """Parts without an end are cut off at a limit, and cost next to no memory."""

    def flood(self, start, piece, statuses, megabytes=4, memory_megabytes=16):
        before = self.memory()
        client = self.connect()
        client.send(start)
        for _ in range(megabytes * 1024 * 1024 // len(piece)):
            client.send(piece)
            client.receive(0)
            if client.ended or client.statuses():
                break
        self.assertTrue(client.read_end(), "the flood is not stopped")
        self.assertEqual(1, len(client.statuses()), client.received)
        self.assertIn(client.statuses()[0], statuses)
        self.assertLess(self.memory() - before, memory_megabytes * 1024 * 1024)

    def test_method_without_end(self):
        self.flood(b"", b"A" * 4096, (400, 431))

    def test_target_without_end(self):
        self.flood(b"GET /", b"a" * 4096, (431,))

    def test_name_without_end(self):
        self.flood(POST, b"X" * 4096, (431,))

    def test_value_without_end(self):
        self.flood(POST + b"X: ", b"a" * 4096, (431,))

    def test_header_without_end(self):
        self.flood(POST, b"X: y\r\n" * 700, (431,))

    def test_blanks_without_end(self):
        self.flood(POST + b"X:", b" " * 4096, (431,))

    def test_chunk_size_without_end(self):
        self.flood(chunked(b""), b"0" * 4096, (400, 431))

    def test_chunk_extension_without_end(self):
        self.flood(chunked(b"3;a="), b"a" * 4096, (431,))

    def test_trailers_without_end(self):
        self.flood(chunked(b"0\r\n"), b"X: y\r\n" * 700, (431,))

    def test_chunks_of_one_byte_without_end(self):
        """Ten bytes on the wire for one of the body: what is limited is what is kept."""
        self.flood(self.signed_chunks(b""), b"1;abc\r\nx\r\n" * 40000, (413,), megabytes=200, memory_megabytes=48)


if __name__ == "__main__":
    unittest.main()
