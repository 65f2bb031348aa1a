"""The processors that Python programs may use: the same as those of `pitboss`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pitboss.processors import control_group_quotas, processors


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_quotas_of_version_2_are_those_of_the_group_and_above(tmp_path: Path) -> None:
    assert list(control_group_quotas(tmp_path)) == []
    groups = "sys/fs/cgroup"
    files = {
        "proc/self/cgroup": "0::/a/b\n",
        f"{groups}/a/b/cpu.max": "50000 100000\n",
        f"{groups}/a/cpu.max": "max 100000\n",
        f"{groups}/cpu.max": "300000 100000\n",
    }
    assert list(control_group_quotas(written(tmp_path, files))) == [0.5, 3]


def test_quotas_of_version_1_are_those_of_the_controller_cpu(tmp_path: Path) -> None:
    of_cpu = "sys/fs/cgroup/cpu/x/cpu.cfs_"
    files = {
        "proc/self/cgroup": "7:cpuset:/x\n5:memory:/x\n4:cpu,cpuacct:/x\n0::/\n",
        f"{of_cpu}period_us": "100000\n",
        f"{of_cpu}quota_us": "-1\n",
    }
    assert list(control_group_quotas(written(tmp_path, files))) == []
    written(tmp_path, {f"{of_cpu}quota_us": "250000\n"})
    assert list(control_group_quotas(tmp_path)) == [2.5]


def test_affinity_and_slurm_bound_what_may_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pitboss.processors.control_group_quotas", lambda root: iter(()))
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)))
    assert processors() == 8
    monkeypatch.setenv("SLURM_CPUS_ON_NODE", "4")
    assert processors() == 4
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "100")
    assert processors() == 8
    for odd in ("", "0", "-1", "two", "2(x3)"):
        monkeypatch.setenv("SLURM_CPUS_PER_TASK", odd)
        assert processors() == 4
    monkeypatch.setattr("pitboss.processors.control_group_quotas", lambda root: iter((2.5, 0.5)))
    assert processors() == 1
