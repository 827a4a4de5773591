"""An image helper that dies of every picture while it is broken, and else does its work."""

import os
import tempfile
from pathlib import Path


class BreakableHelper:
    """The program is at `path`; it is broken while `broken` exists. Those that run already stay as they are, helpers as
    well as the templates that others are forked from."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.broken = Path(self._folder.name, "broken")
        self.path = Path(self._folder.name, "helper")
        build = Path(os.environ["TINTYPE_BIN"]).resolve().parent
        # The helper of the unit tests knows a few words, and aborts when its input begins with none of them.
        self.path.write_text(f"""#!/bin/sh
if [ -e '{self.broken}' ]; then exec '{build}/src/darkroom/scripted_helper' "$@"; fi
exec '{build}/tintype-darkroom' "$@"
""")
        self.path.chmod(0o755)

    def cleanup(self):
        self._folder.cleanup()
