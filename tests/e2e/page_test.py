"""The page in a browser, served by the real server: runs web/tests/live.test.mjs against one that has no account
yet."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import tintype_server  # noqa: E402

WEB = Path(__file__).parent.parent.parent / "web"


class PageTest(unittest.TestCase):
    def test_one_photo_through_the_page(self):
        """Proves that a person can sign up, upload, edit, share and delete with the page that is part of the
        program."""
        server = tintype_server.Server(overrides={"TINTYPE_GALLERY": "on"})
        self.addCleanup(server.stop)
        environment = {**os.environ, "TINTYPE_URL": f"http://{server.addresses['http']}",
                       "TINTYPE_SETUP_TOKEN": Path(server.data_dir, "setup-token").read_text(encoding="utf-8").strip()}
        browser = subprocess.run(["/usr/bin/env", "node", "--test", "tests/live.test.mjs"], cwd=WEB, env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100, check=False)
        self.assertEqual(browser.returncode, 0, f"{browser.stdout}\n{server.log}")


if __name__ == "__main__":
    unittest.main()
