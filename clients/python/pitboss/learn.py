"""One generation of a training run: python3 -m pitboss.learn --run DIR --generation G"""

from __future__ import annotations

import argparse
import os
import sys

from pitboss.files import MISSING, BadInput, user_path


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="pitboss.learn",
        description="Learns from the rows of a training run's newest generations; see"
        " docs/training.md.",
    )
    parser.add_argument("--run", type=user_path, required=True, help="folder of the run")
    parser.add_argument("--generation", type=int, required=True, help="number of the generation")
    given = parser.parse_args(arguments)
    try:
        if given.generation < 1:
            raise BadInput("--generation must be 1 or more")
        # Threads that wait for each other sleep, or they take the processors of those that work
        # wherever another program runs too. PyTorch reads this when it is loaded.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        from pitboss.generation import learn  # only now, so that what it needs can be named

        learn(given.run, given.generation)
    except BadInput as bad:
        return _refuse(str(bad))
    except ModuleNotFoundError as missing:
        if missing.name not in MISSING:
            raise
        return _refuse(MISSING[missing.name])
    except MemoryError:
        return _refuse("there is not enough memory for the rows of the window")
    return 0


def _refuse(sentence: str) -> int:
    print(f"pitboss.learn: {sentence}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
