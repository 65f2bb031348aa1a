"""Pictures of boards as SVG, drawn from the server's command `geometry`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_COLOURS = {
    "black": "#1c1c1c",
    "white": "#fbfbf6",
    "red": "#c23b32",
    "yellow": "#e8c53a",
    "green": "#4a9a4a",
    "blue": "#3a68b8",
    None: "#7a6a55",
}
_LIGHT, _DARK, _LINE, _MARK = "#e6cfa3", "#cfae7c", "#6b5434", "#d0423a"
_RADIUS = 0.4


def draw(geometry: Mapping[str, Any], position: str, last_move: str, size: int) -> str:
    """An SVG of `size` pixels at its longer side. The sites that `last_move` names are marked."""
    left, top, width, height = geometry["bounds"]
    scale = size / max(width, height)
    shapes = [
        *_board(geometry),
        *_sides(geometry),
        *_pieces(geometry, position),
        *_marks(geometry, last_move),
        *_labels(geometry),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" height="{height * scale:.0f}"'
        f' viewBox="{left} {top} {width} {height}">{"".join(shapes)}</svg>'
    )


def _board(geometry: Mapping[str, Any]) -> Iterable[str]:
    style = geometry["style"]
    sites = geometry["sites"]
    places = {site["name"]: (site["x"], site["y"]) for site in sites}
    for site in sites:
        fill = _DARK if style == "chequered" and site["dark"] else _LIGHT
        stroke = "none" if style in ("lines", "alquerque") else _LINE
        yield (
            f'<polygon points="{_points(site["polygon"])}" fill="{fill}" stroke="{stroke}"'
            f' stroke-width="0.03"/>'
        )
    if style in ("lines", "alquerque"):
        for site in sites:
            for neighbour in site["neighbours"]:
                if site["name"] < neighbour:
                    (x1, y1), (x2, y2) = places[site["name"]], places[neighbour]
                    yield (
                        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{_LINE}"'
                        f' stroke-width="0.03"/>'
                    )
    if style == "holes":
        for x, y in places.values():
            yield f'<circle cx="{x}" cy="{y}" r="0.2" fill="{_DARK}"/>'


def _sides(geometry: Mapping[str, Any]) -> Iterable[str]:
    for side in geometry["sides"]:
        yield (
            f'<polyline points="{_points(side["line"])}" fill="none" stroke="{_COLOURS[side["colour"]]}"'
            f' stroke-width="0.15"/>'
        )


def _pieces(geometry: Mapping[str, Any], position: str) -> Iterable[str]:
    pieces = {piece["letter"]: piece for piece in geometry["pieces"]}
    letters = [letter for letter in position.split()[0] if letter not in "/?"]
    for site, letter in zip(geometry["sites"], letters, strict=True):
        if letter in pieces:
            yield _piece(pieces[letter], site["x"], site["y"])


def _piece(piece: Mapping[str, Any], x: float, y: float) -> str:
    fill = _COLOURS[piece["colour"]]
    edge = f'fill="{fill}" stroke="{_LINE}" stroke-width="0.04"'
    shape = piece["shape"]
    if shape == "arrow":
        return (
            f'<path d="M{x - 0.25} {y - 0.25}L{x + 0.25} {y + 0.25}M{x - 0.25} {y + 0.25}L{x + 0.25} {y - 0.25}"'
            f' stroke="{fill}" stroke-width="0.14"/>'
        )
    if shape == "town":
        return f'<rect x="{x - 0.33}" y="{y - 0.33}" width="0.66" height="0.66" {edge}/>'
    disc = f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" {edge}/>'
    letter = {"pawn": "\u265f", "knight": "\u265e", "queen": "\u265b"}.get(shape)
    if letter is None:
        return disc
    ink = _COLOURS["black"] if piece["colour"] == "white" else _COLOURS["white"]
    return disc + _text(letter, x, y, 0.5, ink)


def _marks(geometry: Mapping[str, Any], move: str) -> Iterable[str]:
    named = set(re.findall(r"[a-z]\d+", move))
    for site in geometry["sites"]:
        if site["name"] in named:
            yield f'<circle cx="{site["x"]}" cy="{site["y"]}" r="0.12" fill="{_MARK}"/>'


def _labels(geometry: Mapping[str, Any]) -> Iterable[str]:
    for label in geometry["labels"]:
        yield _text(label["text"], label["x"], label["y"], 0.4, _LINE)


def _text(text: str, x: float, y: float, size: float, fill: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" dominant-baseline="central"'
        f' font-family="sans-serif" fill="{fill}">{text}</text>'
    )


def _points(corners: Sequence[Sequence[float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in corners)
