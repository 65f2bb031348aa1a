"""Evaluates positions for searches elsewhere: python3 -m pitboss.evaluator --networks DIR"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from pitboss.files import MISSING, BadInput, user_path

PACKAGES = MISSING | {
    "grpc": "needs gRPC: install python3-grpcio (Debian) or grpcio (PyPI)",
    "google": "needs protobuf: install python3-protobuf (Debian) or protobuf (PyPI)",
    "google.protobuf": "needs protobuf: install python3-protobuf (Debian) or protobuf (PyPI)",
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="pitboss-evaluator",
        description="Serves a folder of networks over gRPC; see docs/evaluator.md.",
    )
    parser.add_argument(
        "--networks", type=user_path, required=True, metavar="DIR", help="the folder"
    )
    parser.add_argument(
        "--listen",
        default="127.0.0.1:8001",
        metavar="HOST:PORT",
        help="port 0 picks one; default 127.0.0.1:8001",
    )
    parser.add_argument(
        "--tokens",
        type=user_path,
        metavar="FILE",
        help="who may use the server: NAME RIGHT HASH, one a line; default: everybody",
    )
    parser.add_argument(
        "--open",
        dest="is_open",
        action="store_true",
        help="without tokens, serve everybody who reaches an address beyond this machine",
    )
    parser.add_argument(
        "--certificate",
        type=user_path,
        metavar="FILE",
        help="speak TLS, and show this certificate and those between it and its root (PEM)",
    )
    parser.add_argument(
        "--key", type=user_path, metavar="FILE", help="the private key of the certificate (PEM)"
    )
    parser.add_argument(
        "--device",
        dest="devices",
        action="append",
        default=[],
        help="cpu, cuda:0 ...; may be repeated; default: all that CUDA has, else the CPU",
    )
    parser.add_argument(
        "--precision",
        choices=("full", "half", "bfloat16"),
        default="full",
        help="of what the devices compute: 32 bits, or 16 of either kind; default full",
    )
    parser.add_argument("--threads", type=int, help="threads that compute on the CPU")
    parser.add_argument(
        "--max-batch",
        type=int,
        default=1024,
        metavar="N",
        help="positions evaluated together; default 1024",
    )
    parser.add_argument(
        "--max-queue",
        type=int,
        default=16384,
        metavar="N",
        help="positions that may wait; default 16384",
    )
    parser.add_argument(
        "--max-connections",
        type=int,
        default=256,
        metavar="N",
        help="connections at a time; default 256",
    )
    given = parser.parse_args(arguments)
    try:
        for flag in ("threads", "max_batch", "max_queue", "max_connections"):
            number = getattr(given, flag)
            if number is not None and not 1 <= number <= 1 << 20:
                raise BadInput(f"--{flag.replace('_', '-')} must be from 1 to {1 << 20}")
        # Threads that wait for each other sleep, or they take the processors of those that work
        # wherever another program runs too. PyTorch reads this when it is loaded.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        from pitboss.evaluator.server import Settings, serve  # only now, so that what it needs ...

        asyncio.run(serve(Settings(**vars(given))))
    except BadInput as bad:
        return _refuse(str(bad))
    except ModuleNotFoundError as missing:
        if missing.name not in PACKAGES:
            raise
        return _refuse(PACKAGES[missing.name])
    return 0


def run() -> None:
    sys.exit(main(sys.argv[1:]))


def _refuse(sentence: str) -> int:
    print(f"pitboss-evaluator: {sentence}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    run()
