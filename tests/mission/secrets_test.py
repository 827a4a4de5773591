"""Where the secrets of the person who runs the server come from: the environment, files, commands, and AWS's parameter
store."""

import http.client
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import boto3  # noqa: E402
import photos  # noqa: E402
import rest  # noqa: E402
import storage  # noqa: E402
from botocore.config import Config  # noqa: E402
from botocore.exceptions import ClientError  # noqa: E402
from gallery import Gallery  # noqa: E402
from loot import Loot  # noqa: E402
from parameter_store import SECRET_ACCESS_KEY, ParameterStore  # noqa: E402
from tintype_server import ServerFailed  # noqa: E402

METRICS_TOKEN = "metrics-Token-of-Brimblecombe-41"
ROOT_SECRET = "root/Secret+of/Nettlewhistle/0000000000"


@unittest.skipUnless(storage.is_as_by_default(), "a server whose tables are elsewhere has no master key")
class SecretsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tintype-secrets-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.master_key = os.urandom(32).hex()
        self.store = ParameterStore({"/tintype/test/master-key": self.master_key, "/tintype/test/metrics-token": METRICS_TOKEN,
                                     "root": ROOT_SECRET})
        self.addCleanup(self.store.stop)

    def gallery(self, **environment):
        return Gallery(("--workers", "1"), data_dir=str(self.folder / "data"), environment={
            **self.store.environment, "TINTYPE_ROOT_ACCESS_KEY_ID": "AKIAOFTHESECRETS0000", "TINTYPE_ROOT_SECRET_ACCESS_KEY": ROOT_SECRET,
            **environment})

    def refusal(self, **environment):
        with self.assertRaises(ServerFailed) as failed:
            self.gallery(**environment)
        return str(failed.exception)

    def metrics(self, gallery, token):
        connection = http.client.HTTPConnection(gallery.server.addresses["metrics"], timeout=10)
        connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})
        status = connection.getresponse().status
        connection.close()
        return status

    def lists_tables(self, gallery, secret):
        client = boto3.client("dynamodb", endpoint_url=gallery.server.endpoint, region_name="us-east-1",
                              aws_access_key_id="AKIAOFTHESECRETS0000", aws_secret_access_key=secret,
                              config=Config(retries={"max_attempts": 0}))
        try:
            return bool(client.list_tables()["TableNames"])
        except ClientError:
            return False

    def test_SPK_15_the_parameter_store(self):
        """SPK-15: the master key, the token of metrics and the root key come from the parameter store by signed calls,
        from a file and from a command; none of them is in the data directory, a backup or the log in the clear."""
        from_store = {"TINTYPE_MASTER_KEY": "ssm:///tintype/test/master-key",
                      "TINTYPE_METRICS_TOKEN": "ssm:///tintype/test/metrics-token"}
        self.store.busy = 2
        gallery = self.gallery(**from_store, TINTYPE_ROOT_SECRET_ACCESS_KEY="",
                               TINTYPE_ROOT_SECRET_ACCESS_KEY_COMMAND=f"echo {ROOT_SECRET}")
        try:
            self.assertEqual(set(self.store.asked), {"/tintype/test/master-key", "/tintype/test/metrics-token"})
            self.assertEqual(self.metrics(gallery, METRICS_TOKEN), 200)
            self.assertEqual(self.metrics(gallery, "wrong-Token-of-Brimblecombe-41"), 401)
            self.assertTrue(self.lists_tables(gallery, ROOT_SECRET))
            self.assertFalse(self.lists_tables(gallery, "root/Secret+of/Nettlewhistle/0000000001"))
            ada = gallery.sign_up("ada")
            image = ada.upload(photos.jpeg("secret", 300, 200))
            gallery.wait_developed(ada, image)
            backup = gallery.run("backup", "create", "--to", str(self.folder / "backups"))
            self.assertEqual(backup.returncode, 0, backup.stderr)
        finally:
            gallery.stop()
        loot = Loot()
        for what, text in (("master key", self.master_key), ("token", METRICS_TOKEN), ("key of the store", SECRET_ACCESS_KEY),
                           ("root secret", ROOT_SECRET)):
            loot.add_text(what, text)
        loot.add_bytes("master key", bytes.fromhex(self.master_key) * 2)
        # The root key's file is its owner's (mode 0600), and no backup has it.
        (self.folder / "data" / "credentials").rename(self.folder / "credentials")
        self.assertEqual(loot.find(self.folder / "data"), [])
        self.assertEqual(loot.find(self.folder / "backups"), [])
        for text in (self.master_key, METRICS_TOKEN, ROOT_SECRET, SECRET_ACCESS_KEY):
            self.assertNotIn(text, gallery.server.log)
        # The same directory opens with the same key from a file: it is the one that the store has.
        (self.folder / "credentials").rename(self.folder / "data" / "credentials")
        file = self.folder / "master.key"
        file.touch(0o600)
        file.write_text(self.master_key + "\n")
        gallery = self.gallery(TINTYPE_MASTER_KEY_FILE=str(file))
        try:
            ada = rest.Account(lambda: gallery.address, "ada")
            ada.log_in()
            self.assertEqual(ada.image(image)["id"], image)
        finally:
            gallery.stop()

    def test_SPK_15_what_goes_wrong(self):
        """SPK-15: each refusal of the store stops the start with the variable, the parameter and the store's words."""
        self.store.refused.add("/tintype/test/metrics-token")
        told = self.refusal(TINTYPE_METRICS_TOKEN="ssm:///tintype/test/metrics-token")
        self.assertIn("TINTYPE_METRICS_TOKEN: ", told)
        self.assertIn("AccessDeniedException, not authorized to perform: ssm:GetParameter", told)
        self.assertIn("ParameterNotFound", self.refusal(TINTYPE_MASTER_KEY="ssm:///tintype/none"))
        self.assertIn("InvalidSignatureException", self.refusal(TINTYPE_MASTER_KEY="ssm://root", AWS_SECRET_ACCESS_KEY="wrong"))
        self.assertIn("There is no master key in the parameter root", self.refusal(TINTYPE_MASTER_KEY="ssm://root"))
        self.assertIn("set AWS_REGION", self.refusal(TINTYPE_MASTER_KEY="ssm://root", AWS_REGION=""))
        self.assertIn("use https://", self.refusal(TINTYPE_MASTER_KEY="ssm://root", AWS_ENDPOINT_URL_SSM="http://192.0.2.1"))
        self.assertIn("exclude each other", self.refusal(TINTYPE_METRICS_TOKEN="ssm://root", TINTYPE_METRICS_TOKEN_COMMAND="true"))
        # The directory is as it was: nothing was made with a key that nobody has.
        self.assertFalse((self.folder / "data" / "tables" / "KEYS").exists())
        self.assertNotIn(ROOT_SECRET, told)


if __name__ == "__main__":
    unittest.main(verbosity=2)
