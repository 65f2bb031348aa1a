"""A job array of Slurm plays an experiment while its node and tasks are killed. Slurm runs on this machine alone, in a
folder of its own."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster import (
    BIN,
    GAMES,
    NAME,
    Database,
    Programs,
    descendants,
    experiment,
    folder,
    kill_all,
    programs,
)
from cluster import run, table_of_one_referee, wait_for

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may start Slurm's daemons"),
    pytest.mark.skipif(shutil.which("slurmctld") is None, reason="slurm-wlm is not installed"),
]

TASKS = 4
NODE = "node"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Slurm:
    """A controller, a node, and munge, by which they know each other."""

    def __init__(self, folder: Path, programs: Programs) -> None:
        self.folder, self.programs = folder, programs
        for name in ("munge", "state", "spool"):
            (folder / name).mkdir()
        (folder / "munge").chmod(0o711)
        munge = folder / "munge"
        run("dd", "if=/dev/urandom", f"of={munge}/key", "bs=1", "count=1024")
        (munge / "key").chmod(0o400)
        programs.start(
            "munged", "/usr/sbin/munged", "--foreground", "--force", f"--key-file={munge}/key",
            f"--socket={munge}/socket", f"--pid-file={munge}/pid", f"--log-file={munge}/log",
            f"--seed-file={munge}/seed",
        )  # fmt: skip
        host = socket.gethostname().split(".")[0]
        self.conf = folder / "slurm.conf"
        self.conf.write_text(
            f"""ClusterName=farm
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={munge}/socket
CryptoType=crypto/munge
SlurmctldPort={free_port()}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SlurmdParameters=config_overrides
ReturnToService=2
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={NODE} NodeHostName={host} NodeAddr=127.0.0.1 Port={free_port()} CPUs={TASKS} RealMemory=1000 State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=main Nodes={NODE} Default=YES MaxTime=INFINITE PriorityTier=1 State=UP
PartitionName=urgent Nodes={NODE} MaxTime=INFINITE PriorityTier=10 State=UP
"""
        )
        self.environment = {**os.environ, "SLURM_CONF": str(self.conf)}
        wait_for("munge", lambda: (munge / "socket").exists())
        programs.start("slurmctld", "/usr/sbin/slurmctld", "-D", "-f", self.conf)
        self.start_node()
        wait_for(
            "the node is idle", lambda: "idle" in self.tell("sinfo", "--noheader", "--format=%T")
        )

    def start_node(self) -> None:
        self.node = self.programs.start(
            "slurmd", "/usr/sbin/slurmd", "-D", "-f", self.conf, "-N", NODE
        )

    def tell(self, *words: object) -> str:
        return run(*words, env=self.environment, cwd=self.folder)

    def processes(self, name: str = "") -> list[int]:
        """What its node has started, of programs whose name begins like this."""
        out = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "cmdline").read_bytes()
                environment = (path / "environ").read_bytes()
            except OSError:
                continue
            if words.startswith(
                name.encode()
            ) and f"SLURM_CONF={self.conf}".encode() in environment.split(b"\0"):
                out.append(int(path.name))
        return out

    def states(self, job: str) -> dict[str, str]:
        """The state of each task of an array that is in the queue, by its number in the array."""
        lines = self.tell(
            "squeue", "--noheader", "--array", f"--job={job}", "--format=%K|%T"
        ).splitlines()
        return dict(line.split("|") for line in lines)

    def queue(self) -> list[list[str]]:
        """Job, state and reason of each task."""
        lines = self.tell("squeue", "--noheader", "--array", "--format=%A|%T|%r").splitlines()
        return [line.split("|") for line in lines]


@pytest.fixture(scope="module")
def slurm(folder: Path, programs: Programs) -> Iterator[Slurm]:
    slurm = Slurm(folder, programs)
    yield slurm
    kill_all(slurm.processes())


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Database]:
    database = Database(folder / "database")
    yield database
    database.stop()


def test_a_job_array_survives_its_node(slurm: Slurm, database: Database, experiment: Path) -> None:
    begun = time.monotonic()
    told = slurm.tell(
        BIN / "pitboss", "launch", "slurm", "--tasks", TASKS, "--threads", 1, "--walltime", "1:00:00",
        "--ledger", database.url, "--experiment", experiment, "--drain-seconds", 60,
    )  # fmt: skip
    job = told.split()[1].rstrip(",")
    assert f"scancel {job}" in told
    wait_for("100 games are played", lambda: database.games() >= 100, 300)
    assert [state for _, state, _ in slurm.queue()] == ["RUNNING"] * TASKS

    # The node's daemon dies, and two tasks with all that they have started.
    shells = slurm.processes("slurmstepd: [")
    assert len(shells) == TASKS
    slurm.node.kill()
    slurm.node.wait()
    for shell in shells[:2]:
        kill_all(descendants(shell))
    killed = time.monotonic()
    time.sleep(3)
    slurm.start_node()
    slurm.tell("scontrol", "update", f"nodename={NODE}", "state=down", "reason=test")
    wait_for(
        "all tasks are queued again",
        lambda: {one[1] for one in slurm.queue()} <= {"PENDING", "CONFIGURING"},
    )
    left = GAMES - database.games()
    assert left > 0
    wait_for("a task runs again", lambda: "RUNNING" in {one[1] for one in slurm.queue()}, 300)
    print(
        f"a task ran again {time.monotonic() - killed:.0f} s after the kill, with {left} games left"
    )

    wait_for("the job has ended", lambda: not slurm.queue(), 1500)
    print(f"slurm: {GAMES} games in {time.monotonic() - begun:.0f} s")
    restarted = int(database.ask("SELECT count(*) FROM referees")[0][0]) - TASKS
    assert restarted >= 1
    print(f"{restarted} workers were started again")
    assert f"{GAMES} games" in database.verify() and "all sound" in database.verify()
    assert database.table(slurm.folder / "records") == table_of_one_referee()
    assert database.ask("SELECT count(*) FROM rounds WHERE state <> 'done'") == [["0"]]
    assert not slurm.processes("slurmstepd: [")


def test_an_experiment_that_is_finished_is_not_submitted(slurm: Slurm, database: Database) -> None:
    told = slurm.tell(BIN / "pitboss", "launch", "slurm", "--ledger", f"{database.url}#{NAME}")
    assert told == ""
    assert not slurm.queue()


def test_tasks_are_queued_again_before_their_walltime_ends(
    slurm: Slurm, database: Database, experiment: Path
) -> None:
    longer = slurm.folder / "longer.toml"
    longer.write_text(
        experiment.read_text().replace(NAME, "longer").replace(f"games = {GAMES}", "games = 100000")
    )
    told = slurm.tell(
        BIN / "pitboss", "launch", "slurm", "--tasks", 2, "--threads", 1, "--walltime", "1:00",
        "--ledger", database.url, "--experiment", longer, "--drain-seconds", 20,
    )  # fmt: skip
    wait_for("both tasks run", lambda: [one[1] for one in slurm.queue()] == ["RUNNING"] * 2)
    wait_for("games are played", lambda: database.ask("SELECT 1 FROM games LIMIT 1", "longer"), 30)
    wait_for(
        "both are queued again", lambda: [one[1] for one in slurm.queue()] == ["PENDING"] * 2, 120
    )
    for number, _, _ in slurm.queue():
        assert "Restarts=1" in slurm.tell("scontrol", "show", "job", number)
    # They had time to finish what they had begun.
    assert database.ask("SELECT count(*) FROM rounds WHERE state = 'leased'", "longer") == [["0"]]
    assert database.ask("SELECT count(*) FROM referees WHERE has_left = 0", "longer") == [["0"]]

    # But those that are cancelled are not.
    wait_for("both tasks run", lambda: [one[1] for one in slurm.queue()] == ["RUNNING"] * 2, 300)
    slurm.tell("scancel", told.split()[1].rstrip(","))
    wait_for("the queue is empty", lambda: not slurm.queue(), 120)
    time.sleep(3)
    assert not slurm.queue() and not slurm.processes("slurmstepd: [")


def test_what_happens_to_a_task_of_an_array_happens_to_it_alone(
    slurm: Slurm, database: Database, experiment: Path
) -> None:
    apart = slurm.folder / "apart.toml"
    apart.write_text(
        experiment.read_text().replace(NAME, "apart").replace(f"games = {GAMES}", "games = 100000")
    )
    comment = "my \"first\" \\ run # one of 'two'"
    told = slurm.tell(
        BIN / "pitboss", "launch", "slurm", "--tasks", TASKS, "--threads", 1, "--walltime", "1:00:00",
        "--ledger", database.url, "--experiment", apart, "--drain-seconds", 20, "--partition", "main",
        "--sbatch", f"--comment={comment}", "--sbatch", "--mem 100",
    )  # fmt: skip
    job = told.split()[1].rstrip(",")
    assert f"Comment={comment} \n" in slurm.tell("scontrol", "show", "job", job)
    running = {str(task): "RUNNING" for task in range(TASKS)}
    wait_for("all tasks run", lambda: slurm.states(job) == running)
    wait_for("games are played", lambda: database.ask("SELECT 1 FROM games LIMIT 1", "apart"), 60)

    def wait_for_task(task: str, state: str | None, others: list[str]) -> None:
        """While the task comes to that state, and for a while after, the others run on."""
        begun = time.monotonic()
        reached = None
        while reached is None or time.monotonic() < reached + 6:
            states = slurm.states(job)
            assert all(states.get(other) == "RUNNING" for other in others), states
            if reached is None and states.get(task) == state:
                reached = time.monotonic()
            assert time.monotonic() < begun + 60, states
            time.sleep(0.3)

    last = str(TASKS - 1)  # its number is the array's
    slurm.tell("scancel", f"{job}_0")
    wait_for_task("0", None, ["1", "2", last])
    slurm.tell("scancel", "--batch", "--signal=USR1", f"{job}_1")
    wait_for_task("1", "PENDING", ["2", last])
    slurm.tell("scancel", "--batch", "--signal=USR1", f"{job}_{last}")
    wait_for_task(last, "PENDING", ["2"])
    slurm.tell("sbatch", "--partition=urgent", "--exclusive", "--wrap=sleep 5")
    wait_for_task("2", "PENDING", [])
    # Slurm holds what is queued again back for two minutes.
    del running["0"]
    wait_for("those that were not cancelled run again", lambda: slurm.states(job) == running, 400)

    slurm.tell("scancel", job)
    wait_for("the queue is empty", lambda: not slurm.queue(), 120)
    time.sleep(5)
    assert not slurm.queue()


def test_a_worker_has_as_many_threads_as_its_task_has_processors(slurm: Slurm) -> None:
    cases: list[tuple[list[str], int]] = [(["--cpus-per-task=2"], 2), ([], 1)]
    for more, threads in cases:
        said = slurm.tell(
            "srun", "--ntasks=1", *more, "timeout", "--foreground", "--preserve-status", "2",
            BIN / "pitbossd", "--listen", "127.0.0.1:0", "--log-file", slurm.folder / f"log{threads}",
        )  # fmt: skip
        assert said.startswith("listening")
        log = (slurm.folder / f"log{threads}").read_text()
        workers = min(threads, len(os.sched_getaffinity(0)))
        assert f"connect4; {workers} worker" in log
