"""What a thief of the disk and of the backups finds: a gallery with all kinds of things in it, each of them known to
the test, and a search for them in every file and every file's name, in plain and in the encodings that programs
use."""

import base64
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
import storage  # noqa: E402
from gallery import Gallery  # noqa: E402

PASSWORD = "Plinthwork-Ogdoad-93"
# Odd, so that nothing else has them by chance, and without parts in common.
NAMES = {"email": "quillfeather@harrowgate.example", "username": "zythumbrook", "display name": "Ozymandra Fluxwick",
         "about": "Keeps bees in Wrexcombe", "title": "Grüße aus Vinzelbach", "file name": "Kjøbenhavn-Ravnsholt.jpg",
         "alternative text": "Three herons on Loch Quoichmere", "album": "summer-in-trevalga", "tag": "grobblestick",
         "invited": "borealis@quandary.example", "key name": "Kitchen-frame-Ostwick", "job's place": "Vinzelbach"}
# What belongs to the person who runs the server, and is kept elsewhere.
ELSEWHERE = ("master.key", "credentials")
SLICE = 48


def forms_of_text(text):
    """A text as tables, JSON, forms, links and Windows have it."""
    plain = text.encode()
    yield from (plain, plain.lower(), text.encode("utf-16-le"), text.encode("latin-1", "ignore"),
                urllib.parse.quote(text, safe="").encode(), urllib.parse.quote_plus(text).encode(),
                text.encode("unicode_escape"), text.encode("ascii", "xmlcharrefreplace"))
    yield from forms_of_bytes(plain)


def forms_of_bytes(data):
    """Bytes as they are, as digits, and in base64 wherever they begin in it."""
    yield from (data, data.hex().encode(), data.hex().upper().encode())
    for lead in range(3):
        # Only what the neighbours have no part in.
        encoded = base64.b64encode(bytes(lead) + data)
        inner = encoded[4 if lead else 0:-4]
        yield from (inner, inner.replace(b"+", b"-").replace(b"/", b"_"))


class Loot:
    """What is looked for, by what it is."""

    def __init__(self):
        self._forms = {}

    def add_text(self, what, text):
        self._add(what, forms_of_text(text))

    def add_bytes(self, what, data):
        """Slices all over it; those of one byte alone, or of few, are anywhere."""
        for at in range(0, len(data) - SLICE + 1, max(SLICE, len(data) // 10)):
            part = data[at:at + SLICE]
            if len(set(part)) > SLICE // 3:
                self._add(what, forms_of_bytes(part))

    def _add(self, what, forms):
        self._forms.setdefault(what, set()).update(form for form in forms if len(form) >= 6)

    def kinds(self):
        return self._forms.keys()

    def find(self, folder):
        """Where something of it is: what, and in which file."""
        found = set()
        for path in Path(folder).rglob("*"):
            name = os.fsencode(str(path.relative_to(folder)))
            content = path.read_bytes() if path.is_file() else b""
            for what, forms in self._forms.items():
                if any(form in content or form in name for form in forms):
                    found.add((what, str(path.relative_to(folder))))
        return sorted(found)


class AtRestTest(unittest.TestCase):
    def fill(self, gallery, loot):
        """All that people put into a gallery, and what is made of it."""
        root = gallery.sign_up_administrator()
        made = root.call("POST", "/users", {"email": NAMES["email"], "username": NAMES["username"], "password": PASSWORD})
        person = rest.Account(lambda: gallery.address, NAMES["username"], PASSWORD)
        person.email = NAMES["email"]
        person.log_in()
        person.call("PATCH", "/me", {"displayName": NAMES["display name"], "about": NAMES["about"]})
        portrait = photos.jpeg("portrait", 300, 300)
        answer = person.send("PUT", "/me/picture", portrait, {"Content-Type": "application/octet-stream"})
        self.assertEqual(answer.status, 200, answer.body)
        loot.add_bytes("profile picture", gallery.follow(answer.json["picture"]).body)
        original = photos.encode(photos.paint("the thief's", 1600, 1200), "JPEG", quality=95, exif=photos.place_exif())
        image = person.upload(original, NAMES["file name"], title=NAMES["title"], albumId=NAMES["album"])
        version = gallery.wait_developed(person, image)["version"]
        person.change(image, version, altText=NAMES["alternative text"], tags=[NAMES["tag"]])
        job = person.create_job(image, {"op": "rotate", "degrees": 90})
        gallery.wait_job(person, job["jobId"])
        loot.add_bytes("original", original)
        for size, link in person.image(image)["sizes"].items():
            loot.add_bytes(f"{size} of the edit", gallery.follow(link).body)
        resized = person.call("POST", f"/images/{image}/links", {"w": 700, "format": "jpeg"})["url"]
        loot.add_bytes("resized", gallery.follow(resized).body)
        deleted = photos.encode(photos.paint("deleted", 900, 700), "JPEG", quality=95)
        trashed = person.upload(deleted, "trashed.jpg")
        gallery.wait_developed(person, trashed)
        person.delete(trashed, permanent=False)
        loot.add_bytes("in the trash", deleted)
        self.begin_upload(person, loot)
        key = person.call("POST", "/me/api-keys", {"name": NAMES["key name"], "scopes": ["read"], "expiresInDays": 1})["key"]
        invitation = root.call("POST", "/invitations", {"email": NAMES["invited"]})["token"]
        password_link = root.call("POST", f"/users/{made['account']['userId']}/password-link")["token"]
        session = person.send("POST", "/auth/login", {"username": NAMES["username"], "password": PASSWORD, "session": "token"}).json
        for what, text in (*NAMES.items(), ("password", PASSWORD), ("API key", key), ("invitation", invitation),
                           ("password link", password_link), ("access token", session["accessToken"]),
                           ("refresh token", session["refreshToken"]), ("a signed link", urllib.parse.urlparse(resized).query)):
            loot.add_text(what, text)
        made_key = gallery.run("keys", "create", "thief", "--json")
        self.assertEqual(made_key.returncode, 0, made_key.stderr)
        loot.add_text("secret of an access key", made_key.stdout.partition('"secretAccessKey": "')[2].partition('"')[0]
                      or made_key.stdout.partition('"secretAccessKey":"')[2].partition('"')[0])
        return person

    def begin_upload(self, person, loot):
        """Half of a photo, as a line leaves it that was cut."""
        data = photos.encode(photos.paint("half", 1500, 1500), "JPEG", quality=95)
        path = person.tus("POST", "/uploads", Upload_Length=len(data)).headers["Location"].partition("/api/v1")[2]
        half = data[:len(data) // 2]
        answer = person.tus("PATCH", path, half, Upload_Offset=0, Content_Type="application/offset+octet-stream")
        self.assertEqual(answer.status, 204, answer.body)
        loot.add_bytes("half an upload", half)

    def steal(self, arguments):
        """A gallery with all of that in it and backups of it, without what is kept elsewhere; and what to look for. The
        server was killed once and ended once."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        data, backups, loot = folder / "data", folder / "backups", Loot()
        gallery = Gallery(("--workers", "1", *arguments), data_dir=str(data))
        try:
            setup_token = (data / "setup-token").read_text().strip()
            person = self.fill(gallery, loot)
            loot.add_text("setup token", setup_token)
            gallery.server.process.send_signal(signal.SIGKILL)
            gallery.server.process.wait()
            gallery.start()
            person.log_in()
            for word in ("first", "second"):
                person.call("PATCH", "/me", {"about": f"{NAMES['about']}, the {word} time"})
                backup = gallery.run("backup", "create", "--to", str(backups))
                self.assertEqual(backup.returncode, 0, backup.stderr)
        finally:
            gallery.stop()
        # What they open is not looked for, but that they tell of anything else is.
        for name in ELSEWHERE:
            if (data / name).exists():
                (data / name).rename(folder / name)
            self.assertEqual([path for path in backups.rglob("*") if path.name == name], [])
        return folder, data, backups, loot

    @unittest.skipIf(os.environ.get("TINTYPE_TEST_BLOBS") == "plain" or "TINTYPE_TEST_TABLES" in os.environ, "photos are in plain")
    def test_M2C_11_nothing_of_it_is_legible(self):
        """Proves that neither the data directory nor its backups show a pixel, a name, an address or a secret."""
        folder, data, backups, loot = self.steal(())
        self.assertGreater(len(loot.kinds()), 25)
        self.assertEqual([name for name in ELSEWHERE if not (folder / name).exists()], [])
        self.assertEqual(loot.find(data), [])
        self.assertEqual(loot.find(backups), [])
        # With the master key alone, all of it is there again.
        key = {"TINTYPE_MASTER_KEY_FILE": str(folder / "master.key")}
        told = subprocess.run([os.environ["TINTYPE_BIN"], "restore", str(backups), "--data-dir", str(folder / "restored")],
                              env={**os.environ, **key}, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(told.returncode, 0, told.stderr)
        gallery = Gallery(("--workers", "1"), data_dir=str(folder / "restored"), environment=key)
        self.addCleanup(gallery.stop)
        person = rest.Account(lambda: gallery.address, NAMES["username"], PASSWORD)
        person.email = NAMES["email"]
        person.log_in()
        self.assertIn("the second time", person.call("GET", "/me")["about"])
        [image] = person.call("GET", "/images")["items"]
        self.assertEqual(image["title"], NAMES["title"])
        if "TINTYPE_TEST_S3_ENDPOINT" not in os.environ:  # Another gallery begins with empty buckets in tests.
            for size, link in image["sizes"].items():
                self.assertEqual(gallery.follow(link).status, 200, size)

    @unittest.skipUnless(storage.is_as_by_default(), "photos are kept in another way")
    def test_the_search_finds_what_is_there(self):
        """Shows that the search means something: without encryption it finds nearly all of that."""
        _, data, backups, loot = self.steal(("--encryption", "off"))
        for place in (data, backups):
            found = {what for what, _ in loot.find(place)}
            # Only hashes of these are ever kept, or nothing at all.
            hashed = {"password", "API key", "invitation", "password link", "access token", "refresh token", "a signed link",
                      "setup token", "secret of an access key"}
            compressed = loot.kinds() - hashed - found
            self.assertLessEqual(len(compressed), 4, compressed)
            self.assertIn("original", found)
            self.assertIn("email", found)


if __name__ == "__main__":
    unittest.main(verbosity=2)
