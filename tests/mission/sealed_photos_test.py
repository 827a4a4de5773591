"""Encrypted photos: what lies on the disk says nothing of them, whoever may see them sees what they were, and damage is
an error. All other tests have encrypted photos too."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
import sealing  # noqa: E402
import storage  # noqa: E402
from gallery import Gallery, GalleryTest, wait_until  # noqa: E402

ON = ("--workers", "1", "--blob-encryption", "on")


@unittest.skipUnless(storage.is_as_by_default(), "photos are kept in another way")
class SealedPhotosTest(GalleryTest):
    ARGUMENTS = ON

    def on_disk(self, key):
        data_dir = self.gallery.server.data_dir
        return Path(data_dir, "blobs", sealing.hidden(data_dir, key))

    def developed(self, data, name="photo.jpg"):
        image_id = self.ada.upload(data, name)
        self.gallery.wait_developed(self.ada, image_id)
        return image_id

    def test_the_disk_has_nothing_of_them(self):
        """Every blob of an image is sealed, and holds what a link shows; the form is that of docs/formats."""
        original = photos.encode(photos.paint("sealed", 3000, 2000), "JPEG", quality=97)
        self.assertGreater(len(original), 4 * sealing.CHUNK)
        image_id = self.developed(original)
        keys = [key for key in self.gallery.blobs("images/") if image_id in key]
        self.assertEqual(len(keys), 6)  # Five sizes and the analysis.
        for key in keys:
            stored = self.on_disk(key).read_bytes()
            self.assertTrue(stored.startswith(sealing.MAGIC), key)
            self.assertNotIn(b"JFIF", stored)
            self.assertNotIn(b"WEBP", stored)
        sealed = self.on_disk(f"images/images/{image_id}/ORIGINAL").read_bytes()
        self.assertEqual(sealing.unseal(self.gallery.server.data_dir, sealed), original)
        for size, link in self.ada.image(image_id)["sizes"].items():
            stored = self.on_disk(f"images/images/{image_id}/{size}").read_bytes()
            self.assertEqual(self.gallery.follow(link).body, sealing.unseal(self.gallery.server.data_dir, stored), size)
        self.assertEqual(Path(self.gallery.server.data_dir, "FORMAT").read_text(), "tintype 2\n")
        resized = self.gallery.follow(self.ada.call("POST", f"/images/{image_id}/links", {"w": 200, "format": "webp"})["url"])
        cached = [path for path in Path(self.gallery.server.data_dir, "cache").rglob("*") if path.is_file()]
        self.assertIn(resized.body, [sealing.unseal(self.gallery.server.data_dir, path.read_bytes()) for path in cached])

    def test_links_are_as_before(self):
        """Ranges over the borders of chunks, HEAD, validators and pictures in other sizes."""
        original = photos.encode(photos.paint("ranges", 3000, 2000), "JPEG", quality=97)
        image_id = self.developed(original)
        link = self.ada.image(image_id)["sizes"]["ORIGINAL"]
        for first, last in ((0, 0), (sealing.CHUNK - 1, sealing.CHUNK), (10, 3 * sealing.CHUNK), (len(original) - 5, len(original) - 1)):
            part = self.gallery.follow(link, Range=f"bytes={first}-{last}")
            self.assertEqual((part.status, part.body), (206, original[first:last + 1]))
        head = self.gallery.follow(link, method="HEAD")
        self.assertEqual((head.status, int(head.headers["Content-Length"])), (200, len(original)))
        self.assertEqual(self.gallery.follow(link, If_None_Match=head.headers["ETag"]).status, 304)
        resized = self.ada.call("POST", f"/images/{image_id}/links", {"w": 20, "format": "jpeg"})["url"]
        self.assertEqual(photos.size_of(self.gallery.follow(resized).body)[0], 20)

    def test_edits_and_pictures_of_people(self):
        image_id = self.developed(photos.png("edited"), "edited.png")
        job = self.ada.call("POST", "/jobs", {"imageId": image_id, "provider": "local", "operations": [{"op": "rotate", "degrees": 90}]})
        self.gallery.wait_job(self.ada, job["jobId"])
        sizes = self.ada.image(image_id)["sizes"]
        self.assertEqual(photos.size_of(self.gallery.follow(sizes["FULL"]).body), (240, 320))
        answer = self.ada.send("PUT", "/me/picture", photos.png("of ada"), {"Content-Type": "application/octet-stream"})
        self.assertEqual(self.gallery.follow(answer.json["picture"]).status, 200)
        for key in self.gallery.blobs():
            self.assertTrue(self.on_disk(key).read_bytes().startswith(sealing.MAGIC), key)

    def test_damage_is_an_error(self):
        """One flipped bit in the middle, and a file that was cut: no picture, and the scrub names the image."""
        original = photos.encode(photos.paint("damaged", 3000, 2000), "JPEG", quality=97)
        image_id = self.developed(original)
        link = self.ada.image(image_id)["sizes"]["ORIGINAL"]
        path = self.on_disk(f"images/images/{image_id}/ORIGINAL")
        sealed = path.read_bytes()
        flipped = bytearray(sealed)
        flipped[-1] ^= 1
        for damaged in (bytes(flipped), sealed[:sealing.HEADER + sealing.CHUNK + sealing.NONCE + sealing.TAG], sealed[:100]):
            path.write_bytes(damaged)
            wait_until(lambda: self.gallery.follow(link).status == 500, "the damage", seconds=5)
            found = self.gallery.run("scrub", "--json")
            self.assertIn(image_id, found.stdout)
            self.assertNotEqual(found.returncode, 0)
        path.write_bytes(sealed)
        wait_until(lambda: self.gallery.follow(link).body == original, "the photo again", seconds=5)


@unittest.skipUnless(storage.is_as_by_default(), "photos are kept in another way")
class TurnedOnAndOffTest(unittest.TestCase):
    def test_photos_from_before_stay(self):
        """A gallery gets encryption, and loses it again: each photo stays as it was stored, and is shown."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        data_dir, kept, running = str(Path(folder, "data")), {}, []
        ada = rest.Account(lambda: running[-1].address, "ada")
        for mode in ("off", "on", "off"):
            gallery = Gallery(("--workers", "1", "--blob-encryption", mode), data_dir=data_dir)
            running.append(gallery)
            if kept:
                ada.log_in()
            else:
                ada.sign_up(Path(data_dir, "setup-token").read_text().strip())
            data = photos.png(f"photo {len(kept)}")
            image_id = ada.upload(data, "photo.png")
            gallery.wait_developed(ada, image_id)
            kept[image_id] = (data, mode)
            for image_id, (data, stored_in) in kept.items():
                stored = Path(data_dir, "blobs", "images", "images", image_id, "ORIGINAL").read_bytes()
                self.assertEqual(stored.startswith(sealing.MAGIC), stored_in == "on")
                self.assertEqual(gallery.follow(ada.image(image_id)["sizes"]["ORIGINAL"]).body, data)
            self.assertEqual(gallery.run("scrub").returncode, 0)
            gallery.stop()


if __name__ == "__main__":
    unittest.main(verbosity=2)
