"""Opens a gallery of every format that was ever released and finds in it everything that was put there: records, bytes,
accounts, the trash, jobs, and an upload that goes on where it stopped. support/kept_gallery.py makes them."""

import base64
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "support"))
sys.path.insert(0, str(HERE.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
import sealing  # noqa: E402
from gallery import BACKLOG, SPARKS, SYSTEM, Gallery, wait_until  # noqa: E402
from kept_gallery import ARGUMENTS, items_of, sha256  # noqa: E402
from loot import Loot  # noqa: E402
from tintype_server import ServerFailed  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]
ARCHIVES = sorted((HERE / "formats").glob("gallery-*.tar.xz"))

# The version that the tables have after all steps of src/flows/upkeep/upgrade.cc.
NEWEST = 4
# Files of the person who runs the server, which are kept elsewhere.
ELSEWHERE = ("master.key", "credentials")
# More than any disk has room for; a file of this length takes no room.
LARGER_THAN_A_DISK = 1 << 43
# The limit of who has none.
UNLIMITED = 9007199254740991


def entries(item):
    """The attributes of an item as a set that can be compared."""
    return {(name, json.dumps(value, sort_keys=True)) for name, value in item.items()}


def lacking(expected, found):
    """The items of which no counterpart has every attribute as it was. A later version may add attributes and items."""
    found = [entries(item) for item in found]
    return [item for item in expected if not any(entries(item) <= other for other in found)]


class GalleryFormatTest(unittest.TestCase):
    def open(self, archive):
        """Unpacks a copy, starts a server on it and reads the list of what is in there."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with tarfile.open(archive) as packed:
            packed.extractall(folder.name)
        self.data_dir = f"{folder.name}/data"
        self.expected = json.loads(archive.with_name(archive.name.removesuffix(".tar.xz") + ".json").read_text())
        self.gallery = Gallery(ARGUMENTS, data_dir=self.data_dir)
        self.addCleanup(self.gallery.stop)
        self.ada, self.bob = (self.log_in(name) for name in ("ada", "bob"))

    def log_in(self, name):
        account = rest.Account(lambda: self.gallery.address, name, self.expected["password"])
        account.log_in()
        return account

    def id_of(self, name):
        return self.expected["images"][name]

    def test_there_is_one(self):
        self.assertIn("gallery-1.tar.xz", [archive.name for archive in ARCHIVES])

    def test_every_gallery_opens(self):
        for archive in ARCHIVES:
            with self.subTest(archive=archive.name):
                self.open(archive)
                self.check_version()
                self.check_items()
                self.check_storage()
                self.check_bytes()
                self.check_lists()
                self.check_jobs()
                self.check_scrub()
                self.check_trash()
                self.check_upload()
                self.check_revert()
                self.check_use()
                self.check_scrub()
                self.check_encryption()
                self.check_scrub()
                self.check_nothing_is_legible()

    def test_newer_tables_are_refused(self):
        self.open(ARCHIVES[0])
        self.gallery.documents.put_item(TableName=SYSTEM, Item={"PK": "SCHEMA", "SK": "SCHEMA", "version": 1000})
        self.gallery.stop()
        newer = f"tables have version 1000, and this program knows versions up to {NEWEST}."
        with self.assertRaisesRegex(ServerFailed, f"(?s)code 1:.*{newer}"):
            self.gallery.start()

    def check_version(self):
        """The first start has recorded the version of the tables, and the work of all steps ends."""
        self.assertEqual(NEWEST, self.gallery.get(SYSTEM, PK="SCHEMA", SK="SCHEMA")["version"])
        wait_until(lambda: not [work for work in self.gallery.scan(BACKLOG) if work["type"] == "upgrade"],
                   "the end of the upgrade")
        self.free_administrators()

    def administrators(self):
        """The emails of those who were administrators."""
        return [item["email"] for item in self.expected["items"][SYSTEM] if item.get("administrator")]

    def free_administrators(self):
        """Administrators have no limit any more: that is what is expected of their items from here on."""
        self.assertTrue(self.administrators())
        for item in self.expected["items"][SPARKS]:
            if item["PK"] in [f"LIMIT#{email}" for email in self.administrators()]:
                item["limit"] = UNLIMITED
        for name in self.expected["limit"]:
            if f"{name}@example.com" in self.administrators():
                self.expected["limit"][name] = None

    def check_items(self):
        """Every item of every table is there with every attribute that it had. Ada and Bob have logged in, which has
        sealed the hashes of their passwords."""
        found = items_of(self.gallery)
        for account in [item for item in self.expected["items"][SYSTEM] if "passwordHash" in item]:
            now = self.gallery.get(SYSTEM, PK=account["PK"], SK=account["SK"])["passwordHash"]
            self.assertRegex(now, "^sealed:")
            account["passwordHash"] = now
        for table, items in self.expected["items"].items():
            self.assertEqual([], lacking(items, found[table]), table)
        # The trash and the upload wait for their days; nothing else is left to do.
        self.assertEqual({"DELAYED"}, {work["status"] for work in self.gallery.scan(BACKLOG)})

    def check_storage(self):
        """What accounts stored before anybody counted is counted, and they have no quota."""
        wait_until(lambda: not self.gallery.get(BACKLOG, id="recount-storage"), "the end of the count")
        for account in (self.ada, self.bob):
            limit = account.call("GET", "/me/limit")
            self.assertGreater(limit["usedBytes"], 0)
            self.assertIsNone(limit["quotaBytes"])

    def check_bytes(self):
        """Originals, renditions and the edit are the same bytes, in the blobs and behind their links."""
        self.assertLessEqual(self.expected["blobs"].keys(), set(self.gallery.blobs()))
        for key, digest in self.expected["blobs"].items():
            self.assertEqual(digest, sha256(self.gallery.blob(key)), key)
        for name in ("described", "edited", "shared"):
            sizes = self.ada.image(self.id_of(name))["sizes"]
            self.assertLessEqual({"ORIGINAL", "LARGE", "MEDIUM", "SMALL", "THUMB"}, sizes.keys())
            for size, url in sizes.items():
                answer = self.gallery.follow(url)
                self.assertEqual(200, answer.status, (name, size))
                self.assertIn(sha256(answer.body), self.expected["blobs"].values(), (name, size))

    def check_encryption(self):
        """Photos from before are in plain until they are encrypted, and the server shows each as it was: in the middle
        of that, while the command goes on, and at its end."""
        portrait = self.put_portrait_in_plain()
        self.assertEqual(202, self.ada.delete(self.id_of("trashed"), permanent=False).status)
        self.gallery.wait_idle()
        kept, shown = {key: self.gallery.blob(key) for key in self.gallery.blobs()}, self.everything_shown(portrait)
        plain = self.in_plain()
        self.assertGreater(len(plain), 10)
        self.loot = Loot()
        for key in plain:
            self.loot.add_bytes(key, kept[key])
        self.stop_encryption_in_the_middle(plain)
        self.assertEqual(shown, self.everything_shown(portrait))

        process = subprocess.Popen([BINARY, "encrypt", "--data-dir", self.data_dir], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        going_on = True
        while going_on:  # Once more when it has ended.
            going_on = process.poll() is None
            self.assertEqual(shown, self.everything_shown(portrait))
        self.assertEqual(0, process.returncode)
        self.assertEqual([], self.in_plain())
        self.assertEqual(kept, {key: self.gallery.blob(key) for key in kept})
        told = self.gallery.run("encrypt", "--json")
        self.assertEqual(0, told.returncode, told.stdout + told.stderr)
        self.assertIn("encrypted already", self.gallery.run("encrypt").stdout)
        self.ada.call("POST", f"/images/{self.id_of('trashed')}/restore")
        self.gallery.wait_idle()

    def stop_encryption_in_the_middle(self, plain):
        """A file that the disk has no room for ends the command at its place: all before it is encrypted, and nothing
        behind it."""
        obstacle = Path(self.data_dir, "blobs", "images", "images", self.id_of("shared")[:-1], "ORIGINAL")
        obstacle.parent.mkdir()
        obstacle.touch()
        os.truncate(obstacle, LARGER_THAN_A_DISK)
        told = self.gallery.run("encrypt")
        self.assertEqual(1, told.returncode, told.stdout)
        self.assertIn("no room", told.stderr)
        obstacle.unlink()
        obstacle.parent.rmdir()
        still = self.in_plain()
        self.assertTrue(0 < len(still) < len(plain), (still, plain))

    def in_plain(self):
        """The keys of the blobs that are not encrypted."""
        root = Path(self.data_dir, "blobs")
        files = [path for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0] != ".tmp"]
        return sorted(str(path.relative_to(root)) for path in files if not path.read_bytes().startswith(sealing.MAGIC))

    def put_portrait_in_plain(self):
        """A profile picture as a gallery from before has it, under the address of its person. Returns its link."""
        answer = self.ada.send("PUT", "/me/picture", photos.jpeg("portrait", 200, 200), {"Content-Type": "application/octet-stream"})
        self.assertEqual(200, answer.status, answer.body)
        [key] = [key for key in self.gallery.blobs() if "@" in key]
        data = self.gallery.blob(key)
        Path(self.data_dir, "blobs", sealing.hidden(self.data_dir, key)).unlink()
        self.gallery.storage.write(key, data)
        return answer.json["picture"]

    def everything_shown(self, portrait):
        """All that a server shows of photos, by what it is: each size of each, also of an edit and of one in the trash,
        a profile picture, and one in another size, whose link is new each time."""
        [trashed] = self.ada.call("GET", "/images?state=trashed")["items"]
        images = {name: self.ada.image(self.id_of(name)) for name in ("described", "edited", "shared")}
        images["trashed"] = trashed
        links = {(name, size): link for name, image in images.items() for size, link in image.get("sizes", {}).items()}
        links["resized", "jpeg"] = self.ada.call("POST", f"/images/{self.id_of('described')}/links", {"w": 40, "format": "jpeg"})["url"]
        links["portrait", ""] = portrait
        shown = {}
        for what, link in links.items():
            answer = self.gallery.follow(link)
            self.assertEqual(200, answer.status, what)
            shown[what] = sha256(answer.body)
        self.assertIn(("edited", "FULL"), shown)
        self.assertGreaterEqual(len(shown), 3 * 5 + 3)
        for name, image in images.items():
            shown[name] = tuple(image[field] for field in ("id", "title", "originalFilename", "width", "height") if field in image)
        return shown

    def check_nothing_is_legible(self):
        """Without the two files that are kept elsewhere, no file shows a picture that was there in plain, or the words
        about it."""
        self.gallery.stop()
        for what, text in (("title", "Harbour at dawn"), ("description", "Three boats, one of them red."),
                           ("alternative text", "Boats in a harbour"), ("file name", "Häfen 1.jpg"), ("address", "ada@example.com"),
                           ("password", self.expected["password"])):
            self.loot.add_text(what, text)
        self.assertGreater(len(self.loot.kinds()), 16)
        self.assertEqual([], self.loot.find(self.data_dir, but=ELSEWHERE))

    def check_lists(self):
        """Title, album, tags, visibility and the revision, as REST shows them to their owner and to nobody else."""
        described = self.ada.image(self.id_of("described"))
        self.assertEqual(
            {"title": "Harbour at dawn", "albumId": "summer", "description": "Three boats, one of them red.",
             "altText": "Boats in a harbour", "originalFilename": "Häfen 1.jpg", "processingStatus": "completed"},
            {name: described[name] for name in ("title", "albumId", "description", "altText", "originalFilename",
                                                "processingStatus")})
        self.assertEqual({"sea", "Boote"}, set(described["tags"]))
        edited = self.ada.image(self.id_of("edited"))
        self.assertEqual((1, 48, 64), (edited["revision"], edited["width"], edited["height"]))
        self.assertEqual("failed", self.ada.image(self.id_of("broken"))["processingStatus"])
        listed = [image["id"] for image in self.ada.call("GET", "/images?limit=100")["items"]]
        self.assertEqual([self.id_of(name) for name in ("broken", "shared", "edited", "described")], listed)
        self.assertEqual([self.id_of("bobs")], [image["id"] for image in self.bob.call("GET", "/images")["items"]])
        self.assertEqual([self.id_of("shared")], [image["imageId"] for image in self.bob.call("GET", "/feed")["images"]])
        self.assertEqual(404, self.bob.send("GET", f"/images/{self.id_of('described')}").status)
        self.assertEqual(self.expected["limit"], {"ada": self.ada.limit(), "bob": self.bob.limit()})

    def check_jobs(self):
        listed = {job["status"]: job["jobId"] for job in self.ada.call("GET", "/jobs")["items"]}
        self.assertEqual(self.expected["jobs"], listed)
        self.assertEqual([], self.bob.call("GET", "/jobs")["items"])

    def check_scrub(self):
        done = subprocess.run([BINARY, "scrub", "--data-dir", self.data_dir], capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn(": 0 findings", done.stdout)

    def check_trash(self):
        """The trashed image is in no list but that of the trash, which an upgrade has filled, with the day that its
        deletion has; and it comes back with its album and its tags."""
        image_id = self.id_of("trashed")
        trash = self.ada.call("GET", "/images?state=trashed")
        self.assertEqual(([image_id], True), ([image["id"] for image in trash["items"]], trash["complete"]))
        [record] = [item for item in self.expected["items"]["ImageMetadata"] if item.get("id") == image_id]
        self.assertEqual(record["trashedAt"], trash["items"][0]["trashedAt"])
        due_s = int(self.gallery.get(BACKLOG, id=f"delete-image-{image_id}")["dueAt"]) // 1000
        self.assertEqual(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(due_s)), trash["items"][0]["deletesAt"][:19])
        self.assertEqual([], self.bob.call("GET", "/images?state=trashed")["items"])
        self.assertNotIn(image_id, [image["id"] for image in self.ada.call("GET", "/images?limit=100")["items"]])
        restored = self.ada.call("POST", f"/images/{image_id}/restore")
        self.assertEqual(("summer", ["sea"]), (restored["albumId"], restored["tags"]))
        self.assertIn(image_id, [image["id"] for image in self.ada.call("GET", "/images?limit=100")["items"]])
        self.assertEqual([], self.ada.call("GET", "/images?state=trashed")["items"])
        self.assertIsNone(self.gallery.get(BACKLOG, id=f"delete-image-{image_id}"))

    def check_upload(self):
        """The unfinished upload still knows how far it is, goes on from there, and is developed."""
        upload = self.expected["upload"]
        head = self.ada.tus("HEAD", upload["path"])
        self.assertEqual((str(upload["sent"]), str(upload["length"])),
                         (head.headers["Upload-Offset"], head.headers["Upload-Length"]))
        done = self.ada.tus("PATCH", upload["path"], base64.b64decode(upload["rest"]), Upload_Offset=upload["sent"])
        self.assertEqual(204, done.status, done.body)
        image_id = done.headers["X-Image-Id"]
        self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual(upload["sha256"], sha256(self.gallery.blob(f"images/images/{image_id}/ORIGINAL")))
        self.assertEqual("resumed.png", self.ada.image(image_id)["originalFilename"])

    def check_revert(self):
        """An edit of then is shown as it was, in full size too; the upload comes back with all that is known of it, and
        the edit after that; the next edit goes on from the picture that is shown."""
        image_id = self.id_of("edited")
        folder, blobs = f"images/images/{image_id}", self.expected["blobs"]
        image = self.ada.image(image_id)
        known = {size: sha256(self.gallery.follow(url).body) for size, url in image["sizes"].items()}
        self.assertEqual({**{size: blobs[f"{folder}/v1/{size}"] for size in ("LARGE", "MEDIUM", "SMALL", "THUMB")},
                          "ORIGINAL": blobs[f"{folder}/ORIGINAL"], "FULL": blobs[f"{folder}/v1/ORIGINAL"]}, known)
        versions = self.ada.versions(image_id)
        self.assertEqual([(1, 1, False), (0, 0, True)],
                         [(version["revision"], version["base"], "operations" in version) for version in versions])
        large = len(self.gallery.blob(f"{folder}/LARGE"))
        original = self.ada.revert(image_id, 0).json
        self.assertEqual((3, 64, 48, image["fileSize"]),
                         tuple(original[name] for name in ("revision", "width", "height", "fileSize")))
        self.assertEqual(large, original["processedSize"])
        self.assertNotEqual([], original["dominantColors"])
        self.assertNotIn("FULL", original["sizes"])
        for size, url in original["sizes"].items():
            self.assertEqual((64, 48), photos.size_of(self.gallery.follow(url).body), size)
        self.assertEqual(blobs[f"{folder}/ORIGINAL"], sha256(self.gallery.follow(original["sizes"]["ORIGINAL"]).body))
        # What was not written down then is found out again.
        wait_until(lambda: "blurhash" in self.ada.image(image_id), "what to paint until the picture is there")
        self.gallery.wait_idle()
        edited = self.ada.revert(image_id, 1).json
        self.assertEqual((4, 48, 64), tuple(edited[name] for name in ("revision", "width", "height")))
        self.assertEqual(blobs[f"{folder}/v1/ORIGINAL"], sha256(self.gallery.follow(edited["sizes"]["FULL"]).body))
        self.gallery.wait_idle()

    def check_use(self):
        """The gallery goes on: a duplicate is known, a new photo and a new edit are taken, another user deletes
        hers."""
        original = self.gallery.blob(f"images/images/{self.id_of('shared')}/ORIGINAL")
        self.assertEqual(200, self.ada.post_image(original, "again.webp").status)
        image_id = self.ada.upload(photos.jpeg("after the upgrade", 64, 48))
        self.gallery.wait_developed(self.ada, image_id)
        job = self.ada.create_job(self.id_of("edited"), {"op": "rotate", "degrees": 180})
        self.assertEqual("COMPLETED", self.gallery.wait_job(self.ada, job["jobId"])["status"])
        self.assertGreater(self.ada.image(self.id_of("edited"))["revision"], 4)
        self.assertEqual(1, self.ada.versions(self.id_of("edited"))[0]["base"])
        self.assertEqual(202, self.bob.delete(self.id_of("bobs")).status)
        wait_until(lambda: not self.gallery.traces_of(self.id_of("bobs")), "the end of the deletion")
        self.assertIsNotNone(self.gallery.get(SYSTEM, PK=f"TOMBSTONE#{self.id_of('bobs')}", SK="TOMBSTONE"))
        self.gallery.wait_idle()


if __name__ == "__main__":
    unittest.main(verbosity=2)
