"""Media by signed links: transfers as HTTP has them, and pictures resized on request."""

import concurrent.futures
import email.utils
import io
import os
import random
import re
import socket
import sys
import unittest
import urllib.parse
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import gallery  # noqa: E402
import photos  # noqa: E402
import rest  # noqa: E402

CACHE_MB = 1
PARAMETERS = ("w", "h", "fit", "format", "q")


class MediaTest(gallery.GalleryTest):
    ARGUMENTS = ("--workers", "2", "--resize-cache-mb", str(CACHE_MB))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bob = cls.gallery.sign_up("bob")
        cls.original = photos.jpeg("media", 1200, 800)
        cls.image_id = cls.ada.upload(cls.original, "Größe.jpg")
        cls.image = cls.gallery.wait_developed(cls.ada, cls.image_id)

    def follow(self, link, method="GET", **headers):
        return self.gallery.follow(link, method, **headers)

    def link(self, account=None, image_id=None, **wanted):
        return (account or self.ada).call("POST", f"/images/{image_id or self.image_id}/links", wanted)["url"]

    def metric(self, name):
        text = rest.request(self.gallery.server.addresses["metrics"], "GET", "/metrics").body.decode()
        return int(re.search(rf"^{re.escape(name)} (\d+)", text, re.MULTILINE).group(1))

    def raw(self, request):
        """The whole answer to the text of a request that ends its connection."""
        host, port = self.gallery.address.split(":")
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            connection.sendall(request.encode())
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def resized_files(self):
        folder = Path(self.gallery.server.data_dir, "cache", "resized-encrypted")
        return [file for file in folder.rglob("*") if file.is_file() and file.parent.name != "drafts"]

    def decode(self, answer, kind, size):
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, f"image/{kind}"), answer.body[:300])
        if kind == "avif":  # Which this Pillow cannot read.
            self.assertEqual(answer.body[4:12], b"ftypavif")
            return
        with Image.open(io.BytesIO(answer.body)) as picture:
            picture.load()
            self.assertEqual((picture.format, picture.size), (kind.upper(), size))
            self.assertFalse(dict(picture.getexif()))

    # Transfers.

    def test_validators(self):
        """An answer has strong validators; each condition is met or not as RFC 9110 says, asked for the first time or
        again."""
        url = self.image["sizes"]["LARGE"]
        whole = self.follow(url)
        etag, modified = whole.headers["ETag"], whole.headers["Last-Modified"]
        self.assertRegex(etag, r'^"[^"]+"$')
        stamp = email.utils.parsedate_to_datetime(modified).timestamp()
        before, after = (email.utils.formatdate(stamp + n, usegmt=True) for n in (-1, 1))
        for headers, status in (
                ({"If_None_Match": etag}, 304), ({"If_None_Match": f'"x", W/{etag}'}, 304), ({"If_None_Match": "*"}, 304),
                ({"If_None_Match": '"x"'}, 200), ({"If_None_Match": '"x"', "If_Modified_Since": modified}, 200),
                ({"If_Modified_Since": modified}, 304), ({"If_Modified_Since": before}, 200),
                ({"If_Modified_Since": "nonsense"}, 200), ({"If_Match": etag}, 200), ({"If_Match": f"W/{etag}"}, 412),
                ({"If_Match": '"x"'}, 412), ({"If_Unmodified_Since": before}, 412), ({"If_Unmodified_Since": after}, 200)):
            for method in ("GET", "HEAD"):
                answer = self.follow(url, method, **headers)
                self.assertEqual(answer.status, status, headers)
                if status == 304:
                    self.assertEqual((answer.body, answer.headers["ETag"]), (b"", etag))
                if status == 412 and method == "GET":
                    self.assertEqual(answer.json["code"], "PreconditionFailed")
        # Aliases of the same bytes have the same validators.
        alias = self.follow(self.gallery.sign(f"processed/{self.image_id}_large.webp"))
        self.assertEqual((alias.headers["ETag"], alias.body), (etag, whole.body))

    def test_ranges(self):
        """One range is a part; what is no range, or several, is all of it; what is behind the end is refused with a
        problem; If-Range takes an entity tag or a date."""
        url = self.image["sizes"]["ORIGINAL"]
        whole = self.follow(url)
        size, etag = len(self.original), whole.headers["ETag"]
        modified = whole.headers["Last-Modified"]
        later = email.utils.formatdate(email.utils.parsedate_to_datetime(modified).timestamp() + 5, usegmt=True)
        self.assertEqual(whole.body, self.original)
        for given, first, last in (("bytes=0-0", 0, 0), ("bytes=100-199", 100, 199), (f"bytes={size - 5}-", size - 5, size - 1),
                                   ("bytes=-7", size - 7, size - 1), (f"bytes=-{size * 2}", 0, size - 1),
                                   ("bytes=5-99999999999999999999999", 5, size - 1)):
            part = self.follow(url, Range=given)
            self.assertEqual((part.status, part.headers["Content-Range"]), (206, f"bytes {first}-{last}/{size}"), given)
            self.assertEqual(part.body, self.original[first:last + 1], given)
        for given in ("bytes=0-1,5-6", "bytes=9-5", "bytes=x", "lines=0-1", "bytes=" + "0-," * 3000):
            answer = self.follow(url, Range=given)
            self.assertEqual((answer.status, answer.body, answer.headers["Content-Range"]), (200, self.original, None), given)
        blanks = self.follow(url, Range="bytes=0-1" + " " * 500)
        self.assertEqual((blanks.status, blanks.body), (206, self.original[:2]))
        refused = self.follow(url, Range=f"bytes={size}-")
        self.assertEqual((refused.status, refused.headers["Content-Range"]), (416, f"bytes */{size}"))
        self.assertEqual(refused.json["code"], "RangeNotSatisfiable")
        for condition, status in ((etag, 206), (modified, 206), ('"x"', 200), (f"W/{etag}", 200), (later, 200), ("x", 200)):
            self.assertEqual(self.follow(url, Range="bytes=0-9", If_Range=condition).status, status, condition)
        head = self.follow(url, "HEAD", Range="bytes=0-9")
        self.assertEqual((head.status, head.headers["Content-Length"], head.body), (200, str(size), b""))

    def test_names(self):
        """What is shown is shown in place and what is to be saved is saved, under the name that the file had."""
        original, large = self.image["sizes"]["ORIGINAL"], self.image["sizes"]["LARGE"]
        self.assertEqual(self.follow(original).headers["Content-Disposition"],
                         "inline; filename=\"Gr____e.jpg\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.jpg")
        self.assertIsNone(self.follow(large).headers["Content-Disposition"])
        for url, name in ((original, "Größe.jpg"), (large, "Größe.webp"), (self.link(w=9, format="jpeg"), "Größe.jpg")):
            for value in ("1", "", "evil%0d%0aX-Evil:1"):
                answer = self.follow(f"{url}&download={value}")
                self.assertEqual(answer.status, 200)
                self.assertTrue(answer.headers["Content-Disposition"].startswith("attachment; "))
                self.assertTrue(answer.headers["Content-Disposition"].endswith(f"''{urllib.parse.quote(name)}"))
                self.assertIsNone(answer.headers["X-Evil"])

    def test_other_forms_of_requests(self):
        """A link may be asked for by its whole address, as proxies do; methods that there are not are told."""
        link = self.image["sizes"]["SMALL"]
        body = self.follow(link).body
        answer = self.raw(f"GET http://localhost{link} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        self.assertEqual((answer.split()[1], answer.partition(b"\r\n\r\n")[2]), (b"200", body))
        for target in ("media/images", "*", "http:///media/"):
            answer = self.raw(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertEqual(answer.split()[1], b"400", target)
        for method, sent in (("POST", "x"), ("PUT", "x"), ("DELETE", None), ("OPTIONS", None)):
            answer = rest.request(self.gallery.address, method, link, sent)
            self.assertEqual((answer.status, answer.headers["Allow"]), (405, "GET, HEAD"), method)
            self.assertEqual(answer.json["code"], "MethodNotAllowed")

    def open_photos(self):
        """The files below the data directory's blobs and cache that the server has open."""
        folder = Path("/proc", str(self.gallery.server.process.pid), "fd")
        names = []
        for descriptor in folder.iterdir():
            try:
                names.append(os.readlink(descriptor))
            except FileNotFoundError:  # It has just been closed.
                pass
        return [name for name in names if "/blobs/" in name or "/cache/" in name]

    def test_one_link_keeps_one_file_open(self):
        """However a link is spelled, and whatever the client says that it takes, it keeps no more than a few files
        open."""
        before = len(self.open_photos())
        for link in (self.image["sizes"]["LARGE"], self.link(w=60, format="jpeg"), self.link(w=61)):
            path, _, query = link.partition("?")
            backwards = "&".join(reversed(query.split("&")))
            for n in range(10):
                for spelled in (f"{link}&x={n}", f"{link}&download={n}", f"{path}?{'&' * n}{query}", f"{path}?{backwards}"):
                    self.assertEqual(self.follow(spelled, Accept=f"text/{n}").status, 200)
            self.follow(link)
        # To be shown and to be saved; and the second and the third with their original. What was just sent is closed
        # a moment after its last byte has arrived; what is kept ready is for 10 s.
        gallery.wait_until(lambda: len(self.open_photos()) <= before + 10, "the others are closed", seconds=2)

    def test_deleted_files_are_closed(self):
        """A deleted photo that was looked at a moment before does not keep its place on the disk."""
        image_id = self.ada.upload(photos.jpeg("closing", 300, 200))
        image = self.gallery.wait_developed(self.ada, image_id)
        for link in (*image["sizes"].values(), self.link(image_id=image_id, w=50, format="webp")):
            self.assertEqual(self.follow(link).status, 200)
        self.assertEqual(self.ada.delete(image_id).status, 202)
        self.gallery.wait_deleted(image_id)
        gallery.wait_until(lambda: not [name for name in self.open_photos() if "(deleted)" in name], "it is closed", seconds=5)

    def test_deleted_images_are_not_answered(self):
        """Not a moment after the bytes are gone, though they were asked for just before; neither what was made of
        them."""
        image_id = self.ada.upload(photos.jpeg("going", 300, 200))
        image = self.gallery.wait_developed(self.ada, image_id)
        links = [*image["sizes"].values(), image["imageUrl"], self.link(image_id=image_id, w=50, format="webp")]
        files = len(self.resized_files())
        for link in links:
            for _ in range(3):
                self.assertEqual(self.follow(link).status, 200)
        self.assertEqual(len(self.resized_files()), files + 1)
        self.assertEqual(self.ada.delete(image_id).status, 202)
        self.gallery.wait_deleted(image_id)
        self.assertEqual([self.follow(link).status for link in links], [404] * len(links))
        self.assertEqual(len(self.resized_files()), files)

    # Resizing.

    def test_sizes_and_formats(self):
        """A link asks for a box, how to fill it, a format and a quality; pictures are never made larger."""
        for wanted, size in (
                (dict(w=512), (512, 341)), (dict(h=200), (300, 200)), (dict(w=300, h=300), (300, 200)),
                (dict(w=300, h=300, fit="cover"), (300, 300)), (dict(w=4096), (1200, 800)), (dict(w=1), (1, 1))):
            for kind in ("webp", "jpeg"):
                self.decode(self.follow(self.link(format=kind, **wanted)), kind, size)
        self.decode(self.follow(self.link(w=64, format="avif")), "avif", (64, 43))
        small, large = (len(self.follow(self.link(w=512, format="jpeg", q=q)).body) for q in (20, 95))
        self.assertLess(small * 2, large)
        answer = self.follow(self.link(w=512, format="jpeg"))
        part = self.follow(self.link(w=512, format="jpeg"), Range="bytes=10-19")
        self.assertEqual((part.status, part.body), (206, answer.body[10:20]))
        self.assertEqual(self.follow(self.link(w=512, format="jpeg"), If_None_Match=answer.headers["ETag"]).status, 304)

    def test_format_by_accept(self):
        """`auto` is WebP, AVIF or JPEG by what the client takes, of sizes and of renditions, and caches are told so."""
        browser = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
        for wanted, size in ((dict(w=100), (100, 67)), (dict(size="SMALL"), (512, 341))):
            link = self.link(**wanted)
            for accept, kind in ((browser, "webp"), ("image/avif", "avif"), ("*/*", "jpeg"), ("image/webp;q=0", "jpeg"),
                                 ("image/avif;q=0.2,image/webp;q=0.1", "avif"), ("text/html", "jpeg"), ("," * 3000, "jpeg"),
                                 ("image/webp;q=x" * 100, "jpeg"), (browser, "webp")):
                answer = self.follow(link, Accept=accept)
                self.decode(answer, kind, size)
                self.assertEqual(answer.headers["Vary"], "Accept")
        self.assertEqual(self.follow(self.link(size="SMALL"), Accept=browser).body,
                         self.gallery.blob(f"images/images/{self.image_id}/SMALL"))
        self.assertIsNone(self.follow(self.link(w=100, format="webp")).headers["Vary"])
        # Several lines are one list.
        for width in (100, 101):
            for _ in range(2):
                answer = self.raw(f"GET {self.link(w=width)} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n"
                                  "Accept: image/webp\r\nConnection: close\r\n\r\n")
                self.assertIn(b"Content-Type: image/webp\r\n", answer)

    def test_every_parameter_is_signed(self):
        """Nobody but the server says what is to be made: a link with any parameter changed, added or left out is
        refused."""
        link = self.link(w=400, h=300, fit="cover", format="webp", q=70)
        made = self.metric("tintype_resized_made_total")
        self.assertEqual(self.follow(link).status, 200)
        changes = [("w=400", "w=401"), ("h=300", "h=301"), ("fit=cover", "fit=inside"), ("format=webp", "format=jpeg"),
                   ("q=70", "q=71"), ("revision=0", "revision=1"), ("w=400&", ""), ("&h=300", ""), ("&fit=cover", ""),
                   ("&format=webp", ""), ("&q=70", ""), ("expires=", "expires=1"), ("ORIGINAL", "LARGE"),
                   ("w=400", "w=400%26h=300"), ("w=400", "w=0400"), ("w=400", "w=+400")]
        for old, new in changes:
            self.assertIn(old, link)
            changed = link.replace(old, new, 1)
            answer = self.follow(changed)
            self.assertEqual((answer.status, answer.json["code"]), (403, "InvalidSignature"), changed)
        plain = self.image["sizes"]["LARGE"]
        for name in PARAMETERS:
            self.assertEqual(self.follow(f"{plain}&{name}=1").status, 403, name)
        # Parts of what is signed cannot take each other's place.
        expires = re.search(r"expires=(\d+)", link).group(1)
        forged = re.sub(r"&w=.*&expires=\d+", f"&expires={expires}%0Aw=400%26h=300%26fit=cover%26format=webp%26q=70", link)
        self.assertEqual(self.follow(forged).status, 403)
        self.assertEqual(self.metric("tintype_resized_made_total"), made + 1)

    def test_what_cannot_be_asked_for(self):
        """Each bound has a clear refusal, by the call that makes links and, though the signature is right, by the
        link."""
        key = f"images/{self.image_id}/ORIGINAL"
        for wanted in (dict(), dict(w=0), dict(w=4097), dict(h=-1), dict(w="x"), dict(w=1.5), dict(w=9, q=101),
                       dict(w=9, fit="cover"), dict(w=9, fit="x"), dict(w=9, format="png"), dict(size="HUGE"),
                       dict(size="ORIGINAL"), dict(size="LARGE", w=9), dict(w=[1])):
            answer = self.ada.send("POST", f"/images/{self.image_id}/links", wanted)
            self.assertEqual((answer.status, answer.json["code"]), (400, "InvalidRequest"), wanted)
            if all(isinstance(value, (int, str)) for value in wanted.values()) and "size" not in wanted and wanted:
                signed = self.gallery.sign(key, resizing="&".join(f"{n}={wanted[n]}" for n in PARAMETERS if n in wanted))
                self.assertEqual(self.follow(signed).status, 400, wanted)
        self.assertEqual(self.follow(self.gallery.sign(key, resizing="format=auto")).status, 400)

    def test_who_gets_links(self):
        """An image's owner does, and whoever may look at it because it is shared; nobody else, and nobody without an
        account."""
        path = f"/images/{self.image_id}/links"
        self.assertEqual(self.bob.send("POST", path, {"w": 10}).status, 404)
        self.assertEqual(rest.request(self.gallery.address, "POST", f"/api/v1{path}", "{}").status, 401)
        self.assertEqual(self.ada.send("POST", "/images/nothing/links", {"w": 10}).status, 404)
        self.ada.call("POST", f"/images/{self.image_id}/share")
        self.decode(self.follow(self.link(self.bob, w=10, format="jpeg")), "jpeg", (10, 7))
        self.ada.call("POST", f"/images/{self.image_id}/unshare")
        self.assertEqual(self.bob.send("POST", path, {"w": 10}).status, 404)

    def test_made_once(self):
        """However many ask at once for a picture that nobody has asked for, it is made once, and everybody gets it."""
        link = self.link(w=777, format="jpeg")
        made = self.metric("tintype_resized_made_total")
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            answers = list(pool.map(lambda _: self.follow(link), range(64)))
        self.assertEqual({(answer.status, answer.body) for answer in answers}, {(200, answers[0].body)})
        self.assertEqual(self.metric("tintype_resized_made_total"), made + 1)

    def test_what_cannot_be_made_is_counted(self):
        """An original whose bytes were damaged after it was developed gives no picture."""
        damaged = self.ada.upload(photos.jpeg("damaged", 300, 200))
        self.gallery.wait_developed(self.ada, damaged)
        self.gallery.storage.write(f"images/images/{damaged}/ORIGINAL", photos.corrupt("damaged"))
        failed = self.metric("tintype_resized_failed_total")
        self.assertEqual(self.follow(self.link(image_id=damaged, w=50, format="jpeg")).status, 422)
        self.assertEqual(self.metric("tintype_resized_failed_total"), failed + 1)

    def test_within_the_bound(self):
        """The cache keeps to its bytes, and what it gave up is made again."""
        first = self.link(w=1000, format="jpeg", q=100)
        body = self.follow(first).body
        for width in range(980, 1000):
            self.assertEqual(self.follow(self.link(w=width, format="jpeg", q=100)).status, 200)
        self.assertLessEqual(sum(file.stat().st_size for file in self.resized_files()), CACHE_MB << 20)
        self.assertLessEqual(self.metric("tintype_resize_cache_bytes"), CACHE_MB << 20)
        made = self.metric("tintype_resized_made_total")
        # To be saved: what is shown may still be in the memory of decrypted pictures.
        self.assertEqual(self.follow(first + "&download=1").body, body)
        self.assertEqual(self.metric("tintype_resized_made_total"), made + 1)

    def test_hostile_headers(self):
        """Headers of no sense are no reason to fail: each is answered, and the server goes on."""
        chance = random.Random(1)
        link = self.link(w=90)
        for _ in range(150):
            name = chance.choice(("Accept", "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since"))
            value = "".join(chance.choice('"W/*,;=q.0-9bytes image/webp\t') for _ in range(chance.randrange(200))).strip()
            answer = rest.request(self.gallery.address, "GET", link, headers={name: value})
            self.assertIn(answer.status, (200, 206, 304, 412, 416), (name, value))
        host, port = self.gallery.address.split(":")
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            for target in ("/media/", "/media/%", "/media/%zz?revision=0&expires=1&signature=x", "/media/?&&&=&w",
                           "/media/" + "a/" * 3000, f"{link}&signature=x", f"{link}&w=1"):
                connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                head = b""
                while b"\r\n\r\n" not in head:
                    head += connection.recv(1)
                length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
                while length:
                    length -= len(connection.recv(length))
                self.assertIn(int(head.split()[1]), (200, 400, 403, 404), target)


if __name__ == "__main__":
    unittest.main(verbosity=2)
