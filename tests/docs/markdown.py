"""What the documents hold that can be true or false: links, headings, commands and examples."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Everything that is written for readers, the app's own help among it.
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("resources/help/*.md"), ROOT / "resources/demo/README.md"]
)

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!\\)\[[^\]]*\]\(([^)\s]+)\)")
_COMMENT = re.compile(r"\s{2,}#.*$|\s#\s.*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code: its language, its text, and the bold file name on the line before it, if there is one."""

    language: str
    text: str
    file: str


def blocks(text: str) -> Iterator[Block]:
    """The blocks of code of a document, in its order."""
    for found in _FENCE.finditer(text):
        lines = text[: found.start()].rstrip().splitlines()
        named = re.fullmatch(r"\*\*`?([^*`]+)`?\*\*:?", lines[-1]) if lines else None
        yield Block(found.group(1), found.group(2), named.group(1) if named else "")


def links(text: str) -> list[str]:
    """The targets of a document's links and pictures."""
    return _LINK.findall(re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text)))


def anchors(text: str) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", _FENCE.sub("", text), re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = 0
        while (anchor := name if not count else f"{name}-{count}") in found:
            count += 1
        found.add(anchor)
    return found


def commands(text: str) -> list[str]:
    """Every `btc-gui …` that a document tells its reader to write, in blocks and within lines."""
    found = []
    for block in blocks(text):
        joined = block.text.replace("\\\n", " ")
        found += [line.strip() for line in joined.splitlines() if line.strip().startswith("btc-gui ")]
    found += re.findall(r"`(btc-gui [^`]+)`", _FENCE.sub("", text).replace("\n", " "))
    return [_COMMENT.sub("", line).strip() for line in found]


def words_of(command: str) -> list[str]:
    """The words of a command as a shell would split them, without `btc-gui`, pipes and what stands for more."""
    words = shlex.split(command.replace("[", "").replace("]", "").replace("…", ""))[1:]
    for sign in ("|", ">", "&&"):
        if sign in words:
            words = words[: words.index(sign)]
    return words
