#!/usr/bin/env python3
"""Proves that the checks in this folder can fail, each on a small made-up repository."""

import json
import pathlib
import tempfile
import unittest

import check_compatibility
import check_contract_use
import check_dead_files
import check_errors
import check_layering
import check_limits
import check_metrics
import check_mission_coverage
import check_names
import check_primitives
import check_prose
import check_settings
import contract
import fuzz_corpus
import source_tree


class ChecksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def test_checks_share_one_walk_over_the_tree(self):
        checks = sorted(pathlib.Path(__file__).parent.glob("check_*.py"))
        self.assertIn("check_errors.py", [path.name for path in checks])
        for path in checks:
            for own in ("rglob(", "os.walk(", "sys.argv"):
                self.assertNotIn(own, path.read_text(), f"{path.name}: source_tree.py does that for all")

    def test_the_walk_leaves_out_what_nobody_wrote(self):
        for path in ["src/b/a.cc", "src/a/b.h", "src/a.py", "src/node_modules/a.cc", "build/release/a.cc", "tests/a.cc"]:
            self.write(path, "")
        names = [file.name for file in source_tree.files(self.root, "src", source_tree.CPP)]
        self.assertEqual(["src/a/b.h", "src/b/a.cc"], names)
        self.assertEqual(["src/a/b.h", "src/a.py", "src/b/a.cc", "tests/a.cc"],
                         [file.name for file in source_tree.files(self.root)])
        self.assertEqual([], source_tree.files(self.root, "nothing"))

    def test_the_walk_knows_tests(self):
        for name, is_test, is_for_tests in [("src/a.cc", False, False), ("src/a_test.cc", True, True),
                                            ("src/testing/a.h", False, True), ("src/internal/testing.h", False, True)]:
            file = source_tree.File(self.root, self.root / name)
            self.assertEqual((is_test, is_for_tests), (file.is_test, file.is_for_tests), name)

    def layering(self, path, include, deps="base language"):
        """The findings for one source file with one include, in a room that links `deps`."""
        self.write("src/base/CMakeLists.txt", "tintype_library(base SRCS check.cc)")
        self.write("src/tables/language/CMakeLists.txt", "tintype_library(language SRCS a.cc DEPS base)")
        self.write("src/tables/wire/CMakeLists.txt", "tintype_library(wire SRCS b.cc DEPS language)")
        name = pathlib.Path(path).name
        self.write(str(pathlib.Path(path).parent / "CMakeLists.txt"),
                   f"tintype_library(mine SRCS {name} DEPS {deps})")
        self.write(path, f"#include {include}\n")
        return check_layering.check(self.root)

    def compatibility(self, cell):
        """The findings for one difference that names `cell` as its test."""
        self.write("tests/a.json", '{"about": "a text", "name": "a case"}')
        self.write("tests/a.py", "def test_a(self):\n    test_b()\n")
        self.write("src/a.cc", "TEST_F(SomeTest, Refuses) {\n  return Helper();\n}\nvoid Toggle() {\n")
        self.write("docs/compatibility.md", f"| What | Test |\n| --- | --- |\n| x | {cell} |\n")
        return check_compatibility.check(self.root)[0]

    def test_compatibility_wants_a_test_that_exists(self):
        self.assertEqual([], self.compatibility('`tests/a.json`: "a case"'))
        self.assertIn("names no test", self.compatibility("none")[0])
        self.assertIn("does not exist", self.compatibility('`tests/b.json`: "a case"')[0])
        self.assertIn("is no test in", self.compatibility('`tests/a.json`: "another"')[0])

    def test_compatibility_wants_the_whole_name_of_a_test(self):
        for path, whole, others in [
            ("tests/a.json", "a case", ["a", "case", "a text"]),
            ("tests/a.py", "test_a", ["test", "test_b", "a"]),
            ("src/a.cc", "Refuses", ["Refuse", "SomeTest", "TEST_F"]),
            ("src/a.cc", "Toggle", ["Togg", "gle", "Helper", "void"]),
        ]:
            self.assertEqual([], self.compatibility(f'`{path}`: "{whole}"'))
            for other in others:
                self.assertIn("is no test in", self.compatibility(f'`{path}`: "{other}"')[0])

    def test_the_contract_has_one_layout(self):
        short, long = {"a": 1}, {f"name{i}": {"type": "string", "maxLength": i} for i in range(4)}
        text = contract.file_text({"short": short, "long": long, "deep": {"a": {"b": {"c": {"d": 1}}}}})
        self.assertIn('  "short": {"a": 1},\n', text)
        self.assertIn('    "name0": {"type": "string", "maxLength": 0},\n', text)
        self.assertIn('  "deep": {\n    "a": {"b": {"c": {"d": 1}}}\n  }\n', text)
        self.assertEqual([], [line for line in text.splitlines() if len(line) > contract.COLUMNS])

    def test_the_contract_tells_the_server_what_it_takes(self):
        document = {"paths": {"/a/{id}": {"post": {
            "operationId": "doIt", "security": [{"bearer": []}], "x-access": "edit",
            "parameters": [{"$ref": "#/components/parameters/Limit"}, {"name": "id", "in": "path"}],
            "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Body"}}}}}}},
            "components": {"parameters": {"Limit": {"name": "limit", "in": "query"}}, "schemas": {
                "Body": {"type": "object", "additionalProperties": False,
                         "properties": {"name": {"type": "string"}, "more": {"$ref": "#/components/schemas/More"}}},
                "More": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}}}}
        source = contract.cplusplus(json.dumps(document))
        self.assertIn('kQuery0 = {"limit"};', source)
        self.assertIn('{{{"name", nullptr}, {"more", nullptr}, }}', source)
        self.assertIn('Operation{"doIt", "POST", "/a/{id}", Access::kEdit, true, kQuery0, &kFields0, nullptr}', source)
        for wrong, why in (("anyone", "security says otherwise"), ("everybody", "x-access is one of")):
            document["paths"]["/a/{id}"]["post"]["x-access"] = wrong
            with self.assertRaisesRegex(SystemExit, why):
                contract.cplusplus(json.dumps(document))

    def test_the_contract_gives_the_program_its_limits(self):
        header = contract.limits_header(json.dumps({"components": {"schemas": {
            "Title": {"type": "string", "maxLength": 255}, "Tags": {"type": "array", "maxItems": 20},
            "PageSize": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}, "Free": {"type": "string"}}}}))
        self.assertIn("constexpr TextLimit kTitle{0, 255};", header)
        self.assertIn("constexpr ListLimit kTags{0, 20};", header)
        self.assertIn("constexpr NumberLimit kPageSize{1, 100, 20};", header)
        self.assertNotIn("kFree", header)

    def limits(self, path, text):
        """The findings about limits in one file, where the contract has limits for AltText and Tags."""
        self.write("src/contract/openapi.json", json.dumps({"components": {"schemas": {
            "AltText": {"maxLength": 255}, "Tags": {"maxItems": 20}, "Free": {}}}}))
        self.write(path, text)
        return check_limits.check(self.root)

    def test_limits_stand_in_the_contract_alone(self):
        for text in ["constexpr size_t kAltTextBytes = 255;", "inline constexpr size_t kTagsMax{20};",
                     "if (text.size() > 255) {}", "return name.size() <= 40;"]:
            self.assertIn("writes a limit", self.limits("src/flows/a.cc", text)[0], text)
        self.assertEqual([], self.limits("src/flows/a.cc", "if (tags.size() > limits::kTags.max || a.size() < 2) {}"))
        for text in ["<input maxLength={255} />", '<input maxLength="255" />', "const ALT_TEXT_MAX = 1000"]:
            self.assertIn("writes a limit", self.limits("web/src/views/a.tsx", text)[0], text)
        self.assertEqual([], self.limits("web/src/views/a.tsx", "<input maxLength={LIMITS.AltText.maxLength} />"))

    def test_compatibility_wants_rows(self):
        self.write("docs/compatibility.md", "# nothing")
        self.assertEqual(["there are no rows"], check_compatibility.check(self.root)[0])

    def errors(self, text, path="src/flows/a.cc"):
        """The findings about errors in one source file."""
        self.write(path, text)
        return check_errors.check(self.root)

    def test_errors_refuses_a_look_at_the_text(self):
        for text in ['if (error.message().starts_with("New")) {}', 'if (x.error().note().find("a") == 0) {}',
                     'if (error.message() == "gone") {}', 'if ("gone" == x.error().message()) {}']:
            self.assertIn("looks at an error's text", self.errors(text)[0], text)
        self.assertEqual([], self.errors('Log(error.message()); if (error.Is(kTaken)) {}  // message() == ""'))

    def test_errors_refuses_a_text_that_another_compares(self):
        for text in ['if (Contains(error.message(), "New")) {}', 'if (std::regex_search(x.error().note(), kGone)) {}',
                     'if (StrContains(\n    StrCat(why, error.message()), "New")) {}', 'if (kWords.contains(error.message())) {}',
                     'kinds.find(error.message());', 'if (std::strcmp(error.message().c_str(), "New") == 0) {}',
                     'kind = kKinds[error.message()];', 'if (absl::StartsWith(error.message(), "New")) {}']:
            self.assertIn("has an error's text compared", "".join(self.errors(text)), text)
        for text in ['if (Contains(tags, tag)) { Log(error.message()); }', 'Find(id) ? "" : error.message();',
                     'fields.Set("why", error.message());', 'errors[0].message();', 'StrCat(names.at(0), error.message());']:
            self.assertEqual([], self.errors(text), text)

    def test_errors_refuses_a_look_into_a_cancelled_transaction(self):
        for text in ['error.DetailAs<tables::CancellationDetail>();', 'if (detail->reasons[0].code == kFailed) {}',
                     'for (const auto& reason : detail.reasons) {}']:
            self.assertIn("looks into a cancelled transaction", "".join(self.errors(text)), text)
        self.assertEqual([], self.errors("Refuse(reasons::kGone);  // CancellationDetail"))
        self.write("src/flows/a.cc", "")
        for path in ["src/tables/engine/a.cc", "src/access/audit/chain_store.cc", "src/contexts/common/transaction.cc"]:
            self.assertEqual([], self.errors("detail->reasons[0]; tables::CancellationDetail a;", path), path)

    def test_errors_refuses_a_status_outside_the_table(self):
        self.assertIn("names an HTTP status", self.errors('return Refuse(call, 404, "Gone", "");')[0])
        self.assertEqual([], self.errors("return Refuse(call, kGone, text);"))

    def test_errors_refuses_exceptions_outside_of_wire(self):
        self.assertIn("names an exception", self.errors('Error(k, "ResourceNotFoundException");')[0])
        self.assertEqual([], self.errors('"ResourceNotFoundException"', "src/tables/wire/a.cc")[1:])

    def test_errors_refuses_a_reason_twice(self):
        reason = 'inline constexpr Reason kGone{ErrorKind::kNotFound, "Gone"};'
        self.write("src/base/a.h", reason)
        self.assertIn("repeats the reason Gone", self.errors(reason)[0])

    def metrics(self, text, path="src/flows/a.cc"):
        """The findings about metrics in one source file."""
        self.write(path, text)
        return check_metrics.check(self.root)

    def test_metrics_holds_names_to_the_rules(self):
        for text, finding in [
            ('r.GetCounter("calls_total", "Calls.")', "does not begin with tintype_"),
            ('r.GetCounter("tintype_Calls_total", "Calls.")', "other characters"),
            ('out.Counter("tintype_calls", "Calls.")', "counter without _total"),
            ('out.Gauge(\n    "tintype_calls_total",\n    "Calls.")', "gauge that ends in _total"),
            ('out.Gauge("tintype_age_ms", "Age.")', "is in ms"),
            ('out.Gauge("tintype_seconds_waited", "Age.")', "does not end in its unit"),
            ('r.GetHistogram("tintype_call_time", "Time.", kBounds)', "does not end in what its values are"),
            ('r.GetGauge("tintype_calls_open", "Calls")', "is no sentence"),
            ('r.GetGauge(name, "Calls.")', "by no literal"),
        ]:
            self.assertIn(finding, "".join(self.metrics(text)), text)
        self.assertEqual([], self.metrics('r->GetHistogram("tintype_call_duration_seconds", "Time "\n"of a call.", k);'))
        self.assertEqual([], self.metrics('out.Counter("tintype_cpu_seconds_total", "Time.");  // GetGauge(name, "")'))

    def test_metrics_refuses_a_second_registration(self):
        self.write("src/base/a.cc", 'out.Gauge("tintype_calls_open", "Calls.")')
        self.assertIn("registers tintype_calls_open again", self.metrics('r.GetGauge("tintype_calls_open", "Calls.")')[0])

    def test_metrics_keeps_the_format_to_its_room(self):
        for text in ['"# HELP a"', 'Type("text/plain; version=0.0.4")', 'Append("_bucket")']:
            self.assertIn("knows the text format", self.metrics(text)[0], text)
            self.assertEqual([], self.metrics(text, "src/metrics/exposition.cc")[1:])

    def test_metrics_documented_exist(self):
        self.write("docs/a.md", "`tintype_call_duration_seconds_bucket{to}`, `tintype_call_*`, `tintype_gone_*`, `tintype_gone_total`")
        self.assertEqual(["docs/a.md names tintype_gone_, which nobody registers",
                          "docs/a.md names tintype_gone_total, which nobody registers"],
                         self.metrics('r.GetHistogram("tintype_call_duration_seconds", "Time.", k)'))

    def test_primitives_are_written_once(self):
        self.write("src/base/numbers.h", "std::from_chars(a, b, c)")
        self.assertEqual([], check_primitives.check(self.root))
        self.write("src/flows/a.cc", "std::from_chars(a, b, c)")
        self.assertIn("src/flows/a.cc:1 writes again what ParseInteger", check_primitives.check(self.root)[0])

    def test_settings_are_documented_as_they_are(self):
        self.write("src/cli/settings/serve_settings.h", 'Setting{"cache-mb", "MB", "256", "Help.", kTables},')
        self.write("src/cli/command_line/a.cc", 'command.add_flag("--json", json);')
        self.write("README.md", "Use `--cache-mb` and `tintype scrub --json`; `aws --region x` is not ours.")
        self.write("docs/a.md", "| `--cache-mb` | 256 | memory |\n")
        # What is promised may be yet to come.
        self.write("docs/coverage.md", "| IMG-18 | open: not begun | | with `--cdn-url` |\n")
        self.assertEqual([], check_settings.check(self.root))
        self.write("README.md", "Use `tintype serve --cache-gb 1`.")
        self.write("docs/a.md", "| `--cache-mb` | 128 | memory |\n")
        self.assertEqual(["README.md names --cache-gb, which no command has",
                          "docs/a.md says that the default of --cache-mb is 128, but it is 256"],
                         check_settings.check(self.root))

    def test_names_are_used_once(self):
        self.write("src/base/a.h", "struct Size {\n};\nclass Value : public Size {\n};\n")
        self.write("src/flows/internal/b.h", "struct Size {\n};\n")
        self.write("src/flows/c.h", "class Value {\n};\n  struct Size {};\n")
        self.assertEqual([], check_names.check(self.root))
        self.write("src/flows/d.h", "enum class Size { kOne };\n")
        self.assertIn("Size is declared by src/base/a.h and by src/flows/d.h", check_names.check(self.root)[0])

    def test_names_are_found_however_they_are_declared(self):
        self.write("src/base/a.h", "struct Size {\n};\n")
        for text in ["class [[nodiscard]] Size {\n", "class Size final : public A,\n             public B {\n"]:
            self.write("src/flows/d.h", text)
            self.assertIn("Size is declared by src/base/a.h and by src/flows/d.h", check_names.check(self.root)[0])

    def test_names_allows_no_more_doubles_than_there_are(self):
        self.write("src/base/a.h", "class Value {\n};\n")
        self.write("src/flows/a.h", "class Value {\n};\n")
        self.assertEqual([], check_names.check(self.root, ["Value"]))
        self.write("src/flows/a.h", "class Amount {\n};\n")
        self.assertIn("SHARED allows Value twice", check_names.check(self.root, ["Value"])[0])

    def test_names_of_contexts_are_theirs(self):
        self.write("src/contexts/jobs/job.h", "")
        self.write("src/contexts/common/item.h", "")
        for path in ["src/views/jobs.h", "src/tables/common/a.h", "src/tables/engine/long_jobs.h"]:
            self.write(path, "")
        self.assertEqual([], check_names.check(self.root))
        self.write("src/tables/engine/threads/jobs.h", "")
        self.write("src/tables/jobs/a.h", "")
        self.assertEqual([f"src/tables/{path} has the name of src/contexts/jobs; say what it is instead"
                          for path in ["engine/threads/jobs.h", "jobs/a.h"]], check_names.check(self.root))

    def test_names_refuses_riddles(self):
        self.write("src/flows/a.cc", "// A Flight.\nvoid InFlight();\n")
        self.assertEqual([], check_names.check(self.root))
        self.write("src/flows/a.cc", "struct Flight;\n")
        self.assertIn("names something Flight", check_names.check(self.root)[0])

    def prose(self, path, text):
        """The findings about the prose of one file."""
        self.write(path, text)
        return check_prose.check(self.root)

    def test_prose_refuses_long_lines(self):
        long = "words and " * 13
        for path, text in [("docs/a.md", f"One.\n\n{long}\n"), ("docs/a.md", f"- a list\n\n    {long}\n"),
                           ("src/a.cc", f"int a;  // {long}\n"), ("src/a.h", f"/*\n {long} */\n"),
                           ("tests/a.py", f"# {long}\n"), ("tests/a.py", f'def a():\n    """{long}"""\n'),
                           ("tests/a.sh", f"# {long}\n"), ("dev", f"# {long}\n")]:
            self.assertIn("columns of prose", "".join(self.prose(path, text)), (path, text))
            self.write(path, "")

    def test_prose_leaves_code_tables_and_links_alone(self):
        long = "words and " * 13
        text = f"| {long} |\n\n```\n{long}\n```\n\n    {long}\n\n[a]({'x' * 120}) and https://{'x' * 120}\n"
        self.assertEqual([], self.prose("docs/a.md", text))
        self.assertEqual([], self.prose("src/a.cc", f'const char* a = "// {long}";\nauto b = R"(\n// {long})";\n'))
        self.assertEqual([], self.prose("tests/a.py", f'a = """{long}"""\n'))
        self.assertEqual([], self.prose("tests/e2e/documents/a.md", long))

    def test_prose_refuses_banned_phrases(self):
        self.assertEqual([], self.prose("src/a.cc", 'auto a = "tintype jobs";\n'))
        self.assertIn("'tintype work'", self.prose("docs/a.md", "Run `tintype jobs list`.\n")[0])
        self.assertIn("say 'newest first'", self.prose("src/a.h", "/// Newest last id first.\n")[1])

    def test_prose_refuses_clauses_as_subjects_of_sentences(self):
        for text, line, opening in [
                ("# A\n\nWhat has ended stops.\n", 3, "What has ended"),
                ("It is so (always). Whoever has\na key gets in.\n", 1, "Whoever has a"),
                ("- A session ends.\n  What of it\n  is left stays. It is so.\n", 2, "What of it"),
                ("1. **What to do**: wait.\n", 1, "What to do**:"), ("What a.md says\n\nIs it so?\n", 1, "What a.md says"),
                ("Is it? Yes.\nWhat is it? It is *this.* What it was goes.\n", 2, "What it was"),
                ("Whoever is that?\n", 1, "Whoever is that?")]:
            self.assertEqual([f"docs/a.md:{line} opens with '{opening}': name the subject first"],
                             self.prose("docs/a.md", text), text)
        for text in ["## What is there\n", "| What | Where |\n| --- | --- |\n| What is there | here |\n",
                     "Look. What does `a.b` say,\nor a.md? (What?) It says what it is; whoever asks knows.\n",
                     "1. **What.** It asks whoever\n   comes.\n", "```\nWhat is left stays.\n```\n\n    Whoever is here.\n",
                     "Whatever comes, see [What is there](#what-is-there).\n"]:
            self.assertEqual([], self.prose("docs/a.md", text), text)
        self.assertEqual([], self.prose("src/a.h", "/// What is left stays.\n"))

    def test_percent_signs_are_decoded_in_one_place(self):
        for text in ["if (text[i] == '%') {\n  const int high = HexDigit(text[i + 1]);",
                     "if (text[0] != '%') {}\nParseInteger<uint8_t>(text, 16)",
                     "std::string PercentDecode(std::string_view text) {"]:
            self.write("src/base/percent.cc", text)
            self.assertEqual([], check_primitives.check(self.root))
            self.write("src/sigv4/a.cc", text)
            self.assertIn("src/sigv4/a.cc:1 writes again what base/percent.h", check_primitives.check(self.root)[0])
            (self.root / "src/sigv4/a.cc").unlink()

    def test_the_size_of_an_item_is_checked_in_one_place(self):
        for text in ["if (ItemSizeBytes(item) > limits::kItemBytes) {", '"Item size to update has exceeded the maximum"']:
            self.write("src/tables/language/values/item_size.cc", text)
            self.assertEqual([], check_primitives.check(self.root))
            self.write("src/tables/wire/a.cc", text)
            self.assertIn("src/tables/wire/a.cc:1 writes again what CheckItemSize", check_primitives.check(self.root)[0])
            (self.root / "src/tables/wire/a.cc").unlink()

    def test_layering_allows_what_an_arrow_reaches(self):
        self.assertEqual([], self.layering("src/tables/engine/x.cc", '"base/result.h"', "language"))

    def test_layering_refuses_a_room_without_an_arrow(self):
        found = self.layering("src/tables/engine/x.cc", '"tables/wire/codec.h"', "wire")
        self.assertIn("tables/engine may not use tables/wire", found[0])

    def test_layering_refuses_the_way_back_between_the_folders_of_a_room(self):
        self.write("src/tables/engine/CMakeLists.txt", "tintype_library(engine SRCS commit/c.cc DEPS base)")
        down = self.layering("src/tables/engine/items/x.cc", '"tables/engine/commit/core.h"', "engine")
        self.assertEqual([], down)
        out = self.layering("src/tables/engine/items/x.cc", '"tables/engine/open.h"', "engine")
        self.assertTrue(out[0].endswith("tables/engine/items may not use tables/engine"), out)
        up = self.layering("src/tables/engine/commit/x.cc", '"tables/engine/items/page.h"', "engine")
        self.assertIn("tables/engine/commit may not use tables/engine/items", up[0])

    def test_layering_lets_tests_use_the_room_around_theirs(self):
        self.write("src/tables/engine/CMakeLists.txt", "tintype_library(engine SRCS open.cc DEPS base)")
        self.assertEqual([], self.layering("src/tables/engine/items/x_test.cc", '"tables/engine/open.h"', "engine"))

    def test_layering_refuses_arrows_that_go_round(self):
        self.assertEqual([], check_layering.check_arrows({"a": ["b"], "b": ["c"], "c": []}))
        self.assertEqual(["a and b may include each other", "a and c may include each other",
                          "b and c may include each other"],
                         check_layering.check_arrows({"a": ["b"], "b": ["c"], "c": ["a"]}))

    def test_layering_refuses_a_room_missing_from_deps(self):
        found = self.layering("src/http/dynamodb/x.cc", '"tables/wire/codec.h"', "language")
        self.assertIn("no path to tables/wire in DEPS", found[0])

    def test_layering_refuses_a_library_outside_its_room(self):
        found = self.layering("src/http/dynamodb/x.cc", "<rocksdb/db.h>")
        self.assertIn("only tables/engine may do", found[0])
        found = self.layering("src/http/dynamodb/x.cc", "<boost/asio.hpp>")
        self.assertIn("only http/server may do", found[0])

    def test_layering_looks_for_libraries_in_tests_too(self):
        self.write("tests/conformance/x.cc", "#include <simdjson.h>\n#include <curl/curl.h>\n")
        self.assertEqual(["tests/conformance/x.cc includes <curl/curl.h>, which only net may do"],
                         check_layering.check(self.root))

    def test_layering_keeps_the_server_free_of_tables(self):
        found = self.layering("src/http/server/x.cc", '"tables/wire/codec.h"', "wire")
        self.assertIn("http/server may not use tables/wire", found[0])

    def test_layering_lets_tests_alone_include_a_testing_folder(self):
        self.write("src/http/CMakeLists.txt", "tintype_library(helpers SRCS server/testing/c.cc DEPS wire)")
        header = '"http/server/testing/client.h"'
        self.assertEqual([], self.layering("src/http/server/x_test.cc", header, "helpers"))
        self.assertEqual([], self.layering("src/http/dynamodb/x_test.cc", header, "helpers"))
        found = self.layering("src/http/server/x.cc", header, "helpers")
        self.assertIn("http/server may not use http/server/testing", found[0])

    def test_layering_lets_one_file_know_the_database(self):
        for name in ("RocksDatabase", "RemoteDatabase"):
            self.write("src/cli/tables/open_tables.cc", f"{name} database;")
            self.write("src/cli/serve.cc", f"// Not a {name}.")
            self.assertEqual([], check_layering.check(self.root))
            self.write("src/cli/serve.cc", f"void Serve({name}& database);")
            self.assertIn(f"src/cli/serve.cc names {name}", check_layering.check(self.root)[0])

    def readers(self, text):
        """The findings about tables that a handler of this text reads."""
        self.write("src/contexts/catalog/image.h", '#include "contexts/catalog/reasons.h"\n')
        self.write("src/contexts/catalog/reasons.h", '#include "base/error.h"\n')
        self.write("src/contexts/catalog/catalog.h", '#include "contexts/common/scan.h"\n')
        self.write("src/contexts/common/scan.h", '#include "tables/language/blocking_database.h"\n')
        self.write("src/http/rest/handlers/x.cc", text)
        return check_layering.check_readers(self.root)

    def test_layering_lets_handlers_see_records(self):
        self.assertEqual([], self.readers('#include "contexts/catalog/image.h"\nviews::List(api.views, page);\n'))

    def test_layering_refuses_a_handler_that_reads_tables(self):
        for text in ['#include "contexts/catalog/catalog.h"\n', '#include "tables/language/database.h"\n',
                     "api.product.catalog.Find(id);\n", "api_.views.people.FindImage(id, email);\n",
                     "api.views.similarity.FindSimilar(id);\n"]:
            self.assertIn("that is for views and flows", self.readers(text)[0], text)

    def test_layering_refuses_a_rule_of_the_product_in_cli(self):
        self.write("src/cli/gallery/x.cc", "pipeline::AllSteps(product, darkroom);\n")
        self.assertEqual([], check_layering.check_wiring(self.root))
        self.write("src/cli/gallery/x.cc", "pipeline::Step& remove = steps.at(kDeleteWork);\n")
        self.assertIn("not for cli", check_layering.check_wiring(self.root)[0])

    def test_layering_refuses_a_flow_that_takes_everything(self):
        self.write("src/flows/product.h", "struct Product {};\n")
        self.write("src/flows/images/trash.h", "Status Trash(const TrashParts& parts);  // Of a Product.\n")
        self.assertEqual([], check_layering.check_flows(self.root))
        for text in ("Status Trash(Product& product);\n", '#include "flows/product.h"\n'):
            self.write("src/flows/images/trash.h", text)
            self.assertIn("names Product", check_layering.check_flows(self.root)[0])

    def test_layering_refuses_a_file_outside_every_room(self):
        found = self.layering("src/elsewhere/x.cc", "<string>")
        self.assertIn("is in no room", found[0])

    def test_dead_files_names_what_no_target_mentions(self):
        self.write("src/base/CMakeLists.txt", "add_library(base a.cc)\n# b.cc is only talked about\n")
        self.write("src/base/a.cc", "")
        self.write("src/base/b.cc", "")
        self.write("tests/CMakeLists.txt", "add_executable(t fuzz/t.cc ${each}_backend.cc)\n")
        self.write("tests/fuzz/t.cc", "")
        self.write("tests/http_backend.cc", "")
        dead = [path.name for path in check_dead_files.check(self.root)]
        self.assertEqual(["b.cc"], dead)

    def test_dead_files_names_tests_that_nothing_runs(self):
        self.write("tests/CMakeLists.txt", "add_test(a a_test.py ${CMAKE_CURRENT_SOURCE_DIR}/${each}_of_many_test.py)\n"
                                           "add_test(NAME p COMMAND node ${CMAKE_SOURCE_DIR}/web/tests/page.test.mjs)\n")
        for path in ["a_test.py", "one_of_many_test.py", "forgotten_test.py"]:
            self.write(f"tests/{path}", 'run("tests/live.test.mjs")' if path == "a_test.py" else "")
        for path in ["tests/page.test.mjs", "tests/live.test.mjs", "tests/lost.test.mjs", "src/unit.test.ts"]:
            self.write(f"web/{path}", "")
        dead = [path.name for path in check_dead_files.check(self.root)]
        self.assertEqual(["forgotten_test.py", "unit.test.ts", "lost.test.mjs"], dead)
        self.write("tests/units/CMakeLists.txt", "add_test(NAME units COMMAND npm --silent test)\n")
        self.assertNotIn("unit.test.ts", [path.name for path in check_dead_files.check(self.root)])

    def contract_use(self, path, text):
        """The findings about who goes past the contract, in one file."""
        self.write(path, text)
        return check_contract_use.check(self.root)

    def test_contract_use_refuses_bodies_and_queries_past_the_contract(self):
        self.assertIn("reads a body", self.contract_use("src/http/rest/handlers/a.cc", "json::Parse(text, 10)")[0])
        self.assertIn("reads a body", self.contract_use("src/http/rest/handlers/a.cc", "call.request.body.size()")[0])
        self.assertIn("takes a query apart", self.contract_use("src/http/rest/handlers/a.cc", "ParseTarget(text)")[0])
        self.assertEqual([], self.contract_use("src/http/rest/handlers/a.cc", "ReadBody(call)"))

    def test_contract_use_refuses_a_stand_in_for_the_server(self):
        self.assertIn("serves HTTP", self.contract_use("web/mock/a.mjs", "import { createServer } from 'node:http'")[0])
        self.assertEqual([], self.contract_use("web/mock/a.mjs", "import { spawn } from 'node:child_process'"))

    def test_contract_use_refuses_generated_files(self):
        self.assertIn("is made from the contract", self.contract_use("web/src/api/types.ts", "export type A = 1")[0])

    def test_fuzz_corpus_keeps_each_input_once(self):
        self.write("lines_fuzz.cc", "")
        self.write("corpus/lines/with-a-name", "x")
        self.write("b", "second")
        self.write("a", "first")
        self.assertEqual(2, fuzz_corpus.add(self.root, "lines", [self.root / "b", self.root / "a"]))
        first = (self.root / "corpus/lines.tar.xz").read_bytes()
        self.assertEqual(0, fuzz_corpus.add(self.root, "lines", [self.root / "a"]))
        self.assertEqual(first, (self.root / "corpus/lines.tar.xz").read_bytes())
        self.assertEqual((1, 2), fuzz_corpus.count(self.root, "lines"))
        kept = fuzz_corpus.read(self.root / "corpus/lines.tar.xz")
        self.assertEqual([b"first", b"second"], sorted(kept.values()))
        fuzz_corpus.remove(self.root, "lines", kept)
        self.assertFalse((self.root / "corpus/lines.tar.xz").exists())
        self.assertEqual(2, fuzz_corpus.main(["add", "nothing", "a"], self.root))

    OPEN = "open: not begun | | a promise"

    def coverage(self, row=None, without=None):
        """The outcome for a table of open rows, one of them replaced or left out."""
        rows = {f"{chapter}-{i}": self.OPEN
                for chapter, count in check_mission_coverage.CHAPTERS.items() for i in range(1, count + 1)}
        rows.update(row or {})
        rows.pop(without, None)
        self.write("docs/coverage.md", "".join(f"| {key} | {cell} |\n" for key, cell in rows.items()))
        return check_mission_coverage.check(self.root)

    def proven(self, identifier, name, path="tests/mission/a_test.py"):
        """The outcome when one row is proven by a function of that name."""
        return self.coverage({identifier: f"proven | `{path}::{name}` | a promise"})

    def write_python_tests(self, *functions, path="tests/mission/a_test.py"):
        lines = ["import unittest", "class ATest(unittest.TestCase):"]
        for name, body in functions:
            lines += [f"    def {name}(self):", f"        {body}"]
        self.write(path, "\n".join(lines) + "\n")

    def test_coverage_accepts_open_rows(self):
        self.assertEqual(([], 0, 78), self.coverage())

    def test_coverage_counts_rows_whose_tests_carry_the_id(self):
        self.write_python_tests(("test_IMG_3_newest_first", "self.assertEqual([2, 1], newest())"))
        self.assertEqual(([], 1, 78), self.proven("IMG-3", "test_IMG_3_newest_first"))
        # An open row names what proves a part of it, and is not counted.
        cell = "open: not for albums | `tests/mission/a_test.py::test_IMG_3_newest_first` | a promise"
        self.assertEqual(([], 0, 78), self.coverage({"IMG-3": cell}))

    def test_coverage_lets_one_test_carry_two_ids(self):
        self.write_python_tests(("test_IMG_9_SPK_10_nothing_is_left", "self.assertEqual([], left())"))
        test = "proven | `tests/mission/a_test.py::test_IMG_9_SPK_10_nothing_is_left` | a promise"
        self.assertEqual(([], 2, 78), self.coverage({"IMG-9": test, "SPK-10": test}))
        [finding] = self.coverage({"IMG-9": test})[0]
        self.assertIn("carries SPK-10: add `tests/mission/a_test.py::test_IMG_9_SPK_10_nothing_is_left`", finding)

    def test_coverage_refuses_a_file_without_a_function(self):
        self.write_python_tests(("test_IMG_3_newest_first", "self.assertEqual([2, 1], newest())"))
        findings, proven, _ = self.coverage({"IMG-3": "proven | `tests/mission/a_test.py` | a promise"})
        self.assertIn("name a function of it", findings[0])
        self.assertEqual(0, proven)

    def test_coverage_refuses_a_function_that_does_not_exist(self):
        self.write_python_tests(("test_IMG_3_newest_first", "self.assertEqual([2, 1], newest())"))
        self.assertIn("is no file of tests", self.proven("IMG-3", "test_IMG_3_newest_first", "tests/b_test.py")[0][0])
        self.assertIn("not in tests/mission/a_test.py: is it test_IMG_3_newest_first now?",
                      self.proven("IMG-3", "test_IMG_3_newest")[0][0])

    def test_coverage_refuses_a_function_that_carries_another_id(self):
        for name in ("test_IMG_13_evolution", "test_newest_first", "test_IMG_30_newest_first"):
            self.write_python_tests((name, "self.assertEqual([2, 1], newest())"))
            findings, proven, _ = self.proven("IMG-3", name)
            self.assertIn("does not carry the id", findings[0])
            self.assertEqual(0, proven)
        # An id in a comment or a docstring is none.
        self.write_python_tests(("test_newest_first", '"""IMG-3"""; self.assertEqual([2, 1], newest())'))
        self.assertIn("does not carry the id", self.proven("IMG-3", "test_newest_first")[0][0])

    def test_coverage_refuses_a_function_that_no_row_names(self):
        self.write_python_tests(("test_IMG_3_newest_first", "self.assertEqual([2, 1], newest())"))
        [finding] = self.coverage()[0]
        self.assertIn("carries IMG-3: add `tests/mission/a_test.py::test_IMG_3_newest_first`", finding)
        self.write_python_tests(("test_IMG_99_newest_first", "self.assertEqual([2, 1], newest())"))
        [finding] = self.coverage()[0]
        self.assertIn("carries IMG-99, which has no row", finding)

    def test_coverage_refuses_a_function_that_asserts_nothing(self):
        for body in ("newest()", "self.assertTrue(True)", "self.assertEqual(1, 1)", "assert True", '"""assertEqual"""'):
            self.write_python_tests(("test_IMG_3_newest_first", body))
            findings, proven, _ = self.proven("IMG-3", "test_IMG_3_newest_first")
            self.assertIn("asserts nothing", findings[0], body)
            self.assertEqual(0, proven)
        for body in ("assert newest() == [2, 1]", "self.assert_refused(newest())", "self.assertTrue(newest())"):
            self.write_python_tests(("test_IMG_3_newest_first", body))
            self.assertEqual(1, self.proven("IMG-3", "test_IMG_3_newest_first")[1], body)

    def test_coverage_refuses_a_function_that_never_runs(self):
        asserting = "self.assertEqual([2, 1], newest())"
        self.write_python_tests(("test_IMG_3_a", asserting), ("test_IMG_3_a", asserting))
        self.assertIn("is never run", self.proven("IMG-3", "test_IMG_3_a")[0][0])
        path, text = "tests/mission/a_test.py", f"def test_IMG_3_a(self):\n    {asserting}\n"
        self.write(path, f"import unittest\n@unittest.skip('later')\n{text}test_IMG_3_a(None)\n")
        self.assertIn("is never run", self.proven("IMG-3", "test_IMG_3_a")[0][0])
        self.write(path, text)
        self.assertIn("is never run", self.proven("IMG-3", "test_IMG_3_a")[0][0])
        self.write(path, f"{text}def main():\n    test_IMG_3_a(None)\n")
        self.assertEqual(1, self.proven("IMG-3", "test_IMG_3_a")[1])

    def test_coverage_reads_tests_in_javascript(self):
        path = "web/tests/a.test.mjs"
        self.write(path, "test('IMG-3: newest first', async () => {\n  assert.deepEqual(await newest(), [2, 1])\n})\n"
                         "test('IMG-5: by id', async () => {\n  await get() // expect(1)\n})\n"
                         "test.skip('IMG-6: pages', () => {\n  expect(pages()).toBe(2)\n})\n")
        rows = {f"IMG-{number}": f"proven | `{path}::{name}` | a promise"
                for number, name in ((3, "IMG-3: newest first"), (5, "IMG-5: by id"), (6, "IMG-6: pages"))}
        findings, proven, _ = self.coverage(rows)
        self.assertEqual(1, proven)
        self.assertIn("IMG-5: by id, which asserts nothing", findings[0])
        self.assertIn("IMG-6: pages, which is never run", findings[1])

    def test_coverage_reads_tests_in_cpp_but_wants_one_that_drives_a_server(self):
        path = "tests/product/a_test.cc"
        self.write(path, "TEST_F(ATest, M2C_7_CannotDevelop) {\n  EXPECT_EQ(1, Developed());\n}\n"
                         "TEST(ATest, M2C_7_Does) {\n  Develop();  // EXPECT_EQ(1, 1)\n}\n")
        tests = f"`{path}::M2C_7_CannotDevelop`, `{path}::M2C_7_Does`"
        findings, proven, _ = self.coverage({"M2C-7": f"proven | {tests} | a promise"})
        self.assertEqual(0, proven)
        self.assertIn("M2C_7_Does, which asserts nothing", findings[0])
        self.assertIn("names no test that drives a running server", findings[1])

    def test_coverage_refuses_missing_unknown_double_and_unclear_rows(self):
        self.assertIn("SPK-2 is not listed: add | SPK-2 |", self.coverage(without="SPK-2")[0][0])
        self.assertEqual(["ARC-9 is no id of the mission"], self.coverage({"ARC-9": self.OPEN})[0])
        self.assertIn("is listed twice", self.coverage({"ARC-1": f"{self.OPEN} |\n| ARC-1 | {self.OPEN}"})[0][0])
        for state in ("", "open", "open:", "yes"):
            self.assertIn("write `proven`, or `open: ` and why", self.coverage({"ARC-1": f"{state} | | a promise"})[0][0])
        self.assertIn("names no test", self.coverage({"ARC-1": "proven | | a promise"})[0][0])
        self.assertIn("does not say what must be true", self.coverage({"ARC-1": "open: why | |"})[0][0])
        self.assertIn("columns", self.coverage({"ARC-1": "open: why | a promise"})[0][0])


if __name__ == "__main__":
    unittest.main()
