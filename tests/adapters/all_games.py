"""The names of all games, of the games that are played through for the tests."""

from pathlib import Path

_PLAYED = Path(__file__).parents[1] / "golden" / "playthroughs"  # a file or more for each game
GAMES = sorted({file.stem.partition("-")[0] for file in _PLAYED.glob("*.txt")})
