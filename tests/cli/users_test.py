#!/usr/bin/env python3
"""Proves `tintype users` on a running server, on a stopped directory and on tables elsewhere: who has an account, how
much they may upload, other passwords, invitations, roles, accounts that are disabled or deleted, and accounts for
others while sign-up is closed."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import SPARKS, SYSTEM, Gallery, wait_until  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]
PASSWORD = "correct horse battery"
MADE_UP = re.compile(r"^password  ([a-z2-9]{5}(?:-[a-z2-9]{5}){3})$", re.MULTILINE)
UNLIMITED = 9007199254740991


class UsersCase(unittest.TestCase):
    """A server with the administrator root and the ordinary account ada, in a directory that outlives it."""

    ARGUMENTS = ("--workers", "1", "--upload-limit", "20")
    ENVIRONMENT = {}

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        with mock.patch.dict(os.environ, self.ENVIRONMENT):
            self.gallery = Gallery(self.ARGUMENTS, data_dir=f"{self.folder}/data")
        self.running = True
        self.addCleanup(self.end)
        self.ada = self.gallery.sign_up("ada")

    def end(self):
        if self.running:
            self.gallery.stop()
        else:
            self.gallery.tables.stop()

    def stop(self):
        """The server alone: tables elsewhere stay where they are."""
        self.gallery.server.stop()
        self.running = False

    def start(self):
        self.gallery.start()
        self.running = True

    def run_users(self, *arguments, **options):
        """A server knows its settings; without one, the command finds them where a server would."""
        where = () if self.running else self.gallery.tables.arguments
        settings = {} if self.running else {"TINTYPE_UPLOAD_LIMIT": "20", **self.gallery.tables.overrides}
        return subprocess.run([BINARY, "users", *arguments, "--data-dir", f"{self.folder}/data", *where], text=True,
                              capture_output=True, timeout=60, check=False, env={**os.environ, **settings}, **options)

    def users(self, *arguments, code=0, **options):
        done = self.run_users(*arguments, **options)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        self.assertEqual(done.stderr == "", code == 0, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def json_users(self, *arguments, **options):
        """The lines before the last, and what the last says was done."""
        lines = [json.loads(line) for line in self.users(*arguments, "--json", **options).splitlines()]
        return [line["user"] for line in lines[:-1]], lines[-1]["done"]

    def check_hashes(self):
        """Nobody can try passwords on what commands wrote: before the next login, all hashes are sealed."""
        hashes = [item["passwordHash"] for item in self.gallery.scan(SYSTEM) if "passwordHash" in item]
        self.assertEqual([text for text in hashes if not text.startswith("sealed:")], [])
        self.assertGreaterEqual(len(hashes), 2)

    def log_in(self, username, password, **names):
        body = {"password": password, **(names or {"username": username})}
        return rest.request(self.gallery.address, "POST", "/api/v1/auth/login", json.dumps(body),
                            {"Content-Type": "application/json"})

    def refresh(self, token):
        return rest.request(self.gallery.address, "POST", "/api/v1/auth/refresh", json.dumps({"refreshToken": token}),
                            {"Content-Type": "application/json"}).status

    def limit_item(self, account):
        return self.gallery.get(SPARKS, PK=f"LIMIT#{account}@example.com", SK=f"{account}@example.com")["limit"]

    # What holds with a server and without one.

    def check_list(self):
        table = [re.split(r" {2,}", line) for line in self.users("list").splitlines()]
        self.assertEqual(table[0], ["USERNAME", "EMAIL", "ROLE", "LEFT", "STORED", "QUOTA", "SINCE"])
        self.assertEqual([row[:-1] for row in table[1:-1]],
                         [["ada", "ada@example.com", "user", "20", "0 bytes", "none"],
                          ["root", "root@example.com", "administrator", "no limit", "0 bytes", "none"]])
        self.assertRegex(table[1][-1], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual(table[-1], ["2 accounts"])
        listed, done = self.json_users("list")
        self.assertEqual(done, {"count": 2})
        self.assertEqual([(user["username"], user["email"], user["administrator"], user["limit"]) for user in listed],
                         [("ada", "ada@example.com", False, 20), ("root", "root@example.com", True, None)])
        self.assertEqual(listed[0]["userId"], self.ada.user_id)
        self.assertRegex(listed[0]["createdAt"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def check_limits(self):
        """Every spelling of a limit, one account after another; leaves ada with 5 and root with none."""
        self.assertEqual(self.users("limit", "ada", "7"), "ada (ada@example.com): 7 uploads left\n")
        self.assertEqual(self.users("limit", "ADA@example.com", "+3"), "ada (ada@example.com): 10 uploads left\n")
        self.assertEqual(self.users("limit", "ada", "none"), "ada (ada@example.com): no limit\n")
        self.assertEqual(self.users("limit", "ada", "+3"), "ada (ada@example.com): no limit\n")
        self.assertIsNone(self.json_users("limit", "ada", "none")[1]["limit"])
        self.assertEqual(self.users("limit", "root", "1"), "root (root@example.com): 1 upload left\n")
        self.assertEqual(self.users("limit", "--all", "3"), "1 account changed; administrators were left as they are\n")
        self.assertEqual(self.json_users("limit", "+2", "--all")[1], {"count": 1, "administrators": 1})
        self.assertEqual([user["limit"] for user in self.json_users("list")[0]], [5, 1])
        self.users("limit", "root", "none")

    def check_quotas(self):
        """Every spelling of a quota; leaves ada with none."""
        self.assertEqual(self.users("quota", "ada", "20G"), "ada (ada@example.com) stores 0 bytes of 20.0 GB\n")
        self.assertEqual(self.users("quota", "ADA@example.com", "500M"), "ada (ada@example.com) stores 0 bytes of 500.0 MB\n")
        self.assertEqual(self.json_users("quota", "ada", "1000")[1]["quotaBytes"], 1000)
        self.assertEqual([(user["usedBytes"], user["quotaBytes"]) for user in self.json_users("list")[0]], [(0, 1000), (0, None)])
        self.assertEqual(self.users("quota", "ada", "none"), "ada (ada@example.com) stores 0 bytes, without a quota\n")
        self.assertIsNone(self.json_users("quota", "ada", "none")[1]["quotaBytes"])
        for wrong in ("", "-1", "20X", "1.5G", "G", "9999999T"):
            self.assertEqual(self.run_users("quota", "ada", wrong).returncode, 2, wrong)
        self.assertIn("There is no account 'adda'", self.users("quota", "adda", "1G", code=1))

    def check_errors(self):
        self.assertIn("There is no account 'adda'. Did you mean 'ada'?", self.users("limit", "adda", "5", code=1))
        self.assertIn("Did you mean 'root@example.com'?", self.users("reset-password", "rot@example.com", code=1))
        unknown = self.users("limit", "somebody", "5", code=1)
        self.assertIn("'tintype users list'", unknown)
        self.assertNotIn("Did you mean", unknown)
        failed = self.run_users("limit", "adda", "5", "--json")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("Did you mean 'ada'?", json.loads(failed.stdout)["error"]["message"])

    def check_create(self, name):
        told = self.users("create", name, "--email", f"{name}@Example.com")
        self.assertIn(f"{name} ({name}@example.com) made; 20 uploads left", told)
        [password] = MADE_UP.findall(told)
        self.assertIn("This username is taken", self.users("create", name, "--email", "other@example.com", code=1))
        self.assertIn("There is an account of this email", self.users("create", "other", "--email", f"{name}@example.com", code=1))
        self.assertIn("`username`", self.users("create", "a b", "--email", "other@example.com", code=1))
        self.assertIn("`email`", self.users("create", "other", "--email", "nowhere", code=1))
        return password


    def sign_up(self, invitation, username, email=None):
        body = {"email": email or f"{username}@example.com", "username": username, "password": PASSWORD, "invitation": invitation}
        return rest.request(self.gallery.address, "POST", "/api/v1/auth/signup", json.dumps(body), {"Content-Type": "application/json"})

    def check_management(self):
        """Everything that changes ada and leaves her as she was."""
        self.assertIn("ada (ada@example.com) is disabled", self.users("disable", "ada"))
        _, disabled = self.json_users("disable", "ada@example.com")
        self.assertEqual((disabled["state"], disabled["userId"]), ("disabled", self.ada.user_id))
        self.assertIn("user (disabled)", self.users("list"))
        self.assertEqual(self.json_users("enable", "ada")[1]["state"], "active")
        self.assertIn("ada (ada@example.com) is an administrator", self.users("role", "ada", "administrator"))
        self.assertEqual([(user["administrator"], user["limit"]) for user in self.json_users("list")[0]], [(True, None)] * 2)
        _, user = self.json_users("role", "ada", "user")
        self.assertEqual((user["administrator"], user["limit"]), (False, 20))
        for command in (["disable"], ["enable"], ["password-link"], ["delete", "--yes"]):
            self.assertIn("Did you mean 'ada'?", self.users(command[0], "adda", *command[1:], code=1))
        self.assertIn("Nothing was deleted", self.users("delete", "ada", code=1))
        self.assertIn("`email`", self.users("invite", "--email", "nowhere", code=1))
        self.assertEqual([user["state"] for user in self.json_users("list")[0]], ["active", "active"])


class RunningTest(UsersCase):
    def test_invitations(self):
        told = self.users("invite", "--email", "Cleo@example.com", "--days", "2")
        self.assertIn("An invitation for cleo@example.com", told)
        [token] = re.findall(r"^token  (\S+)$", told, re.MULTILINE)
        [link] = re.findall(r"^link   (\S+)$", told, re.MULTILINE)
        self.assertTrue(link.endswith(f"/#invitation={token}"), link)
        self.assertEqual(self.sign_up(token, "dora").json["code"], "InvalidInvitation")
        self.assertFalse(self.sign_up(token, "cleo").json["user"]["administrator"])
        self.assertEqual(self.sign_up(token, "cleo2", "cleo@example.com").json["code"], "InvalidInvitation")
        _, done = self.json_users("invite", "--administrator")
        self.assertEqual((done["email"], done["administrator"]), (None, True))
        self.assertIsNone(self.gallery.administrator.call("GET", "/invitations")["items"][0]["createdBy"])
        self.assertTrue(self.sign_up(done["token"], "dora").json["user"]["administrator"])
        self.assertNotIn(token, self.gallery.server.log)

    def test_management_is_seen_at_once_and_audited(self):
        session = self.log_in("ada", PASSWORD).json
        self.check_management()
        answer = rest.request(self.gallery.address, "GET", "/api/v1/me", headers={"Authorization": f"Bearer {session['accessToken']}"})
        self.assertEqual(answer.status, 401)
        _, link = self.json_users("password-link", "ada")
        self.assertTrue(link["link"].endswith(f"/#password={link['token']}"), link)
        body = json.dumps({"token": link["token"], "password": "by a link, and long"})
        for status in (200, 403):
            self.assertEqual(rest.request(self.gallery.address, "POST", "/api/v1/auth/password", body,
                                          {"Content-Type": "application/json"}).status, status)
        self.assertEqual(self.log_in("ada", "by a link, and long").status, 200)
        audit = subprocess.run([BINARY, "audit", "--json", "--data-dir", f"{self.folder}/data"], text=True, capture_output=True,
                               timeout=60, check=True).stdout
        commands = {command for command in ("users-disable", "users-enable", "users-role", "users-password-link", "users-delete")
                    if f'"{command}"' in audit}
        # A deletion that was not confirmed is none; the one of somebody who is not there failed.
        self.assertEqual(commands, {"users-disable", "users-enable", "users-role", "users-password-link", "users-delete"})
        self.assertNotIn(link["token"], audit)

    def test_a_deleted_account(self):
        self.ada.upload(photos.png("deleted", 40, 30))
        told = self.users("delete", "ada", "--yes")
        self.assertIn("its deletion is queued", told)
        wait_until(lambda: len(self.json_users("list")[0]) == 1, "the end of the account")
        self.assertEqual(self.log_in("ada", PASSWORD).status, 401)
        self.check_create("ada")

    def test_help_and_wrong_usage(self):
        for command in ([], ["list"], ["create"], ["limit"], ["reset-password"], ["invite"], ["disable"], ["enable"], ["role"],
                        ["password-link"], ["delete"]):
            done = subprocess.run([BINARY, "users", *command, "--help"], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn("Examples", done.stdout, command)
        for command in ([], ["lst"], ["list", "ada"], ["create"], ["create", "bob"], ["create", "", "--email", "b@example.com"],
                        ["create", "bob", "--email", ""], ["limit"], ["limit", "ada"], ["limit", "ada", "-1"], ["limit", "ada", "+0"],
                        ["limit", "ada", "1.5"], ["limit", "ada", "1000000001"], ["limit", "ada", "many"], ["limit", "ada", ""],
                        ["limit", "--all"], ["limit", "--all", "ada", "5"], ["limit", "--all=false", "5"], ["reset-password"],
                        ["reset-password", ""], ["reset-password", "ada", "--password-file", ""], ["invite", "ada"],
                        ["invite", "--email", ""], ["invite", "--days", "0"], ["invite", "--days", "31"], ["invite", "--days", "x"],
                        ["disable"], ["enable", ""], ["role", "ada"], ["role", "ada", "boss"], ["password-link"], ["delete"],
                        ["delete", "--yes"], ["delete", "ada", "--yes=false"]):
            self.users(*command, code=2)
        self.assertIn("did you mean 'tintype users list'?", self.users("lst", code=2))
        self.assertIn("'many'", self.users("limit", "ada", "many", code=2))
        self.assertEqual(self.limit_item("ada"), 20)
        with tempfile.TemporaryDirectory() as folder:
            missing = subprocess.run([BINARY, "users", "list", "--data-dir", f"{folder}/nowhere"], capture_output=True, text=True,
                                     timeout=60, check=False)
            self.assertEqual(missing.returncode, 1)
            self.assertIn("nowhere", missing.stderr)
            self.assertFalse(Path(folder, "nowhere").exists())

    def test_the_list_and_errors(self):
        self.check_list()
        self.check_errors()

    def test_limits_are_seen_at_once(self):
        self.check_limits()
        self.check_quotas()
        self.assertEqual(self.ada.limit(), 5)
        self.assertEqual(self.limit_item("root"), UNLIMITED)
        self.users("limit", "ada", "1")
        answers = [self.ada.post_image(photos.png(f"users {n}", 40, 30)) for n in range(2)]
        self.assertEqual([answer.status for answer in answers], [202, 403])
        self.assertIn("ask the person who runs this server", answers[1].json["detail"])
        self.users("limit", "ada", "none")
        self.assertIsNone(self.ada.limit())
        self.assertEqual(self.ada.post_image(photos.png("users 2", 40, 30)).status, 202)

    def test_another_setting_changes_no_account(self):
        """--upload-limit is what new accounts start with; the rest is for the command."""
        self.gallery.server.stop()
        self.gallery._arguments = ("--workers", "1", "--upload-limit", "50")
        self.gallery.start()
        self.ada.log_in()
        self.assertEqual((self.ada.limit(), self.gallery.sign_up("bob").limit()), (20, 50))
        self.users("limit", "--all", "+30")
        self.assertEqual(self.ada.limit(), 50)

    def test_another_password_ends_all_sessions(self):
        session = self.log_in("ada", PASSWORD).json
        others = self.log_in("root", PASSWORD).json
        told = self.users("reset-password", "ada@example.com")
        self.assertIn("ada (ada@example.com) has a new password; all sessions have ended", told)
        [password] = MADE_UP.findall(told)
        self.assertEqual(self.refresh(session["refreshToken"]), 401)
        self.assertEqual(self.refresh(others["refreshToken"]), 200)
        self.assertEqual(self.log_in("ada", PASSWORD).status, 401)
        self.assertEqual(self.log_in("ada", password).status, 200)
        again = self.log_in("", password, email="ada@example.com")
        self.assertEqual((again.status, self.refresh(again.json["refreshToken"])), (200, 200))
        self.assertNotIn(password, self.gallery.server.log)

    def test_a_password_of_ones_own(self):
        _, done = self.json_users("reset-password", "ada")
        self.assertEqual(self.log_in("ada", done["password"]).status, 200)
        for given, file in ((" from a file, ünd long ", "password.txt"), ("from standard input", "-")):
            Path(self.folder, "password.txt").write_text(f"{given}\n", encoding="utf-8")
            source = file if file == "-" else f"{self.folder}/{file}"
            _, done = self.json_users("reset-password", "ada", "--password-file", source, input=f"{given}\n")
            self.assertEqual(done, {"username": "ada", "email": "ada@example.com", "userId": self.ada.user_id})
            self.assertEqual(self.log_in("ada", given).status, 200, given)
        before = given
        for content, said in (("short\n", "characters"), ("two lines\nof password\n", "more than one line"), ("", "characters")):
            Path(self.folder, "password.txt").write_text(content, encoding="utf-8")
            self.assertIn(said, self.users("reset-password", "ada", "--password-file", f"{self.folder}/password.txt", code=1))
        self.assertIn("no password in standard input",
                      self.users("reset-password", "ada", "--password-file", "-", code=1, stdin=subprocess.DEVNULL))
        self.assertIn("nothing.txt", self.users("reset-password", "ada", "--password-file", f"{self.folder}/nothing.txt", code=1))
        self.assertEqual(self.log_in("ada", before).status, 200)


class StoppedTest(UsersCase):
    def test_everything_without_a_server(self):
        session = self.log_in("ada", PASSWORD).json
        self.stop()
        self.check_list()
        self.check_errors()
        self.check_limits()
        self.check_quotas()
        [password] = MADE_UP.findall(self.users("reset-password", "ada"))
        made = self.check_create("bob")
        self.users("delete", "bob", "--yes")
        self.assertEqual([user["state"] for user in self.json_users("list")[0]], ["active", "deleting", "active"])
        self.assertIn("being deleted", self.users("enable", "bob", code=1))
        self.start()
        wait_until(lambda: len(self.json_users("list")[0]) == 2, "the end of an account that was deleted without a server")
        made = self.check_create("bob")
        self.check_hashes()
        self.assertEqual(self.refresh(session["refreshToken"]), 401)
        self.assertEqual((self.log_in("ada", password).status, self.log_in("bob", made).status), (200, 200))
        self.assertEqual((self.limit_item("ada"), self.limit_item("root")), (5, UNLIMITED))


class ElsewhereTest(UsersCase):
    """The same on the tables of another server."""

    ENVIRONMENT = {"TINTYPE_TEST_TABLES": "elsewhere"}

    def test_with_a_server_and_without(self):
        self.check_list()
        self.check_limits()
        self.check_quotas()
        self.users("limit", "ada", "20")
        self.check_management()
        self.stop()
        self.check_list()
        self.check_limits()
        self.check_quotas()
        [password] = MADE_UP.findall(self.users("reset-password", "ada"))
        self.start()
        self.check_hashes()
        self.assertEqual(self.log_in("ada", password).status, 200)
        self.assertEqual(self.limit_item("ada"), 5)


class ClosedTest(unittest.TestCase):
    """A server on which nobody may sign up."""

    def test_accounts_for_others(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        gallery = Gallery(("--workers", "1", "--sign-up", "closed", "--upload-limit", "30"), data_dir=f"{folder}/data")
        self.addCleanup(gallery.stop)
        self.assertIn("No accounts yet", gallery.run("users", "list").stdout)
        nobody = gallery.run("users", "limit", "ada", "5")
        self.assertEqual(nobody.returncode, 1)
        self.assertIn("'tintype users create'", nobody.stderr)
        # Who can run the command can read the token: the first account is the administrator's without it.
        password = Path(folder, "password")
        password.write_text(PASSWORD, encoding="utf-8")
        first = gallery.run("users", "create", "root", "--email", "root@example.com", "--password-file", str(password))
        self.assertEqual((first.returncode, first.stderr), (0, ""))
        self.assertIn("root (root@example.com) is the first account, and administrates this server; no limit", first.stdout)
        self.assertNotIn(PASSWORD, first.stdout)
        root = rest.Account(lambda: gallery.address, "root")
        root.log_in()
        self.assertIsNone(root.limit())
        self.assertTrue(root.call("GET", "/me")["administrator"])
        # The token makes nobody else the first.
        with self.assertRaisesRegex(rest.Refused, "Ask the person who runs this server for an account"):
            rest.Account(lambda: gallery.address, "mallory").sign_up(Path(folder, "data", "setup-token").read_text().strip())
        second = json.loads(gallery.run("users", "create", "ada", "--email", "ada@example.com", "--json").stdout)["done"]
        self.assertEqual((second["administrator"], second["limit"]), (False, 30))
        ada = rest.Account(lambda: gallery.address, "ada", second["password"])
        ada.log_in()
        self.assertEqual(ada.limit(), 30)
        gallery.server.stop()
        gallery.start()
        self.assertFalse(Path(folder, "data", "setup-token").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
