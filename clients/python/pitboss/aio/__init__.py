"""The client for code with `await`: `async with await pitboss.aio.connect() as server: ...`. What blocks in
`pitboss` is awaited here, and has the same names."""

from .analysis import Analysis
from .engine import Engine
from .run import Run, referee
from .server import Server, TableInfo

connect = Server.connect
launch = Server.launch

__all__ = [
    "Analysis",
    "Engine",
    "Run",
    "Server",
    "TableInfo",
    "connect",
    "launch",
    "referee",
]
