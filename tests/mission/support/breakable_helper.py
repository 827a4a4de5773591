"""An image helper that dies of every picture while it is broken, and else does its work."""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path


def first_message_of(helper):
    """What an image helper says on its channel, the descriptor 3, when it has started."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs, subprocess.Popen([helper], preexec_fn=lambda: os.dup2(theirs.fileno(), 3), pass_fds=[3]) as process:
        message = ours.recv(4096)
        process.kill()
        return message


class BreakableHelper:
    """The program is at `path`; it is broken while `broken` exists. Helpers that run already stay as they are."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.broken = Path(self._folder.name, "broken")
        self.path = Path(self._folder.name, "helper")
        real = Path(os.environ["TINTYPE_BIN"]).resolve().parent / "tintype-darkroom"
        self.path.write_text(f"#!{sys.executable}\n"
                             "import os, socket\n"
                             f"if not os.path.exists({str(self.broken)!r}):\n"
                             f"    os.execv({str(real)!r}, [{str(real)!r}])\n"
                             "channel = socket.socket(fileno=3)\n"
                             f"channel.send({first_message_of(real)!r})\n"
                             "channel.recv(4096)\n"
                             "os.abort()\n")
        self.path.chmod(0o755)

    def cleanup(self):
        self._folder.cleanup()
