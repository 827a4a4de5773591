"""The page in a browser when photos are on S3 and links to them lead there. Run by ceph.py."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
from gallery import Gallery  # noqa: E402

WEB = Path(__file__).parent.parent.parent / "web"


class PageTest(unittest.TestCase):
    def test_one_photo_through_the_page(self):
        """Proves that a person sees, edits and downloads photos that the browser has from the storage itself."""
        gallery = Gallery(("--s3-delivery", "redirect"))
        self.addCleanup(gallery.stop)
        environment = {**os.environ, "TINTYPE_URL": f"http://{gallery.address}",
                       "TINTYPE_STORAGE_URL": os.environ["TINTYPE_TEST_S3_ENDPOINT"],
                       "TINTYPE_SETUP_TOKEN": Path(gallery.server.data_dir, "setup-token").read_text(encoding="utf-8").strip()}
        browser = subprocess.run(["/usr/bin/env", "node", "--test", "tests/live.test.mjs"], cwd=WEB, env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100, check=False)
        self.assertEqual(browser.returncode, 0, f"{browser.stdout}\n{gallery.server.log}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
