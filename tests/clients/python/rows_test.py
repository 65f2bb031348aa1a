"""Which rows are learned from, and what becomes of them on the way."""

from pathlib import Path

import numpy as np
import pytest
from made_run import CELLS, PLANES, SETTINGS, SIZE, MadeRun, random_rows

from pitboss.batches import Assembler, Batch, draw
from pitboss.files import BadInput, Fields
from pitboss.rows import gather, is_held_out, read_chunk
from pitboss.run_files import Chunk, Run, Settings, read_run
from pitboss.window import Plan, window_of, window_size


def settings(**changed: object) -> Settings:
    return Settings.read(Fields({**SETTINGS, **changed}, "settings"))


@pytest.mark.parametrize(
    "rows, size",
    [
        (1000, 1000),
        (50_000, 50_000),
        (200_000, 95_000),
        (500_000, 157_000),
        (1_000_000, 235_000),
        (3_000_000, 457_000),
        (10_000_000, 983_000),
        (100_000_000, 1_200_000),
    ],
)
def test_window_size(rows: int, size: int) -> None:
    assert window_size(rows, settings()) == pytest.approx(size, rel=0.01)


def test_window_of_takes_the_newest_files() -> None:
    chunks = [
        [Chunk(Path(f"{generation}-{file}"), "", 100, generation, "") for file in range(3)]
        for generation in (1, 2)
    ]
    small = settings(window_least=150, window_slope=0.0)
    assert [str(chunk.path) for chunk in window_of(chunks, small)] == ["2-1", "2-2"]
    assert len(window_of(chunks, settings())) == 6
    assert window_of([[]], settings()) == []


def test_a_plan_drops_the_rate_and_mixes_values(run: MadeRun) -> None:
    contents = run.run_json()
    contents["generations"] = 100
    contents["learner"].update(first_reuse=8.0, reuse=6.0, batch=100, most_steps=70)
    run.write_run(contents)
    folder = read_run(run.folder)
    rates = [Plan(folder, generation).learning_rate for generation in (60, 61, 81, 93)]
    assert rates == pytest.approx([0.002, 0.0006, 0.00018, 0.000054])
    shares = [Plan(folder, generation).root_value_share for generation in (1, 25, 26, 100)]
    assert shares == [0, 0, 0.5, 0.5]
    assert [Plan(folder, generation).steps(1000) for generation in (1, 10, 11)] == [70, 70, 60]
    assert Plan(folder, 11).steps(0.5) == 1
    assert Plan(folder, 1).rate_at(0) == pytest.approx(0.0002)
    assert Plan(folder, 1).rate_at(9) == Plan(folder, 1).rate_at(1000) == 0.002


def test_draw_is_fair() -> None:
    weights = np.array([0, 1, 0.5, 0, 2, 0.1, 0], np.float32)
    picks = draw(weights, 3600, np.random.default_rng(1))
    counts = np.bincount(picks, minlength=7)
    assert np.abs(counts - 1000 * weights).max() <= 1
    assert (counts[[0, 3, 6]] == 0).all()
    assert np.count_nonzero(np.diff(picks)) > 1000  # in random order
    with pytest.raises(BadInput, match="no rows of a weight above 0 to learn from"):
        draw(np.zeros(3, np.float32), 5, np.random.default_rng(1))


def test_rows_stay_held_out() -> None:
    games = np.arange(100_000, dtype=np.uint32)
    held_out = is_held_out(3, games, 0.02)
    assert held_out.mean() == pytest.approx(0.02, abs=0.002)
    assert (is_held_out(3, games[5000:5100], 0.02) == held_out[5000:5100]).all()
    assert (is_held_out(4, games, 0.02) != held_out).any()
    assert held_out[is_held_out(3, games, 0.01)].all()  # a larger share adds some
    assert np.flatnonzero(held_out)[:3].tolist() == [86, 100, 114]  # for ever


def read(run: MadeRun) -> tuple[Run, Assembler]:
    folder = read_run(run.folder)
    return folder, Assembler(folder, gather([read_chunk(folder, c) for c in folder.chunks(1)]))


def move_points(batch: Batch, row: int) -> list[tuple[int, int]]:
    """Places on the board, from the top, of the moves of a row."""
    points = batch.parts[row, batch.is_move[row], 0]
    return [(SIZE - 1 - point // SIZE, point % SIZE) for point in points]


def test_a_batch_has_the_rows_of_its_files(run: MadeRun) -> None:
    first, second = random_rows(300, 1), random_rows(200, 2)
    _, assembler = read(run)
    batch = assembler.assemble(np.array([299, 300, 7]), np.zeros(3, np.int64))
    for at, (rows, row) in enumerate(((first, 299), (second, 0), (first, 7))):
        bits = np.unpackbits(rows["planes"][row], count=PLANES * CELLS, bitorder="little")
        assert (batch.planes[at].ravel() == bits).all()
        visits = rows["visits"][row]
        count = np.count_nonzero(visits)
        assert batch.is_move[at].sum() == count
        assert (batch.parts[at, :count, 0] == rows["moves"][row, :count, 0]).all()
        assert (batch.parts[at, count:, 0] == CELLS).all()
        assert batch.target[at, :count] == pytest.approx(visits[:count] / visits.sum())
        assert (batch.outcome[at] == rows["outcome"][row]).all()
        assert batch.root_value[at] == pytest.approx(rows["root_value"][row])


def test_symmetries_turn_planes_and_policy_alike(run: MadeRun) -> None:
    """The moves are the empty points, before and after."""
    folder, assembler = read(run)
    picks = np.full(8, 11)
    batch = assembler.assemble(picks, np.arange(8))
    for row in range(8):
        empty = batch.planes[row, 0] + batch.planes[row, 1] == 0
        assert sorted(move_points(batch, row)) == list(map(tuple, np.argwhere(empty).tolist()))
        assert (batch.planes[row, 2:] == batch.planes[0, 2:]).all()
        for cell, to in enumerate(folder.cell_maps[row]):
            assert batch.planes[row, 0].flat[to] == batch.planes[0, 0].flat[cell]
    assert len({batch.planes[row].tobytes() for row in range(8)}) == 8
    assert (batch.target == batch.target[0]).all()


def test_files_with_other_numbers_of_moves_and_parts(run: MadeRun) -> None:
    wide, narrow = random_rows(10, 1), random_rows(10, 2)
    wide["moves"] = np.pad(wide["moves"], ((0, 0), (0, 9), (0, 2)), constant_values=65535)
    wide["visits"] = np.pad(wide["visits"], ((0, 0), (0, 9)))
    wide["moves"][0, 0, 1] = 3
    run.add_rows(1, wide, narrow)
    _, assembler = read(run)
    batch = assembler.assemble(np.array([0, 10]), np.array([0, 0]))
    assert batch.parts.shape[2] == 3
    assert batch.parts[0, 0].tolist() == [wide["moves"][0, 0, 0], 3, CELLS]
    assert batch.parts[1, 0].tolist() == [narrow["moves"][0, 0, 0], CELLS, CELLS]
