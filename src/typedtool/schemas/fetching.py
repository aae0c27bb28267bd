"""Fetching of schemas, for those who opt in: `parse_schema(schema, fetch=AllowHosts("schemas.example.com"))`.

No other module imports this one: without it, no schema leads to the network.
"""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

import msgspec

from typedtool.errors import BudgetExceeded, UnsafeSchema, named

__all__ = ["AllowHosts"]

_log = logging.getLogger("typedtool.fetching")
_REDIRECTS = 3
_KEPT = 64

Resolve = Callable[[str, int], Sequence[str]]
Connect = Callable[[str, int, float], socket.socket]


def _resolved(host: str, port: int) -> Sequence[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _connected(address: str, port: int, timeout: float) -> socket.socket:
    return socket.create_connection((address, port), timeout)


class AllowHosts:
    """Fetches schemas over https from the named hosts, and from no others.

    hosts: names, with `:port` where it is not 443.
    limit: the most bytes of one document. seconds: time for one document, redirects included.
    context, resolve, connect: replacements for TLS, DNS and TCP.

    Every address of a host must be public, and the connection goes to the address that was checked: DNS cannot
    change in between. At most 3 redirects are followed, each checked like the first. The logger
    `typedtool.fetching` names each URI before it is fetched. An instance fetches a document once.
    """

    def __init__(
        self,
        *hosts: str,
        limit: int = 1_000_000,
        seconds: float = 5.0,
        context: ssl.SSLContext | None = None,
        resolve: Resolve = _resolved,
        connect: Connect = _connected,
    ) -> None:
        self.hosts: frozenset[str] = frozenset(
            host.lower() if ":" in host else f"{host.lower()}:443" for host in hosts
        )
        self.limit = limit
        self.seconds = seconds
        self._context = context
        self._resolve = resolve
        self._connect = connect
        self._lock = threading.Lock()
        self._digests: dict[str, bytes] = {}
        self._documents: dict[bytes, Any] = {}

    def fetch(self, uri: str) -> Any:
        """The JSON document at `uri`.

        Raises `UnsafeSchema` where the URI is not allowed or the document cannot be fetched, and
        `BudgetExceeded` (`seconds`) at the deadline.
        """
        with self._lock:
            digest = self._digests.get(uri)
            if digest is not None:
                return self._documents[digest]
        text = self._text(uri)
        try:
            document = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            raise UnsafeSchema(f"what {named(uri)} has is not JSON", "fetch") from None
        digest = hashlib.sha256(text).digest()
        with self._lock:
            if len(self._digests) >= _KEPT:
                self._digests.clear()
                self._documents.clear()
            self._digests[uri] = digest
            return self._documents.setdefault(digest, document)

    def _text(self, uri: str) -> bytes:
        deadline = time.monotonic() + self.seconds
        for _ in range(_REDIRECTS + 1):
            parts = self._checked(uri)
            address = self._address(parts)
            _log.info("fetching %s from %s", named(uri, 300), address)
            try:
                status, location, text = self._get(parts, address, deadline)
            except (OSError, http.client.HTTPException) as error:
                raise UnsafeSchema(
                    f"{named(uri)} cannot be fetched: {type(error).__name__}", "fetch"
                ) from error
            if status == 200:
                return text
            if status not in (301, 302, 303, 307, 308) or not location:
                raise UnsafeSchema(f"{named(uri)} cannot be fetched: HTTP status {status}", "fetch")
            uri = urljoin(uri, location)
        raise UnsafeSchema(f"{named(uri)} is redirected too often", "fetch")

    def _checked(self, uri: str) -> SplitResult:
        try:
            parts = urlsplit(uri)
            host = f"{(parts.hostname or '').lower()}:{parts.port or 443}"
        except ValueError:
            raise UnsafeSchema(f"{named(uri)} is no URI", "fetch") from None
        if parts.scheme != "https":
            raise UnsafeSchema(f"{named(uri)} is not https", "fetch")
        if parts.username is not None or parts.password is not None or any(c <= " " or c > "~" for c in uri):
            raise UnsafeSchema(f"{named(uri)} is no plain https URI", "fetch")
        if host not in self.hosts:
            raise UnsafeSchema(
                f"{named(host)} is not among the hosts allowed", "fetch", hint="AllowHosts(...) names them"
            )
        return parts

    def _address(self, parts: SplitResult) -> str:
        assert parts.hostname is not None  # checked
        try:
            found = self._resolve(parts.hostname, parts.port or 443)
        except OSError as error:
            raise UnsafeSchema(f"{named(parts.hostname)} does not resolve", "fetch") from error
        for address in found:
            if not _is_public(address):
                raise UnsafeSchema(
                    f"{named(parts.hostname)} resolves to an address that is not public", "fetch"
                )
        if not found:
            raise UnsafeSchema(f"{named(parts.hostname)} does not resolve", "fetch")
        return found[0]

    def _get(self, parts: SplitResult, address: str, deadline: float) -> tuple[int, str | None, bytes]:
        host = parts.hostname or ""
        context = self._context or ssl.create_default_context()
        raw = self._connect(address, parts.port or 443, self._left(deadline))
        with raw, context.wrap_socket(raw, server_hostname=host) as secure:
            connection = http.client.HTTPConnection(host, parts.port or 443)
            connection.sock = secure
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            secure.settimeout(self._left(deadline))
            connection.request("GET", path, headers={"Accept": "application/schema+json, application/json"})
            with connection.getresponse() as response:
                chunks: list[bytes] = []
                size = 0
                while response.status == 200:
                    secure.settimeout(self._left(deadline))
                    chunk = response.read1(65_536)
                    if not chunk:
                        break
                    chunks.append(chunk)
                    size += len(chunk)
                    if size > self.limit:
                        raise UnsafeSchema(f"the document has more than {self.limit} bytes", "fetch")
                return response.status, response.getheader("location"), b"".join(chunks)

    def _left(self, deadline: float) -> float:
        left = deadline - time.monotonic()
        if left <= 0:
            raise BudgetExceeded("seconds", self.seconds)
        return left


def _is_public(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        # What is inside counts: ::ffff:127.0.0.1, 64:ff9b::7f00:1, 2002:7f00:1::
        inner = found.ipv4_mapped or found.sixtofour
        if inner is None and found in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None and not _is_public(str(inner)):
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved
