"""5,000 engines that are dropped leave nothing, neither here nor in the daemon."""

import gc
import time
import warnings
from pathlib import Path

import pitboss

PATIENCE = 60.0  # seconds
SLACK = (
    2**20
)  # bytes: what an allocator may keep; an engine that stayed would have its table, 100 kB or more


def test_dropped_engines_leave_nothing() -> None:
    def make_and_drop(number: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            for _ in range(number):
                engine = server.engine("othello")
                engine.play(engine.game.new_initial_state(), pitboss.Limit(simulations=20))
                del engine
            gc.collect()
        end = time.monotonic() + PATIENCE
        while server.stats()["pitboss_connections"] != 1:
            assert time.monotonic() < end
            time.sleep(0.02)

    def kept() -> tuple[int, int, int]:
        """Sessions and tables of the daemon, and files open here."""
        stats = server.stats()
        files = len(list(Path("/proc/self/fd").iterdir()))
        return stats["pitboss_sessions"], stats["pitboss_tables"], files

    with pitboss.launch(workers=1) as server:
        make_and_drop(200)
        before, bytes_before = kept(), server.stats()["process_resident_memory_bytes"]
        make_and_drop(5000)
        assert kept() == before and before[:2] == (1, 0)
        assert server.stats()["process_resident_memory_bytes"] < bytes_before + SLACK
