"""Where a server is, and with which token it lets a client in."""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass, field
from ipaddress import ip_address

from .files import user_path

DEFAULT = "127.0.0.1:4580"


@dataclass(frozen=True)
class Address:
    """`HOST:PORT`, `[::1]:PORT` or `tls://HOST:PORT`. A token goes to other machines over TLS only."""

    host: str
    port: int
    tls: ssl.SSLContext | None = None
    token: str | None = field(default=None, repr=False)

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        token: str | None = None,
        token_file: str | os.PathLike[str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
    ) -> Address:
        """Raises ValueError for what is no address, and OSError for a file that cannot be read."""
        secure = text.startswith("tls://")
        host, _, port = text.removeprefix("tls://").rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not host or not port.isdecimal() or not 0 < int(port) < 65536 or " " in text:
            raise ValueError(
                f"'{text}' is no address: expected HOST:PORT, [::1]:PORT or tls://HOST:PORT"
            )
        if token is not None and token_file is not None:
            raise ValueError("give either token or token_file, not both")
        if ca_file is not None and not secure:
            raise ValueError(f"ca_file is for TLS: write tls://{text}")
        if token_file is not None:
            token = user_path(token_file).read_text("utf-8").strip()
        if token is not None and (not token or any(c.isspace() for c in token)):
            raise ValueError("a token is one word")
        if token is not None and not secure and not is_loopback(host):
            raise ValueError(f"a token goes to another machine over TLS only: write tls://{text}")
        trusted = user_path(ca_file) if ca_file is not None else None
        context = ssl.create_default_context(cafile=trusted) if secure else None
        return cls(host, int(port), context, token)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls://' if self.tls else ''}{host}:{self.port}"


def is_loopback(host: str) -> bool:
    """Whether the host is this machine by name or address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
