"""Another issuer of OpenID Connect, and people with a browser who sign in there."""

import base64
import hashlib
import http.cookiejar
import json
import secrets
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ISSUER = Path(__file__).parent.parent.parent / "e2e" / "support" / "oidc_issuer.mjs"
CLIENT_SECRET = "a/secret+of:tests"
AUDIENCE = "media-api"


class Issuer:
    """npm's oidc-provider in a process of its own."""

    def __init__(self, redirect_uri):
        self._redirect_uri = redirect_uri
        self._process = subprocess.Popen(["node", str(ISSUER), redirect_uri], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, text=True)
        self.url = self._process.stdout.readline().strip()

    def stop(self):
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()

    def control(self, **change):
        with urllib.request.urlopen(f"{self.url}/control", json.dumps(change).encode(), timeout=10) as answer:
            return json.load(answer)

    def know(self, person, **claims):
        """What tokens say of somebody from now on. The address is verified unless said otherwise."""
        self.control(users={person: {"email": f"{person}@example.com", "email_verified": True, **claims}})

    def walk(self, url, person):
        """What a browser does with the address that it is sent to, until it is sent back: the query that it brings."""
        # They tell the issuer who they are before it asks.
        back = _Back(self._redirect_uri)
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), back)
        try:
            browser.open(f"{url}&login_hint={urllib.parse.quote(person)}", timeout=10).close()
        except urllib.error.HTTPError as refused:
            refused.close()
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back.address).query))

    def tokens(self, person, client="tintype", secret=CLIENT_SECRET):
        """An ID token, and an access token for the API, as another program of theirs has them."""
        verifier = secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = urllib.parse.urlencode({
            "response_type": "code", "client_id": client, "redirect_uri": self._redirect_uri,
            "scope": "openid email profile media", "resource": "urn:media", "state": secrets.token_urlsafe(16),
            "code_challenge": challenge, "code_challenge_method": "S256"})
        back = self.walk(f"{self.url}/auth?{query}", person)
        form = {"grant_type": "authorization_code", "code": back["code"], "redirect_uri": self._redirect_uri,
                "code_verifier": verifier, "resource": "urn:media"}
        pair = ":".join(urllib.parse.quote(part, safe="") for part in (client, secret))
        request = urllib.request.Request(f"{self.url}/token", urllib.parse.urlencode(form).encode(),
                                         {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)


class _Back(urllib.request.HTTPRedirectHandler):
    """Follows redirects until the one that leads back."""

    def __init__(self, redirect_uri):
        self._redirect_uri = redirect_uri
        self.address = None

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        if newurl.startswith(self._redirect_uri):
            self.address = newurl
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)
