"""PostgreSQL with the table of images that the image service's design starts from, driven by pgbench."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

BIN = Path("/usr/lib/postgresql/15/bin")

# What an administrator would set on a machine like this. Every commit is synced, as ours is.
SETTINGS = {
    "listen_addresses": "''",
    "shared_buffers": "4GB",
    "effective_cache_size": "12GB",
    "max_connections": "100",
    "max_wal_size": "16GB",
    "checkpoint_timeout": "30min",
    "random_page_cost": "1.1",
    "synchronous_commit": "on",
    "fsync": "on",
}

# The design's table word for word, and the two that it refers to. `ordered` is the same with the
# index that the newest images of a user really ask for.
SCHEMA = """
CREATE TABLE users (id UUID PRIMARY KEY);
CREATE TABLE gallery_albums (id UUID PRIMARY KEY);
CREATE TABLE gallery_images (
  id UUID PRIMARY KEY,
  user_id UUID NOT NULL REFERENCES users(id),
  album_id UUID REFERENCES gallery_albums(id),
  original_filename VARCHAR(255) NOT NULL,
  mime_type VARCHAR(50) NOT NULL,
  file_size INTEGER NOT NULL,
  width INTEGER,
  height INTEGER,
  s3_key VARCHAR(500) NOT NULL,
  thumbnail_key VARCHAR(500),
  title VARCHAR(255),
  description TEXT,
  alt_text VARCHAR(255),
  tags JSONB,
  created_at TIMESTAMP WITH TIME ZONE DEFAULT NOW(),
  updated_at TIMESTAMP WITH TIME ZONE DEFAULT NOW()
);
"""
INDEXES = """
CREATE INDEX idx_gallery_images_user_id ON gallery_images(user_id);
CREATE INDEX idx_gallery_images_album_id ON gallery_images(album_id);
CREATE INDEX idx_gallery_images_tags ON gallery_images USING GIN(tags);
CREATE TABLE ordered (LIKE gallery_images INCLUDING ALL);
DROP INDEX ordered_user_id_idx;
INSERT INTO ordered SELECT * FROM gallery_images;
CREATE INDEX ordered_user_id_created_at ON ordered(user_id, created_at);
VACUUM ANALYZE;
"""


def uuid(number):
    """SQL for an id made from a number, cheap to compute."""
    return f"lpad(({number})::text, 32, '0')::uuid"


def row(number, user):
    return (f"SELECT {uuid(number)}, {uuid(user)}, NULL::uuid, 'photo.jpg', 'image/jpeg', 1234567, 4032, 3024, "
            f"'images/' || ({user}) || '/' || ({number}) || '.webp', NULL, NULL, "
            f"repeat('abcdefghijklmnopqrstuvwxyz0123', 6), NULL, '[\"minifig\", \"castle\"]'::jsonb")


class Postgres:
    """One server in `directory`, with `items` images loaded, `per_user` of each user."""

    def __init__(self, directory, items, per_user):
        self._items, self._users = items, items // per_user
        self._directory = Path(directory)
        self._runs = 0
        self._directory.mkdir(parents=True)
        self._scripts = Path(tempfile.mkdtemp(prefix="tintype-pgbench-"))
        self._as_user = []
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
            user = pwd.getpwnam("postgres")
            for folder in (self._directory, self._scripts):
                os.chown(folder, user.pw_uid, user.pw_gid)
            self._as_user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        self._run("initdb", "--auth=trust", "--username=bench", "-D", self._data)
        options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        self._run("pg_ctl", "-D", self._data, "-l", self._directory / "log", "-w", "-o",
                  f"{options} -k {self._directory}", "start")
        self._sql(SCHEMA)
        self._sql(f"INSERT INTO users SELECT {uuid('n')} FROM generate_series(0, {self._users}) n;"
                  f"INSERT INTO gallery_images SELECT image.*, to_timestamp(n), to_timestamp(n) FROM "
                  f"generate_series(0, {items - 1}) n, LATERAL ({row('n', f'n / {per_user}')}) image;")
        for statement in INDEXES.strip().split(";\n"):
            self._sql(statement)

    @property
    def _data(self):
        return self._directory / "data"

    def measure(self, workload, connections, seconds, _seed):
        """Runs pgbench as long as asked; a measurement like the load generator's."""
        self._runs += 1  # Also the seed: no two runs may insert the same ids.
        script = self._scripts / f"{workload}.sql"
        script.write_text(self._script(workload))
        prefix = self._scripts / "log"
        done = self._run("pgbench", "--no-vacuum", "--protocol=prepared", "-c", connections, "-j", 1, "-T", max(1, round(seconds)),
                         "-l", f"--log-prefix={prefix}", "--random-seed", self._runs, "-f", script, *self._connection)
        latencies = []
        for log in self._scripts.glob("log*"):
            latencies += [int(line.split()[2]) for line in log.read_text().splitlines()]
            log.unlink()
        latencies.sort()
        fields = dict(line.split(" = ") for line in done.splitlines() if " = " in line)
        if "tps" not in fields:
            raise SystemExit(f"pgbench finished no {workload} in {seconds} s; give it more")
        return {"ops_per_second": float(fields["tps"].split()[0]), "p50_us": latencies[len(latencies) // 2],
                "p99_us": latencies[int(len(latencies) * 0.99)], "cpu_us": 0.0}

    def _script(self, workload):
        image, user = f"\\set n random(0, {self._items - 1})\n", f"\\set u random(0, {self._users - 1})\n"
        newest = f"SELECT * FROM %s WHERE user_id = {uuid(':u')} ORDER BY created_at DESC LIMIT 20;"
        # New ids are beyond those loaded, at random in a space too large for two to meet.
        insert = (f"\\set n random({self._items}, 900000000000000)\n" + user +
                  f"INSERT INTO gallery_images {row(':n', ':u')};\n")
        scripts = {
            "get": image + f"SELECT * FROM gallery_images WHERE id = {uuid(':n')};",
            "query": user + newest % "gallery_images",
            "query-ordered": user + newest % "ordered",
            "put": insert,
            "update": image + f"UPDATE gallery_images SET file_size = :n, updated_at = NOW() WHERE id = {uuid(':n')} "
                              "AND mime_type = 'image/jpeg';",
            "transact": "BEGIN;\n" + insert * 4 + "COMMIT;",
            "batch": "BEGIN;\n" + insert * 25 + "COMMIT;",
        }
        return scripts[workload] + "\n"

    def stop(self):
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self._scripts, ignore_errors=True)

    @property
    def _connection(self):
        return ["-h", self._directory, "-U", "bench", "postgres"]

    def _sql(self, statements):
        self._run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", statements, *self._connection)

    def _run(self, program, *arguments):
        done = subprocess.run([*self._as_user, str(BIN / program), *map(str, arguments)], cwd="/", capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{program} failed: {done.stderr.strip()[-2000:]}")
        return done.stdout
