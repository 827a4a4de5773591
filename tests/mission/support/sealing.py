"""How blobs are sealed, written from docs/formats alone: what tests read with it is stored in that form."""

import base64
import hashlib
import hmac
import os
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MAGIC = b"TINTBLOB"
HEADER, CHUNK, NONCE, TAG = 88, 64 * 1024, 12, 16
NAME_PART = 240


def derive(key, salt, info, length=32):
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt or None, info=info).derive(key)


def data_keys(data_dir):
    """The data keys of a directory that has its master key, by id (docs/formats/encryption.md)."""
    master = bytes.fromhex(Path(data_dir, "master.key").read_text())
    sealed = Path(data_dir, "tables", "KEYS").read_bytes()
    assert hashlib.sha256(sealed[:-32]).digest() == sealed[-32:]
    head, nonce, rest = sealed[:24], sealed[24:36], sealed[36:-32]
    keys = AESGCM(derive(master, b"", b"tintype keyring")).decrypt(nonce, rest, head + nonce)
    assert len(keys) == 48 * int.from_bytes(head[16:24], "big")
    return {keys[at:at + 8]: keys[at + 16:at + 48] for at in range(0, len(keys), 48)}


def unseal(data_dir, sealed, info=b"tintype blobs"):
    """What is sealed in a file (docs/formats/blobs.md)."""
    header = sealed[:HEADER]
    assert header[:16] == MAGIC + b"\x01" + bytes(7)
    key = derive(data_keys(data_dir)[header[16:24]], b"", info)
    both = derive(key, header[24:56], b"tintype blob", 64)
    assert hmac.digest(both[32:], header[:56], "sha256") == header[56:]
    cipher, text, size = AESGCM(both[:32]), b"", CHUNK + NONCE + TAG
    chunks = [sealed[at:at + size] for at in range(HEADER, len(sealed), size)]
    for number, chunk in enumerate(chunks):
        place = number.to_bytes(8, "big") + (b"\x01" if number == len(chunks) - 1 else b"\x00")
        text += cipher.decrypt(chunk[:NONCE], chunk[NONCE:], place)
    return text


def secret(data_dir):
    """What links are signed with."""
    stored = Path(data_dir, "secret").read_bytes()
    return unseal(data_dir, stored, b"tintype secret") if stored.startswith(MAGIC) else stored


def seal_text(data_dir, label, text):
    """A small file or attribute that is sealed with a key of the secret (docs/formats/photos.md)."""
    nonce = os.urandom(NONCE)
    return b"\x01" + nonce + AESGCM(derive(secret(data_dir), b"", label)).encrypt(nonce, text, label)


def unseal_text(data_dir, label, sealed):
    assert sealed[:1] == b"\x01"
    return AESGCM(derive(secret(data_dir), b"", label)).decrypt(sealed[1:1 + NONCE], sealed[1 + NONCE:], label)


def _name_keys(data_dir):
    oldest = next(iter(data_keys(data_dir).values()))
    both = derive(derive(oldest, b"", b"tintype blobs"), b"", b"tintype blob names", 64)
    return both[:32], AESGCM(both[32:])


def hidden(data_dir, key):
    """The path of a blob's file (docs/formats/blobs.md, Names): its key where there are no keys for names."""
    if "@" not in key or not Path(data_dir, "tables", "KEYS").exists():
        return key
    for_nonce, cipher = _name_keys(data_dir)

    def part_of(component):
        if "@" not in component:
            return component
        nonce = hmac.digest(for_nonce, component.encode(), "sha256")[:NONCE]
        text = base64.urlsafe_b64encode(nonce + cipher.encrypt(nonce, component.encode(), None)).decode().rstrip("=")
        return "/".join("~" + text[at:at + NAME_PART] for at in range(0, len(text), NAME_PART))

    return "/".join(map(part_of, key.split("/")))


def shown(data_dir, path):
    """The key of the blob that has this path, and a name of at most NAME_PART characters."""
    if "~" not in path:
        return path
    _, cipher = _name_keys(data_dir)

    def component_of(part):
        if not part.startswith("~"):
            return part
        sealed = base64.urlsafe_b64decode(part[1:] + "=" * (-len(part[1:]) % 4))
        return cipher.decrypt(sealed[:NONCE], sealed[NONCE:], None).decode()

    return "/".join(map(component_of, path.split("/")))
