"""Random expressions of each kind. A Request collects the placeholders that they need."""

import base64
import re

from values import AWKWARD, INNER, TYPED

COMPARATORS = ["=", "<>", "<", "<=", ">", ">="]
TYPES = ["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"]


class Expressions:
    """Writes expressions over one table into one request."""

    def __init__(self, values, table):
        self.values = values
        self.table = table
        self.names = {}
        self.placeholders = {}

    def fill_in(self, request):
        if self.names:
            request["ExpressionAttributeNames"] = self.names
        if self.placeholders:
            request["ExpressionAttributeValues"] = self.placeholders

    def name(self, name):
        """The name itself, or a placeholder when it needs one or by chance."""
        if name in AWKWARD or self.values.chance(0.15):
            for placeholder, known in self.names.items():
                if known == name:
                    return placeholder
            placeholder = f"#n{len(self.names)}"
            self.names[placeholder] = name
            return placeholder
        return name

    def value(self, value):
        placeholder = f":v{len(self.placeholders)}"
        self.placeholders[placeholder] = value
        return placeholder

    def path_and_attribute(self, deep=0.3, attribute=None):
        attribute = attribute or self.values.attribute(self.table)
        path = self.name(attribute)
        if attribute in ("l", "m") or self.values.chance(0.03):
            while self.values.chance(deep):
                if attribute == "l":
                    path += f"[{self.values.random.randint(0, 3)}]"
                else:
                    path += "." + self.name(self.values.pick(INNER))
                attribute = self.values.pick(["l", "m"])
                deep = 0.3
        return path, attribute

    def path(self, deep=0.3):
        return self.path_and_attribute(deep)[0]

    def operand_for(self, attribute, ordered):
        """An operand that may be compared with the attribute."""
        draw = self.values.random.random()
        if draw < 0.8:
            if ordered and self.values.chance(0.95):
                return self.value(self.values.of_type(self.values.type_of(self.table, attribute)))
            return self.value(self.values.for_attribute(self.table, attribute))
        if draw < 0.93:
            return self.path()
        return f"size({self.path()})"

    def filter(self, key):
        """A condition, usually not on the attributes of the key that is queried."""
        for _ in range(4):
            kept = dict(self.names), dict(self.placeholders)
            condition = self.condition()
            names = {self.names.get(word, word) for word in re.findall(r"[#\w]+", condition)}
            if not names & {name for name, _ in key}:
                break
            self.names, self.placeholders = kept
        else:
            condition = self.condition()
        return condition

    def condition(self, depth=0):
        values = self.values
        draw = values.random.random()
        if depth < 3 and draw < 0.3:
            both = f"{self.condition(depth + 1)} {values.pick(['AND', 'OR', 'and', 'Or'])} {self.condition(depth + 1)}"
            return f"({both})" if values.chance(0.4) else both
        if depth < 3 and draw < 0.38:
            return f"NOT {self.condition(depth + 1)}"
        if depth < 3 and draw < 0.41:
            return f"({self.condition(depth + 2)})"
        path, attribute = self.path_and_attribute()
        ordered = values.type_of(self.table, attribute) in ("S", "N", "B")
        comparator = values.pick(COMPARATORS if ordered or values.chance(0.02) else COMPARATORS[:2])
        draw = values.random.random()
        if draw < 0.3:
            return f"{path} {comparator} {self.operand_for(attribute, ordered)}"
        if draw < 0.4:
            return f"{self.operand_for(attribute, ordered)} {comparator} {path}"
        if draw < 0.5 and (ordered or values.chance(0.02)):
            low, high = self.range_for(attribute)
            return f"{path} BETWEEN {low} AND {high}"
        if draw < 0.58:
            options = [self.operand_for(attribute, False) for _ in range(values.random.randint(1, 4))]
            return f"{path} IN ({', '.join(options)})"
        if draw < 0.7:
            return f"{values.pick(['attribute_exists', 'attribute_not_exists'])}({path})"
        if draw < 0.78:
            return f"attribute_type({path}, {self.value({'S': values.pick(TYPES)})})"
        if draw < 0.84:
            return f"begins_with({path}, {self.value(values.of_type(values.pick(['S', 'S', 'B'])))})"
        if draw < 0.94:
            inside = {"SS": "S", "NS": "N", "BS": "B"}.get(attribute.upper())
            wanted = values.of_type(inside) if inside else values.any(2)
            return f"contains({path}, {self.value(wanted) if values.chance(0.9) else self.path()})"
        return f"size({path}) {values.pick(COMPARATORS)} {self.value({'N': str(values.random.randint(0, 4))})}"

    def range_for(self, attribute):
        kind = self.values.type_of(self.table, attribute)
        kind = kind if kind in ("S", "N", "B") else "S"
        ends = [self.values.of_type(kind) if self.values.chance(0.98) else self.values.any() for _ in range(2)]
        if self.values.chance(0.9):
            ends.sort(key=order)
        return [self.value(end) for end in ends]

    def projection(self):
        attributes = [self.values.attribute(self.table) for _ in range(self.values.random.randint(1, 4))]
        if self.values.chance(0.95):
            attributes = sorted(set(attributes))
        return ", ".join(self.path_and_attribute(0.3, attribute)[0] for attribute in attributes)

    def update(self):
        values = self.values
        attributes = values.attributes(self.table, 5) or ["a"]
        if values.chance(0.03):
            attributes.append(values.attribute(self.table))
        clauses = {}
        for attribute in attributes:
            clause, action = self.update_action(attribute)
            clauses.setdefault(clause, []).append(action)
        words = list(clauses)
        values.random.shuffle(words)
        return " ".join(f"{word if values.chance(0.8) else word.lower()} {', '.join(clauses[word])}" for word in words)

    def update_action(self, attribute):
        values = self.values
        draw = values.random.random()
        if attribute in ("ss", "ns", "bs") and draw < 0.6:
            path = self.name(attribute)
            return values.pick(["ADD", "DELETE"]), f"{path} {self.value(values.for_attribute(self.table, attribute))}"
        if attribute in ("b", "c", "n", "_under") and draw < 0.3:
            return "ADD", f"{self.name(attribute)} {self.value(values.for_attribute(self.table, attribute))}"
        path, inner = self.path_and_attribute(0.5, attribute)
        if draw > 0.8:
            return "REMOVE", path
        if draw > 0.78:
            return values.pick(["ADD", "DELETE"]), f"{path} {self.value(values.any())}"
        return "SET", f"{path} = {self.set_value(path, inner)}"

    def set_value(self, path, attribute):
        values = self.values
        kind = TYPED.get(attribute)
        if kind == "N" and values.chance(0.5):
            left = (path if values.chance(0.4) else self.value({"N": values.number()}) if values.chance(0.4) else
                    f"if_not_exists({path}, {self.value({'N': '0'})})")
            right = self.value({"N": values.number()}) if values.chance(0.8) else self.name("b")
            return f"{left} {values.pick(['+', '-'])} {right}"
        if kind == "L" and values.chance(0.5):
            parts = [path if values.chance(0.6) else f"if_not_exists({path}, {self.value({'L': []})})",
                     self.value(values.of_type("L"))]
            values.random.shuffle(parts)
            return f"list_append({parts[0]}, {parts[1]})"
        draw = values.random.random()
        if draw < 0.1:
            return f"if_not_exists({self.path()}, {self.value(values.for_attribute(self.table, attribute))})"
        if draw < 0.2:
            return self.path()
        return self.value(values.for_attribute(self.table, attribute))

    def key_condition(self, key):
        """On the keys of the table or of an index."""
        values = self.values
        (hash_name, hash_kind), *rest = key
        parts = [f"{self.name(hash_name)} = {self.value(values.key_value(hash_kind))}"]
        if rest and values.chance(0.7):
            name, kind = rest[0]
            path = self.name(name)
            draw = values.random.random()
            if draw < 0.6:
                parts.append(f"{path} {values.pick(['=', '<', '<=', '>', '>='])} {self.value(values.key_value(kind))}")
            elif draw < 0.8 or kind == "N":
                low, high = sorted([values.key_value(kind), values.key_value(kind)], key=order)
                parts.append(f"{path} BETWEEN {self.value(low)} AND {self.value(high)}")
            else:
                parts.append(f"begins_with({path}, {self.value(values.key_value(kind))})")
        if values.chance(0.2):
            parts.reverse()
        if values.chance(0.1):
            parts = [f"({part})" for part in parts]
        return " AND ".join(parts)


def order(value):
    """A key to sort values by, good enough to make most ranges the right way round."""
    (kind, content), = value.items()
    if kind == "N":
        return (kind, float(content), "")
    return (kind, 0.0, base64.b64decode(content).decode("latin-1") if kind == "B" else str(content))
