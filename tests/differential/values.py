"""Random attribute values and paths, from a space small enough that requests meet each other's items."""

import base64

from tables import TABLES

TEXTS = ["a", "b", "ab", "abc", "B", "é", "z z", "10", "\u4e2d", "\U0001f600"]
NUMBERS = ["0", "1", "2", "3", "-1", "10", "1.5", "-2.25", "100", "7", "42"]
# The same number in several forms, the ends of the range, and 38 digits.
ODD_NUMBERS = ["1.0", "10e-1", "0.1E1", "+2", "-0", "0.00", "007", "1e2", "1E+2", "12345678901234567890123456789012345678",
               "-0.12345678901234567890123456789012345678", "9.9999999999999999999999999999999999999E+125", "1E-130",
               "-1E-130", "1e125", "123456789012345678901234567890", "0.1", "0.2", "1e-5", "12e20", "5000000000000000000000"]
BAD_NUMBERS = ["", "abc", "1e126", "1E-131", "123456789012345678901234567890123456789", "0x10", "1 ", "NaN", "1e", "--1", "1_0"]
BYTES = [b"\x00", b"\x01", b"\x01\x00", b"\x7f", b"\x80", b"\xff", b"abc", b"\xff\xff"]

# Attributes that usually have one type, so that most operations fit; the keys' types come from the tables.
TYPED = {"a": "S", "b": "N", "s": "S", "c": "N", "x": "B", "t": "BOOL", "u": "NULL", "l": "L", "m": "M",
         "ss": "SS", "ns": "NS", "bs": "BS"}
# Names that need a placeholder: reserved words, and what is no identifier.
AWKWARD = {"name": "S", "size": "N", "status": "S", "a.b": "N", "with space": "S", "_under": "N", "9lives": "S", "né": "S"}
INNER = ["p", "q", "a", "name"]


class Values:
    """Draws from one random.Random."""

    def __init__(self, random):
        self.random = random

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, options):
        return self.random.choice(options)

    def number(self):
        return self.pick(ODD_NUMBERS) if self.chance(0.2) else self.pick(NUMBERS)

    def binary(self):
        return base64.b64encode(self.pick(BYTES)).decode()

    def of_type(self, kind, depth=0):
        if kind == "S":
            return {"S": self.pick(TEXTS)}
        if kind == "N":
            return {"N": self.number()}
        if kind == "B":
            return {"B": self.binary()}
        if kind == "BOOL":
            return {"BOOL": self.chance(0.5)}
        if kind == "NULL":
            return {"NULL": True}
        if kind == "SS":
            return {"SS": self.random.sample(TEXTS, self.random.randint(1, 4))}
        if kind == "NS":
            return {"NS": self.random.sample(NUMBERS, self.random.randint(1, 4))}
        if kind == "BS":
            return {"BS": [base64.b64encode(one).decode() for one in self.random.sample(BYTES, self.random.randint(1, 3))]}
        if kind == "L":
            return {"L": [self.any(depth + 1) for _ in range(self.random.randint(0, 3))]}
        names = self.random.sample(INNER, self.random.randint(0, 3))
        return {"M": {name: self.any(depth + 1) for name in names}}

    def any(self, depth=0):
        kinds = ["S", "N", "S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS"] + (["L", "M"] if depth < 3 else [])
        return self.of_type(self.pick(kinds), depth)

    def type_of(self, table, name):
        """The type that an attribute usually has."""
        return table.attribute_types().get(name) or TYPED.get(name) or AWKWARD.get(name)

    def for_attribute(self, table, name):
        """A value for a top-level attribute; now and then one of another type."""
        kind = self.type_of(table, name)
        indexed = name in table.attribute_types()
        if indexed and self.chance(0.6):
            return self.key_value(kind)
        wrong = 0.03 if indexed else 0.1
        return self.any() if kind is None or self.chance(wrong) else self.of_type(kind)

    def key_value(self, kind):
        if kind == "S":
            return {"S": self.pick(TEXTS[:4])}
        if kind == "N":
            return {"N": self.pick(NUMBERS[:5] + (ODD_NUMBERS[:6] if self.chance(0.3) else []))}
        return {"B": base64.b64encode(self.pick(BYTES[:4])).decode()}

    def key(self, table):
        return {name: self.key_value(kind) for name, kind in table.key}

    def attribute(self, table):
        """The name of an attribute, seldom one of the key, more often one of an index."""
        draw = self.random.random()
        if draw < 0.04:
            return self.pick(table.key_names)
        if draw < 0.2:
            return self.pick(sorted(table.attribute_types()))
        if draw < 0.27:
            return self.pick(sorted(AWKWARD))
        return self.pick(sorted(TYPED))

    def attributes(self, table, most):
        """Distinct names outside the key."""
        names = {self.attribute(table) for _ in range(self.random.randint(0, most))}
        return sorted(names - set(table.key_names))

    def item(self, table):
        item = self.key(table)
        for name in self.attributes(table, 8):
            item[name] = self.for_attribute(table, name)
        return item

    def table(self):
        return self.pick(TABLES)
