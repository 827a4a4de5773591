"""What a thief of the disk and of the backups finds: a gallery with all kinds of things in it, each of them known to
the test, and a search for them in every file and every file's name, in plain and in the encodings that programs
use."""

import json
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
import sealing  # noqa: E402
import storage  # noqa: E402
from gallery import Gallery, tintype_server, wait_until  # noqa: E402
from loot import Loot  # noqa: E402
from outside import CLIENT_SECRET, Issuer  # noqa: E402

PASSWORD = "Plinthwork-Ogdoad-93"
PUBLIC_URL = "http://127.0.0.1:9"
# Odd, so that nothing else has them by chance, and without parts in common.
NAMES = {"email": "quillfeather@harrowgate.example", "username": "zythumbrook", "display name": "Ozymandra Fluxwick",
         "about": "Keeps bees in Wrexcombe", "title": "Grüße aus Vinzelbach", "file name": "Kjøbenhavn-Ravnsholt.jpg",
         "alternative text": "Three herons on Loch Quoichmere", "album": "summer-in-trevalga", "tag": "grobblestick",
         "invited": "borealis@quandary.example", "key name": "Kitchen-frame-Ostwick", "job's place": "Vinzelbach",
         "table": "Quagmirelle-ledger", "place of an export": "snickerbund/wobblehurst", "imported table": "Fernquibble-copy",
         "export's token": "cwmprothoy-token-1", "import's token": "tzompanweft-token-2",
         "address elsewhere": "umbellifer@thistledown.example", "person elsewhere": "wexcombe-there"}
# Files of the person who runs the server, which are kept elsewhere.
ELSEWHERE = ("master.key", "credentials")
# Exports of tables are made for others to read, and are in plain.
PLAIN = ("exports",)


class AtRestTest(unittest.TestCase):
    def setUp(self):
        self.issuer = Issuer(f"{PUBLIC_URL}/")
        self.addCleanup(self.issuer.stop)

    def sign_in_elsewhere(self, gallery, root, loot):
        """Somebody signs in with another service, which the server shows its secret for that."""
        email, person = NAMES["address elsewhere"], NAMES["person elsewhere"]
        root.call("POST", "/users", {"email": email, "username": "elsewhere", "password": PASSWORD})
        self.issuer.know(person, email=email)
        headers = {"Content-Type": "application/json"}
        begun = rest.request(gallery.address, "POST", "/api/v1/auth/outside", "{}", headers)
        cookie = begun.headers["Set-Cookie"].partition(";")[0]
        back = self.issuer.walk(begun.json["url"], person)
        body = {"state": back["state"], "code": back["code"], "issuer": back["iss"], "session": "token"}
        done = rest.request(gallery.address, "POST", "/api/v1/auth/outside/return", json.dumps(body), {**headers, "Cookie": cookie})
        self.assertEqual(done.status, 200, done.body)
        loot.add_secret("secret of the other service", CLIENT_SECRET)
        loot.add_secret("session by the other service", done.json["refreshToken"])
        for what, text in (("token of the other service", self.issuer.tokens(person)["id_token"]),
                           ("a sign-in's state", back["state"]), ("a sign-in's code", back["code"])):
            loot.add_secret(what, text)

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
        # Large enough that a scrub is still reading when it is interrupted.
        deleted = photos.encode(photos.paint("deleted", 2000, 1500), "JPEG", quality=95) + bytes(2 << 20)
        trashed = person.upload(deleted, "trashed.jpg")
        gallery.wait_developed(person, trashed)
        person.delete(trashed, permanent=False)
        loot.add_bytes("in the trash", deleted)
        self.begin_upload(person, loot)
        key = person.call("POST", "/me/api-keys", {"name": NAMES["key name"], "scopes": ["read"], "expiresInDays": 1})["key"]
        invitation = root.call("POST", "/invitations", {"email": NAMES["invited"]})["token"]
        password_link = root.call("POST", f"/users/{made['account']['userId']}/password-link")["token"]
        session = person.send("POST", "/auth/login", {"username": NAMES["username"], "password": PASSWORD, "session": "token"}).json
        for what, text in NAMES.items():
            loot.add_text(what, text)
        for what, text in (("password", PASSWORD), ("API key", key), ("invitation", invitation),
                           ("password link", password_link), ("access token", session["accessToken"]),
                           ("refresh token", session["refreshToken"]), ("a signed link", urllib.parse.urlparse(resized).query)):
            loot.add_secret(what, text)
        self.sign_in_elsewhere(gallery, root, loot)
        made_key = gallery.run("keys", "create", "thief", "--json")
        self.assertEqual(made_key.returncode, 0, made_key.stderr)
        loot.add_secret("secret of an access key", json.loads(made_key.stdout.splitlines()[-1])["done"]["secretAccessKey"])
        return person

    def transfer(self, gallery):
        """An export of a table and an import of that, whose records stay in the data directory."""
        table, copy = NAMES["table"], NAMES["imported table"]
        keys = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}
        client = gallery.dynamodb
        arn = client.create_table(TableName=table, **keys)["TableDescription"]["TableArn"]
        client.update_continuous_backups(TableName=table,
                                         PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        client.put_item(TableName=table, Item={"pk": {"S": NAMES["about"]}})
        export = client.export_table_to_point_in_time(
            TableArn=arn, S3Bucket="bucket", S3Prefix=NAMES["place of an export"],
            ClientToken=NAMES["export's token"])["ExportDescription"]["ExportArn"]
        wait_until(lambda: client.describe_export(ExportArn=export)["ExportDescription"]["ExportStatus"] == "COMPLETED",
                   "the end of the export")
        begun = client.import_table(
            S3BucketSource={"S3Bucket": "bucket", "S3KeyPrefix": f"{NAMES['place of an export']}/"}, InputFormat="DYNAMODB_JSON",
            InputCompressionType="GZIP", TableCreationParameters={"TableName": copy, **keys},
            ClientToken=NAMES["import's token"])["ImportTableDescription"]["ImportArn"]
        wait_until(lambda: client.describe_import(ImportArn=begun)["ImportTableDescription"]["ImportStatus"] == "COMPLETED",
                   "the end of the import")

    def interrupt_scrub(self, data):
        """A scrub that was interrupted has left a note of where it stopped."""
        state = data / "scrub.state"
        process = subprocess.Popen([os.environ["TINTYPE_BIN"], "scrub", "--data-dir", str(data), "--rate-mb", "1"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(state.exists, "that a part of the scrub is done")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 1)
        self.assertTrue(state.exists())

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
        gallery = Gallery(("--workers", "1", "--public-url", PUBLIC_URL, "--oidc-issuer", self.issuer.url, "--oidc-client-id",
                           "tintype", *arguments), data_dir=str(data), environment={"TINTYPE_OIDC_CLIENT_SECRET": CLIENT_SECRET})
        servers = [gallery.server]
        try:
            loot.add_secret("setup token", (data / "setup-token").read_text().strip())
            person = self.fill(gallery, loot)
            self.transfer(gallery)
            gallery.server.process.send_signal(signal.SIGKILL)
            gallery.server.process.wait()
            gallery.start()
            servers.append(gallery.server)
            person.log_in()
            for word in ("first", "second"):
                person.call("PATCH", "/me", {"about": f"{NAMES['about']}, the {word} time"})
                backup = gallery.run("backup", "create", "--to", str(backups))
                self.assertEqual(backup.returncode, 0, backup.stderr)
            # A megabyte each, so that at a megabyte a second there is time to interrupt it.
            for number in range(3):
                gallery.wait_developed(person, person.upload(photos.jpeg(f"scrubbed {number}").ljust(1 << 20, b"\0")))
            self.interrupt_scrub(data)
        finally:
            gallery.stop()
        if (data / "master.key").exists():
            self.add_keys(data, gallery, loot)
            rotated = gallery.run("rotate", "data-keys")  # No server writes it into the audit.
            self.assertEqual(rotated.returncode, 0, rotated.stderr)
            self.assertTrue((data / "audit.pending").exists())
        for server in servers:
            self.assertIn("event=", server.log)
            self.assertEqual(loot.secrets_in(server.log.encode()), [])
        # What they open is not looked for, but that they tell of anything else is.
        for name in ELSEWHERE:
            if (data / name).exists():
                (data / name).rename(folder / name)
            self.assertEqual([path for path in backups.rglob("*") if path.name == name], [])
        return folder, data, backups, loot

    def add_keys(self, data, gallery, loot):
        """The keys that everything is encrypted with, and those of the person who runs the server."""
        loot.add_key("master key", bytes.fromhex((data / "master.key").read_text()))
        for number, key in enumerate(sealing.data_keys(data).values()):
            loot.add_key(f"data key {number}", key)
        loot.add_key("secret of links", sealing.secret(data))
        loot.add_secret("root key", tintype_server.SECRET_ACCESS_KEY)
        of_storage = gallery.storage.overrides.get("TINTYPE_S3_SECRET_ACCESS_KEY")
        if of_storage:
            loot.add_secret("secret of the storage", of_storage)

    @unittest.skipIf(os.environ.get("TINTYPE_TEST_BLOBS") == "plain" or "TINTYPE_TEST_TABLES" in os.environ, "photos are in plain")
    def test_M2C_11_SPK_15_nothing_of_it_is_legible(self):
        """Proves that neither the data directory nor its backups show a pixel, a name, an address or a secret, and that
        no log shows a secret."""
        folder, data, backups, loot = self.steal(())
        self.assertGreater(len(loot.kinds()), 42)
        self.assertGreater(len(loot.secrets), 17)
        self.assertEqual([name for name in ELSEWHERE if not (folder / name).exists()], [])
        # Everything of a kind of its own has left something to look into.
        for left in ("audit.pending", "scrub.state"):
            self.assertTrue((data / left).exists(), left)
        for kind in ("export-*", "import-*"):
            self.assertEqual(len(list((data / "transfers").glob(kind))), 1, kind)
        self.assertEqual(loot.find(data, but=PLAIN), [])
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
            found = {what for what, _ in loot.find(place, but=PLAIN)}
            # Of secrets only hashes are ever kept, or nothing at all.
            compressed = loot.kinds() - loot.secrets - found
            self.assertLessEqual(len(compressed), 4, compressed)
            self.assertIn("original", found)
            self.assertIn("email", found)


if __name__ == "__main__":
    unittest.main(verbosity=2)
