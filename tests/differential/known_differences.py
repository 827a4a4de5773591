"""What explains a difference between Tintype and DynamoDB Local 1.11.478.

Each rule names why DynamoDB Local is not the judge: what AWS documents, or what suites that were checked against AWS
found. None of them is about a difference between Tintype and DynamoDB itself; those are in docs/compatibility.md,
and the requests of this test keep out of their way.
"""

import base64
import copy
import itertools
import json
import re

import two_faults
from compare import as_text, name_of
from json_types import has_other_types
from tables import LOCAL, TABLES
from wording import faults, same_in_expression


def explain(operation, request, before, ours, theirs):
    """The reasons, joined, or None."""
    if theirs.status == 500:
        return internal_error(operation, request, before, ours)
    if ours.error is None and theirs.error is None:
        return explain_bodies(operation, request, before, ours.body, theirs.body)
    for rule in REFUSALS:
        reason = rule(operation, request, before, ours, theirs)
        if reason:
            return reason
    return None


def internal_error(operation, request, before, ours):
    """The requests that DynamoDB Local is known to fail on. Whatever Tintype answers then has no judge, so that others
    count as unexplained."""
    if has_other_types(request):
        return "DynamoDB Local fails on JSON of other types than the API's"
    if operation == "UpdateItem" and not {"UpdateExpression", "AttributeUpdates"} & set(request) and (
            request.get("ReturnValues") in ("UPDATED_OLD", "UPDATED_NEW")):
        return "DynamoDB Local fails to show what was updated when nothing was"
    if operation in ("UpdateItem", "TransactWriteItems") and any(
            re.search("Type mismatch for Index Key", message or "") for message in messages(ours)):
        return "DynamoDB Local fails on updates of an index key to another type"
    # The transaction has another fault, which Tintype tells first.
    if operation == "TransactWriteItems" and ours.error and any(
            update and takes_index_key_of_another_type(update, item) for update, item in zip(
                (action.get("Update") for action in request.get("TransactItems", [])), before)):
        return "DynamoDB Local fails on updates of an index key to another type"
    if re.search("Member must satisfy enum value set", ours.message or "") and two_faults.is_malformed(request, ours.message):
        return "DynamoDB Local fails on options with a value that there is not"
    return None


def takes_index_key_of_another_type(update, item):
    """Whether an update sets an attribute that an index has as its key to one that the item has with another type."""
    types = next((table.attribute_types() for table in TABLES if table.name == update.get("TableName")), {})
    names = update.get("ExpressionAttributeNames", {})
    for target, source in re.findall(r"(#?\w+)\s*=\s*(?:if_not_exists\s*\(\s*)?(#?\w+)", update.get("UpdateExpression", "")):
        wanted = types.get(names.get(target, target))
        value = (item or {}).get(names.get(source, source))
        if wanted and value and wanted not in value:
            return True
    return False


# Both answered: each rule takes its difference out of both bodies. What is left must be equal.

def explain_bodies(operation, request, before, ours, theirs):
    ours, theirs, reasons = copy.deepcopy(ours), copy.deepcopy(theirs), []
    for rule in BODIES:
        state = json.dumps([ours, theirs])
        reason = rule(operation, request, before, ours, theirs)
        if reason and json.dumps([ours, theirs]) != state:
            reasons.append(reason)
    return "; ".join(reasons) if ours == theirs and reasons else None


def collection_metrics(operation, request, before, ours, theirs):
    if request.get("ReturnItemCollectionMetrics") == "SIZE" and "ItemCollectionMetrics" not in theirs:
        ours.pop("ItemCollectionMetrics", None)
    return "DynamoDB Local tracks no item collections, as its documentation says"


def removal_from_nothing(operation, request, before, ours, theirs):
    """AWS: an update that only removes does not create the item (scylladb/scylladb#5862 found it, with a test on
    AWS)."""
    updates = [request] if operation == "UpdateItem" else [
        action.get("Update") for action in request.get("TransactItems", [])] if operation == "TransactWriteItems" else []
    if not any(update and only_removes(update) and item is None for update, item in zip(updates, before)):
        return None
    if operation == "UpdateItem" and set(theirs.get("Attributes", {})) <= set(request["Key"]):
        theirs.pop("Attributes", None)
    if "items after" in theirs:
        for position, update in enumerate(updates):
            if update and only_removes(update) and ours["items after"][position] is None:
                theirs["items after"][position] = None
    adopt_capacity(ours, theirs, lambda mine, other: units_of(other) >= units_of(mine))
    return "DynamoDB Local creates an item when told to remove attributes from nothing"


def only_removes(update):
    if "AttributeUpdates" in update:
        return all(change.get("Action") == "DELETE" for change in update["AttributeUpdates"].values())
    words = re.findall(r"\b(SET|ADD|REMOVE|DELETE)\b", update.get("UpdateExpression", ""), re.IGNORECASE)
    return bool(words) and not {word.upper() for word in words} & {"SET", "ADD"}


def capacity_of_nothing(operation, request, before, ours, theirs):
    """AWS: a read that finds nothing consumes the smallest unit ("Capacity unit consumption for reads"), and what a
    filter leaves out is read as well ("Filter expressions"). Of several pages, only the last can have found nothing."""
    def is_free(mine, other):
        if units_of(other) >= units_of(mine):
            return False
        if operation == "BatchGetItem":
            get, found = request["RequestItems"][mine["TableName"]], ours["Responses"].get(mine["TableName"], [])
            return len(found) < len(get["Keys"]) and is_read_key_by_key(mine, get, found)
        if is_filtered(request) and theirs["Count"] < theirs["ScannedCount"]:
            # Of up to 4 KB each, and one unit more for the index that leads to them.
            return units_of(mine) <= least_read(request) * (1 + ours["ScannedCount"])
        pages = len(ours.get("LastEvaluatedKeys", [None]))
        return (mine is capacities(ours)[-1] and ours["ScannedCount"] <= request.get("Limit", 0) * (pages - 1) and
                units_of(mine) == least_read(request))

    if operation in ("Query", "Scan", "BatchGetItem"):
        adopt_capacity(ours, theirs, is_free)
    return "DynamoDB Local reads for free what is not there"


def is_read_key_by_key(entry, get, found):
    """Whether a table's part of a BatchGetItem is counted as AWS documents it: each key by itself, those that are not
    there too. Of items that are not answered in full, one may have more than 4 KB."""
    least = least_read(get)
    if is_projected(get):
        most = least * (len(get["Keys"]) + bool(found))
    else:
        most = least * (len(get["Keys"]) - len(found)) + sum(read_units(size_of(item)[1], get) for item in found)
    return least * len(get["Keys"]) <= units_of(entry) <= most


def capacity_of_rounding(operation, request, before, ours, theirs):
    """AWS: each item of BatchGetItem is rounded up by itself, and so is each that a read of a local index fetches for
    an entry ("Capacity unit consumption for reads", "Read capacity units" of local indexes). Theirs are no less than
    all together."""
    def is_rounded(mine, other):
        if not units_of(mine) > units_of(other):
            return False
        if operation == "BatchGetItem":
            get, found = request["RequestItems"][mine["TableName"]], ours["Responses"].get(mine["TableName"], [])
            together = 0 if is_projected(get) else sum(size_of(item)[0] for item in found)
            return (len(found) == len(get["Keys"]) and is_read_key_by_key(mine, get, found) and
                    units_of(other) >= read_units(together, get))
        return (fetches(request) and ours["ScannedCount"] > 1 and units_of(other) >= 2 * least_read(request) and
                units_of(mine) >= least_read(request) * (1 + ours["ScannedCount"]))

    if operation in ("Query", "Scan", "BatchGetItem"):
        adopt_capacity(ours, theirs, is_rounded)
    return "DynamoDB Local rounds up what it reads of several items together"


# Fewer items than this do not come near 4 KB.
ITEMS_OF_A_UNIT = 8


def capacity_of_numbers(operation, request, before, ours, theirs):
    """AWS says nearly, not exactly, how large a number is. Where the answer has all that was read, ours and theirs must
    be units that it may have; else there must be enough items for two units, of which theirs is one less than ours."""
    def is_as_large(mine, other):
        if not least_read(request) <= units_of(other) < units_of(mine):
            return False
        if is_projected(request) or ours["Count"] < ours["ScannedCount"]:
            return ours["ScannedCount"] >= ITEMS_OF_A_UNIT and units_of(mine) - units_of(other) == least_read(request)
        least, most = size_of_all(ours["Items"])
        return read_units(least, request) <= units_of(other) and units_of(mine) <= read_units(most, request)

    if operation in ("Query", "Scan") and len(capacities(ours)) == 1 and not fetches(request):
        adopt_capacity(ours, theirs, is_as_large)
    return "DynamoDB Local counts the size of some numbers otherwise"


def capacity_of_entries(operation, request, before, ours, theirs):
    """AWS: an index is read at the size of its entries, unless the request needs more than they have. Ours are taken
    for right where they are that; of entries that are not answered in full, the least units alone are."""
    def is_of_entries(mine, other):
        least = least_read(request)
        if units_of(other) <= units_of(mine) or ours["ScannedCount"] == 0:
            return False
        if fetches(request):
            return units_of(mine) >= least * (1 + ours["ScannedCount"])
        if is_projected(request) or ours["Count"] < ours["ScannedCount"]:
            return units_of(mine) == least
        smallest, largest = size_of_all(ours["Items"])
        return read_units(smallest, request) <= units_of(mine) <= read_units(largest, request)

    index = index_of(request)
    if operation in ("Query", "Scan") and index and index.projection != "ALL":
        adopt_capacity(ours, theirs, is_of_entries)
    return "DynamoDB Local counts the size of the whole item for the entry of an index"


def capacity_of_fetches(operation, request, before, ours, theirs):
    """AWS: attributes that a local index does not project are fetched from the table, item by item ("Local Secondary
    Indexes"). Ours are taken for right where they are theirs and the least for each item; of large items it may be
    more."""
    def is_of_fetches(mine, other):
        fetched = units_of(mine) - units_of(other)
        return fetched >= least_read(request) * ours["ScannedCount"] > 0 and (
            fetched == least_read(request) * ours["ScannedCount"] or has_large(ours))

    def has_large(body):
        # Of items that are answered in part nobody can tell.
        return is_projected(request) or size_of_all(body["Items"])[1] > 4096

    if operation == "Scan" and fetches(request):
        adopt_capacity(ours, theirs, is_of_fetches)
    return "DynamoDB Local fetches from the table for free"


def units_of(entry):
    return entry["CapacityUnits"]


def least_read(request):
    """What a read costs at least."""
    return 1.0 if request.get("ConsistentRead") else 0.5


def read_units(size, request):
    return least_read(request) * max(1, -(-size // 4096))


def is_projected(request):
    """Whether the answer to a read may have less than what was read."""
    return bool({"ProjectionExpression", "AttributesToGet"} & set(request)) or request.get("Select") == "COUNT"


def is_filtered(request):
    return bool({"FilterExpression", "QueryFilter", "ScanFilter"} & set(request))


def fetches(request):
    """Whether a read of a local index needs more than the index projects."""
    index = index_of(request)
    if index is None or index.kind != LOCAL or index.projection == "ALL":
        return False
    asked = set(request.get("AttributesToGet", []))
    asked |= {path_of(path, request)[0] for path in request.get("ProjectionExpression", "").split(",") if path.strip()}
    return request.get("Select") == "ALL_ATTRIBUTES" or bool(asked - projected_names(request))


def projected_names(request):
    """The attributes that the entries of the request's index have."""
    index = index_of(request)
    return {*table_of(request["TableName"]).key_names, *(name for name, _ in index.key), *index.included}


def capacity_of_deletes(operation, request, before, ours, theirs):
    """The member is documented to be there only if ReturnConsumedCapacity asked for it."""
    if operation == "DeleteItem" and before == [None]:
        if request.get("ReturnConsumedCapacity", "NONE") == "NONE":
            theirs.pop("ConsumedCapacity", None)
        elif "ConsumedCapacity" in ours and "ConsumedCapacity" in theirs:
            theirs["ConsumedCapacity"] = ours["ConsumedCapacity"]
    return "DynamoDB Local has a capacity of its own for deleting what is not there"


def capacity_of_writes(operation, request, before, ours, theirs):
    """AWS: an index costs only where an entry is written, replaced or removed ("Write capacity units" of indexes). Ours
    are taken for right where they are that, by the request and what it met."""
    if operation in ("PutItem", "UpdateItem", "BatchWriteItem"):
        adopt_capacity(ours, theirs, lambda mine, other: units_of(other) > units_of(mine) and
                       may_cost_more(mine["TableName"], operation, request, before) and
                       is_documented(mine, operation, request, before))
    return "DynamoDB Local counts writes to indexes that have no entry of the item, and a delete of nothing twice"


def may_cost_more(name, operation, request, before):
    """Whether the table that was written has indexes, or an item was deleted that is not there. Or the size of an item
    is not known well enough to tell its units."""
    own = writes_to(name, operation, request, before)
    return (bool(table_of(name).indexes) or any(kind == "Delete" and item is None for kind, _, item in own) or
            any(least != most for least, most in (table_units(*each) for each in own)))


def capacity_of_transactional_reads(operation, request, before, ours, theirs):
    """AWS: each breakdown has its own kind of units."""
    if operation == "TransactGetItems":
        for entry in capacities(theirs):
            if "Table" in entry:
                entry["Table"].setdefault("ReadCapacityUnits", entry["Table"]["CapacityUnits"])
        sort_capacities(ours, theirs)
    return "DynamoDB Local leaves out the kind of the units that a transaction reads of a table"


def capacity_of_transactional_writes(operation, request, before, ours, theirs):
    """AWS: two units where a plain request takes one ("Capacity management for transactions"). Ours are taken for right
    where they are that, by the request and what it met."""
    if operation == "TransactWriteItems":
        sort_capacities(ours, theirs)
        for mine, other in zip(capacities(ours), capacities(theirs)):
            if mine["TableName"] == other["TableName"] and is_documented(mine, operation, request, before):
                other.clear()
                other.update(mine)
    return "DynamoDB Local counts some actions of transactions several times over, and others not at all"


def is_documented(entry, operation, request, before):
    """Whether what a request wrote to a table is counted as AWS documents it: for each write a unit a KB of the larger
    of the items before and after, two in a transaction, and one a KB for each entry of an index that goes or comes.
    The parts, where they are told, add up."""
    table, in_transaction = table_of(entry["TableName"]), operation == "TransactWriteItems"
    own = writes_to(table.name, operation, request, before)
    if not own:
        return False
    of_table = [table_units(*each) for each in own]
    of_indexes = [index_units(table, *each) for each in own]
    table_least, table_most = ((2 if in_transaction else 1) * sum(bounds) for bounds in zip(*of_table))
    index_least, index_most = (sum(bounds) for bounds in zip(*of_indexes))
    parts = [entry["Table"], *entry.get("LocalSecondaryIndexes", {}).values(),
             *entry.get("GlobalSecondaryIndexes", {}).values()] if "Table" in entry else []
    if in_transaction and any(part.get("WriteCapacityUnits") != units_of(part) for part in [entry, *parts]):
        return False
    if not table_least + index_least <= units_of(entry) <= table_most + index_most:
        return False
    return not parts or (table_least <= units_of(entry["Table"]) <= table_most and
                         sum(units_of(part) for part in parts) == units_of(entry))


def writes_to(name, operation, request, before):
    """(kind, action, item that it met) of each write to a table."""
    if operation == "BatchWriteItem":
        writes = [(table, kind.removesuffix("Request"), action) for table, entries in request["RequestItems"].items()
                  for entry in entries for kind, action in entry.items()]
    elif operation == "TransactWriteItems":
        writes = [(action["TableName"], kind, action) for kind, action in actions_of(request)]
    else:
        writes = [(request["TableName"], operation.removesuffix("Item"), request)]
    return [(kind, action, item) for (table, kind, action), item in zip(writes, before) if table == name]


def table_of(name):
    [table] = [table for table in TABLES if table.name == name]
    return table


def table_units(kind, action, item):
    """The least and the most that a write costs in its table, where it met `item`; half of it in a transaction."""
    least, most = size_of(item)
    if kind == "Put":
        least, most = (max(bounds) for bounds in zip((least, most), size_of(action["Item"])))
    elif kind == "Update":
        # Each SET may copy what is there, besides the values that were sent.
        most = (2 + action.get("UpdateExpression", "").count("=")) * most + len(json.dumps(action))
    return kilobytes(least), kilobytes(most)


def index_units(table, kind, action, item):
    """The least and the most that a write costs in the table's indexes."""
    if kind == "ConditionCheck":
        return 0, 0
    largest, least, most = table_units(kind, action, item)[1], 0, 0
    for index in table.indexes:
        had = has_entry(index, item)
        if kind == "Update":
            # An entry may come, stay as it is, change, or give way to one under another key.
            most += largest * (1 + had)
        elif had and kind == "Put" and has_entry(index, action["Item"]):
            most += 2 * largest
        elif had or kind == "Put" and has_entry(index, action["Item"]):
            # One goes or comes, as large as the item or, of other projections, no larger.
            bounds = size_of(item if had else action["Item"])
            least += kilobytes(bounds[0]) if index.projection == "ALL" else 1
            most += kilobytes(bounds[1])
    return least, most


def has_entry(index, item):
    return item is not None and all(name in item for name, _ in index.key)


def kilobytes(size):
    return max(1, -(-size // 1024))


def size_of(item):
    """The least and the most bytes of an item: AWS says nearly, not exactly, how large a number is."""
    least = most = 0
    for name, value in (item or {}).items():
        lower, upper = size_of_value(value)
        least, most = least + len(name.encode()) + lower, most + len(name.encode()) + upper
    return least, most


def size_of_all(items):
    """The same of several."""
    sizes = [size_of(item) for item in items]
    return sum(least for least, _ in sizes), sum(most for _, most in sizes)


def size_of_value(value):
    [(kind, content)] = value.items()
    if kind in ("S", "B", "N"):
        content, kind = [content], kind + "S"
    if kind == "NS":
        return len(content), 21 * len(content)
    if kind in ("SS", "BS"):
        size = sum(len(each.encode()) if kind == "SS" else len(base64.b64decode(each)) for each in content)
        return size, size
    if kind in ("M", "L"):
        sizes = [size_of_value(each) for each in (content.values() if kind == "M" else content)]
        own = 3 + len(sizes) + (sum(len(name.encode()) for name in content) if kind == "M" else 0)
        return own + sum(lower for lower, _ in sizes), own + sum(upper for _, upper in sizes)
    return 1, 1


def actions_of(request):
    """The actions of a transaction with their kinds."""
    return [pair for each in request["TransactItems"] for pair in each.items()]


def adopt_capacity(ours, theirs, when):
    """Makes their entries ours where when(our entry, their entry) holds. Lists are of pages, or one entry a table."""
    sort_capacities(ours, theirs)
    for mine, other in zip(capacities(ours), capacities(theirs)):
        if mine["TableName"] == other["TableName"] and when(mine, other):
            other.clear()
            other.update(mine)


def sort_capacities(*bodies):
    """Puts entries of tables into one order. Those of pages are in theirs."""
    for body in bodies:
        if isinstance(body.get("ConsumedCapacity"), list) and "LastEvaluatedKeys" not in body:
            body["ConsumedCapacity"].sort(key=lambda entry: entry["TableName"])


def capacities(body):
    consumed = body.get("ConsumedCapacity")
    return [entry for entry in (consumed if isinstance(consumed, list) else [consumed]) if entry]


def last_page(operation, request, before, ours, theirs):
    """AWS: a page that is full has a LastEvaluatedKey, though nothing may follow ("Paginating table query results")."""
    if operation == "Query" and "Limit" in request:
        if "pages" in ours and ours["pages"] == theirs["pages"] + [0]:
            ours["pages"].pop()
            ours.pop("ConsumedCapacity", None)
            theirs.pop("ConsumedCapacity", None)
        elif "LastEvaluatedKeys" in ours and len(ours["LastEvaluatedKeys"]) == len(theirs["LastEvaluatedKeys"]) + 1:
            del ours["LastEvaluatedKeys"][-2]
            ours["ConsumedCapacity"].pop()
    return "DynamoDB Local sometimes knows that nothing follows a full page"


def filter_on_unprojected(operation, request, before, ours, theirs):
    """AWS: what an index does not project is missing for the filter of a Scan (nubo-db/dynoxide's suite, run on AWS).
    The filter has to look at that, and both must have answered with some of the index's entries."""
    index = index_of(request)
    if operation == "Scan" and index and index.projection != "ALL" and not fetches(request):
        names = projected_names(request)
        if filtered_attributes(request) - names and has_some_of(ours, names) and has_some_of(theirs, names):
            for member in ("Items", "Count"):
                theirs[member] = ours[member]
    return "DynamoDB Local scans an index with a filter on the whole item"


def has_some_of(body, names):
    """Whether a body has no more items than were scanned, and those only attributes of that name."""
    items = body["Items"]
    return (body["Count"] <= body["ScannedCount"] and len(items) == (body["Count"] if body["has Items"] else 0) and
            all(set(item) <= names for item in items))


def filtered_attributes(request):
    """The attributes that the filter of a Scan looks at."""
    names = set(request.get("ScanFilter", {}))
    text = re.sub(r":\w+", " ", request.get("FilterExpression", ""))
    for path in re.finditer(PATH, text):
        is_function = text[path.end():].lstrip().startswith("(")
        if not is_function and path[0].upper() not in ("AND", "OR", "NOT", "BETWEEN", "IN"):
            names.add(path_of(path[0], request)[0])
    return names


def prefix_of_bytes(operation, request, before, ours, theirs):
    """A value cannot begin with a longer one."""
    text = json.dumps([request.get("KeyConditionExpression", ""), request.get("KeyConditions", "")])
    operands = re.findall(r'"B": "([^"]*)"', json.dumps(request))
    if operation == "Query" and re.search("begins_with", text, re.IGNORECASE) and any(
            base64.b64decode(operand).endswith(b"\0") for operand in operands):
        for member in ("Items", "Count", "ScannedCount", "pages", "LastEvaluatedKeys", "ConsumedCapacity"):
            if member in ours:
                theirs[member] = ours[member]
    return "DynamoDB Local takes zero bytes at the end of a prefix for optional"


def bytes_taken_for_text(operation, request, before, ours, theirs):
    """Bytes that are no text contain each other only where they are the same."""
    filters = {name: request[name] for name in ("FilterExpression", "QueryFilter", "ScanFilter") if name in request}
    operands = re.findall(r'"B": "([^"]*)"', json.dumps(request))
    if operation in ("Query", "Scan") and re.search("contains", json.dumps(filters), re.IGNORECASE) and any(
            "\N{REPLACEMENT CHARACTER}" in base64.b64decode(operand).decode(errors="replace") for operand in operands):
        for member in ("Items", "Count", "LastEvaluatedKeys", "ConsumedCapacity"):
            if member in ours:
                theirs[member] = ours[member]
    return "DynamoDB Local takes any bytes that are no UTF-8 for the same when it looks for some in others"


def updated_parts(operation, request, before, ours, theirs):
    """AWS: UPDATED_NEW and UPDATED_OLD have only what was updated, of nested attributes too (scylladb/scylladb's
    test_returnvalues, run on AWS). Ours are taken for right only where they are all that, of what theirs have."""
    if operation == "UpdateItem" and request.get("ReturnValues") in ("UPDATED_NEW", "UPDATED_OLD"):
        paths = shown_paths(request)
        for name, value in theirs.get("Attributes", {}).items():
            part = part_at(value, [path[1:] for path in paths if path[0] == name])
            if part is not None and part == ours.get("Attributes", {}).get(name):
                theirs["Attributes"][name] = part
    return "DynamoDB Local shows the whole attribute where a part of it was updated"


# A path in an expression, and what follows the paths that each clause writes.
PATH = r"[#\w]+(?:\s*\.\s*[#\w]+|\s*\[\s*\d+\s*\])*"
AFTER_PATH = {"SET": r"\s*=", "REMOVE": "", "ADD": r"\s*:", "DELETE": r"\s*:"}


def shown_paths(request):
    """The paths that the update expression writes. Of those that it removes, new values are shown only where a member
    of a list was: there the next one is."""
    clauses = re.split(r"(?<![#:.\w])(SET|REMOVE|ADD|DELETE)(?!\w)", request.get("UpdateExpression", ""), flags=re.IGNORECASE)
    paths = []
    for word, actions in zip(clauses[1::2], clauses[2::2]):
        for text in re.findall(f"({PATH}){AFTER_PATH[word.upper()]}", actions):
            path = path_of(text, request)
            if word.upper() != "REMOVE" or request["ReturnValues"] == "UPDATED_OLD" or isinstance(path[-1], int):
                paths.append(path)
    return paths


def path_of(text, holder):
    """Names, and the numbers of members of lists."""
    names = holder.get("ExpressionAttributeNames", {})
    return [int(number) if number else names.get(name, name) for number, name in re.findall(r"\[\s*(\d+)|([#\w]+)", text)]


def part_at(value, paths):
    """What of a value is at those paths below it; None if that is nothing."""
    if [] in paths:
        return value
    [(kind, content)] = value.items()
    if kind not in ("M", "L"):
        return None
    members = {step: part_at(member, [path[1:] for path in paths if path[0] == step])
               for step, member in (content.items() if kind == "M" else enumerate(content))}
    found = {step: part for step, part in members.items() if part is not None}
    return {kind: found if kind == "M" else list(found.values())} if found else None


def scan_start(operation, request, before, ours, theirs):
    """Each must have answered with what may follow the key, and an item that both have must be the same."""
    if operation == "Scan" and "ExclusiveStartKey" in request and ours["has Items"] == theirs["has Items"] and (
            may_follow(request, ours) and may_follow(request, theirs) and agree(request, ours, theirs)):
        ours.clear()
        theirs.clear()
    return "partitions are in an order of each server's own, so a scan from a key is not comparable"


def may_follow(request, body):
    """Whether a scan's answer may be one to a start key: the item of that key is not in it, and no other twice; counts
    and pages fit."""
    start = request["ExclusiveStartKey"]
    names = [name_of(key) for key in keys_in(request, [start, *body["Items"]])]
    pages = body.get("pages", [body["ScannedCount"]])
    return (body["Count"] == body["ScannedCount"] or is_filtered(request) and body["Count"] < body["ScannedCount"]) and (
        len(body["Items"]) == (body["Count"] if body["has Items"] else 0) and sum(pages) == body["ScannedCount"] and
        all(page == request.get("Limit", page) for page in pages[:-1]) and len(set(names)) == len(names))


def keys_in(request, items):
    """The keys of those of the items that have theirs."""
    names = table_of(request["TableName"]).key_names
    return [{name: item[name] for name in names} for item in items if all(name in item for name in names)]


def agree(request, ours, theirs):
    """Whether no key has two items, where items have their keys, and the units are of the same table."""
    items = [item for item in ours["Items"] + theirs["Items"] if keys_in(request, [item])]
    tables = {entry["TableName"] for body in (ours, theirs) for entry in capacities(body)}
    return tables <= {request["TableName"]} and (
        len({as_text(item) for item in items}) == len({name_of(key) for key in keys_in(request, items)}))


BODIES = [collection_metrics, removal_from_nothing, capacity_of_deletes, capacity_of_transactional_reads,
          capacity_of_transactional_writes, last_page, capacity_of_nothing, capacity_of_rounding, capacity_of_numbers,
          capacity_of_entries, capacity_of_fetches, capacity_of_writes, filter_on_unprojected, prefix_of_bytes,
          bytes_taken_for_text, updated_parts, scan_start]


# At least one refused.

def serialization(operation, request, before, ours, theirs):
    """AWS's parser knows the type of each member and refuses another with a SerializationException."""
    if ours.error == "SerializationException" and has_other_types(request):
        return "DynamoDB Local takes JSON of other types for what was meant"
    return None


def empty_values(operation, request, before, ours, theirs):
    """AWS: since May 2020 strings and bytes outside keys may be empty, in sets too."""
    if theirs.error and "empty text or bytes" in faults(theirs.message, 1):
        return "DynamoDB Local refuses empty strings and bytes, which DynamoDB has since learnt"
    return None


def accepted_by_local(operation, request, before, ours, theirs):
    """Requests that AWS refuses, in words that are known."""
    if theirs.error or not ours.error:
        return None
    if operation == "TransactWriteItems" and looks_into_key(request, ours.message):
        return "DynamoDB Local lets a condition of a transaction look into a key"
    if operation == "TransactWriteItems" and names_one_number_twice(request, ours.message):
        return "DynamoDB Local takes two forms of one number for two keys"
    for pattern, reason in [
            (r".*Global secondary index .* does not project .*|.*Select type ALL_ATTRIBUTES is not supported for global .*",
             "DynamoDB Local lets a global index answer with attributes that it does not project"),
            (r".*Type mismatch for Index Key .*|.*Aggregated size of all range keys has exceeded .*",
             "DynamoDB Local forgets to check the type or size of some index keys"),
            (r"1 validation error detected: Value '(YES|XOR|ALL|NONE|\[\])' at .*", "DynamoDB Local does not look at every option"),
            (r"1 validation error detected: Value 'x' at 'indexName' .*|1 validation error detected: Value null at .*",
             "DynamoDB Local does not look at every option"),
            (r"(1 validation error detected: )?Invalid .*Expression: Attribute name is a reserved keyword; reserved keyword: size",
             "DynamoDB Local does not know that size is reserved, as AWS's list of reserved words says"),
            (r".*Duplicate value in attribute name: .*", "DynamoDB Local lets AttributesToGet name an attribute twice"),
            (r"Provided list of item keys contains duplicates", "DynamoDB Local takes two forms of one number for two keys"),
            (r".*ComparisonOperator (NOT_)?CONTAINS is not valid for (BOOL|NULL) AttributeValue type",
             "DynamoDB Local lets CONTAINS have other operands than the strings, numbers and bytes of AWS's documentation"),
            (r"The (Segment|TotalSegments) parameter is required .*", "DynamoDB Local does not look at every option"),
    ]:
        if any(re.fullmatch(pattern, message, re.DOTALL) for message in messages(ours)):
            return reason
    return None


def names_one_number_twice(request, message):
    """Whether two actions of a transaction are on one item, with a number in its key that has another form as well."""
    if message != "Transaction request cannot include multiple operations on one item":
        return False
    keys = []
    for _, action in actions_of(request):
        table = table_of(action["TableName"])
        key = {name: action.get("Key", action.get("Item"))[name] for name in table.key_names}
        keys.append((table.name, key, name_of(key)))
    return any(a[0] == b[0] and a[2] == b[2] and name_of(a[1]) != as_text(a[1]) for a, b in itertools.combinations(keys, 2))


def looks_into_key(request, message):
    """Whether a condition of a transaction looks into the key that the message names."""
    told = re.fullmatch(r"Key attributes must be scalars; .* are not allowed: (Index)?Key: (.*)", message, re.DOTALL)
    for table in TABLES if told else []:
        is_key = told[2] in (table.attribute_types().keys() - table.key_names if told[1] else table.key_names)
        paths = [path_of(text, action) for _, action in actions_of(request) if action["TableName"] == table.name
                 for text in re.findall(PATH, action.get("ConditionExpression", ""))]
        if is_key and any(path[0] == told[2] and len(path) > 1 for path in paths):
            return True
    return False


def messages(answer):
    """What a refusal says; of a cancelled transaction, what its reasons say."""
    reasons = (answer.body or {}).get("CancellationReasons", [])
    return [reason["Message"] for reason in reasons if "Message" in reason] or [answer.message]


def start_at_the_end(operation, request, before, ours, theirs):
    """The start key is one that the condition holds for, so it is inside the query's boundaries."""
    if (operation == "Query" and not ours.error and "ExclusiveStartKey" in request and
            theirs.message == "The provided starting key does not match the range key predicate"):
        return "DynamoDB Local refuses a start key at the end of the range"
    return None


def cancelled(operation, request, before, ours, theirs):
    """AWS: CancellationReasons may hold a ValidationError, and a failed condition's message has no full stop."""
    if operation not in ("TransactWriteItems", "TransactGetItems") or ours.error != "TransactionCanceledException":
        return None
    if theirs.error == "TransactionCanceledException":
        mine, other = json.dumps(ours.body, sort_keys=True), json.dumps(theirs.body, sort_keys=True)
        if ours.message == theirs.message and mine == other.replace("request failed.", "request failed"):
            return "DynamoDB Local ends a message with a full stop"
    elif theirs.error == "ValidationException":
        other = faults(theirs.message, 1)
        for reason in ours.body.get("CancellationReasons", []):
            mine = faults(reason["Message"], 0) if reason["Code"] == "ValidationError" else set()
            if mine & other or two_faults.explains(mine, other, request, reason.get("Message")):
                return "DynamoDB Local answers a bad action of a transaction as if it were a bad request"
    return None


def wording(operation, request, before, ours, theirs):
    if not (ours.error and theirs.error):
        return None
    mine, other = faults(ours.message, 0), faults(theirs.message, 1)
    if mine & other and ours.error == theirs.error and same_in_expression(ours.message, theirs.message):
        return "the same fault in DynamoDB Local's older words"
    if mine and other and not mine & other and two_faults.explains(mine, other, request, ours.message):
        return "a request with two faults: each server tells another one"
    return None


def removal_below_nothing(operation, request, before, ours, theirs):
    """AWS: REMOVE of a nested path asks for its parents only if there is an item."""
    if (operation in ("UpdateItem", "TransactWriteItems") and None in before and not ours.error and
            "path leads nowhere" in faults(theirs.message, 1)):
        return "DynamoDB Local asks for the parents of what is removed from an item that does not exist"
    return None


REFUSALS = [serialization, empty_values, accepted_by_local, start_at_the_end, cancelled, wording, removal_below_nothing]


def index_of(request):
    for table in TABLES:
        for index in table.indexes:
            if table.name == request.get("TableName") and index.name == request.get("IndexName"):
                return index
    return None
