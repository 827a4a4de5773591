"""Uploads whose bytes a test sends as it likes: slowly, in part, or too many."""

import http.client
import random
import socket
import sys
import unittest
import urllib.parse
import weakref
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import Gallery  # noqa: E402

MB = 1 << 20
PIECE = 256 << 10  # What the server gathers before it hands it on.
TUS = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}


# Of each socket, the head of the request that was begun on it.
_heads = weakref.WeakKeyDictionary()


def large(name, size):
    """The bytes of a photo, and others behind it."""
    photo = photos.jpeg(name, 640, 480)
    return photo + random.Random(name).randbytes(size - len(photo))


def begin(address, account, method, target, **headers):
    """Sends the head of a request whose body the test sends as it likes; the socket."""
    host, port = address.split(":")
    line = socket.create_connection((host, int(port)), timeout=30)
    lines = {"Host": address, "Authorization": account.authorization, **headers}
    line.sendall("\r\n".join([f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items()), "", ""]).encode())
    _heads[line] = method, target, {name: str(value) for name, value in lines.items()}
    return line


def answer_of(line):
    """The answer to a request that was begun, which is its last."""
    answer = http.client.HTTPResponse(line)
    answer.begin()
    found = rest.Answer(answer.status, answer.headers, answer.read())
    method, target, headers = _heads.pop(line)
    rest.check(method, target, None, headers, found)
    line.close()
    return found


def status_of(line):
    return answer_of(line).status


class UploadsCase(unittest.TestCase):
    """Tests on a server with ARGUMENTS and two accounts, and the beginnings of uploads."""

    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(cls.ARGUMENTS)
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")
        cls.bob = cls.gallery.sign_up("bob")

    def create(self, length, account=None):
        created = (account or self.ada).tus("POST", "/uploads", Upload_Length=length)
        self.assertEqual(created.status, 201, created.body)
        return created.headers["Location"].removeprefix("/api/v1")

    def patch(self, path, offset, length, account=None, gallery=None):
        """Begins to go on with an upload."""
        return begin((gallery or self.gallery).address, account or self.ada, "PATCH", f"/api/v1{path}", **TUS,
                     **{"Upload-Offset": offset, "Content-Length": length - offset})

    def offset(self, path, account=None):
        return int((account or self.ada).tus("HEAD", path).headers["Upload-Offset"])

    def resumed(self, path):
        """Where an upload goes on, if it may: asks and adds nothing, as a client that comes again does before it sends
        more."""
        offset = self.offset(path)
        return offset if self.ada.tus("PATCH", path, b"", Upload_Offset=offset).status == 204 else None

    def direct(self, data):
        return self.ada.call("POST", "/uploads/direct", {"size": len(data)})

    def put(self, link, data):
        """Begins to put a file to a link."""
        url = urllib.parse.urlsplit(link["url"])
        return begin(self.gallery.address, self.ada, "PUT", f"{url.path}?{url.query}", **{"Content-Length": len(data)})
