"""`tintype rotate`: what the server signs with is replaced while it serves, and nobody notices unless they are to."""

import base64
import json
import os
import sys
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import boto3  # noqa: E402
import photos  # noqa: E402
import rest  # noqa: E402
from botocore.config import Config  # noqa: E402
from botocore.exceptions import ClientError  # noqa: E402
from gallery import SYSTEM, GalleryTest, wait_until  # noqa: E402

PASSWORD = "correct horse battery"
# A new key signs 20 s after it was made, a server reads the keys each 5 s, and open media are remembered for 10 s.
SETTLES_SECONDS, ENDS_SECONDS, A_LITTLE = 20, 15, 3


def kid_of(token):
    header = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["kid"]


class RotateTest(GalleryTest):
    def rotate(self, *arguments):
        done = self.gallery.run("rotate", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout.splitlines()[-1])["done"]

    def jwks(self):
        keys = rest.request(self.gallery.address, "GET", "/.well-known/jwks.json").json["keys"]
        return [key["kid"] for key in keys]

    def log_in(self):
        body = json.dumps({"username": "ada", "password": PASSWORD, "session": "token"})
        return rest.request(self.gallery.address, "POST", "/api/v1/auth/login", body, {"Content-Type": "application/json"}).json

    def me(self, token):
        return rest.request(self.gallery.address, "GET", "/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status

    def signature_of(self, link):
        [signature] = urllib.parse.parse_qs(urllib.parse.urlparse(link).query)["signature"]
        return signature

    def test_links_and_tokens(self):
        """What was signed before stays good until it expires; with --at-once it ends, and everybody goes on with what
        is signed anew."""
        image = self.ada.upload(photos.jpeg("rotated", 300, 200))
        self.gallery.wait_developed(self.ada, image)
        old_link = self.ada.image(image)["sizes"]["SMALL"]
        old_token = self.log_in()["accessToken"]
        body = self.gallery.follow(old_link).body
        [first] = self.jwks()
        links, signing = self.rotate("links"), self.rotate("signing")
        self.assertLess(links["usedFrom"], links["honouredUntil"])
        self.assertLess(signing["usedFrom"], signing["honouredUntil"])
        # Neither is in the tables as it is, and the table says when each is used.
        item = self.documents.get_item(TableName=SYSTEM, Key={"PK": "KEY#links", "SK": "KEY"})["Item"]
        self.assertEqual((item["rotation"], len(item["older"])), (1, 1))
        # The public key is shown before anything is signed with it.
        wait_until(lambda: len(self.jwks()) == 2, "the new public key", seconds=5 + A_LITTLE)
        self.assertEqual(kid_of(self.log_in()["accessToken"]), first)
        wait_until(lambda: kid_of(self.log_in()["accessToken"]) != first, "the new key signs", seconds=SETTLES_SECONDS + A_LITTLE)
        self.assertEqual(self.me(old_token), 200)
        new_link = self.ada.image(image)["sizes"]["SMALL"]
        self.assertNotEqual(self.signature_of(new_link), self.signature_of(old_link))
        for link in (old_link, new_link):
            self.assertEqual(self.gallery.follow(link).body, body)
        self.check_at_once(old_link, new_link, old_token)

    def check_at_once(self, old_link, new_link, old_token):
        session = self.log_in()
        self.rotate("links", "--at-once")
        self.rotate("signing", "--at-once")
        for link in (old_link, new_link):
            wait_until(lambda link=link: self.gallery.follow(link).status == 403, "links end", seconds=ENDS_SECONDS + A_LITTLE)
            self.assertEqual(self.gallery.follow(link).json["code"], "InvalidSignature")
        for token in (old_token, session["accessToken"]):
            wait_until(lambda token=token: self.me(token) == 401, "tokens end", seconds=5 + A_LITTLE)
        # The session goes on.
        refreshed = rest.request(self.gallery.address, "POST", "/api/v1/auth/refresh",
                                 json.dumps({"refreshToken": session["refreshToken"]}), {"Content-Type": "application/json"})
        self.assertEqual(self.me(refreshed.json["accessToken"]), 200)
        self.assertEqual(len(self.jwks()), 1)
        self.ada.log_in()
        [image] = self.ada.call("GET", "/images")["items"]
        self.assertEqual(self.gallery.follow(image["sizes"]["SMALL"]).status, 200)

    @unittest.skipIf("TINTYPE_TEST_TABLES" in os.environ, "a server whose tables are elsewhere has no root key")
    def test_the_root_key(self):
        """The new one works within a second, and the old one for as long as was said."""
        file = Path(self.gallery.server.data_dir, "credentials")
        before = file.read_text()
        self.assertTrue(self.lists_tables())
        made = self.rotate("root", "--overlap", "1h")
        [region] = [line for line in before.splitlines() if line.startswith("region")]
        self.assertIn(region, file.read_text())
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        wait_until(lambda: self.lists_tables(*self.root_key()), "the new root key", seconds=1 + A_LITTLE)
        self.assertEqual(self.root_key()[0], made["accessKeyId"])
        self.assertTrue(self.lists_tables())
        listed = self.gallery.run("keys", "list").stdout
        self.assertRegex(listed, r"root +replaced +20")
        # A key that was replaced can be ended.
        [old] = [line.split()[0] for line in listed.splitlines() if "replaced" in line]
        self.assertEqual(self.gallery.run("keys", "delete", old).returncode, 0)
        wait_until(lambda: not self.lists_tables(), "the end of the first", seconds=1 + A_LITTLE)
        # Without an overlap none of those before is good.
        second = self.root_key()
        self.rotate("root", "--overlap", "1h")
        third = self.root_key()
        self.assertTrue(self.lists_tables(*second))
        self.rotate("root", "--overlap", "0m")
        for key in (second, third):
            wait_until(lambda key=key: not self.lists_tables(*key), "their end", seconds=1 + A_LITTLE)
        self.assertTrue(self.lists_tables(*self.root_key()))

    def root_key(self):
        lines = Path(self.gallery.server.data_dir, "credentials").read_text().partition("[default]")[2].splitlines()
        values = dict(line.split(" = ", 1) for line in lines[1:4] if " = " in line)
        return values["aws_access_key_id"], values["aws_secret_access_key"]

    def lists_tables(self, access_key_id=None, secret=None):
        client = self.dynamodb
        if access_key_id:
            client = boto3.client("dynamodb", endpoint_url=self.gallery.server.endpoint, region_name="us-east-1",
                                  aws_access_key_id=access_key_id, aws_secret_access_key=secret,
                                  config=Config(retries={"max_attempts": 0}))
        try:
            return bool(client.list_tables()["TableNames"])
        except ClientError as error:
            self.assertEqual(error.response["Error"]["Code"], "UnrecognizedClientException")
            return False

    def test_the_audit_knows(self):
        self.rotate("signing")
        told = self.gallery.run("audit", "--json", "--kind", "key.rotate-signing").stdout
        self.assertIn("rotate-signing", told)

    def test_help_teaches(self):
        for arguments in ((), ("links",), ("signing",), ("root",)):
            shown = self.gallery.run("rotate", *arguments, "--help")
            self.assertIn("Examples", shown.stdout)
        self.assertEqual(self.gallery.run("rotate", "--json").returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
