"""What each feature of the tables costs, as a ratio to the same server without it; expiry under reads; restoring a
table.

Part of `./dev bench tables`.
"""

import time

import tintype_server
from signed_http import Connection, Signer

TABLE = "Images"
SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
EXPIRING_ITEMS = 100_000
EXPIRY_SECONDS = 15  # As in workload.cc.


def call(server, operation, **request):
    connection = Connection(server.address, SIGNER)
    try:
        return connection.call(operation, request)
    finally:
        connection.close()


def add_stream(server):
    call(server, "UpdateTable", TableName=TABLE,
         StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})


def add_recovery(server):
    call(server, "UpdateContinuousBackups", TableName=TABLE,
         PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})


def add_expiry(server):
    call(server, "UpdateTimeToLive", TableName=TABLE, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})


# By name: whether the files are encrypted, and what is turned on for the table before it is loaded.
FEATURES = {
    "plain": (False, []),
    "encryption": (True, []),
    "stream": (False, [add_stream]),
    "recovery": (False, [add_recovery]),
    "expiry": (False, [add_expiry]),
    "all": (True, [add_stream, add_recovery, add_expiry]),
}


def compare(directory, start, comparison, items, repeats, connections):
    """Puts and gets of all of them by turns. `start` makes an Endpoint; the medians are by feature."""
    endpoints = {}
    for name, (encrypted, additions) in FEATURES.items():
        arguments = [] if encrypted else ["--encryption", "off"]
        endpoint = start(f"{directory}/feature-{name}", items, arguments)
        endpoint.load("create")
        for add in additions:
            add(endpoint.server)
        endpoint.load("fill", connections=4)
        endpoints[name] = endpoint
    comparison.warm_up(endpoints, ("get",))
    for repeat in range(repeats):
        for workload in ("get", "put"):
            comparison.run(endpoints, workload, connections, repeat)
    for endpoint in endpoints.values():
        endpoint.stop()
    return comparison.medians()


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit("the server did not get done in time")
        time.sleep(0.02)


def measure_expiry(endpoint, connections, seconds):
    """Median and p99 of gets while many items expire at once, and before. REQUIRES: the table has TTL on."""
    endpoint.load("expiring", connections=4, calls=EXPIRING_ITEMS // 25)
    loaded = item_count(endpoint.server)
    before = endpoint.measure("get", connections, seconds, 1)
    if item_count(endpoint.server) != loaded:
        raise SystemExit("items expired before they should: the machine is too slow for this measurement")
    wait_until(lambda: item_count(endpoint.server) < loaded, EXPIRY_SECONDS + 10)
    started = time.monotonic()
    during = endpoint.measure("get", connections, seconds, 2)
    overlap = loaded - item_count(endpoint.server)
    wait_until(lambda: item_count(endpoint.server) == loaded - EXPIRING_ITEMS, 120)
    return {"before": before, "during": during, "seconds": time.monotonic() - started, "expired_while_measured": overlap}


def item_count(server):
    return call(server, "DescribeTable", TableName=TABLE)["Table"]["ItemCount"]


def measure_restore(endpoint):
    """Items per second of a recovery to now, which copies the table, and of a backup and its restore."""
    server = endpoint.server
    add_recovery(server)
    items = item_count(server)

    def active(table):
        return call(server, "DescribeTable", TableName=table)["Table"]["TableStatus"] == "ACTIVE"

    started = time.monotonic()
    call(server, "RestoreTableToPointInTime", SourceTableName=TABLE, TargetTableName="Recovered", UseLatestRestorableTime=True)
    wait_until(lambda: active("Recovered"), 600)
    recovery = time.monotonic() - started
    started = time.monotonic()
    arn = call(server, "CreateBackup", TableName=TABLE, BackupName="bench")["BackupDetails"]["BackupArn"]
    wait_until(lambda: call(server, "DescribeBackup", BackupArn=arn)["BackupDescription"]["BackupDetails"][
        "BackupStatus"] == "AVAILABLE", 600)
    backup = time.monotonic() - started
    started = time.monotonic()
    call(server, "RestoreTableFromBackup", BackupArn=arn, TargetTableName="Restored")
    wait_until(lambda: active("Restored"), 600)
    restore = time.monotonic() - started
    return {"items": items, "recovery": items / recovery, "backup": items / backup, "restore": items / restore}


def print_costs(values, connections):
    print(f"\nWhat features cost, at {connections} connections")
    print(f"{'':12}{'GetItem':>10}{'ratio':>8}{'PutItem':>10}{'ratio':>8}")
    for name in FEATURES:
        get, put = (values[name, workload, connections]["ops_per_second"] for workload in ("get", "put"))
        plain_get, plain_put = (values["plain", workload, connections]["ops_per_second"] for workload in ("get", "put"))
        print(f"{name:12}{get:>10,.0f}{get / plain_get:>8.0%}{put:>10,.0f}{put / plain_put:>8.0%}")


def print_expiry(result):
    before, during = result["before"], result["during"]
    print(f"\n{EXPIRING_ITEMS:,} items expired in {result['seconds']:.1f} s, {result['expired_while_measured']:,} of them while gets were "
          f"measured: p50 {during['p50_us']:.0f} us, {during['p50_us'] / before['p50_us']:.2f}x; p99 {during['p99_us']:.0f} us, "
          f"{during['p99_us'] / before['p99_us']:.2f}x that before")


def print_restore(result):
    print(f"\n{result['items']:,} items: recovered at {result['recovery']:,.0f} a second, backed up at {result['backup']:,.0f}, "
          f"restored from the backup at {result['restore']:,.0f}")
