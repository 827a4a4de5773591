#!/usr/bin/env python3
"""Proves which build the front door uses, and that it shows how far it is, with stand-ins for what it installs and
runs: a machine that has built nothing gets the quick build, whoever has a release build keeps to it."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Each writes its arguments to the file `calls`. ninja says what the real one does, fails once for a build that FAILS
# names, and leaves a program behind that says where it is.
STAND_INS = {
    "dpkg-query": """for name in "${@:4}"; do echo "$name ii"; done""",
    "apt-get": "exit 1",
    "node": "echo v20.0.0",
    "npm": """
        if [[ $* == *"run build"* ]]; then mkdir -p web/dist && touch web/dist/index.html; fi
        if [[ $* == *" ci "* || $* == *" install "* ]]; then mkdir -p "$2/node_modules"; fi""",
    "cmake": """echo "cmake $*" >>calls; mkdir -p "build/$2" && touch "build/$2/build.ninja" """,
    "ctest": """echo "ctest $*" >>calls""",
    "ninja": """
        echo "ninja $*" >>calls
        for n in 1 2 3 4 5 6; do echo "[$n/7] Building CXX object $n.cc.o"; sleep "${PACE:-0}"; done
        if [[ ${FAILS:-} == "$2" ]]; then
          echo "FAILED: 7.cc.o"; echo "7.cc:1: error: a name twice"; exit 1
        fi
        echo "[7/7] Linking CXX executable tintype"
        printf '#!/bin/sh\\necho "${0#'"$PWD/"'} $*"\\n' >"$2/tintype" && chmod +x "$2/tintype" """,
}


class DevTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "tintype")
        for name in ("dev", "tools/packages.txt"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        for name in ("web/package.json", "tests/e2e/package.json", "src/contract/openapi.json"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text("{}")
        # In place of what fetches models: it leaves a folder with the name of the set behind, or fails as MODELS says.
        (self.root / "tools" / "models.py").write_text(
            "import os, pathlib, sys\npathlib.Path(sys.argv[3], sys.argv[2]).mkdir(parents=True, exist_ok=True)\n"
            "sys.exit(os.environ.get('MODELS'))\n")
        for sample in ("photos/astronaut.png", "recordings/goforward.raw"):
            (self.root / "build" / sample).parent.mkdir(parents=True)
            (self.root / "build" / sample).touch()
        programs = pathlib.Path(folder.name, "bin")
        programs.mkdir()
        for name, script in STAND_INS.items():
            (programs / name).write_text("#!/bin/bash\n" + textwrap.dedent(script) + "\n")
            (programs / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "NO_COLOR": "1"}

    def dev(self, *arguments, code=0, **environment):
        done = subprocess.run([self.root / "dev", *arguments], env={**self.environment, **environment}, text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(code, done.returncode, done.stderr)
        return done

    def calls(self):
        """What was configured, built and tested since the last time."""
        path = self.root / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [" ".join(line.replace("--test-dir ", "").split()[:3]) for line in lines]

    def test_a_first_run_builds_the_server_alone_and_quickly(self):
        served = self.dev("run", "--data-dir", "d")
        self.assertEqual("build/quick/tintype serve --data-dir d\n", served.stdout)
        self.assertEqual(["cmake --preset quick", "ninja -C build/quick"], self.calls())
        self.assertIn("build quick (tintype)", served.stderr)
        # The tests reuse it; a release build takes over once there is one.
        self.dev("test")
        self.assertEqual(["ninja -C build/quick", "ctest build/quick --output-on-failure"], self.calls())
        self.dev("build")
        self.assertEqual(["cmake --preset release", "ninja -C build/release"], self.calls())
        self.assertEqual("build/release/tintype serve\n", self.dev("run").stdout)
        self.dev("test")
        self.assertEqual(["ninja -C build/release", "ninja -C build/release", "ctest build/release --output-on-failure"],
                         self.calls())

    def test_tests_alone_take_the_quick_build_too(self):
        self.dev("test")
        self.assertEqual(["cmake --preset quick", "ninja -C build/quick", "ctest build/quick --output-on-failure"],
                         self.calls())

    def sets(self):
        """The sets of models that were brought since the last time."""
        folder = self.root / "build" / "models"
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
        shutil.rmtree(folder, ignore_errors=True)
        return names

    def test_models_come_while_it_compiles(self):
        """The smallest for whoever runs it, and all for tests."""
        self.dev("run")
        self.assertEqual({"quick"}, self.sets())
        for command in ("test", "models"):
            self.dev(command)
            self.assertEqual({"full"}, self.sets())

    def test_nobody_has_to_have_models(self):
        for command in ("run", "test"):
            self.dev(command, TINTYPE_MODELS="none")
            self.assertEqual(set(), self.sets())

    def test_models_that_cannot_be_brought(self):
        """The server runs without them, and says what is missing; tests do not."""
        served = self.dev("run", MODELS="the registry is away")
        self.assertEqual("build/quick/tintype serve\n", served.stdout)
        self.assertIn("the registry is away", served.stderr)
        self.assertIn("analysis is skipped; './dev models' tries again", served.stderr)
        failed = self.dev("test", MODELS="the registry is away", code=1)
        self.assertIn("error: the models that tests need could not be brought", failed.stderr)
        self.assertNotIn("ctest", " ".join(self.calls()))

    def test_the_slow_suite_compiles_each_file_by_itself_and_together(self):
        self.dev("test", "--slow")
        self.assertEqual(["release", "asan", "tsan"],
                         [call.rpartition("/")[2] for call in self.calls() if call.startswith("ninja ")])

    def test_a_quick_build_that_fails_is_followed_by_an_ordinary_one(self):
        served = self.dev("run", FAILS="build/quick")
        self.assertEqual("build/release/tintype serve\n", served.stdout)
        self.assertIn("7.cc:1: error: a name twice\n", served.stderr)
        failed = self.dev("test", FAILS="build/release", code=1)
        self.assertIn("error: the build of 'release' failed; the first error is above", failed.stderr)

    def test_a_terminal_sees_how_far_the_build_is(self):
        # `script` gives it a terminal.
        shown = subprocess.run(["script", "-qec", f"{self.root}/dev run", "/dev/null"], capture_output=True,
                               env={**self.environment, "PACE": "0.5"}, timeout=60, check=True).stdout
        self.assertRegex(shown, rb"\r   [1-4] of 7, 0:\d\d\x1b\[K")
        self.assertRegex(shown, rb"\r   [56] of 7, 0:\d\d, about 0:\d\d left\x1b\[K")
        self.assertNotIn(b"Building CXX object", shown)


if __name__ == "__main__":
    unittest.main()
