#!/usr/bin/env python3
"""Proves the audit from outside: what people, programs and the administrator do is in it, with who, from where and in
which request; `tintype audit` filters, follows and verifies it, on a running server and without one; and a server that
is killed loses nothing that it answered."""

import base64
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e" / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
import tintype_server  # noqa: E402
from botocore.exceptions import ClientError  # noqa: E402
from gallery import Gallery, wait_until  # noqa: E402

SOURCE = Path(__file__).parent.parent.parent / "src"
BINARY = os.environ["TINTYPE_BIN"]
KEY = tintype_server.ACCESS_KEY_ID


def run(*arguments, code=0):
    done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != code:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def audit(data_dir, *arguments):
    """The entries that pass, oldest first."""
    limit = () if "--limit" in arguments else ("--limit", "10000")
    lines = run("audit", "--json", *limit, "--data-dir", data_dir, *arguments).splitlines()
    return [json.loads(line) for line in lines]


def table(name):
    return dict(TableName=name, BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}])


class AuditTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.gallery = Gallery(("--workers", "1"), data_dir=f"{folder.name}/data")
        cls.addClassCleanup(lambda: cls.gallery.stop())
        cls.ada = cls.gallery.sign_up("ada")
        cls.root = cls.gallery.administrator

    @property
    def data_dir(self):
        return self.gallery.server.data_dir

    def audit(self, *arguments):
        return audit(self.data_dir, *arguments)

    def only(self, *arguments):
        entries = self.audit(*arguments)
        self.assertEqual(1, len(entries), entries)
        return entries[0]

    def post(self, path, body, **headers):
        return rest.request(self.gallery.address, "POST", f"/api/v1{path}", json.dumps(body),
                            {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}})

    def test_sign_ups(self):
        """An account that was made is in the audit, with its session, address and request."""
        entries = self.audit("--kind", "account.sign-up", "--account", self.ada.user_id)
        self.assertEqual(["done"], [entry["outcome"] for entry in entries])
        self.assertEqual("session", entries[0]["principalKind"])
        self.assertEqual("127.0.0.1", entries[0]["address"])
        self.assertTrue(entries[0]["requestId"])
        self.assertTrue(self.audit("--kind", "account.sign-up", "--account", self.root.user_id)[0]["administrator"])

    def test_log_ins(self):
        """A login, a logout and a wrong password, each under its request id; the password is nowhere."""
        answer = self.post("/auth/login", {"username": "ada", "password": "correct horse battery"}, X_Request_Id="login-1")
        self.assertEqual(200, answer.status)
        session = self.only("--kind", "session.login", "--account", self.ada.user_id, "--outcome", "done", "--limit", "1")
        self.assertEqual("login-1", session["requestId"])
        out = rest.request(self.gallery.address, "POST", "/api/v1/auth/logout", headers={
            "Authorization": f"Bearer {answer.json['accessToken']}"})
        self.assertEqual(204, out.status)
        self.only("--kind", "session.logout", "--principal", session["principalId"])
        wrong = self.post("/auth/login", {"username": "ada", "password": "a wrong secret"}, X_Request_Id="login-2")
        self.assertEqual(401, wrong.status)
        denied = wait_until(lambda: self.audit("--kind", "session.login", "--outcome", "denied"), "the denial")
        self.assertEqual("login-2", denied[-1]["requestId"])
        self.assertEqual("anonymous", denied[-1]["principalKind"])
        self.assertEqual("InvalidCredentials", denied[-1]["details"]["reason"])
        self.assertNotIn("a wrong secret", run("audit", "--json", "--data-dir", self.data_dir))

    def test_a_refused_refresh(self):
        self.assertEqual(401, self.post("/auth/refresh", {"refreshToken": "made-up"}).status)
        wait_until(lambda: self.audit("--kind", "session.refresh", "--outcome", "denied"), "the denial")

    def test_requests_without_a_right(self):
        """No token is one thing, an account that is no administrator another, a link with a wrong signature a third."""
        answer = rest.request(self.gallery.address, "GET", "/api/v1/jobs", headers={"X-Request-Id": "nobody"})
        self.assertEqual(401, answer.status)
        denied = wait_until(lambda: [entry for entry in self.audit("--kind", "access.unauthenticated")
                                     if entry.get("requestId") == "nobody"], "the denial")
        self.assertEqual("listJobs", denied[0]["details"]["operation"])
        self.assertEqual(403, self.ada.send("GET", "/audit").status)
        forbidden = wait_until(lambda: self.audit("--kind", "access.forbidden", "--account", self.ada.user_id), "it")
        self.assertEqual("AdministratorsOnly", forbidden[-1]["details"]["reason"])
        self.gallery.follow("/media/images/x/THUMB?revision=0&expires=9999999999&signature=x")
        link = wait_until(lambda: self.audit("--subject", "/media/images/x/THUMB"), "it")[0]
        self.assertEqual("denied", link["outcome"])

    def test_what_is_done_to_images(self):
        image = self.ada.upload(photos.jpeg("audited"))
        self.gallery.wait_developed(self.ada, image)
        self.ada.call("POST", f"/images/{image}/share")
        self.ada.call("POST", f"/images/{image}/unshare")
        self.ada.delete(image, permanent=False)
        self.ada.call("POST", f"/images/{image}/restore")
        self.ada.delete(image)
        self.ada.send("DELETE", "/images?state=trashed")
        entries = self.audit("--subject", image)
        self.assertEqual(["image.share", "image.unshare", "image.trash", "image.restore", "image.delete"],
                         [entry["kind"] for entry in entries])
        self.assertEqual({("done", self.ada.user_id)}, {(entry["outcome"], entry["accountId"]) for entry in entries})
        self.only("--kind", "trash.empty", "--account", self.ada.user_id)

    def kinds_of(self, subject):
        return [entry["kind"] for entry in self.audit("--subject", subject)]

    def test_uploads_that_arrive_shared(self):
        """A photo that its upload shares is in the audit as shared, once, by whichever way it came."""
        found = {}
        found["uploadImage"] = [
            self.ada.upload(photos.png("audited, shared", 40, 30), visibility="shared"),
            self.ada.post_form(photos.png("audited, in a form", 40, 30), "form.png", after={"visibility": "shared"}).json["id"]]
        data = photos.png("audited, in parts", 40, 30)
        created = self.ada.tus("POST", "/uploads", Upload_Length=len(data),
                               Upload_Metadata=f"visibility {base64.b64encode(b'shared').decode()}")
        path = created.headers["Location"].removeprefix("/api/v1")
        found["appendUpload"] = [self.ada.tus("PATCH", path, data, Upload_Offset=0).headers["X-Image-Id"]]
        self.assertEqual(found["appendUpload"], [self.ada.tus("HEAD", path).headers["X-Image-Id"]])
        data = photos.png("audited, by a link", 40, 30)
        link = self.ada.call("POST", "/uploads/direct", {"size": len(data), "visibility": "shared"})
        url = urllib.parse.urlsplit(link["url"])
        put = rest.request(url.netloc, link["method"], f"{url.path}?{url.query}", data, link["headers"])
        self.assertEqual(200, put.status)
        complete = f"/uploads/{link['id']}/complete"
        found["completeUpload"] = [self.ada.call("POST", complete)["id"]]
        self.assertEqual(found["completeUpload"], [self.ada.call("POST", complete)["id"]])
        for operation, images in found.items():
            for image in images:
                entry = self.only("--subject", image)
                self.assertEqual(("image.share", "done", "session", self.ada.user_id, "127.0.0.1", operation),
                                 (entry["kind"], entry["outcome"], entry["principalKind"], entry["accountId"],
                                  entry["address"], entry["details"]["operation"]))

    def test_duplicates_are_shared_only_out_of_the_trash(self):
        """A duplicate that changes nothing leaves no entry; one that brings a photo back does, and shares it."""
        data = photos.png("audited, twice", 40, 30)
        image = self.ada.upload(data)
        self.gallery.wait_developed(self.ada, image)
        self.assertEqual(200, self.ada.post_image(data, visibility="shared").status)
        self.assertEqual([], self.kinds_of(image))
        self.ada.delete(image, permanent=False)
        self.assertEqual(200, self.ada.post_image(data, visibility="shared").status)
        self.assertEqual("shared", self.ada.image(image)["visibility"])
        self.assertEqual(["image.trash", "image.restore", "image.share"], self.kinds_of(image))

    def test_profiles(self):
        """Who changes the own name or picture is in the audit, and the name is not."""
        petra = self.gallery.sign_up("petra")
        petra.call("PATCH", "/me", {"displayName": "Petra of the audit"})
        petra.call("PUT", "/me/picture", photos.jpeg("of petra", 200, 200), {"Content-Type": "application/octet-stream"})
        petra.call("DELETE", "/me/picture")
        entries = self.audit("--kind", "account.profile", "--account", petra.user_id)
        self.assertEqual([("session", "changeMe"), ("session", "setPicture"), ("session", "removePicture")],
                         [(entry["principalKind"], entry["details"]["operation"]) for entry in entries])
        self.assertNotIn("Petra of the audit", json.dumps(entries))

    def test_every_command_is_audited_or_reads(self):
        """A command that is added to the server is audited, unless it changes nothing."""
        texts = [file.read_text() for file in (SOURCE / "cli").rglob("*.cc") if not file.name.endswith("_test.cc")]
        registered = {name for text in texts for name in re.findall(r'commands\["([a-z-]+)"\]', text)}
        audited = set(re.findall(r'AuditedCommand\{"([a-z-]+)"', (SOURCE / "cli/audit/audited_commands.cc").read_text()))
        reading = {"audit-follow", "audit-list", "audit-verify", "keys-list", "keys-show", "users-list", "work-list",
                   "work-show"}
        # The server's side of what a command without the tables records.
        self.assertEqual(registered - reading - {"audit-record"}, audited)
        self.assertLessEqual(reading, registered)
        run("rebuild", "usage", "--data-dir", self.data_dir)
        self.only("--kind", "images.recount", "--outcome", "done")

    def test_an_image_that_is_not_there_leaves_nothing(self):
        self.assertEqual(404, self.ada.send("POST", "/images/01ARZ3NDEKTSV4RRFFQ69G5FAV/share").status)
        self.assertEqual([], self.audit("--subject", "01ARZ3NDEKTSV4RRFFQ69G5FAV"))

    def test_accounts_by_commands(self):
        """Commands on accounts are recorded with the account that they were for, and without its password."""
        created = json.loads(run("users", "create", "eve", "--json", "--email", "eve@example.com",
                                 "--data-dir", self.data_dir).splitlines()[-1])["done"]
        run("users", "limit", "eve", "7", "--data-dir", self.data_dir)
        run("users", "reset-password", "eve", "--data-dir", self.data_dir)
        entries = self.audit("--account", created["userId"])
        self.assertEqual(["account.create", "account.limit", "account.reset-password"],
                         [entry["kind"] for entry in entries])
        self.assertEqual({("server", "command-line")}, {(entry["principalKind"], entry["principalId"]) for entry in entries})
        self.assertEqual("7", entries[1]["details"]["limit"])
        self.assertNotIn("argon2", json.dumps(entries))
        run("users", "limit", "nobody", "7", "--data-dir", self.data_dir, code=1)
        self.only("--subject", "nobody", "--outcome", "failed")

    def test_reading_by_rest(self):
        """Administrators page through it, newest first; every answer is as the contract says."""
        everything = self.audit("--until", "2100-01-01")
        query, read = "?limit=3&kind=account", []
        while query:
            page = self.root.call("GET", f"/audit{query}")
            read += page["items"]
            self.assertEqual(page["hasMore"], page["lastEvaluatedKey"] is not None)
            query = page["hasMore"] and f"?limit=3&kind=account&cursor={page['lastEvaluatedKey'].replace('#', '%23')}"
        self.assertEqual([entry["hash"] for entry in everything if entry["kind"].startswith("account.")],
                         [entry["hash"] for entry in reversed(read)])
        for wrong in ("since=yesterday", "outcome=maybe", "cursor=x", "limit=0", "unknown=1"):
            self.assertEqual(400, self.root.send("GET", f"/audit?{wrong}").status, wrong)
        self.assertEqual(401, rest.request(self.gallery.address, "GET", "/api/v1/audit").status)

    def test_following(self):
        """Who follows sees an entry soon after it was written."""
        process = subprocess.Popen([BINARY, "audit", "--follow", "--json", "--limit", "1", "--kind", "session.login",
                                    "--data-dir", self.data_dir], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        seen = []
        threading.Thread(target=lambda: seen.extend(process.stdout), daemon=True).start()

        def follows():
            self.post("/auth/login", {"username": "ada", "password": "correct horse battery"}, X_Request_Id="followed")
            return any("followed" in line for line in seen)

        wait_until(follows, "a line of who follows")
        hashes = [json.loads(line)["hash"] for line in list(seen)]
        self.assertEqual(len(hashes), len(set(hashes)))

    def test_verifying(self):
        self.assertIn("are as they were written", run("audit", "verify", "--data-dir", self.data_dir))
        lines = [json.loads(line) for line in run("audit", "verify", "--json", "--data-dir", self.data_dir).splitlines()]
        chains = [line["chain"] for line in lines if "chain" in line]
        self.assertEqual([Path(self.data_dir, "NODE").read_text().strip()], [chain["chain"] for chain in chains])

    def test_for_people(self):
        """Without --json an entry is a line; wrong times are refused before anything is asked."""
        text = run("audit", "--kind", "account.sign-up", "--account", self.ada.user_id, "--data-dir", self.data_dir)
        self.assertRegex(text, rf"^\d{{4}}-.*Z  done    account.sign-up +session .*account {self.ada.user_id}, from 127.0.0.1")
        run("audit", "--since", "yesterday", "--data-dir", self.data_dir, code=1)
        run("audit", "--outcome", "maybe", "--data-dir", self.data_dir, code=2)


class SharingAuditTest(unittest.TestCase):
    """A gallery that shares what does not say otherwise."""

    def test_uploads_that_say_nothing(self):
        """What is shared without a word of its upload is in the audit as shared, and what stays private is not."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        gallery = Gallery(("--workers", "1", "--visibility", "shared"), data_dir=f"{folder}/data")
        self.addCleanup(gallery.stop)
        ada = gallery.sign_up("ada")
        shared = ada.upload(photos.png("audited by default", 40, 30))
        ada.upload(photos.png("audited by no default", 40, 30), visibility="private")
        self.assertEqual([shared], [entry["subject"] for entry in audit(gallery.server.data_dir, "--kind", "image")])


class TablesAuditTest(unittest.TestCase):
    """The DynamoDB endpoint, without a gallery."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data_dir = f"{folder.name}/data"
        self.server = self.start()

    def start(self):
        server = tintype_server.Server(data_dir=self.data_dir, arguments=("--gallery", "off"))
        self.addCleanup(server.process.kill)
        return server

    def client(self, key=KEY, secret=tintype_server.SECRET_ACCESS_KEY):
        import boto3
        from botocore.config import Config
        return boto3.client("dynamodb", endpoint_url=self.server.endpoint, region_name="us-east-1", aws_access_key_id=key,
                            aws_secret_access_key=secret, config=Config(retries={"max_attempts": 0}))

    def test_control_calls(self):
        """Each is recorded with the key that made it and what it was about; items are not."""
        dynamodb = self.client()
        arn = dynamodb.create_table(**table("cameras"))["TableDescription"]["TableArn"]
        dynamodb.put_item(TableName="cameras", Item={"pk": {"S": "1"}})
        dynamodb.get_item(TableName="cameras", Key={"pk": {"S": "1"}})
        dynamodb.update_table(TableName="cameras", TableClass="STANDARD_INFREQUENT_ACCESS")
        dynamodb.update_time_to_live(TableName="cameras", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        dynamodb.tag_resource(ResourceArn=arn, Tags=[{"Key": "a", "Value": "b"}])
        dynamodb.update_continuous_backups(TableName="cameras",
                                           PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        backup = dynamodb.create_backup(TableName="cameras", BackupName="one")["BackupDetails"]["BackupArn"]
        wait_until(lambda: dynamodb.describe_backup(BackupArn=backup)["BackupDescription"]["BackupDetails"]["BackupStatus"] ==
                   "AVAILABLE", "the backup")
        dynamodb.delete_backup(BackupArn=backup)
        with self.assertRaises(ClientError):
            dynamodb.delete_table(TableName="no-such-table")
        entries = wait_until(lambda: [entry for entry in audit(self.data_dir, "--principal", KEY)
                                      if entry["kind"] != "table.delete"] and
                             audit(self.data_dir, "--kind", "table.delete") and
                             audit(self.data_dir, "--principal", KEY), "the entries")
        self.assertEqual([("table.create", "done", "cameras"), ("table.update", "done", "cameras"),
                          ("table.time-to-live", "done", "cameras"), ("table.tags", "done", arn),
                          ("table.recovery", "done", "cameras"), ("backup.create", "done", "cameras"),
                          ("backup.delete", "done", backup), ("table.delete", "failed", "no-such-table")],
                         [(entry["kind"], entry["outcome"], entry["subject"]) for entry in entries])
        self.assertEqual("CreateTable", entries[0]["details"]["operation"])
        self.assertEqual({"127.0.0.1"}, {entry["address"] for entry in entries})
        self.assertEqual({"root-key"}, {entry["principalKind"] for entry in entries})

    def test_wrong_signatures(self):
        """A refused signature is recorded with the key that it claims; the audit's table is not listed."""
        with self.assertRaises(ClientError) as refused:
            self.client(secret="wrong").list_tables()
        identifier = refused.exception.response["ResponseMetadata"]["RequestId"]
        entry = wait_until(lambda: audit(self.data_dir, "--kind", "access.unauthenticated"), "the denial")[0]
        self.assertEqual(("denied", KEY, "ListTables", identifier),
                         (entry["outcome"], entry["details"]["claimedKey"], entry["details"]["operation"],
                          entry["requestId"]))
        self.assertEqual([], self.client().list_tables()["TableNames"])

    def test_keys(self):
        """Keys that are made while the server runs, and while it does not, are recorded with their ids."""
        online = run("keys", "create", "one", "--json", "--data-dir", self.data_dir)
        identifier = json.loads(online.splitlines()[-1])["done"]["accessKeyId"]
        self.assertEqual(["key.create"], [entry["kind"] for entry in audit(self.data_dir, "--subject", identifier)])
        self.server.stop()
        run("keys", "delete", "one", "--data-dir", self.data_dir)
        run("keys", "rotate-master", "--data-dir", self.data_dir)
        self.assertTrue(Path(self.data_dir, "audit.pending").exists())  # The tables were not opened.
        self.server = self.start()
        self.assertFalse(Path(self.data_dir, "audit.pending").exists())
        self.assertEqual(["key.create", "key.delete"],
                         [entry["kind"] for entry in audit(self.data_dir, "--subject", identifier)])
        self.assertEqual(["key.rotate-master"], [entry["kind"] for entry in audit(self.data_dir, "--kind", "key.rotate-master")])
        run("audit", "verify", "--data-dir", self.data_dir)

    def test_without_a_server(self):
        """The same commands open the directory when no server has it; following needs one."""
        self.client().create_table(**table("cameras"))
        self.server.stop()
        self.assertEqual(["cameras"], [entry["subject"] for entry in audit(self.data_dir, "--kind", "table")])
        run("audit", "verify", "--data-dir", self.data_dir)
        run("audit", "--follow", "--data-dir", self.data_dir, code=1)

    def test_damage_is_found(self):
        """Nobody writes the audit of the server that has the tables. A gallery on them keeps its own there, in a table
        like others; who writes that is found out, with the place, by the exit code."""
        dynamodb = self.client()
        with self.assertRaises(ClientError):
            dynamodb.delete_item(TableName="tintype-audit",
                                 Key={"chain": {"S": "x"}, "sequence": {"S": f"{1:020}"}})
        data = f"{self.data_dir}-gallery"
        gallery = tintype_server.Server(
            data_dir=data, arguments=("--tables", self.server.endpoint, "--gallery", "on"),
            overrides={"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": tintype_server.SECRET_ACCESS_KEY})
        self.addCleanup(gallery.process.kill)
        for _ in range(3):
            rest.request(gallery.addresses["http"], "GET", "/api/v1/me")
        wait_until(lambda: len(audit(data, "--kind", "access")) == 3, "the denials")
        run("audit", "verify", "--data-dir", data)
        node = Path(data, "NODE").read_text().strip()
        dynamodb.delete_item(TableName="tintype-audit-clients",
                             Key={"chain": {"S": node}, "sequence": {"S": f"{3:020}"}})
        said = run("audit", "verify", "--data-dir", data, code=1)
        self.assertIn(f"chain {node}: DAMAGED at entry 3: entry 3 is missing", said)

    def test_a_key_without_the_right(self):
        """What a policy denies is recorded with the key and the table, whether it is an item or a table."""
        run("keys", "create", "reader", "--policy", "read-only", "--json", "--data-dir", self.data_dir)
        made = json.loads(run("keys", "create", "other", "--policy", "read-only", "--json", "--data-dir",
                              self.data_dir).splitlines()[-1])["done"]
        reader = self.client(made["accessKeyId"], made["secretAccessKey"])
        self.client().create_table(**table("cameras"))
        with self.assertRaises(ClientError):
            reader.put_item(TableName="cameras", Item={"pk": {"S": "1"}})
        with self.assertRaises(ClientError):
            reader.delete_table(TableName="cameras")
        denied = wait_until(lambda: len(audit(self.data_dir, "--principal", made["accessKeyId"])) == 2 and
                            audit(self.data_dir, "--principal", made["accessKeyId"]), "the denials")
        self.assertEqual([("access.forbidden", "denied", "cameras", "PutItem"), ("table.delete", "denied", "cameras", "DeleteTable")],
                         [(entry["kind"], entry["outcome"], entry["subject"], entry["details"]["operation"]) for entry in denied])

    def test_killed_servers(self):
        """Whatever was answered before a kill has its entry, once, and the chain verifies."""
        seed = int(os.environ.get("TINTYPE_AUDIT_SEED", random.randrange(1 << 32)))
        print(f"TINTYPE_AUDIT_SEED={seed}")
        chance = random.Random(seed)
        answered = []
        for turn in range(int(os.environ.get("TINTYPE_AUDIT_KILLS", "4"))):
            def create(worker, turn=turn):
                dynamodb = self.client()
                for number in range(1000):
                    name = f"t{turn}-{worker}-{number}"
                    try:
                        dynamodb.create_table(**table(name))
                    except Exception:  # The server has gone.
                        return
                    answered.append(name)

            workers = [threading.Thread(target=create, args=(worker,)) for worker in range(3)]
            for worker in workers:
                worker.start()
            enough = len(answered) + chance.randrange(5, 25)
            wait_until(lambda: len(answered) >= enough, "tables")
            self.server.process.kill()
            self.server.process.wait()
            for worker in workers:
                worker.join()
            self.server = self.start()
            run("audit", "verify", "--data-dir", self.data_dir)
        recorded = [entry["subject"] for entry in audit(self.data_dir, "--kind", "table.create", "--outcome", "done")]
        self.assertEqual(len(recorded), len(set(recorded)))
        self.assertEqual(set(), set(answered) - set(recorded))


if __name__ == "__main__":
    unittest.main()
