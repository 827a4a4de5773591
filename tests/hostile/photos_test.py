#!/usr/bin/env python3
"""Photos that are meant to do harm: each is refused for good with a reason that a person understands, its original is
kept, and the photos of others are developed meanwhile, by helpers that the kernel keeps from everything else."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import GalleryTest  # noqa: E402


MEMORY_MB, CPU_SECONDS = 1000, 33


class PhotosTest(GalleryTest):
    ARGUMENTS = ("--workers", "1", "--photo-megapixels", "1", "--photo-pages", "3", "--photo-memory-mb", str(MEMORY_MB),
                 "--photo-seconds", str(CPU_SECONDS))

    def test_the_record_says_why_a_photo_is_not_developed(self):
        animation = [photos.paint(f"frame {number}", 20, 10) for number in range(4)]
        jpeg = photos.jpeg("cut", 200, 100)
        cases = {
            "too many pixels": (photos.jpeg("large", 1001, 1000),
                                "The image has 1001 x 1000 pixels; at most 1000000 are allowed"),
            "a bomb": (photos.bomb(), "The image has 30000 x 30000 pixels; at most 1000000 are allowed"),
            "too many pages": (photos.encode(animation[0], "GIF", save_all=True, append_images=animation[1:]),
                               "The image has 4 pages; at most 3 are allowed"),
            "a header alone": (jpeg[:300], "The image is damaged and cannot be decoded"),
        }
        for name, (data, reason) in cases.items():
            with self.subTest(name):
                image_id = self.ada.upload(data)
                image = self.gallery.wait_developed(self.ada, image_id, "failed")
                self.assertIn(reason, image["processingError"])
                self.assertEqual(data, self.gallery.blob(f"images/images/{image_id}/ORIGINAL"))
        just_fits = self.ada.upload(photos.jpeg("fits", 1000, 1000))
        self.gallery.wait_developed(self.ada, just_fits)

    def test_helpers_are_in_a_sandbox(self):
        """With all of their threads, which libvips starts as it works."""
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.png("sandbox")))
        helpers = self.gallery.helpers()
        self.assertTrue(helpers)
        for helper in helpers:
            for task in Path(f"/proc/{helper}/task").iterdir():
                self.assertIn("\nSeccomp:\t2\n", Path(task, "status").read_text())

    def test_accounts_have_helpers_of_their_own(self):
        """One that has seen a file of one account gets none of another, to develop or to resize; and the next helper is
        not one that had to load its libraries first."""
        bob = self.gallery.sign_up("bob")
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.png("ada's")))
        hers = set(self.gallery.helpers())
        templates = set(self.gallery.helpers(templates=True)) - hers
        image_id = bob.upload(photos.png("bob's"))
        self.gallery.wait_developed(bob, image_id)
        his = set(self.gallery.helpers())
        self.assertTrue(his - hers)
        self.assertEqual(templates, set(self.gallery.helpers(templates=True)) - his)
        self.assertEqual(self.resized(bob, image_id), 200)
        resizing = set(self.gallery.helpers()) - his
        self.assertEqual(len(resizing), 1)
        image_id = self.ada.upload(photos.png("ada's again"))
        self.gallery.wait_developed(self.ada, image_id)
        before = set(self.gallery.helpers())
        self.assertEqual(self.resized(self.ada, image_id), 200)
        self.assertEqual(len(set(self.gallery.helpers()) - before), 1)

    def resized(self, account, image_id):
        return self.gallery.follow(account.call("POST", f"/images/{image_id}/links", {"w": 20, "format": "jpeg"})["url"]).status

    def test_helpers_have_the_limits_of_the_settings(self):
        """The kernel knows them. Processor time counts from the helper's start, so that each photo finds the limit a
        little higher."""
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.png("limits")))
        helpers = self.gallery.helpers()
        self.assertTrue(helpers)
        for helper in helpers:
            limits = {line[:26].strip(): line[26:].split() for line in Path(f"/proc/{helper}/limits").read_text().splitlines()}
            self.assertEqual(limits["Max address space"][:2], [str(MEMORY_MB << 20)] * 2)
            self.assertIn(int(limits["Max cpu time"][0]) - CPU_SECONDS, range(1, 10))


if __name__ == "__main__":
    unittest.main()
