"""What games at once get of an evaluator: PYTHONPATH=clients/python games_at_once.py PITBOSSD NETWORKS
GAME. For 1, 8, 64 and 256 games in one daemon, evaluated by its own kernels and by pitboss-evaluator
on the same machine: evaluations a second, and who used how much of the processors."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SECONDS = 15
GAMES = [1, 8, 64, 256]
OPTIONS = "evaluation=network selection=puct simulations=100 tree_mb=1 in_flight=1"


@contextmanager
def started(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server and its address, which it tells in its first line."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process, process.stdout.readline().split()[1]
        finally:
            process.terminate()


def processor_seconds(process: subprocess.Popen[str] | None) -> float:
    if process is None:
        return 0.0
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Session:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ask(self, line: str) -> str:
        self.writer.write(f"{line}\n".encode())
        answer = (await self.reader.readuntil(b"\n\n")).decode()
        assert answer.startswith("="), f"{line}: {answer}"
        return answer[1:].strip()


async def play(address: str, game: str, evaluator: str, until: float) -> int:
    """Plays games until then; how many evaluations they had."""
    host, port = address.rsplit(":", 1)
    session = Session(*await asyncio.open_connection(host, int(port)))
    for setting in [*OPTIONS.split(), f"network={game}", f"evaluator={evaluator}"]:
        await session.ask(f"setoption {setting.replace('=', ' ')}")
    evaluations = 0
    colours = ["b", "w"]
    while time.monotonic() < until:
        if not await session.ask("legal_moves"):
            await session.ask("clear_board")
            colours = ["b", "w"]
        await session.ask(f"genmove {colours[0]}")
        colours.reverse()
        made = json.loads(await session.ask("last_search"))["evaluations"]
        evaluations += sum(made.values())
    return evaluations


async def measure(
    daemon: subprocess.Popen[str],
    server: subprocess.Popen[str] | None,
    address: str,
    game: str,
    games: int,
) -> None:
    before = [processor_seconds(daemon), processor_seconds(server)]
    begun = time.monotonic()
    evaluator = "remote" if server else "local"
    players = [play(address, game, evaluator, begun + SECONDS) for _ in range(games)]
    evaluations = sum(await asyncio.gather(*players))
    seconds = time.monotonic() - begun
    used = [processor_seconds(daemon) - before[0], processor_seconds(server) - before[1]]
    cells: list[Any] = [games, evaluator, f"{evaluations / seconds:,.0f}"]
    cells += [f"{share / seconds:.2f}" for share in used]
    cells.append(f"{1e6 * used[0] / evaluations:.1f}")
    if server:
        session = Session(*await asyncio.open_connection(*address.rsplit(":", 1)))
        told = json.loads(await session.ask("evaluators"))["servers"][0]
        latency = told["latency_ms"]
        cells += [f"{told['mean_batch']:.1f}", f"{latency['p50']:.1f}", f"{latency['p99']:.1f}"]
    else:
        cells += ["", "", ""]
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def main(pitbossd: str, networks: str, game: str) -> None:
    print(
        "| games | evaluator | evaluations/s | processors, daemon | evaluator's |"
        " daemon's us an evaluation | mean batch | latency p50, ms | p99 |"
    )
    command = [pitbossd, "--listen", f"127.0.0.1:0={game}", "--networks", networks]
    command += ["--network-cache-mb", "0", "--log-level", "warn"]
    for games in GAMES:
        with started(*command) as (daemon, address):
            asyncio.run(measure(daemon, None, address, game, games))
    serve = [sys.executable, "-m", "pitboss.evaluator", "--networks", networks]
    with started(*serve, "--listen", "127.0.0.1:0", "--threads", "1") as (server, url):
        remote = ["--evaluator", f"grpc://{url}", "--evaluator-fallback", "fail"]
        remote += ["--evaluator-deadline-ms", "60000"]
        for games in GAMES:
            with started(*command, *remote) as (daemon, address):
                asyncio.run(measure(daemon, server, address, game, games))


if __name__ == "__main__":
    main(*sys.argv[1:])
