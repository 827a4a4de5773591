#!/usr/bin/env python3
"""Starts and stops a Ceph cluster of one monitor, one OSD in memory and one RADOS gateway: a real S3 on the loopback
interface.

    ceph.py --run COMMAND...     runs COMMAND with the variables below set, and ends with its status
    ceph.py                      prints them, and lives until standard input closes

    TINTYPE_TEST_S3_ENDPOINT, _ACCESS_KEY_ID, _SECRET_ACCESS_KEY     for clients
    TINTYPE_TEST_S3_OSD_PID                                          stop it, and the gateway hangs
    TINTYPE_TEST_S3_GATEWAY_PID_FILE                                 kill it, and it is started again

From Python, with this folder on sys.path:

    with ceph.Gateway() as gateway:
        boto3.client("s3", endpoint_url=gateway.endpoint, ...)

Needs Debian's ceph-mon, ceph-osd, ceph-common, radosgw and python3-boto3, neither systemd nor root. Nothing of it
outlives the process.
"""

import atexit
import contextlib
import http.client
import json
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

import boto3

START_SECONDS = 90

# Signatures between its parts would need keys for each; on the loopback interface nobody else is there. Sizes are for a
# machine that has other things to do. An OSD that was stopped for longer than most of the heartbeat's grace would take
# itself for deposed, and without another one never come back.
CONFIGURATION = """
[global]
fsid = {fsid}
mon_initial_members = a
mon_host = [v2:127.0.0.1:{monitor_port}]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr1 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
ms_mon_service_mode = crc
ms_mon_cluster_mode = crc
run_dir = {folder}
admin_socket = {folder}/$name.$pid.asok
log_file = {folder}/$name.log
mon_data = {folder}/mon
osd_data = {folder}/osd
mon_cluster_log_file = {folder}/cluster.log
crash_dir = {folder}/crash
mon_data_avail_crit = 1
paxos_propose_interval = 0.02
paxos_min_wait = 0.01
mon_data_avail_warn = 2
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_crush_chooseleaf_type = 0
osd_heartbeat_grace = 3600
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_op_num_shards = 2
rgw_thread_pool_size = 32
rgw_enable_usage_log = false
rgw_run_sync_thread = false
rgw_enable_gc_threads = false
rgw_enable_lc_threads = false
rgw_enable_quota_threads = false
rgw_dynamic_resharding = false
rgw_crypt_require_ssl = false
rgw_crypt_s3_kms_backend = testing
rgw_crypt_s3_kms_encryption_keys = photos-key=YmluYm9vbS1rZXktb2YtdGVzdHMtZm9yLWEta21zIS4=
"""


class CephFailed(Exception):
    """A part of the cluster could not be started, or ended by itself."""


def reserve_port():
    """A socket whose port nobody is given but a program that asks for that very port with SO_REUSEADDR, as Ceph's do:
    it stays the cluster's before the program listens, and while one that was killed is started again."""
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved


class Gateway:
    """The cluster, with `endpoint`, `osd` and `gateway` (processes). A context manager that stops it. A gateway that is
    killed is started again on the same port."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tintype-ceph-"))
        # Its own, so that another cluster can never be taken for this one.
        self.access_key_id, self.secret_access_key = secrets.token_hex(10).upper(), "with/a+" + secrets.token_hex(16)
        self._monitor, self._frontend = reserve_port(), reserve_port()
        self._processes = []
        self._stopping = threading.Event()
        self._watcher = None
        atexit.register(self.stop)
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self._port}"

    @property
    def _port(self):
        return self._frontend.getsockname()[1]

    @property
    def gateway_pid_file(self):
        return self.folder / "gateway.pid"

    def variables(self):
        return {"TINTYPE_TEST_S3_ENDPOINT": self.endpoint, "TINTYPE_TEST_S3_ACCESS_KEY_ID": self.access_key_id,
                "TINTYPE_TEST_S3_SECRET_ACCESS_KEY": self.secret_access_key, "TINTYPE_TEST_S3_OSD_PID": str(self.osd.pid),
                "TINTYPE_TEST_S3_GATEWAY_PID_FILE": str(self.gateway_pid_file)}

    def stop(self):
        self._stopping.set()
        while self._watcher is not None and self._watcher.is_alive():
            self.gateway.kill()
            self._watcher.join(0.1)
        # There is nothing to be saved, and what a test has stopped is killed as well. The last one that was started
        # first.
        for process in reversed(self._processes):
            process.kill()
            process.wait()
        self._monitor.close()
        self._frontend.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        atexit.unregister(self.stop)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def _start(self):
        fsid, monitor_port = str(uuid.uuid4()), self._monitor.getsockname()[1]
        (self.folder / "ceph.conf").write_text(
            CONFIGURATION.format(fsid=fsid, monitor_port=monitor_port, folder=self.folder))
        for name in ("mon", "osd", "crash"):
            (self.folder / name).mkdir()
        monmap = str(self.folder / "monmap")
        self._call("monmaptool", "--create", "--fsid", fsid, "--addv", "a", f"[v2:127.0.0.1:{monitor_port}]", monmap)
        self._call("ceph-mon", "--mkfs", "-i", "a", "--monmap", monmap)
        self._spawn("ceph-mon", "-f", "-i", "a")

        osd_id = str(uuid.uuid4())
        number = self._call("ceph", "--connect-timeout", str(START_SECONDS), "osd", "new", osd_id).strip()
        self._call("ceph-osd", "--mkfs", "-i", number, "--osd-uuid", osd_id)
        self.osd = self._spawn("ceph-osd", "-f", "-i", number)

        # Waits for the OSD by itself, since it writes the user into pools that it makes.
        self._call("radosgw-admin", "user", "create", "--uid=tests", "--display-name=tests",
                   f"--access-key={self.access_key_id}", f"--secret-key={self.secret_access_key}")
        self._spawn_gateway()
        self._wait_for_gateway()
        self._warm_up()
        self._watcher = threading.Thread(target=self._watch_gateway, daemon=True)
        self._watcher.start()

    def _spawn_gateway(self):
        self.gateway = self._spawn("radosgw", "-f", "-n", "client.admin", "--rgw-frontends",
                                   f"beast endpoint=127.0.0.1:{self._port}")
        # As a whole, so that a reader never sees half of a number.
        unfinished = self.folder / "gateway.pid.new"
        unfinished.write_text(str(self.gateway.pid))
        unfinished.rename(self.gateway_pid_file)

    def _watch_gateway(self):
        while True:
            self.gateway.wait()
            if self._stopping.is_set():
                return
            self._spawn_gateway()

    def _wait_for_gateway(self):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self._check_alive()
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=START_SECONDS)
                connection.request("GET", "/")
                if b"ListAllMyBucketsResult" in connection.getresponse().read():
                    return
            time.sleep(0.05)
        raise CephFailed(f"the gateway did not answer within {START_SECONDS} s")

    def _warm_up(self):
        """Has the gateway make its pools, which it does when they are first needed and which takes it seconds."""
        client = boto3.client("s3", endpoint_url=self.endpoint, region_name="us-east-1",
                              aws_access_key_id=self.access_key_id, aws_secret_access_key=self.secret_access_key)
        where = {"Bucket": "warm-up", "Key": "object"}
        client.create_bucket(Bucket=where["Bucket"])
        client.put_object(**where)
        client.abort_multipart_upload(**where, UploadId=client.create_multipart_upload(**where)["UploadId"])
        client.delete_object(**where)
        client.delete_bucket(Bucket=where["Bucket"])

    def _check_alive(self):
        for process in self._processes:
            if process.poll() is not None:
                raise CephFailed(f"{process.args[0]} ended with {process.returncode}:\n{self._log()}")

    def _log(self):
        tails = []
        for path in sorted(self.folder.glob("*.out")):
            tails.append(f"{path.name}: {path.read_text(errors='replace')[-2000:]}")
        return "\n".join(tails)

    def _environment(self):
        return {**os.environ, "CEPH_CONF": str(self.folder / "ceph.conf")}

    def _spawn(self, program, *arguments):
        with open(self.folder / f"{program}.out", "ab") as log:
            process = subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       cwd=self.folder, env=self._environment())
        self._processes.append(process)
        return process

    def _call(self, program, *arguments):
        try:
            done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  cwd=self.folder, env=self._environment(), timeout=START_SECONDS)
        except subprocess.TimeoutExpired:
            raise CephFailed(f"{program} {' '.join(arguments)} took too long:\n{self._log()}") from None
        if done.returncode != 0:
            raise CephFailed(f"{program} {' '.join(arguments)} failed:\n{done.stderr[-2000:]}\n{self._log()}")
        return done.stdout


def main():
    # A test that runs too long is ended by SIGTERM; the cluster goes with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with Gateway() as gateway:
        if sys.argv[1:2] == ["--run"]:
            return subprocess.run(sys.argv[2:], env={**os.environ, **gateway.variables()}).returncode
        print(json.dumps(gateway.variables()), flush=True)
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
