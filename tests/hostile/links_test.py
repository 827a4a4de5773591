#!/usr/bin/env python3
"""Signed links that somebody kept: they stop within a second once the image is not for their holder any more, though it
was fetched a moment ago and its file is still open; and none lasts for longer than links may."""

import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import GalleryTest  # noqa: E402


class LinksTest(GalleryTest):
    ARGUMENTS = ("--workers", "1", "--link-seconds", "43200")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bob = cls.gallery.sign_up("bob")

    def shared_image(self, seed):
        image_id = self.ada.upload(photos.jpeg(seed, 300, 200), visibility="shared")
        return self.gallery.wait_developed(self.ada, image_id)

    def links_of_bob(self, image_id):
        """The links that the feed gives to somebody else, and one that was asked for."""
        image = next(image for image in self.bob.call("GET", "/feed")["images"] if image["imageId"] == image_id)
        resized = self.bob.call("POST", f"/images/{image_id}/links", {"w": 100, "format": "webp"})["url"]
        return [*image["sizes"].values(), resized]

    def assert_good(self, links):
        """Twice: the second time, the file is open and nothing is looked up."""
        for link in links:
            for _ in range(2):
                self.assertEqual(self.gallery.follow(link).status, 200, link)

    def assert_stops(self, links):
        """Asks all the time, so that whatever is remembered stays remembered."""
        deadline = time.monotonic() + 1
        while True:
            asked = time.monotonic()
            statuses = {self.gallery.follow(link).status for link in links}
            if statuses == {404}:
                return
            self.assertLess(asked, deadline, f"a link still works: {statuses}")

    def test_unshared_images(self):
        """A viewer's links end with the sharing and come back with it; the owner's own go on."""
        image = self.shared_image("unshared")
        viewers, owners = self.links_of_bob(image["id"]), [*image["sizes"].values(), image["thumbnailUrl"]]
        self.assert_good(viewers + owners)
        self.ada.call("POST", f"/images/{image['id']}/unshare")
        self.assert_stops(viewers)
        self.assert_good(owners)
        self.ada.call("POST", f"/images/{image['id']}/share")
        self.assert_good(viewers)

    def test_images_in_the_trash(self):
        """Every link ends, but for those that the list of the trash gives; those end with the restoration."""
        image = self.shared_image("trashed")
        links = [*self.links_of_bob(image["id"]), *image["sizes"].values()]
        self.assert_good(links)
        self.ada.call("DELETE", f"/images/{image['id']}")
        self.assert_stops(links)
        trashed = next(item for item in self.ada.call("GET", "/images?state=trashed")["items"] if item["id"] == image["id"])
        in_trash = list(trashed["sizes"].values())
        self.assert_good(in_trash)
        self.ada.call("POST", f"/images/{image['id']}/restore")
        self.assert_stops(in_trash)
        self.assert_good(links)

    def test_deleted_images(self):
        image = self.shared_image("deleted")
        links = [*self.links_of_bob(image["id"]), *image["sizes"].values()]
        self.assert_good(links)
        self.ada.call("DELETE", f"/images/{image['id']}?permanent=true")
        self.assert_stops(links)

    def test_no_link_outlives_the_cap(self):
        """Whoever has the secret can sign, but not for longer than links are good."""
        image = self.shared_image("long")
        key, now = f"images/{image['id']}/LARGE", int(time.time())
        self.assertEqual(self.gallery.follow(self.gallery.sign(key, expires=now + 43_000)).status, 200)
        for expires in (now + 43_300, now + 17_000 * 365 * 86_400, 1 << 62, (1 << 63) - 1):
            refused = self.gallery.follow(self.gallery.sign(key, expires=expires))
            self.assertEqual((refused.status, refused.json["code"]), (403, "InvalidSignature"), expires)

    def test_nobody_says_whom_a_link_is_for(self):
        image = self.shared_image("forged")
        viewers = self.links_of_bob(image["id"])[0]
        self.assertIn("&for=viewer", viewers)
        for other in ("owner", "trash", "", "viewer%0A", "VIEWER"):
            self.assertEqual(self.gallery.follow(viewers.replace("for=viewer", f"for={other}")).status, 403, other)


if __name__ == "__main__":
    unittest.main(verbosity=2)
