"""A service that answers as AWS's parameter store does where Tintype asks it: GetParameter, by requests that botocore's
own signing says are right."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

ACCESS_KEY_ID, SECRET_ACCESS_KEY, REGION = "AKIAPARAMETERS000000", "parameters/secret", "eu-central-1"


class ParameterStore:
    def __init__(self, parameters):
        self.parameters = parameters  # Values of encrypted parameters by name.
        self.busy = 0  # So many requests more are turned away.
        self.refused = set()  # Names that the key may not read.
        self.asked = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.environment = {"AWS_ENDPOINT_URL_SSM": f"http://127.0.0.1:{self._server.server_port}", "AWS_REGION": REGION,
                            "AWS_ACCESS_KEY_ID": ACCESS_KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET_ACCESS_KEY}
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, headers, body):
        """Status, and what the body says."""
        if self.busy > 0:
            self.busy -= 1
            return 400, {"__type": "ThrottlingException", "message": "Rate exceeded"}
        if not self._is_signed(headers, body):
            return 400, {"__type": "InvalidSignatureException", "message": "The request signature does not match."}
        if headers["X-Amz-Target"] != "AmazonSSM.GetParameter" or headers["Content-Type"] != "application/x-amz-json-1.1":
            return 400, {"__type": "UnknownOperationException"}
        asked = json.loads(body)
        name = asked["Name"]
        self.asked.append(name)
        if name in self.refused:
            return 400, {"__type": "AccessDeniedException", "Message": f"not authorized to perform: ssm:GetParameter on {name}"}
        if name not in self.parameters:
            return 400, {"__type": "ParameterNotFound"}
        value = self.parameters[name] if asked.get("WithDecryption") else "AQICAHh...encrypted"
        return 200, {"Parameter": {"ARN": f"arn:aws:ssm:{REGION}:000000000000:parameter{name}", "DataType": "text", "Name": name,
                                   "Type": "SecureString", "Value": value, "Version": 1}}

    def _is_signed(self, headers, body):
        sent = headers.get("Authorization", "")
        request = AWSRequest("POST", f"http://{headers['Host']}/", data=body)
        names = sent.partition("SignedHeaders=")[2].partition(",")[0].split(";")
        for name in names:
            if name != "host":
                request.headers[name] = headers[name]
        if not {"host", "x-amz-date", "x-amz-target"} <= set(names):
            return False
        auth = SigV4Auth(Credentials(ACCESS_KEY_ID, SECRET_ACCESS_KEY), "ssm", REGION)
        request.context["timestamp"] = headers["X-Amz-Date"]
        to_sign = auth.string_to_sign(request, auth.canonical_request(request))
        return sent.endswith(f"Signature={auth.signature(to_sign, request)}")

    def _handler(self):
        store = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, said = store.answer(self.headers, body)
                answer = json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.1")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        return Handler
