"""Where a gallery's tables are, for tests: in its data directory, or at a second server that has nothing but tables,
when TINTYPE_TEST_TABLES is `elsewhere`."""

import os
import tempfile

import tintype_server


class Here:
    arguments, overrides, data_dir = (), {}, None

    def start(self):
        """To be called before the gallery starts."""

    def stop(self):
        """To be called when the gallery has ended."""


class Elsewhere:
    """A server without a gallery, whose tables outlive its restarts."""

    # The key comes as AWS's clients find theirs.
    overrides = {"AWS_ACCESS_KEY_ID": tintype_server.ACCESS_KEY_ID,
                 "AWS_SECRET_ACCESS_KEY": tintype_server.SECRET_ACCESS_KEY}

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="tintype-tables-")
        self.data_dir = f"{self._folder.name}/data"
        self._server = None

    @property
    def arguments(self):
        return ("--tables", self._server.endpoint)

    def start(self):
        if self._server is None:
            self._server = tintype_server.Server(data_dir=self.data_dir, arguments=("--ballast-mb", "0"))

    def stop(self):
        self._server.stop()
        self._server = None


def of_tests():
    return Elsewhere() if os.environ.get("TINTYPE_TEST_TABLES") == "elsewhere" else Here()
