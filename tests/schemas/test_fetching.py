"""Opt-in fetching: from the hosts allowed, over https, from public addresses, within limits; and nothing
else.
"""

from __future__ import annotations

import datetime
import http.server
import logging
import pathlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from typedtool.errors import BudgetExceeded, InvalidSchema, UnsafeSchema
from typedtool.fetching import AllowHosts
from typedtool.schemas.schema import parse_schema

HOST = "schemas.example.com"
PUBLIC = "93.184.216.34"


class Site:
    """An https server on loopback for `HOST`, reached only through the `connect` that a test passes in."""

    def __init__(self, folder: pathlib.Path) -> None:
        site = self
        self.asked: list[str] = []
        self.slow_parts = 0
        self.connected: list[str] = []
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                status, headers, body = site.pages.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    size = 100 if self.path == "/slow" else 10_000
                    for start in range(0, len(body), size):
                        self.wfile.write(body[start : start + size])
                        if self.path == "/slow":
                            site.slow_parts += 1
                            time.sleep(0.1)
                except OSError:
                    pass

            def log_message(self, format: str, *args: Any) -> None:
                pass

        certificate(folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        self.server.socket = context.wrap_socket(
            self.server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def connect(self, address: str, port: int, timeout: float) -> socket.socket:
        self.connected.append(f"{address}:{port}")
        return socket.create_connection(("127.0.0.1", self.server.server_address[1]), timeout)

    def page(self, path: str, body: bytes, status: int = 200, **headers: str) -> None:
        self.pages[path] = (status, headers, body)

    def allow(self, *hosts: str, addresses: Sequence[str] = (PUBLIC,), **options: Any) -> AllowHosts:
        return AllowHosts(
            *(hosts or (HOST,)),
            context=self.trust,
            resolve=lambda host, port: addresses,
            connect=self.connect,
            **options,
        )


def certificate(folder: pathlib.Path) -> None:
    x509 = pytest.importorskip(
        "cryptography.x509", reason="cryptography makes the certificate of the test server"
    )
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "key.pem").write_bytes(pem)


@pytest.fixture
def site(tmp_path: pathlib.Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.server.shutdown()
    site.server.server_close()


def test_a_schema_is_fetched_logged_and_judged_by(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    site.page("/a.json", b'{"items": {"$ref": "b.json#/$defs/x"}}')
    site.page("/b.json", b'{"$defs": {"x": {"type": "integer"}}}')
    allowed = site.allow()
    with caplog.at_level(logging.INFO, "typedtool.fetching"):
        schema = parse_schema({"$ref": f"https://{HOST}/a.json"}, fetch=allowed)
    assert [str(problem) for problem in schema.validate([1, "x"])] == [
        "expected integer, received string at $[1]"
    ]
    assert site.connected == [f"{PUBLIC}:443"] * 2  # the address that was checked, not the name
    assert [
        f"/{name}.json" in record.getMessage() for name, record in zip("ab", caplog.records, strict=True)
    ] == [True, True]
    again = parse_schema({"$ref": f"https://{HOST}/a.json", "title": "other"}, fetch=allowed)
    assert not again.is_valid(["x"]) and site.asked == ["/a.json", "/b.json"]


def test_what_was_fetched_is_part_of_what_a_schema_is(site: Site) -> None:
    document = {"$ref": f"https://{HOST}/a.json"}
    site.page("/a.json", b'{"type": "integer"}')
    one = parse_schema(document, fetch=site.allow())
    site.page("/a.json", b'{"type": "string"}')
    other = parse_schema(document, fetch=site.allow())
    assert one != other and one.is_valid(1) and other.is_valid("x") and not other.is_valid(1)
    with pytest.raises(UnsafeSchema):  # without the option, there is still no way out
        parse_schema(document)


@pytest.mark.parametrize(
    "uri",
    [
        f"http://{HOST}/a.json",
        "file:///etc/hostname",
        "ftp://x/a",
        "https://other.example.com/a.json",
        f"https://{HOST}.evil.com/a",
        f"https://{HOST}:8443/a",
        f"https://user@{HOST}/a",
        f"https://user:pw@{HOST}/a",
        f"https://evil.com@{HOST}:99/",
        "https:///a",
        f"https://{HOST}/a b",
        "data:,{}",
        "urn:x:y",
    ],
)
def test_only_https_from_the_hosts_allowed(site: Site, uri: str) -> None:
    site.page("/a.json", b"{}")
    with pytest.raises(UnsafeSchema):
        parse_schema({"$ref": uri}, fetch=site.allow())
    assert site.connected == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.5.5",
        "192.168.1.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "224.0.0.1",
        "::1",
        "fe80::1%eth0",
        "fc00::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "::",
        "255.255.255.255",
        "192.0.2.1",
        "nonsense",
    ],
)
def test_no_address_that_is_not_public_is_connected_to(site: Site, address: str) -> None:
    for addresses in ([address], [PUBLIC, address]):
        with pytest.raises(UnsafeSchema, match="not public"):
            site.allow(addresses=addresses).fetch(f"https://{HOST}/a.json")
    assert site.connected == []


def test_localhost_is_refused_by_the_resolver_of_the_system() -> None:
    with pytest.raises(UnsafeSchema, match="not public"):
        AllowHosts("localhost").fetch("https://localhost/a.json")


@pytest.mark.parametrize(
    "target",
    [
        f"http://{HOST}/b",
        "https://evil.example.com/b",
        "https://127.0.0.1/b",
        "//evil.com/b",
        "file:///etc/passwd",
    ],
)
def test_a_redirect_out_of_the_list_is_refused(site: Site, target: str) -> None:
    site.page("/a", b"", 302, location=target)
    with pytest.raises(UnsafeSchema):
        site.allow().fetch(f"https://{HOST}/a")
    assert site.asked == ["/a"]


def test_a_redirect_within_the_list_is_followed_and_resolved_anew(site: Site) -> None:
    site.page("/a", b"", 301, location="/b")
    site.page("/b", b'{"type": "null"}')
    assert site.allow().fetch(f"https://{HOST}/a") == {"type": "null"}
    site.page("/loop", b"", 302, location="/loop")
    with pytest.raises(UnsafeSchema, match="too often"):
        site.allow().fetch(f"https://{HOST}/loop")
    turns = iter([[PUBLIC], ["127.0.0.1"]])  # the name resolves elsewhere the second time
    rebound = AllowHosts(HOST, context=site.trust, resolve=lambda *_: next(turns), connect=site.connect)
    with pytest.raises(UnsafeSchema, match="not public"):
        rebound.fetch(f"https://{HOST}/a")


def test_size_and_time_are_limited(site: Site) -> None:
    site.page("/big", b'"' + b"x" * 200_000 + b'"')
    with pytest.raises(UnsafeSchema, match="more than 100000 bytes"):
        site.allow(limit=100_000).fetch(f"https://{HOST}/big")
    site.page("/slow", b'"' + b"x" * 100_000 + b'"')
    with pytest.raises((UnsafeSchema, BudgetExceeded)):
        site.allow(seconds=0.3).fetch(f"https://{HOST}/slow")
    assert 0 < site.slow_parts < 500  # of a thousand, which take more than a hundred seconds


def test_what_is_fetched_is_admitted_like_any_schema(site: Site) -> None:
    for body, error in (
        (b'{"type": "no"}', InvalidSchema),
        (b"[1]", InvalidSchema),
        (b"<html>", UnsafeSchema),
        (b'{"$ref": "https://evil.example.com/x"}', UnsafeSchema),
        (b'{"$ref": "#"}', UnsafeSchema),
    ):
        site.page("/a", body)
        with pytest.raises(error):
            parse_schema({"$ref": f"https://{HOST}/a"}, fetch=site.allow())
    with pytest.raises(UnsafeSchema, match="404"):
        site.allow().fetch(f"https://{HOST}/none")


def test_a_certificate_for_another_name_is_refused(site: Site) -> None:
    site.page("/a", b"{}")
    with pytest.raises(UnsafeSchema, match="cannot be fetched"):
        site.allow("other.example.com").fetch("https://other.example.com/a")
    assert site.asked == []


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("http://example.com/x", "'http://example.com/x' is not https at #"),
        ("https://u:p@example.com/x", "'https://u:p@example.com/x' is no plain https URI at #"),
    ],
)
def test_a_uri_that_is_never_asked_for_is_named_with_the_rule(uri: str, message: str) -> None:
    with pytest.raises(UnsafeSchema) as caught:
        AllowHosts("example.com").fetch(uri)
    assert (str(caught.value), caught.value.rule) == (message, "fetch")
