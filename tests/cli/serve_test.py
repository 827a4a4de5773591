#!/usr/bin/env python3
"""Proves the contract of the command line: what `tintype serve` prints, where its settings come from,
how it stops, and what it refuses. TINTYPE_BIN names the executable."""

import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

BINARY = os.environ["TINTYPE_BIN"]
ANY_PORT = [
    "--http-address", "127.0.0.1:0", "--dynamodb-address", "127.0.0.1:0", "--metrics-address", "127.0.0.1:0",
]


class ServeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data = self.folder / "data"
        self.log = self.folder / "log"
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("TINTYPE_")}

    def run_to_end(self, *arguments):
        return subprocess.run([BINARY, *arguments], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, timeout=30, check=False)

    def start(self, *arguments, ports=ANY_PORT, **options):
        """Starts a server and returns it with its addresses once it is ready."""
        with open(self.log, "w") as log:
            process = subprocess.Popen([BINARY, "serve", *ports, *arguments], cwd=self.folder, text=True,
                                       env=self.environment, stdout=subprocess.PIPE, stderr=log, **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        lines = [process.stdout.readline().split() for _ in range(4)]
        self.assertEqual(["http", "dynamodb", "metrics", "ready"], [line[0] for line in lines if line])
        return process, {line[0]: line[1] for line in lines[:3]}

    def wait_for(self, check, what):
        deadline = time.monotonic() + 30
        while not check():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.02)

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        self.assertEqual(0, process.wait(timeout=30))

    def test_announces_three_listeners_that_answer_and_stops_cleanly(self):
        process, addresses = self.start()
        for name, path in (("http", "/healthz"), ("http", "/readyz"), ("metrics", "/metrics")):
            with urllib.request.urlopen(f"http://{addresses[name]}{path}", timeout=10) as answer:
                self.assertEqual(200, answer.status, path)
        with self.assertRaises(urllib.error.HTTPError) as unsigned:
            urllib.request.urlopen(f"http://{addresses['dynamodb']}/", data=b"{}", timeout=10)
        unsigned.exception.close()
        self.stop(process)

    def test_metrics_for_other_machines_need_a_token(self):
        """Proves that metrics are not served to everybody by mistake, and are to who has the token."""
        ports = [*ANY_PORT[:-1], "0.0.0.0:0"]
        refused = self.run_to_end("serve", *ports)
        self.assertEqual(2, refused.returncode)
        self.assertIn("--metrics-token-file", refused.stderr)
        (self.folder / "token").write_text("0123456789abcdef\n")
        (self.folder / "token").chmod(0o600)
        process, addresses = self.start("--metrics-token-file", "token", ports=ports)
        url = f"http://127.0.0.1:{addresses['metrics'].rpartition(':')[2]}/metrics"
        for headers in ({}, {"Authorization": "Bearer 0123456789abcdeg"}):
            with self.assertRaises(urllib.error.HTTPError) as unknown:
                urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10)
            self.assertEqual((401, "Bearer"), (unknown.exception.code, unknown.exception.headers["WWW-Authenticate"]))
            unknown.exception.close()
        known = urllib.request.Request(url, headers={"Authorization": "Bearer 0123456789abcdef"})
        with urllib.request.urlopen(known, timeout=10) as answer:
            self.assertIn(b"tintype_process_", answer.read())
            self.assertEqual("nosniff", answer.headers["X-Content-Type-Options"])
        self.stop(process)

    def test_warns_of_what_others_can_read_and_of_root(self):
        """Proves that a line each tells of plain HTTP that leaves the machine, and of a server that runs as root."""
        self.stop(self.start()[0])
        plain = [line for line in self.log.read_text().splitlines() if "unencrypted" in line]
        self.assertEqual([], plain)
        self.assertEqual(os.geteuid() == 0, "runs as root" in self.log.read_text())
        ports = ["--http-address", "0.0.0.0:0", "--dynamodb-address", "0.0.0.0:0", "--metrics-address", "127.0.0.1:0"]
        self.stop(self.start(ports=ports)[0])
        lines = [line for line in self.log.read_text().splitlines() if "unencrypted" in line]
        self.assertEqual(["http", "dynamodb"], [line.partition("listener=")[2].split()[0] for line in lines])
        self.stop(self.start("--trusted-proxies", "10.0.0.0/8", ports=ports)[0])
        lines = [line for line in self.log.read_text().splitlines() if "unencrypted" in line]
        self.assertEqual(1, len(lines), lines)

    def test_first_start_makes_a_private_directory_and_a_key_that_stays(self):
        self.stop(self.start()[0])
        self.assertEqual(0o700, self.data.stat().st_mode & 0o777)
        credentials = self.data / "credentials"
        self.assertEqual(0o600, credentials.stat().st_mode & 0o777)
        before = credentials.read_text()
        self.assertIn("# It may do everything. 'tintype keys create' makes keys that may do less.\n", before)
        self.assertRegex(before, r"\[default\]\naws_access_key_id = AKIA[A-Z2-7]{16}\n")
        self.stop(self.start()[0])
        self.assertEqual(before, credentials.read_text())

    def test_tables_are_private_in_a_directory_that_is_not(self):
        self.data.mkdir()
        self.data.chmod(0o755)
        self.stop(self.start()[0])
        tables = self.data / "tables"
        entries = [tables, *tables.rglob("*")]
        self.assertGreater(len(entries), 1)
        self.assertEqual([], [str(entry) for entry in entries if entry.stat().st_mode & 0o077])

    def test_folders_above_a_new_data_directory_are_as_open_as_the_user_makes_them(self):
        previous = os.umask(0o022)
        self.addCleanup(os.umask, previous)
        self.stop(self.start("--data-dir", "media/store")[0])
        self.assertEqual(0o755, (self.folder / "media").stat().st_mode & 0o777)
        self.assertEqual(0o700, (self.folder / "media" / "store").stat().st_mode & 0o777)

    def test_the_log_says_what_is_served(self):
        process, addresses = self.start("--auth", "off", "--durability", "relaxed")
        self.stop(process)
        lines = [line for line in self.log.read_text().splitlines() if "event=serving" in line]
        self.assertEqual(1, len(lines), lines)
        version = self.run_to_end("version").stdout.split()[1]
        for words in (f"version={version}", "data_dir=./data", f"http={addresses['http']}",
                      f"dynamodb={addresses['dynamodb']}", f"metrics={addresses['metrics']}",
                      "durability=relaxed", "auth=off"):
            self.assertIn(words, lines[0])

    def test_root_key_of_a_new_directory_comes_from_the_environment(self):
        self.environment["TINTYPE_ROOT_ACCESS_KEY_ID"] = "AKIAROOT"
        (self.folder / "secret").write_text("from-a-file\n")
        (self.folder / "secret").chmod(0o600)
        self.environment["TINTYPE_ROOT_SECRET_ACCESS_KEY_FILE"] = "secret"
        self.stop(self.start()[0])
        text = (self.data / "credentials").read_text()
        self.assertIn("aws_access_key_id = AKIAROOT\naws_secret_access_key = from-a-file\n", text)

    def test_settings_come_from_environment_and_file(self):
        (self.folder / "tintype.toml").write_text('data-dir = "by-file"\n')
        self.stop(self.start()[0])
        self.assertTrue((self.folder / "by-file" / "FORMAT").exists())
        self.environment["TINTYPE_DATA_DIR"] = "by-variable"
        self.stop(self.start()[0])
        self.assertTrue((self.folder / "by-variable" / "FORMAT").exists())
        self.stop(self.start("--data-dir", "by-flag")[0])
        self.assertTrue((self.folder / "by-flag" / "FORMAT").exists())

    def test_second_server_on_a_directory_is_refused(self):
        process, _ = self.start()
        second = self.run_to_end("serve", *ANY_PORT)
        self.assertEqual(1, second.returncode)
        self.assertIn("tintype: The data directory ./data is in use by another process. Stop that one first, "
                      "or choose another directory with --data-dir.\n", second.stderr)
        self.assertEqual("", second.stdout)
        self.stop(process)

    def test_an_address_in_use_is_named_with_its_setting(self):
        process, addresses = self.start()
        for name in ("http", "dynamodb", "metrics"):
            taken = addresses[name]
            ports = list(ANY_PORT)
            ports[ports.index(f"--{name}-address") + 1] = taken
            second = self.run_to_end("serve", *ports, "--data-dir", "other")
            self.assertEqual(1, second.returncode)
            self.assertIn(f"tintype: Cannot listen on {taken}: Address already in use. "
                          f"--{name}-address chooses another (port 0: any free one).\n", second.stderr)
        self.stop(process)

    def test_keys_are_needed_only_with_auth(self):
        self.stop(self.start()[0])
        (self.data / "credentials").write_text("# none\n")
        for arguments in (["serve", *ANY_PORT], ["keys", "list"]):
            refused = self.run_to_end(*arguments)
            self.assertEqual(1, refused.returncode)
            self.assertIn("the next start of the server writes a new root key", refused.stderr)
        self.stop(self.start("--auth", "off")[0])
        (self.data / "credentials").unlink()
        self.stop(self.start()[0])
        self.assertIn("[default]", (self.data / "credentials").read_text())

    def test_secrets_that_others_can_read_are_refused(self):
        """Proves that a start with such a file is refused with the command that closes it, which is all it takes."""
        self.stop(self.start()[0])
        for name in ("credentials", "secret", "master.key"):
            with self.subTest(name):
                (self.data / name).chmod(0o644)
                refused = self.run_to_end("serve", *ANY_PORT)
                self.assertEqual(1, refused.returncode)
                command = f"chmod 600 ./data/{name}"
                self.assertIn(f" is in ./data/{name}, which others than its owner may open. Close it with '{command}', ",
                              refused.stderr)
                subprocess.run(command.split(), cwd=self.folder, check=True)
                self.stop(self.start()[0])

    def test_a_tls_key_that_everybody_can_read_is_refused(self):
        """Proves that a group may have it, as packages of certificates arrange that, and others may not."""
        certificate, key = self.folder / "server.pem", self.folder / "server.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "2", "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)],
                       check=True, capture_output=True)
        files = ["--tls-certificate", str(certificate), "--tls-key", str(key)]
        key.chmod(0o644)
        refused = self.run_to_end("serve", *ANY_PORT, *files)
        self.assertEqual(1, refused.returncode)
        command = f"chmod o= {key}"
        self.assertIn(f"'{command}'", refused.stderr)
        subprocess.run(command.split(), check=True)
        self.assertEqual(0o640, key.stat().st_mode & 0o777)
        self.stop(self.start(*files)[0])

    def test_a_crash_leaves_no_memory_behind(self):
        """Proves that a crash dumps no core, though the system would, unless that is turned on."""
        def unlimited():
            resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

        def crash(process):
            process.send_signal(signal.SIGSEGV)
            status = os.waitpid(process.pid, 0)[1]
            process.returncode = -os.WTERMSIG(status)
            self.assertEqual(signal.SIGSEGV, os.WTERMSIG(status))
            return os.WCOREDUMP(status)

        # What the system does with any other program.
        usual = crash(subprocess.Popen(["sleep", "60"], cwd=self.folder, preexec_fn=unlimited))
        for arguments, dumped in (((), False), (("--core-dumps", "on"), usual)):
            self.assertEqual(dumped, crash(self.start(*arguments, preexec_fn=unlimited)[0]))

    def test_refusals_say_what_is_wrong(self):
        self.data.mkdir()
        (self.data / "FORMAT").write_text("tintype 9\n")
        foreign = self.folder / "photos"
        foreign.mkdir()
        (foreign / "a.jpg").write_text("")
        cases = [
            (1, "'tintype 9'", ["serve", *ANY_PORT]),
            (1, "a.jpg", ["serve", *ANY_PORT, "--data-dir", "photos"]),
            (2, "loopback", ["serve", "--auth", "off", "--dynamodb-address", "0.0.0.0:0"]),
            (2, "--cache-mb", ["serve", "--cache-mb", "lots"]),
            (2, "--data-dir needs a value, but '--help' follows it.", ["serve", "--data-dir", "--help"]),
            (2, "'tintype serve' has no flag '--colour'; 'tintype serve --help-all' lists them.",
             ["serve", "--colour", "red"]),
            (2, "has no flag '--data-dri'; did you mean '--data-dir'?", ["serve", "--data-dri", "x"]),
            (2, "has no flag '--data-dri=x'; did you mean '--data-dir'?", ["keys", "list", "--data-dri=x"]),
            # One that --help does not show.
            (2, "has no flag '--cach-mb'; did you mean '--cache-mb'?", ["serve", "--cach-mb", "1"]),
            (2, "'tintype serve' takes no 'here'; 'tintype serve --help'", ["serve", "here"]),
            (2, "there is no command 'bogus'; 'tintype --help' lists them.", ["bogus"]),
            (2, "there is no command 'serv'; did you mean 'tintype serve'? 'tintype --help' lists them.", ["serv"]),
            (2, "there is no command 'creat'; did you mean 'tintype keys create'?", ["keys", "creat"]),
            (2, "there is no command 'frob'; 'tintype keys --help' lists them.", ["keys", "frob"]),
            (2, "'tintype' has no flag '--frob'; 'tintype --help' lists them.", ["--frob"]),
            (2, "tintype: 'tintype' needs a command, such as 'tintype serve'; they are listed above.\n", []),
            (2, "tintype: 'tintype keys' needs a command, such as 'tintype keys list'; they are listed above.\n",
             ["keys"]),
            (2, "id is required; 'tintype work show --help'", ["work", "show"]),
            (2, "name is required; 'tintype keys create --help'", ["keys", "create"]),
            (2, "--region", ["keys", "create", "app", "--region", "Mars"]),
            (1, "not a data directory", ["keys", "list", "--data-dir", "none"]),
        ]
        for code, words, arguments in cases:
            with self.subTest(arguments):
                result = self.run_to_end(*arguments)
                self.assertEqual(code, result.returncode)
                self.assertIn(words, result.stderr)
                self.assertRegex(result.stderr.splitlines()[-1], "^tintype: ")
                self.assertEqual("", result.stdout)

    def test_keys_are_listed_created_and_deleted(self):
        self.stop(self.start()[0])
        created = self.run_to_end("keys", "create", "app")
        self.assertEqual(0, created.returncode, created.stderr)
        self.assertRegex(created.stdout, r"\A\[app\]\naws_access_key_id = AKIA\w{16}\naws_secret_access_key = \S{40}\n")
        # The secret is shown once, and lies in no file that is not encrypted.
        secret = created.stdout.split("aws_secret_access_key = ")[1].split()[0].encode()
        self.assertNotIn(secret, self.run_to_end("keys", "list").stdout.encode())
        for file in self.data.rglob("*"):
            self.assertFalse(file.is_file() and secret in file.read_bytes(), file)
        self.assertRegex(self.run_to_end("keys", "list").stdout, r"(?m)^app +AKIA\w{16} +tables +active +never$")
        self.assertEqual(0, self.run_to_end("keys", "delete", "app").returncode)
        self.assertNotIn("app ", self.run_to_end("keys", "list").stdout)
        # Policies of tables know keys by their names: a key from before keys had policies has one too.
        root = (self.data / "credentials").read_text()
        with (self.data / "credentials").open("a") as file:
            file.write("\n[old]\naws_access_key_id = AKIAOLDOLDOLDOLDOLDO\naws_secret_access_key = old-secret\n")
        refused = self.run_to_end("keys", "create", "old")
        self.assertEqual(1, refused.returncode)
        self.assertIn("The profile 'old' in ", refused.stderr)
        self.assertIn("tintype keys delete old", refused.stderr)
        self.assertEqual(0, self.run_to_end("keys", "delete", "old").returncode)
        self.assertEqual(root.rstrip(), (self.data / "credentials").read_text().rstrip())
        self.assertEqual(0, self.run_to_end("keys", "create", "old").returncode)
        refused = self.run_to_end("keys", "delete", "default")
        self.assertEqual(1, refused.returncode)
        self.assertIn("is the root key", refused.stderr)
        # What only a server uses is not looked at.
        self.environment["TINTYPE_AUTH"] = "maybe"
        self.assertEqual(0, self.run_to_end("keys", "list").returncode)
        self.assertEqual(2, self.run_to_end("serve").returncode)

    def test_a_sandbox_for_photos_is_required(self):
        """There is no server without, unless that is asked for; then the log and the metrics say so."""
        without = ("--darkroom", os.environ["TINTYPE_OLD_KERNEL_HELPER"])
        refused = self.run_to_end("serve", *ANY_PORT, *without)
        self.assertEqual(1, refused.returncode)
        self.assertIn("The image helper has no sandbox, and --darkroom-sandbox is 'required': ", refused.stderr)
        for what_to_do in ("CONFIG_SECCOMP_FILTER", "--darkroom-sandbox preferred"):
            self.assertIn(what_to_do, refused.stderr)
        for arguments, expected, line in (((), 1, "image helpers are in a sandbox"),
                                          (("--darkroom-sandbox", "preferred"), 1, "image helpers are in a sandbox"),
                                          ((*without, "--darkroom-sandbox", "preferred"), 0, "image helpers have no sandbox"),
                                          (("--darkroom-sandbox", "off"), 0, "it is switched off")):
            process, addresses = self.start(*arguments)
            self.wait_for(lambda: line in self.log.read_text(), line)
            with urllib.request.urlopen(f"http://{addresses['metrics']}/metrics", timeout=10) as answer:
                self.assertIn(f"\ntintype_darkroom_sandboxed {expected}\n", answer.read().decode())
            self.stop(process)

    def hanging_helper(self):
        """The path of a program that never says that it is ready."""
        hanging = self.folder / "hanging"
        hanging.write_text("#!/bin/sh\nexec sleep 600\n")
        hanging.chmod(0o755)
        return str(hanging)

    def test_a_start_that_fails_does_not_wait_for_helpers(self):
        """Whatever else is wrong is said at once."""
        self.stop(self.start()[0])
        (self.data / "setup-token").write_text("")
        refused = self.run_to_end("serve", *ANY_PORT, "--darkroom", self.hanging_helper())
        self.assertEqual(1, refused.returncode)
        self.assertIn("setup-token is empty: remove it", refused.stderr)

    def test_learns_how_its_helpers_end(self):
        """A parent that ignores the end of its children, as a supervisor may, keeps the server from nothing."""
        process, _ = self.start(preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        ignored = int(status.partition("SigIgn:")[2].split()[0], 16)
        self.assertEqual(0, ignored >> (signal.SIGCHLD - 1) & 1)
        self.stop(process)

    def test_a_server_does_not_wait_long_for_its_helpers(self):
        """One whose helpers are slow to start takes requests meanwhile; whether they have a sandbox is asked then."""
        process, addresses = self.start("--darkroom", self.hanging_helper())
        self.assertIn("image helpers are slow to start", self.log.read_text())
        with urllib.request.urlopen(f"http://{addresses['http']}/healthz", timeout=10) as answer:
            self.assertEqual(200, answer.status)
        self.stop(process)

    def test_help_and_version(self):
        for arguments in (["version"], ["--version"]):
            shown = self.run_to_end(*arguments)
            self.assertEqual(0, shown.returncode)
            self.assertRegex(shown.stdout, r"^tintype \d+\.\d+\.\d+\n$")
        overview = self.run_to_end("help")
        self.assertEqual(0, overview.returncode)
        self.assertEqual(self.run_to_end("--help").stdout, overview.stdout)
        # Without a command, the same on standard error: a script whose variable was empty must not take it for done.
        self.assertTrue(self.run_to_end().stderr.startswith(overview.stdout))
        self.assertTrue(self.run_to_end("keys").stderr.startswith(self.run_to_end("keys", "--help").stdout))
        cases = [
            (["--help"], ["serve", "keys", "--version"]),
            (["serve", "--help"], ["--durability", "can be lost", "current directory", "Examples", "Exit codes"]),
            (["serve", "--help-all"], ["--data-dir", "Rarely needed:\n", "--photo-megapixels", "--s3-timeout"]),
            (["scrub", "--help-all"], ["--data-dir", "--s3-endpoint", "--master-key-file"]),
            (["bench", "engine", "--help"], ["  --no-encryption  "]),
            (["restore", "--help"], ["master key", "photos on S3"]),
            (["keys", "list", "--help"], ["--data-dir", "--config"]),
            (["keys", "create", "--help"], ["--data-dir", "--config", "--region"]),
            (["keys", "delete", "--help"], ["--data-dir", "--config"]),
        ]
        for arguments, expected in cases:
            shown = self.run_to_end(*arguments)
            self.assertEqual(0, shown.returncode)
            for words in expected:
                self.assertIn(words, shown.stdout, arguments)

    def test_help_leaves_out_what_is_rarely_needed(self):
        """Every command, found by its own help: no --help speaks of S3 but the server's, and each is shorter than its
        --help-all where that has more to say."""
        def commands(*names):
            shown = self.run_to_end(*names, "--help").stdout
            listed = shown.split("Subcommands:\n")[1].split("\n\n")[0] if "Subcommands:\n" in shown else ""
            yield names, shown
            for line in listed.splitlines():
                if line.startswith("  ") and not line.startswith("   ") and line.split()[0] not in ("help", "version"):
                    yield from commands(*names, line.split()[0])
        seen = dict(commands())
        self.assertIn(("rebuild", "renditions"), seen)
        self.assertGreater(len(seen), 20)
        for names, shown in seen.items():
            with self.subTest(names):
                everything = self.run_to_end(*names, "--help-all").stdout
                self.assertNotIn("{false}", everything)
                self.assertNotIn("Rarely needed", shown)
                self.assertEqual("Rarely needed" in everything, len(everything) > len(shown))
                if names and names != ("serve",):
                    self.assertNotIn("--s3-", shown)
        self.assertNotIn("--cache-mb", seen["serve",])
        self.assertIn("--s3-region", self.run_to_end("work", "list", "--help-all").stdout)

    def test_ready_is_followed_by_the_address_to_open(self):
        process, addresses = self.start(ports=[*ANY_PORT[2:], "--http-address", "0.0.0.0:0"])
        port = addresses["http"].rsplit(":", 1)[1]
        self.assertEqual(f"open http://127.0.0.1:{port}/\n", process.stdout.readline())
        self.assertRegex(process.stdout.readline(), "^setup-token .+\n$")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as page:
            self.assertIn("text/html", page.headers["Content-Type"])
        self.stop(process)
        process, _ = self.start("--public-url", "https://photos.example.org")
        self.assertEqual("open https://photos.example.org/\n", process.stdout.readline())
        self.stop(process)
        process, _ = self.start("--gallery", "off")
        self.stop(process)
        self.assertEqual("", process.stdout.read())


if __name__ == "__main__":
    unittest.main()
