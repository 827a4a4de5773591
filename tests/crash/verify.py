"""What must hold after a crash: nothing acknowledged is missing, nothing happened in part, every index agrees with its
table."""

from workload import ACCOUNTS, LATE_INDEX, OPENING_BALANCE, TABLE, TABLE_NAME, account_key, key_of


def read_all(connection, **parameters):
    """Every item of a table or index, by pages small enough that there are many."""
    items = []
    request = {"TableName": TABLE_NAME, "Limit": 150, **parameters}
    while True:
        page = connection.call("Scan", request)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def settle_pending(writer, stored):
    """Decides from what is stored whether the writer's pending operation happened, and returns the problems.

    Every effect must have happened as a whole or not at all.
    """
    operation, writer.pending = writer.pending, None
    if operation is None:
        return []
    problems = []
    for effect in operation.effects:
        if all(stored.get(key) == item for key, item in effect.items()):
            writer.settle([effect])
            if operation.transfer:
                writer.transfers.append(operation.transfer)
        elif any(stored.get(key) != writer.items.get(key) for key in effect):
            problems.append(f"writer {writer.number}: {operation.name} happened in part: {effect}, "
                            f"stored {[stored.get(key) for key in effect]}, "
                            f"before {[writer.items.get(key) for key in effect]}")
    return problems


def check_table(connection, writers):
    """Compares the table with what the writers know. Returns the stored items and the problems."""
    rows = read_all(connection, ConsistentRead=True)
    stored = {key_of(item): item for item in rows}
    problems = []
    if len(stored) != len(rows):
        problems.append(f"a scan returned {len(rows)} items with {len(stored)} keys")
    for writer in writers:
        problems += settle_pending(writer, stored)

    expected = {}
    balances = [OPENING_BALANCE] * ACCOUNTS
    for writer in writers:
        expected.update(writer.items)
        for transfer in writer.transfers:
            for account, delta in transfer.items():
                balances[account] += delta
    for number, balance in enumerate(balances):
        key = account_key(number)
        expected[key] = {"pk": {"S": key[0]}, "sk": {"N": key[1]}, "balance": {"N": str(balance)}}

    total = sum(int(item["balance"]["N"]) for item in rows if "balance" in item)
    if total != ACCOUNTS * OPENING_BALANCE:
        problems.append(f"the accounts hold {total} in all")
    problems += differences("table", expected, stored)
    return rows, problems


def check_indexes(connection, rows, late_index):
    """Compares every index with what the table's items say it should hold. Returns the problems.

    `late_index` says whether the index that comes and goes was last added or removed.
    """
    problems = []
    definitions = TABLE["GlobalSecondaryIndexes"] + TABLE["LocalSecondaryIndexes"]
    if wait_for_late_index(connection):
        definitions = definitions + [LATE_INDEX]
    if (LATE_INDEX in definitions) != late_index:
        problems.append(f"the late index should {'' if late_index else 'not '}be there")
    for index in definitions:
        entries = read_all(connection, IndexName=index["IndexName"])
        stored = {key_of(entry): entry for entry in entries}
        if len(stored) != len(entries):
            problems.append(f"{index['IndexName']} holds an item twice")
        expected = {key_of(item): entry for item in rows if (entry := project(index, item)) is not None}
        problems += differences(index["IndexName"], expected, stored)
    return problems


def project(index, item):
    """The item's entry in the index; None if it has none."""
    keys = [key["AttributeName"] for key in index["KeySchema"]]
    if not all(name in item for name in keys):
        return None
    projection = index["Projection"]
    if projection["ProjectionType"] == "ALL":
        return item
    names = {"pk", "sk", *keys, *projection.get("NonKeyAttributes", [])}
    return {name: value for name, value in item.items() if name in names}


def wait_for_late_index(connection):
    """Whether the late index is there, once it has come or gone."""
    while True:
        table = connection.call("DescribeTable", {"TableName": TABLE_NAME})["Table"]
        status = next((index["IndexStatus"] for index in table["GlobalSecondaryIndexes"]
                       if index["IndexName"] == LATE_INDEX["IndexName"]), None)
        if status in (None, "ACTIVE"):
            return status is not None


def differences(where, expected, stored):
    problems = [f"{where}: {key} is missing, expected {expected[key]}" for key in expected.keys() - stored.keys()]
    problems += [f"{where}: {key} should not be there: {stored[key]}" for key in stored.keys() - expected.keys()]
    problems += [f"{where}: {key} is {stored[key]}, expected {expected[key]}"
                 for key in expected.keys() & stored.keys() if expected[key] != stored[key]]
    return problems
