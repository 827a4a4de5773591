"""--rendition-quality and --rendition-effort: what they promise of the sizes that are made of a photo, seen in their
bytes."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import SIZES, Gallery  # noqa: E402


class RenditionSettingsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.photo = photos.jpeg("rendition settings", 900, 600)

    def rendition_bytes(self, *arguments):
        """How many bytes all sizes take that a server with these settings makes of the photo."""
        gallery = Gallery(("--workers", "1", *arguments))
        try:
            ada = gallery.sign_up("ada")
            image_id = ada.upload(self.photo)
            gallery.wait_developed(ada, image_id)
            return sum(len(gallery.blob(f"images/images/{image_id}/{size}")) for size in SIZES if size != "ORIGINAL")
        finally:
            gallery.stop()

    def test_quality_costs_bytes(self):
        low, default, high = (self.rendition_bytes("--rendition-quality", quality) for quality in ("60", "85", "95"))
        self.assertLess(low, 0.8 * default)
        self.assertLess(default, 0.8 * high)

    def test_effort_saves_bytes(self):
        self.assertLess(self.rendition_bytes("--rendition-effort", "6"), self.rendition_bytes("--rendition-effort", "0"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
