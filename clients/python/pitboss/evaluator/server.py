"""The process: it binds, loads, says that it listens, and drains when it is told to end."""

from __future__ import annotations

import asyncio
import signal
import threading
from dataclasses import dataclass
from pathlib import Path

import grpc

from pitboss.evaluator.batches import Batches
from pitboss.evaluator.devices import compute_as_the_kernels_do, device_names
from pitboss.evaluator.models import Models, say
from pitboss.evaluator.protocol import CHANNEL_OPTIONS, handlers
from pitboss.evaluator.service import Service
from pitboss.files import BadInput

SECONDS_TO_SEND = 2  # the last answers; a client that is idle may keep its connection all the while


@dataclass
class Settings:
    networks: Path
    listen: str
    devices: list[str]
    threads: int | None
    max_batch: int
    max_queue: int


async def serve(settings: Settings) -> None:
    compute_as_the_kernels_do(settings.threads)
    devices = device_names(settings.devices)
    models = Models(settings.networks, devices, settings.max_batch)
    batches = Batches(len(devices), settings.max_queue)
    try:
        await _serve(settings.listen, models, batches)
    finally:
        models.stop()
        batches.stop()


async def _serve(listen: str, models: Models, batches: Batches) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    service = Service(models, batches)
    server = grpc.aio.server(options=[*CHANNEL_OPTIONS, ("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((handlers(service),))
    address = bind(server, listen)
    await server.start()
    try:
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


def bind(server: grpc.aio.Server, listen: str) -> str:
    """The address with the port that was bound, which 0 leaves to the system."""
    host, colon, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise BadInput(f"--listen must be HOST:PORT, not {listen}")
    try:
        bound = server.add_insecure_port(listen)
    except RuntimeError:
        bound = 0
    if bound == 0:
        raise BadInput(f"cannot listen on {listen}; the port may be taken")
    return f"{host}{colon}{bound}"
