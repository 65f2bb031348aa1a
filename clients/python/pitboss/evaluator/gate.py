"""The port that clients connect to. gRPC accepts as many connections as come, and some versions
never accept another once the process has run out of file descriptors. So the gate accepts, holds a
bounded number of connections, and passes their bytes on to gRPC, which listens on a socket in a
folder of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import resource
import socket
from collections import Counter
from pathlib import Path

from pitboss.files import BadInput

DESCRIPTORS_OF_A_CONNECTION = 3  # the client's, and both ends of that to gRPC
DESCRIPTORS_ELSE = 256  # for networks, devices, and connections that are being closed


class Gate:
    """Every method runs in the event loop."""

    def __init__(self, inner: Path, most: int) -> None:
        self.inner = inner  # gRPC's socket
        self._most = most
        self._connections: set[Connection] = set()
        self._accepting: asyncio.Task[None] | None = None

    def open(self, listen: str) -> str:
        """Binds HOST:PORT; the address with the port that was bound, which 0 leaves to the system."""
        host, port = host_and_port(listen)
        reserve_descriptors(self._most)
        try:
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            bound = socket.create_server(
                address[:2], family=family, dualstack_ipv6=host == "::", backlog=1024
            )
        except OSError as error:
            raise BadInput(f"cannot listen on {listen}: {error.strerror}") from None
        bound.setblocking(False)
        self._accepting = asyncio.get_running_loop().create_task(self._accept(bound))
        return f"{listen.rpartition(':')[0]}:{bound.getsockname()[1]}"

    async def close(self, seconds: float) -> None:
        """For when gRPC has stopped: what it has said last is sent, if that takes no longer."""
        if self._accepting is not None:
            self._accepting.cancel()
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while any(one.inner is not None for one in self._connections) and loop.time() < end:
            await asyncio.sleep(0.01)
        for connection in list(self._connections):
            connection.end()

    async def _accept(self, bound: socket.socket) -> None:
        """One after the other, so that there is never a connection too many."""
        loop = asyncio.get_running_loop()
        with bound:
            while True:
                try:
                    client, _ = await loop.sock_accept(bound)
                    await loop.connect_accepted_socket(lambda: Connection(self), client)
                except OSError:  # the client is gone, or the machine is out of descriptors
                    await asyncio.sleep(0.1)

    def enter(self, connection: Connection) -> None:
        """Takes a connection. When there are too many, the host with the most loses that which has
        been silent longest, first of all one that has never said anything."""
        self._connections.add(connection)
        if len(self._connections) <= self._most:
            return
        hosts = Counter(one.host for one in self._connections)
        host = max(hosts, key=lambda name: hosts[name])
        others = (one for one in self._connections if one.host == host and one is not connection)
        min(others, key=lambda one: (one.inner is not None, one.active), default=connection).end()

    def leave(self, connection: Connection) -> None:
        self._connections.discard(connection)


class Way(asyncio.Protocol):
    """One end of a connection: what it receives is sent at the other end, no faster than that
    takes it."""

    other: Way | None = None
    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self.other is not None:
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        if self.other is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other is not None:
            self.other.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        if self.other is not None:
            self.other.transport.close()


class Connection(Way):
    """A client's end. gRPC learns of the connection when the client says something."""

    host = ""
    inner: asyncio.Task[None] | None = None

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._first = b""
        self.active = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.host = host_of(transport.get_extra_info("peername"))
        self.active = asyncio.get_running_loop().time()
        self._gate.enter(self)

    def data_received(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        self.active = loop.time()
        if self.inner is None:
            self._first = data
            self.transport.pause_reading()
            self.inner = loop.create_task(self._connect())
        else:
            super().data_received(data)

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, way = await loop.create_unix_connection(Way, str(self._gate.inner))
        except OSError:
            return self.end()
        way.other = self
        if self.transport.is_closing():
            return way.transport.close()
        self.other = way
        way.transport.write(self._first)
        self.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        self._gate.leave(self)
        super().connection_lost(error)

    def end(self) -> None:
        self._gate.leave(self)
        self.transport.abort()


def host_of(peer: tuple[str, ...] | None) -> str:
    """Whom an address counts for: itself, or its network of IPv6, which one host has alone. None: it
    is gone already."""
    if peer is None:
        return ""
    address = ipaddress.ip_address(peer[0].partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, 64), strict=False))
        address = address.ipv4_mapped
    return str(address)


def host_and_port(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise BadInput(f"--listen must be HOST:PORT, not {listen}")
    return host.removeprefix("[").removesuffix("]"), int(port)


def reserve_descriptors(connections: int) -> None:
    """Raises the process's limit of file descriptors to what so many connections need."""
    needed = DESCRIPTORS_OF_A_CONNECTION * connections + DESCRIPTORS_ELSE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise BadInput(
            f"--max-connections {connections} needs {needed} file descriptors, and the limit is"
            f" {hard} (ulimit -n)"
        )
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
