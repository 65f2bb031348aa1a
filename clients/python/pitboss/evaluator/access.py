"""Who may have positions evaluated: tokens in a file as pitbossd has it (docs/security.md), and the
certificate that encrypted connections are made with."""

from __future__ import annotations

import hashlib
import re
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from pitboss.address import is_loopback
from pitboss.evaluator.models import say
from pitboss.files import BadInput, read_bytes

RIGHTS = ("watch", "play", "admin")  # each includes those before it
NEEDED = "play"
FREE = ("ServerLive", "ServerReady", "ServerMetadata")  # what needs no token

Code: Any = grpc.StatusCode


@dataclass(frozen=True)
class Owner:
    """Who has a token."""

    name: str
    right: str


def parse_tokens(text: str, name: str) -> dict[str, Owner]:
    """The owners of tokens by the SHA-256 of the token."""
    owners: dict[str, Owner] = {}
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        place = f"{name}, line {number}"
        if len(words) != 3:
            raise BadInput(f"{place}: expected NAME RIGHT HASH")
        owner, digest = Owner(words[0], words[1]), words[2].lower()
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", owner.name):
            raise BadInput(f"{place}: the name must have 1 to 64 letters, digits, '.', '_' or '-'")
        if owner.right not in RIGHTS:
            raise BadInput(f"{place}: the right must be watch, play or admin, not '{owner.right}'")
        if not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise BadInput(
                f"{place}: the hash must be a SHA-256, 64 hexadecimal digits, as `pitboss token`"
                " prints it"
            )
        if owner.name in {known.name for known in owners.values()}:
            raise BadInput(f"{place}: the name {owner.name} is given twice")
        if digest in owners:
            raise BadInput(f"{place}: this token is also that of {owners[digest].name}")
        owners[digest] = owner
    if not owners:
        raise BadInput(f"{name} has no token")
    return owners


class Access:
    """The tokens and the certificate, as they were in their files when they were last read."""

    def __init__(self, tokens: Path | None, certificate: Path | None, key: Path | None) -> None:
        if (certificate is None) != (key is None):
            raise BadInput("--certificate and --key belong together")
        self._tokens = tokens
        self._pair = None if certificate is None or key is None else (certificate, key)
        self._owners: dict[str, Owner] = {}
        self._configuration: Any = None
        self.read()

    def read(self) -> None:
        """Reads the files anew. Whoever has shown a token that is gone is refused from now on, and
        connections keep their certificate. If a file is bad, nothing changes."""
        owners: dict[str, Owner] = {}
        if self._tokens is not None:
            text = read_bytes(self._tokens).decode("utf-8-sig", errors="replace")
            owners = parse_tokens(text, str(self._tokens))
        if self._pair is not None:
            self._configuration = read_certificate(*self._pair)
            warn_of_others(self._pair[1], 0o077, "use")
        if self._tokens is not None:
            warn_of_others(self._tokens, 0o022, "write")  # it has hashes only
        self._owners = owners

    def reread(self) -> None:
        try:
            self.read()
            say("has read its tokens and certificate anew")
        except (BadInput, OSError) as bad:
            say(f"keeps its tokens and certificate: {bad}")

    def add_port(self, server: Any, address: str) -> bool:
        """Has a gRPC server listen, with TLS if there is a certificate."""
        if self._configuration is None:
            return bool(server.add_insecure_port(address))
        credentials = grpc.dynamic_ssl_server_credentials(
            self._configuration, lambda: self._configuration
        )
        return bool(server.add_secure_port(address, credentials))

    def check(self, host: str, is_open: bool) -> None:
        """Refuses an address that everybody reaches, unless there are tokens."""
        if is_loopback(host):
            return
        if self._tokens is None and not is_open:
            raise BadInput(
                f"everybody who reaches {host} could use this server: give --tokens FILE, or --open"
                " to allow that"
            )
        if self._tokens is not None and self._pair is None:
            say(
                f"clients send their tokens to {host} unencrypted; --certificate and --key have"
                " them encrypted"
            )

    def refusal(self, call: str, metadata: Sequence[tuple[str, Any]]) -> tuple[Any, str] | None:
        """Why a client with such metadata may not make a call, by status and sentence."""
        if self._tokens is None or call in FREE:
            return None
        shown = [str(value) for key, value in metadata if key == "authorization"]
        if not shown:
            return Code.UNAUTHENTICATED, "this server asks for a token: authorization: Bearer TOKEN"
        scheme, _, token = shown[0].partition(" ")
        owner = self._owners.get(hashlib.sha256(token.strip().encode()).hexdigest())
        if owner is None or scheme.lower() != "bearer":
            return Code.UNAUTHENTICATED, "wrong token"
        if RIGHTS.index(owner.right) < RIGHTS.index(NEEDED):
            return (
                Code.PERMISSION_DENIED,
                f"{call} needs the right {NEEDED}; the token {owner.name} has the right"
                f" {owner.right}",
            )
        return None


class Guarded:
    """gRPC's handlers, behind the tokens: who is refused is answered before his message is read."""

    def __init__(self, handlers: Any, access: Access) -> None:
        self._handlers = handlers
        self._access = access

    def service(self, details: Any) -> Any:
        handler = self._handlers.service(details)
        call = details.method.rpartition("/")[2]
        refusal = self._access.refusal(call, details.invocation_metadata or ())
        if handler is None or refusal is None:
            return handler
        return grpc.stream_stream_rpc_method_handler(answer_with(*refusal))


def answer_with(code: Any, sentence: str) -> Callable[[Any, Any], Awaitable[None]]:
    async def answer(requests: Any, context: Any) -> None:
        await context.abort(code, sentence)

    return answer


def read_certificate(certificate: Path, key: Path) -> Any:
    chain, secret = read_bytes(certificate), read_bytes(key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, OSError, ValueError) as error:
        raise BadInput(f"{certificate} and {key} are no certificate and its key: {error}") from None
    return grpc.ssl_server_certificate_configuration([(secret, chain)])


def warn_of_others(file: Path, bits: int, use: str) -> None:
    if file.stat().st_mode & bits:
        say(f"others than its owner can {use} {file}; chmod 600 keeps it from them")
