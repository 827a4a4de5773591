"""Runs the server that TINTYPE_BIN names, for the Python tests, the crash test and the benchmark."""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import threading

ACCESS_KEY_ID = "AKIAENDTOENDTESTS000"
SECRET_ACCESS_KEY = "end-to-end/secret+key/of/the/tests"


class ServerFailed(Exception):
    """The server ended when it should not have, or not as it should have."""


def command(data_dir, address="127.0.0.1:0", arguments=(), binary=None):
    return [binary or os.environ["TINTYPE_BIN"], "serve", "--data-dir", data_dir, "--dynamodb-address", address,
            *arguments]


def environment(overrides=None):
    # Without the photo product, whose tables would be among those that a test makes: who wants it says so.
    return {**os.environ, "TINTYPE_HTTP_ADDRESS": "127.0.0.1:0", "TINTYPE_METRICS_ADDRESS": "127.0.0.1:0",
            "TINTYPE_GALLERY": "off",
            # Without models, which would look at every photo of every test: who wants them says where they are.
            "TINTYPE_MODELS_DIR": "/nonexistent",
            # Tests look into the process by /proc, which not everybody who runs them could otherwise.
            "TINTYPE_CORE_DUMPS": "on",
            "TINTYPE_ROOT_ACCESS_KEY_ID": ACCESS_KEY_ID, "TINTYPE_ROOT_SECRET_ACCESS_KEY": SECRET_ACCESS_KEY,
            **(overrides or {})}


class Server:
    """One server process. Not thread-safe, but for `address`, which any thread may read.

    Without `data_dir` it gets an empty one, which stop() removes.
    """

    def __init__(self, data_dir=None, arguments=(), overrides=None, binary=None, address="127.0.0.1:0"):
        self._owned = data_dir is None
        self.data_dir = data_dir or tempfile.mkdtemp(prefix="tintype-test-")
        self.process = subprocess.Popen(
            command(self.data_dir, address, arguments, binary), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment(overrides))
        # A test that fails must not leave its server behind; killing one that has ended does nothing.
        atexit.register(self.process.kill)
        # Both pipes are drained for good, so that the server never waits for us to read.
        self._log = []
        self._log_reader = threading.Thread(target=lambda: self._log.extend(self.process.stderr), daemon=True)
        self._log_reader.start()
        self.addresses = {}
        for line in self.process.stdout:
            if line == "ready\n":
                break
            name, _, address = line.strip().partition(" ")
            self.addresses[name] = address
        else:
            self.process.wait()
            self._remove_owned()
            raise ServerFailed(f"ended before it was ready, code {self.process.returncode}:\n{self.log}")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        host, _, port = self.addresses["dynamodb"].rpartition(":")
        self.address = (host, int(port))

    @property
    def endpoint(self):
        return "http://%s:%d" % self.address

    @property
    def log(self):
        """What it wrote to standard error; complete once the process has ended."""
        if self.process.poll() is not None:
            self._log_reader.join()
        return "".join(self._log)

    def stop(self):
        """Stops it as an operator would and raises ServerFailed unless it ends cleanly."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            threads = self._threads()
            self.process.kill()
            self.process.wait()
            raise ServerFailed(f"did not end within 30 s of SIGTERM:\n{self.log}\nits threads:\n{threads}") from None
        self._expect(code, 0)

    def kill(self):
        """Kills it without warning; raises ServerFailed if it had already ended by itself."""
        self.process.kill()
        self._expect(self.process.wait(), -signal.SIGKILL)

    def _threads(self):
        """What each thread was doing: its name, its state, and the kernel's function that it waits in."""
        lines = []
        tasks = f"/proc/{self.process.pid}/task"
        for task in os.listdir(tasks):
            parts = []
            for name in ("comm", "wchan", "syscall", "stack"):
                try:
                    with open(f"{tasks}/{task}/{name}", encoding="utf-8", errors="replace") as file:
                        parts.append(file.read().strip())
                except OSError as error:
                    parts.append(f"({name}: {error.strerror})")
            lines.append(" | ".join(parts))
        return "\n".join(lines)

    def _expect(self, code, expected):
        log = self.log
        self._remove_owned()
        if code != expected:
            raise ServerFailed(f"ended with code {code} instead of {expected}:\n{log}")

    def _remove_owned(self):
        if self._owned:
            shutil.rmtree(self.data_dir, ignore_errors=True)
