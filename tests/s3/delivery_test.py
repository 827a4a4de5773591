"""Media whose bytes are on S3: redirected to the storage, or passed on. Run by ceph.py."""

import hashlib
import os
import sys
import time
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import gallery  # noqa: E402
import photos  # noqa: E402
import rest  # noqa: E402


class DeliveryTest:
    DELIVERY = None

    @classmethod
    def setUpClass(cls):
        cls.gallery = gallery.Gallery(("--workers", "1", "--s3-delivery", cls.DELIVERY))
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")
        cls.original = photos.jpeg("delivery", 1600, 1200)
        cls.image_id = cls.ada.upload(cls.original, "Größe.jpg")
        cls.image = cls.gallery.wait_developed(cls.ada, cls.image_id)

    def link(self, **wanted):
        return self.ada.call("POST", f"/images/{self.image_id}/links", wanted)["url"]

    def test_resized_pictures(self):
        """Pictures in other sizes are made of the object and sent by the server, and are gone with it."""
        image_id = self.ada.upload(photos.jpeg("going", 400, 300))
        self.gallery.wait_developed(self.ada, image_id)
        link = self.ada.call("POST", f"/images/{image_id}/links", {"w": 100, "format": "jpeg"})["url"]
        for _ in range(2):
            answer = self.gallery.follow(link)
            self.assertEqual((answer.status, photos.size_of(answer.body)), (200, (100, 75)))
        self.ada.delete(image_id)
        self.gallery.wait_deleted(image_id)
        self.assertEqual(self.gallery.follow(link).status, 404)


class ProxyTest(DeliveryTest, unittest.TestCase):
    DELIVERY = "proxy"

    def test_the_server_passes_bytes_on(self):
        """What the server passes on is what it sends of files: whole, in parts, under conditions, with its headers."""
        url = self.image["sizes"]["ORIGINAL"]
        whole = self.gallery.follow(url)
        self.assertEqual((whole.status, whole.body, whole.headers["Content-Type"]), (200, self.original, "image/jpeg"))
        self.assertTrue(whole.headers["Content-Disposition"].endswith("''Gr%C3%B6%C3%9Fe.jpg"))
        part = self.gallery.follow(url, Range="bytes=1000-1999")
        self.assertEqual((part.status, part.body), (206, self.original[1000:2000]))
        self.assertEqual(self.gallery.follow(url, If_None_Match=whole.headers["ETag"]).status, 304)
        self.assertEqual(self.gallery.follow(url, Range=f"bytes={len(self.original)}-").status, 416)
        head = self.gallery.follow(url, "HEAD")
        self.assertEqual((head.status, head.headers["Content-Length"]), (200, str(len(self.original))))
        other = b"x" * 3_000_000
        self.gallery.storage.write(f"images/images/{self.image_id}/SMALL", other)
        answer = self.gallery.follow(self.image["sizes"]["SMALL"])
        self.assertEqual(answer.body, other)
        # The storage's times are whole seconds: what tells bytes apart that are as many within one is its own tag.
        self.assertIn(hashlib.md5(other).hexdigest(), answer.headers["ETag"])


class RedirectTest(DeliveryTest, unittest.TestCase):
    DELIVERY = "redirect"

    def redirected(self, url):
        answer = self.gallery.follow(url)
        self.assertEqual(answer.status, 302)
        return answer

    def follow_to_storage(self, url, **headers):
        answer = self.redirected(url)
        self.assertEqual(answer.headers["Cache-Control"], "private, max-age=60")
        location = urllib.parse.urlsplit(answer.headers["Location"])
        return rest.request(location.netloc, "GET", f"{location.path}?{location.query}", headers=headers), location

    def test_the_storage_sends_bytes(self):
        """A link leads to one of the storage's own that expires, with the type and the name that the server would
        say."""
        answer, location = self.follow_to_storage(self.image["sizes"]["ORIGINAL"])
        self.assertEqual((answer.status, answer.body, answer.headers["Content-Type"]), (200, self.original, "image/jpeg"))
        self.assertTrue(answer.headers["Content-Disposition"].endswith("''Gr%C3%B6%C3%9Fe.jpg"))
        self.assertIn("immutable", answer.headers["Cache-Control"])
        query = urllib.parse.parse_qs(location.query)
        self.assertEqual(query["X-Amz-Expires"], ["120"])
        part, _ = self.follow_to_storage(self.image["sizes"]["ORIGINAL"], Range="bytes=5-9")
        self.assertEqual((part.status, part.body), (206, self.original[5:10]))
        changed = location.query.replace("X-Amz-Expires=120", "X-Amz-Expires=90000")
        self.assertEqual(rest.request(location.netloc, "GET", f"{location.path}?{changed}").status, 403)
        answer, _ = self.follow_to_storage(f"{self.image['sizes']['LARGE']}&download=1")
        self.assertTrue(answer.headers["Content-Disposition"].startswith("attachment"))
        self.assertEqual(answer.headers["Content-Type"], "image/webp")

    def test_the_storage_s_link_does_not_outlive_ours(self):
        """Neither the redirection nor what it leads to is good for longer than the link that was followed."""
        for seconds in (50, 1):
            answer = self.redirected(self.gallery.sign(f"images/{self.image_id}/LARGE", expires=int(time.time()) + seconds))
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers["Location"]).query)
            self.assertIn(int(query["X-Amz-Expires"][0]), range(max(1, seconds - 20), seconds + 1))
            self.assertIn(int(answer.headers["Cache-Control"].rpartition("=")[2]), range(max(1, seconds - 20), seconds + 1))

    def test_the_server_answers_head(self):
        """A link of the storage's is for GET alone, so the server says itself what is there, and redirects the next
        GET."""
        url = self.image["sizes"]["ORIGINAL"]
        for _ in range(2):
            head = self.gallery.follow(url, "HEAD")
            self.assertEqual((head.status, head.headers["Content-Length"]), (200, str(len(self.original))))
            self.redirected(url)

    def test_the_page_may_show_pictures_of_the_storage(self):
        """The page's content policy names the storage, for pictures and what plays, and for nothing else."""
        policy = rest.request(self.gallery.address, "GET", "/").headers["Content-Security-Policy"]
        rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
        for rule in ("img-src", "media-src"):
            self.assertIn(os.environ["TINTYPE_TEST_S3_ENDPOINT"], rules[rule])
        self.assertEqual(policy.count("http"), 2)

    def test_wrong_links_lead_nowhere(self):
        """A link that is not signed, or has expired, is refused before anything is signed for it."""
        url = self.image["sizes"]["LARGE"]
        self.assertEqual(self.gallery.follow(url[:-1]).status, 403)
        self.assertEqual(self.gallery.follow(self.gallery.sign("../secret")).status, 404)


if __name__ == "__main__":
    unittest.main(verbosity=2)
