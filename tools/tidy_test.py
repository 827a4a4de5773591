#!/usr/bin/env python3
"""Proves that tidy.py finds what clang-tidy finds in each file by itself, though it looks at several at once."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import tidy

HERE = pathlib.Path(__file__).resolve().parent
FINE = "int {name}() {{ return 1; }}\n"
# Seen by following the paths through a function, which the analyzer does for source files alone.
NULL_READ = "int {name}(bool b) {{\n  int* p = nullptr;\n  if (b) {{\n    return *p;\n  }}\n  return 0;\n}}\n"
# Seen in the text.
BAD_NAME = "int {name}() {{\n  const int BadName = 1;\n  return BadName;\n}}\n"


@unittest.skipUnless(shutil.which(tidy.TIDY), f"there is no {tidy.TIDY}")
class TidyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        shutil.copy(HERE.parent / ".clang-tidy", self.root)

    def run_over(self, files):
        """What tidy.py says of the files, by their names, and whether it is content."""
        build = self.root / "build/release"
        build.mkdir(parents=True, exist_ok=True)
        commands = []
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.format(name=path.stem))
            commands.append({"directory": str(build), "file": str(path), "command": f"g++ -std=c++20 -c {path} -o {path.stem}.o"})
        (build / "compile_commands.json").write_text(json.dumps(commands))
        run = subprocess.run([sys.executable, "-B", HERE / "tidy.py", "build/release", "2"], cwd=self.root,
                             input="\n".join(files), capture_output=True, text=True, check=False)
        return run.stdout, run.returncode

    def test_is_content_with_good_files_together(self):
        said, status = self.run_over({"src/a.cc": FINE, "src/b.cc": FINE, "tests/c.cc": FINE})
        self.assertEqual(("", 0), (said, status))
        self.assertTrue((self.root / tidy.STAMPS / "batches").exists())

    def test_finds_what_only_one_file_of_a_batch_has(self):
        for folder, text, check in (("src", NULL_READ, "clang-analyzer-core.NullDereference"),
                                    ("src", BAD_NAME, "readability-identifier-naming"),
                                    ("tests", BAD_NAME, "readability-identifier-naming")):
            with self.subTest(folder=folder, check=check):
                said, status = self.run_over({f"{folder}/a.cc": FINE, f"{folder}/b.cc": text, f"{folder}/c.cc": FINE})
                self.assertEqual(1, status)
                self.assertIn(f"{self.root}/{folder}/b.cc:", said)
                self.assertIn(check, said)

    def test_follows_no_paths_in_tests(self):
        self.assertEqual(("", 0), self.run_over({"tests/a.cc": NULL_READ, "src/b_test.cc": NULL_READ}))

    def test_files_that_do_not_compile_together_are_looked_at_alone(self):
        same = "namespace {{\nint Same() {{ return 1; }}\n}}\nint {name}() {{ return Same(); }}\n"
        self.assertEqual(("", 0), self.run_over({"src/a.cc": same, "src/b.cc": same}))


if __name__ == "__main__":
    unittest.main()
