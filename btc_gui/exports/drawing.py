"""What all pictures for print share: fonts, colours, sizes, and files that have the same bytes each time."""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from btc_gui.domain.outside_text import shown
from btc_gui.errors import InputError
from btc_gui.exports.files import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties

#: The kinds of picture.
PICTURES = ("svg", "png", "pdf")
TEXT = "#1F2328"
SECONDARY = "#59636E"
#: The colours on paper, by their name in the palette.
COLOURS = {
    "text": TEXT,
    "secondary": SECONDARY,
    "disabled": "#80878F",
    "border": "#E2E2DD",
    "accent": "#1F5FBF",
    "warning": "#8A5A00",
    "danger": "#B42318",
    "reasoning": "#C4500A",
    "explicit": "#0B6FB3",
    "indirect": "#B37600",
    "none": "#6E7781",
    "correct": "#0B7F5F",
}

_SHIPPED = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
#: Where the shipped fonts lack a script, these are tried before any other that is installed.
_WIDE = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans", "Microsoft YaHei", "Hiragino Sans", "PingFang SC")
# matplotlib's settings are global to the process; two pictures are not drawn at once.
_DRAWING = threading.Lock()


def write_pictures(draw: Callable[[], Figure], paths: Mapping[str, Path], title: str = "") -> list[Path]:
    """Draw once and write each kind of picture. The same drawing gives the same bytes.

    `title` goes into the files' own description. Raises `InputError` for a kind that is not in `PICTURES`, and for a
    place that can't be written.
    """
    unknown = [kind for kind in paths if kind not in PICTURES]
    if unknown:
        raise InputError(f"A picture can't be drawn as “{unknown[0]}”.", f"Use one of {', '.join(PICTURES)}.")
    import matplotlib as mpl
    import matplotlib.text

    style = mpl.rc_context(
        {
            "svg.hashsalt": "btc_gui",
            "svg.fonttype": "path",
            "pdf.fonttype": 42,
            "savefig.facecolor": "white",
            "hatch.linewidth": 0.5,
            # A dollar sign in a title is no formula.
            "text.parse_math": False,
        }
    )
    drawn = {}
    with _DRAWING, style, warnings.catch_warnings():
        # What no font has is a box; that is all that a picture can show.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = draw()
        # SVG writes them down beside their outlines, where control characters have no place.
        for each in figure.findobj(mpl.text.Text):
            each.set_text(shown(each.get_text()))
        for kind in paths:
            buffer = io.BytesIO()
            figure.savefig(buffer, format=kind, dpi=200, metadata=_metadata(kind, title))
            drawn[kind] = buffer.getvalue()
    return [write_whole(path, drawn[kind]) for kind, path in paths.items()]


def _metadata(kind: str, title: str) -> dict[str, str | None]:
    """Dates are left out and names fixed."""
    # Control characters have no place in XML, lone surrogates none in a file.
    words = "".join(sign for sign in title if sign.isprintable())
    by_kind: dict[str, dict[str, str | None]] = {
        "svg": {"Date": None, "Creator": "btc_gui"},
        "pdf": {"CreationDate": None, "Creator": "btc_gui", "Producer": "btc_gui"},
        "png": {"Software": "btc_gui"},
    }
    return {**by_kind[kind], "Title": words} if words else by_kind[kind]


def font(size: float, text: str = "", *, bold: bool = False) -> FontProperties:
    """The font that comes with matplotlib, by its file: one installed on the machine may differ.

    Where it lacks characters of `text`, an installed font that has these; without one the text has boxes.
    """
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties

    shipped = Path(mpl.get_data_path()) / "fonts" / "ttf" / _SHIPPED[bold]
    missing = frozenset(text) - _characters(str(shipped)) - {"\n"}
    other = _installed(missing) if missing else None
    return FontProperties(fname=other or shipped, size=size)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a line of text is, in inches."""
    return _width_at_100(text, bold) * size / 100


@lru_cache(maxsize=4096)
def _width_at_100(text: str, bold: bool) -> float:
    from matplotlib.ft2font import FT2Font, LoadFlags

    measured = FT2Font(str(font(100, text, bold=bold).get_file()))
    measured.set_size(100, 72)
    # In place of what the font lacks a box is drawn, as wide as the widest letter.
    text = "".join(sign if measured.get_char_index(ord(sign)) else "W" for sign in text)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        measured.set_text(text, 0.0, flags=LoadFlags.NO_HINTING)
    return float(measured.get_width_height()[0]) / 64 / 72


def cut(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """A line of text shortened in its middle so that it takes no more than `room` inches."""
    if text_width(text, size, bold=bold) <= room:
        return text
    low, high = 1, len(text)
    while low < high:
        kept = (low + high + 1) // 2
        low, high = (kept, high) if text_width(_middle(text, kept), size, bold=bold) <= room else (low, kept - 1)
    return _middle(text, low)


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Text in lines that take no more than `room` inches, broken between words."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, size, bold=bold) <= room:
            lines[-1] = joined
        else:
            lines.append(cut(word, size, room, bold=bold))
    return lines


def ink_on(colour: str) -> str:
    """Black or white, whichever contrasts more with the colour (WCAG's relative luminance): 4.5 : 1 at least."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#FFFFFF" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "#000000"


def _middle(text: str, kept: int) -> str:
    return f"{text[: (kept + 1) // 2]}…{text[len(text) - kept // 2 :]}"


@lru_cache(maxsize=64)
def _characters(path: str) -> frozenset[str]:
    from matplotlib.ft2font import FT2Font

    return frozenset(map(chr, FT2Font(path).get_charmap()))


@lru_cache(maxsize=256)
def _installed(characters: frozenset[str]) -> str | None:
    """The file of an installed font with Latin characters and these, or most of them; the same one each time on a
    machine."""
    from matplotlib.font_manager import fontManager
    from matplotlib.ft2font import FT2Font

    def rank(entry: object) -> tuple[int, str, str]:
        name, path = str(getattr(entry, "name", "")), str(getattr(entry, "fname", ""))
        return _WIDE.index(name) if name in _WIDE else len(_WIDE), name, path

    best, fewest = None, len(characters)
    # The last resort has boxes for all there is.
    plain = [
        each
        for each in fontManager.ttflist
        if each.style == "normal" and str(each.weight) in ("400", "normal") and "Last Resort" not in each.name
    ]
    for entry in sorted(plain, key=rank):
        try:
            tried = FT2Font(str(entry.fname))
            lacking = sum(not tried.get_char_index(ord(sign)) for sign in characters)
            if lacking < fewest and tried.get_char_index(ord("a")):
                best, fewest = str(entry.fname), lacking
        except (OSError, RuntimeError):
            continue  # Fonts of bitmaps can't be drawn with.
        if not fewest:
            break
    return best
