"""Searches files for what a test has put into a gallery, in plain and in the encodings that programs use."""

import base64
import os
import urllib.parse
from pathlib import Path

# Of bytes, so many in a row are looked for.
SLICE = 48


def forms_of_text(text):
    """A text as tables, JSON, forms, links and Windows have it."""
    plain = text.encode()
    yield from (plain, plain.lower(), text.encode("utf-16-le"), text.encode("latin-1", "ignore"),
                urllib.parse.quote(text, safe="").encode(), urllib.parse.quote_plus(text).encode(),
                text.encode("unicode_escape"), text.encode("ascii", "xmlcharrefreplace"))
    yield from forms_of_bytes(plain)


def forms_of_bytes(data):
    """Bytes as they are, as digits, and in base64 wherever they begin in it."""
    yield from (data, data.hex().encode(), data.hex().upper().encode())
    for lead in range(3):
        # Only what the neighbours have no part in.
        encoded = base64.b64encode(bytes(lead) + data)
        inner = encoded[4 if lead else 0:-4]
        yield from (inner, inner.replace(b"+", b"-").replace(b"/", b"_"))


class Loot:
    """The texts and the bytes that are looked for, by names of the test's own."""

    def __init__(self):
        self._forms = {}
        self.secrets = set()  # The names of those that open something.

    def add_text(self, what, text):
        self._add(what, forms_of_text(text))

    def add_secret(self, what, text):
        """A text that not even a log may have."""
        self.add_text(what, text)
        self.secrets.add(what)

    def add_key(self, what, key):
        """The bytes of a key, which is a secret too."""
        self._add(what, forms_of_bytes(key))
        self.secrets.add(what)

    def add_bytes(self, what, data):
        """Slices all over it; those of one byte alone, or of few, are anywhere."""
        for at in range(0, len(data) - SLICE + 1, max(SLICE, len(data) // 10)):
            part = data[at:at + SLICE]
            if len(set(part)) > SLICE // 3:
                self._add(what, forms_of_bytes(part))

    def _add(self, what, forms):
        self._forms.setdefault(what, set()).update(form for form in forms if len(form) >= 6)

    def kinds(self):
        return self._forms.keys()

    def find(self, folder, but=()):
        """Finds all of that in the files of a folder and in their names, but for some entries of the folder itself.
        Returns pairs of a name and a path."""
        found = set()
        for path in Path(folder).rglob("*"):
            if path.relative_to(folder).parts[0] in but:
                continue
            name = os.fsencode(str(path.relative_to(folder)))
            content = path.read_bytes() if path.is_file() else b""
            for what, forms in self._forms.items():
                if any(form in content or form in name for form in forms):
                    found.add((what, str(path.relative_to(folder))))
        return sorted(found)

    def secrets_in(self, content):
        """The names of the secrets that some bytes show."""
        return sorted(what for what in self.secrets if any(form in content for form in self._forms[what]))
