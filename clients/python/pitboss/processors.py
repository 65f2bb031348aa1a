"""How many threads of this process can run at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath


def processors() -> int:
    """At least 1: the processors that the process may run on, or what the quotas of its control groups
    (Docker's --cpus) or its Slurm job (--cpus-per-task) allow if that is less, without a part of
    one; as the program `pitboss` counts them."""
    allowed = float(len(os.sched_getaffinity(0)))
    quotas = list(control_group_quotas(Path("/")))
    return max(1, int(min([allowed, *quotas, *_of_slurm()])))


def control_group_quotas(root: Path) -> Iterator[float]:
    """The processors that the process's control group and those above it have, where they have a quota,
    as the files below `root` tell."""
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers and "cpu" not in controllers.split(","):
                continue
            group = PurePosixPath(path.lstrip("/"))
            for above in (group, *group.parents):
                # Version 2 names no controllers.
                folder = root / "sys/fs/cgroup" / ("cpu" if controllers else "") / above
                names = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if controllers else ("cpu.max",)
                yield from _quota_in([folder / name for name in names])


def _quota_in(files: list[Path]) -> Iterator[float]:
    """In "QUOTA PERIOD"; none of "max PERIOD", of -1, or without the files."""
    with suppress(OSError, ValueError):
        quota, period = (int(word) for file in files for word in file.read_text().split())
        if quota > 0 and period > 0:
            yield quota / period


def _of_slurm() -> Iterator[int]:
    for name in ("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"):
        number = os.environ.get(name, "")
        if number.isdecimal() and int(number) > 0:
            yield int(number)
            return
