"""The process: it binds, loads, says that it listens, and drains when it is told to end."""

from __future__ import annotations

import asyncio
import signal
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

import grpc

from pitboss.evaluator.access import Access, Guarded
from pitboss.evaluator.batches import Batches
from pitboss.evaluator.devices import check_precision, compute_as_the_kernels_do, device_names
from pitboss.evaluator.gate import Gate, host_and_port
from pitboss.evaluator.models import Models, say
from pitboss.evaluator.protocol import CHANNEL_OPTIONS, handlers
from pitboss.evaluator.service import Service
from pitboss.files import BadInput

SECONDS_TO_SEND = 2  # the last answers; a client that is idle may keep its connection all the while
MILLISECONDS_TO_ENTER = 10_000  # for TLS and the first words of HTTP/2
OPTIONS = [*CHANNEL_OPTIONS, ("grpc.server_handshake_timeout_ms", MILLISECONDS_TO_ENTER)]


@dataclass
class Settings:
    networks: Path
    listen: str
    tokens: Path | None
    is_open: bool
    certificate: Path | None
    key: Path | None
    devices: list[str]
    precision: str
    threads: int | None
    max_batch: int
    max_queue: int
    max_connections: int


async def serve(settings: Settings) -> None:
    access = Access(settings.tokens, settings.certificate, settings.key)
    access.check(host_and_port(settings.listen)[0], settings.is_open)
    compute_as_the_kernels_do(settings.threads)
    devices = device_names(settings.devices)
    check_precision(devices, settings.precision)
    models = Models(settings.networks, devices, settings.precision, settings.max_batch)
    batches = Batches(len(devices), settings.max_queue)
    try:
        with tempfile.TemporaryDirectory(prefix="pitboss-evaluator-") as folder:
            gate = Gate(Path(folder) / "socket", settings.max_connections)
            await _serve(settings.listen, gate, access, models, batches)
    finally:
        models.stop()
        batches.stop()


async def _serve(listen: str, gate: Gate, access: Access, models: Models, batches: Batches) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    loop.add_signal_handler(signal.SIGHUP, access.reread)
    service = Service(models, batches)
    server = grpc.aio.server(options=OPTIONS)
    server.add_generic_rpc_handlers((Guarded(handlers(service), access),))
    if not access.add_port(server, f"unix:{gate.inner}"):
        raise BadInput(f"cannot listen on {gate.inner}")
    await server.start()
    try:
        address = gate.open(listen)
        await loop.run_in_executor(None, models.refresh)
        if not ended.is_set():
            threading.Thread(target=models.watch, daemon=True).start()
            service.open()
            print(f"listening {address}", flush=True)
            await ended.wait()
        say("shutting down")
    finally:
        await service.drain()
        await server.stop(SECONDS_TO_SEND)
        await gate.close(SECONDS_TO_SEND)
