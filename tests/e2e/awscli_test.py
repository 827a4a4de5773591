"""The `aws` command as the README shows it: only the credentials file of a new data directory, no other
configuration."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import tintype_server  # noqa: E402


class AwsCliTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Empty settings count as not set, so the server makes its own root key.
        cls.server = tintype_server.Server(
            overrides={"TINTYPE_ROOT_ACCESS_KEY_ID": "", "TINTYPE_ROOT_SECRET_ACCESS_KEY": ""})
        cls.addClassCleanup(cls.server.stop)
        home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(home.cleanup)
        cls.environment = {"PATH": os.environ["PATH"], "HOME": home.name,
                           "AWS_SHARED_CREDENTIALS_FILE": f"{cls.server.data_dir}/credentials"}

    def run_aws(self, *arguments):
        return subprocess.run(["aws", "--endpoint-url", self.server.endpoint, "dynamodb", *arguments],
                              env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def aws(self, *arguments):
        done = self.run_aws(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout) if done.stdout.strip() else None

    def test_first_session(self):
        """Proves a newcomer's first session, from an empty list of tables to an index query and back to an empty
        list."""
        self.assertEqual(self.aws("list-tables"), {"TableNames": []})
        created = self.aws(
            "create-table", "--table-name", "Photos", "--billing-mode", "PAY_PER_REQUEST",
            "--attribute-definitions", "AttributeName=owner,AttributeType=S", "AttributeName=id,AttributeType=S",
            "--key-schema", "AttributeName=owner,KeyType=HASH", "AttributeName=id,KeyType=RANGE",
            "--global-secondary-indexes",
            "IndexName=id-index,KeySchema=[{AttributeName=id,KeyType=HASH}],Projection={ProjectionType=ALL}")
        self.assertEqual(created["TableDescription"]["TableName"], "Photos")
        self.aws("wait", "table-exists", "--table-name", "Photos")
        item = {"owner": {"S": "ann"}, "id": {"S": "p1"}, "width": {"N": "4032"}}
        self.aws("put-item", "--table-name", "Photos", "--item", json.dumps(item))
        got = self.aws("get-item", "--table-name", "Photos", "--key", '{"owner": {"S": "ann"}, "id": {"S": "p1"}}')
        self.assertEqual(got["Item"], item)
        updated = self.aws(
            "update-item", "--table-name", "Photos", "--key", '{"owner": {"S": "ann"}, "id": {"S": "p1"}}',
            "--update-expression", "SET title = :title", "--expression-attribute-values", '{":title": {"S": "Gate"}}',
            "--return-values", "ALL_NEW")
        self.assertEqual(updated["Attributes"], {**item, "title": {"S": "Gate"}})
        queried = self.aws(
            "query", "--table-name", "Photos", "--index-name", "id-index", "--key-condition-expression", "id = :id",
            "--expression-attribute-values", '{":id": {"S": "p1"}}')
        self.assertEqual(queried["Items"], [updated["Attributes"]])
        refused = self.run_aws("put-item", "--table-name", "Photos", "--item", json.dumps(item),
                               "--condition-expression", "attribute_not_exists(id)")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("ConditionalCheckFailedException", refused.stderr)
        self.aws("delete-table", "--table-name", "Photos")
        self.aws("wait", "table-not-exists", "--table-name", "Photos")
        self.assertEqual(self.aws("list-tables"), {"TableNames": []})

    def test_key_file_is_private(self):
        """Proves that other users of the machine cannot read the key."""
        self.assertEqual(os.stat(f"{self.server.data_dir}/credentials").st_mode & 0o077, 0)


if __name__ == "__main__":
    unittest.main()
