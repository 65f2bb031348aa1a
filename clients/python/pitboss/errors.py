"""What goes wrong: every error of the client is a PitbossError, and names the server and the command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class PitbossError(Exception):
    """The base of all errors that talking to a server can bring."""


class CommandError(PitbossError):
    """The server refused a command. `code` is one of docs/protocol.md, "Failures"; `text` is the server's
    sentence. The command has changed nothing there."""

    def __init__(self, address: str, command: str, code: str, text: str) -> None:
        super().__init__(f"{address} refused '{_short(command)}': {text}")
        self.address = address
        self.command = command
        self.code = code
        self.text = text

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.address, self.command, self.code, self.text)


class IllegalMove(CommandError, ValueError):
    """The rules do not allow the move in this position."""


class UnknownOption(CommandError, LookupError):
    """The server has no option of this name."""


class BadValue(CommandError, ValueError):
    """The server does not take this value of an option, or not with the others as they are set."""


class AuthError(CommandError):
    """The server wants a token, does not know the one it got, or the token's right does not reach."""


class Busy(CommandError):
    """The server had no room or no memory for the command, for as long as the client asked again."""


class Timeout(PitbossError, TimeoutError):
    """A command that is answered at once was not answered in time."""


class ServerGone(PitbossError, ConnectionError):
    """The connection is lost, or what came over it is not the protocol."""


class ClosedError(ServerGone):
    """The server or engine has been closed by this program."""


class RunFailed(PitbossError):
    """A referee ended before all games were played, with this `exit_code` and these `words`."""

    def __init__(self, exit_code: int, words: str) -> None:
        super().__init__(f"the referee ended with exit code {exit_code}: {words}")
        self.exit_code = exit_code
        self.words = words

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.exit_code, self.words)


class VersionMismatch(PitbossError):
    """The server speaks another version than this client. `client` and `server` tell which."""

    def __init__(self, address: str, client: str, server: str, reason: str) -> None:
        super().__init__(
            f"{address} is version {server} of Pitboss, this client is {client}: {reason}"
        )
        self.address = address
        self.client = client
        self.server = server
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.address, self.client, self.server, self.reason)


_BY_CODE: dict[str, type[CommandError]] = {
    "illegal-move": IllegalMove,
    "needs-token": AuthError,
    "wrong-token": AuthError,
    "needs-right": AuthError,
    "busy": Busy,
    "no-memory": Busy,
}


def command_error(address: str, command: str, failure: str) -> CommandError:
    """The error of a failure `CODE: sentence`."""
    code, colon, text = failure.partition(": ")
    if not colon or not code.replace("-", "").isalpha():
        code, text = "", failure
    return _BY_CODE.get(code, CommandError)(address, command, code, text)


@contextmanager
def reading(address: str, command: str) -> Iterator[None]:
    """What cannot be read of an answer inside becomes ServerGone: it is not the protocol."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ServerGone(
            f"{address} answered '{_short(command)}' with what this client cannot read: {error!r}"
        ) from error


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """For imports: a package that is missing is one of this extra's."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{error}, which the extra '{extra}' of pitboss-mcts installs", name=error.name
        ) from None


def _short(command: str, most: int = 200) -> str:
    return command if len(command) <= most else f"{command[:most]}..."
