"""Random legacy parameters: Expected, AttributeUpdates, KeyConditions, QueryFilter and ScanFilter."""

from expressions import order

ONE = ["EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"]


class Legacy:
    def __init__(self, values, table):
        self.values = values
        self.table = table

    def conditions(self):
        """Attribute names with a comparison each."""
        found = {}
        for name in self.values.attributes(self.table, 3) or ["a"]:
            found[name] = self.comparison(name)
        return found

    def comparison(self, name):
        values = self.values
        draw = values.random.random()
        if draw < 0.15:
            return {"ComparisonOperator": values.pick(["NULL", "NOT_NULL"])}
        if draw < 0.25:
            return {"ComparisonOperator": "BETWEEN", "AttributeValueList": self.ends(name)}
        if draw < 0.35:
            return {"ComparisonOperator": "IN",
                    "AttributeValueList": [self.plain(name) for _ in range(values.random.randint(1, 3))]}
        operator = values.pick(ONE)
        if operator == "BEGINS_WITH" and self.values.type_of(self.table, name) == "N" and values.chance(0.9):
            operator = "EQ"
        if operator in ("EQ", "NE"):
            return {"ComparisonOperator": operator, "AttributeValueList": [values.for_attribute(self.table, name)]}
        return {"ComparisonOperator": operator, "AttributeValueList": [self.plain(name)]}

    def ends(self, name):
        ends = [self.plain(name), self.plain(name)]
        return sorted(ends, key=order) if self.values.chance(0.95) else ends

    def plain(self, name):
        """A number, a string or bytes: what most legacy operators take."""
        kind = self.values.type_of(self.table, name)
        kind = {"SS": "S", "NS": "N", "BS": "B"}.get(kind, kind)
        if kind not in ("S", "N", "B") or self.values.chance(0.05):
            kind = self.values.pick(["S", "N", "B"])
        return self.values.of_type(kind) if self.values.chance(0.97) else self.values.any()

    def expected(self, request):
        expected = self.conditions()
        for name in expected:
            if self.values.chance(0.3):
                expected[name] = self.values.pick([
                    {"Exists": False}, {"Value": self.values.for_attribute(self.table, name)},
                    {"Exists": True, "Value": self.values.for_attribute(self.table, name)}])
        request["Expected"] = expected
        self.operator(request, expected)

    def operator(self, request, conditions):
        if len(conditions) > 1 and self.values.chance(0.4):
            request["ConditionalOperator"] = self.values.pick(["AND", "OR"])

    def filter(self, request, member, key):
        names = {name for name, _ in key}
        request[member] = {name: condition for name, condition in self.conditions().items() if name not in names}
        self.operator(request, request[member])

    def update(self, request):
        updates = {}
        for name in self.values.attributes(self.table, 4) or ["a"]:
            action = self.values.pick(["PUT", "PUT", "ADD", "DELETE"])
            update = {"Action": action} if action != "PUT" or self.values.chance(0.7) else {}
            kind = self.values.type_of(self.table, name)
            if action == "ADD" and kind not in ("N", "NS", "SS", "BS", "L") and self.values.chance(0.9):
                update["Action"] = "PUT"
            if action != "DELETE" or (kind in ("NS", "SS", "BS") or self.values.chance(0.05)) and self.values.chance(0.6):
                update["Value"] = self.values.for_attribute(self.table, name)
            updates[name] = update
        request["AttributeUpdates"] = updates

    def key_conditions(self, request, key):
        (hash_name, hash_kind), *rest = key
        values = self.values
        request["KeyConditions"] = {
            hash_name: {"ComparisonOperator": "EQ", "AttributeValueList": [values.key_value(hash_kind)]}}
        if rest and values.chance(0.7):
            name, kind = rest[0]
            operator = values.pick(["EQ", "LE", "LT", "GE", "GT", "BETWEEN", "BEGINS_WITH"])
            if operator == "BEGINS_WITH" and kind == "N":
                operator = "EQ"
            operands = sorted((values.key_value(kind) for _ in range(2 if operator == "BETWEEN" else 1)), key=order)
            request["KeyConditions"][name] = {"ComparisonOperator": operator, "AttributeValueList": operands}
