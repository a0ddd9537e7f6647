"""What a packet holds, and nothing else: the fields of its allow-list, the texts to label by, the labels given.

Whoever labels opens a packet alone. It names no judge label, configuration, model, cost, run or answer: the key
that ties its items to answers stays in the project.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import NewType, TypeVar

from btc_gui.domain.declared_kinds import check_kinds
from btc_gui.domain.hashing import canonical_json, hash_of
from btc_gui.errors import PacketError
from btc_gui.outside_data import json_from

PacketId = NewType("PacketId", str)
ItemId = NewType("ItemId", str)

#: The version of the packet's form; a packet of a newer one is refused.
PACKET_VERSION = 2


class Layer(StrEnum):
    """What one packet has on screen, and so what its labels are worth.

    Assisted and revealed labels are a verification of the machine, not a blind labelling; revealed ones come
    second, when the annotator's blind labels are back and sealed. An adjudicator sees both earlier labels, never
    the machine's.
    """

    BLIND = "blind"
    ASSISTED = "assisted"
    REVEALED = "revealed"
    ADJUDICATION = "adjudication"

    @property
    def text(self) -> str:
        """The layer in words, as screens and reports print it."""
        return _LAYER_TEXT[self]

    @property
    def shows_machine(self) -> bool:
        """Whether the machine's findings are on screen."""
        return self in (Layer.ASSISTED, Layer.REVEALED)


_LAYER_TEXT = {
    Layer.BLIND: "blind",
    Layer.ASSISTED: "assisted: the classifier's evidence and query labels are shown",
    Layer.REVEALED: "revealed: the classifier's findings are shown after the blind labels were handed in",
    Layer.ADJUDICATION: "adjudication: two earlier labels are shown, without names, without the machine's",
}


class Mode(StrEnum):
    """Which packets an annotator gets, and in what order."""

    BLIND = "blind"
    ASSISTED = "assisted"
    BLIND_THEN_REVEALED = "blind_then_revealed"

    @property
    def text(self) -> str:
        """The mode in words, as screens and reports print it."""
        return _MODE_TEXT[self]

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of one annotator's packets, in order. The first one is the one analysed first."""
        return _LAYERS[self]


_MODE_TEXT = {
    Mode.BLIND: "blind",
    Mode.ASSISTED: _LAYER_TEXT[Layer.ASSISTED],
    Mode.BLIND_THEN_REVEALED: "blind, then revealed: a second packet shows the classifier's findings",
}
_LAYERS = {
    Mode.BLIND: (Layer.BLIND,),
    Mode.ASSISTED: (Layer.ASSISTED,),
    Mode.BLIND_THEN_REVEALED: (Layer.BLIND, Layer.REVEALED),
}


class FieldForm(StrEnum):
    """How the text of a field is to be read: plain, or JSON that `PacketItem` takes apart."""

    TEXT = "text"
    SEARCHES = "searches"
    EXCERPTS = "excerpts"


@dataclass(frozen=True, slots=True)
class Field:
    """One entry of the allow-list: a field that the packet holds for every item."""

    name: str
    title: str
    form: FieldForm = FieldForm.TEXT


#: A field of a revealed packet that fills the form in, and is not shown: the parts of one's own blind label.
OWN_ANSWERS = "own_answers"


@dataclass(frozen=True, slots=True)
class Choice:
    """One label that can be given. `key` is the key on the keyboard."""

    value: str
    text: str
    key: str
    needs_reason: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """A query and the text that the model received for it; `finding` is the classifier's label (assisted only)."""

    query: str
    received: str
    finding: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that the classifier took for evidence, with its source and date (assisted only)."""

    text: str
    source: str
    published: str = ""


@dataclass(frozen=True, slots=True)
class PacketManifest:
    """What the packet is: for whom, what is asked, which fields it holds, by which texts to label.

    `note` is shown above every item; it says so when the material is illustrative. `practice_mark` is the share of
    right labels that ends the practice; `break_minutes` is how long somebody works before a break is suggested, 0 for
    never. `relations` are the relations to the change that make a passage evidence; empty: only a label is asked for.
    """

    packet_id: PacketId
    annotator: str
    kind: str
    title: str
    question: str
    layer: Layer
    choices: tuple[Choice, ...]
    fields: tuple[Field, ...]
    items: int
    codebook_version: str
    note: str = ""
    version: int = PACKET_VERSION
    ask_confidence: bool = False
    practice_mark: float = 0.0
    break_minutes: int = 0
    relations: tuple[str, ...] = ()

    def choice(self, value: str) -> Choice | None:
        """The choice of that value, or None."""
        return next((choice for choice in self.choices if choice.value == value), None)

    def as_json(self) -> dict[str, object]:
        """The manifest as it stands in the packet. What is not asked is left out, so that older seals hold."""
        later = ("ask_confidence", "practice_mark", "break_minutes", "relations")
        table = {name: value for name, value in asdict(self).items() if value or name not in later}
        if self.version == 1:
            # Version 1 had one word for what is on screen and for the plan of a study.
            table["mode"] = table.pop("layer")
        return table

    @classmethod
    def from_json(cls, text: str) -> PacketManifest:
        """Read what `as_json` gave. Raises `PacketError` for anything else, and for a newer version."""
        try:
            table = json_from(text)
            if _whole(table["version"]) > PACKET_VERSION:
                raise PacketError(
                    "This packet was made by a newer version of btc_gui.", "Install the newer version to open it."
                )
            if table["version"] == 1:
                table["layer"] = table.pop("mode")
            choices = tuple(Choice(**choice) for choice in table.pop("choices"))
            shown = tuple(Field(f["name"], f["title"], FieldForm(f["form"])) for f in table.pop("fields"))
            table |= {"layer": Layer(table["layer"]), "choices": choices, "fields": shown}
            manifest = cls(**{**table, "relations": tuple(table.get("relations", ()))})
            check_kinds(manifest, *choices, *shown)
            if min(manifest.items, manifest.break_minutes, manifest.practice_mark) < 0:
                raise ValueError("an amount is negative")
            return manifest
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise PacketError(
                f"The packet's manifest can't be read ({str(error)[:200]}).", "Ask for a new packet."
            ) from error


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError("its version is no whole number")
    return value


@dataclass(frozen=True, slots=True)
class PacketItem:
    """One item to label: its opaque id, its place in the packet, the allowed fields, the page to label by."""

    item: ItemId
    position: int
    page: str
    values: Mapping[str, str]

    @property
    def digest(self) -> str:
        """SHA-256 over the item's texts."""
        return hash_of(dict(self.values))

    def check_fields(self, manifest: PacketManifest) -> None:
        """Raise `PacketError` unless the item holds exactly the fields of the allow-list."""
        wrong = set(self.values) ^ {entry.name for entry in manifest.fields}
        if wrong:
            raise PacketError(
                f"Item {self.position} does not hold exactly the allowed fields: {', '.join(sorted(wrong))}."
            )

    def text(self, name: str) -> str:
        """The text of a field; empty when the packet does not have it."""
        return self.values.get(name, "")

    def searches(self, name: str = "searches") -> tuple[Search, ...]:
        """A field of form `searches`, taken apart."""
        return self._entries(name, Search)

    def excerpts(self, name: str = "evidence") -> tuple[Excerpt, ...]:
        """A field of form `excerpts`, taken apart."""
        return self._entries(name, Excerpt)

    def _entries(self, name: str, kind: type[Entry]) -> tuple[Entry, ...]:
        try:
            found = tuple(kind(**entry) for entry in json_from(self.values.get(name) or "[]"))
            check_kinds(*found)
        except (TypeError, ValueError) as error:
            raise PacketError(
                f"Item {self.position} of the packet can't be read: {name} holds {error}.", "Ask for a new packet."
            ) from error
        return found


@dataclass(frozen=True, slots=True)
class PracticeItem:
    """An item to practise on, with its known answer: invented, or one's own, but never an answer of the frame.

    `why` is the feedback; `answers` are the right parts of the kind's form, as in `GivenLabel`.
    """

    item: ItemId
    page: str
    values: Mapping[str, str]
    label: str
    why: str
    answers: str = ""

    def check(self, manifest: PacketManifest, pages: Collection[str]) -> None:
        """Raise `PacketError` unless the item holds the fields of the allow-list, a known label and a page."""
        PacketItem(self.item, 0, self.page, self.values).check_fields(manifest)
        if manifest.choice(self.label) is None or self.page not in pages:
            raise PacketError(f"Practice item {self.item} lacks a label of this packet, or the page to label it by.")


def clean(text: str) -> str:
    """The text without lone surrogates, which no file can hold: each becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


Entry = TypeVar("Entry", Search, Excerpt)


def written(entries: Sequence[Search] | Sequence[Excerpt]) -> str:
    """Searches or excerpts as the text of a field."""
    return canonical_json([asdict(entry) for entry in entries])


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One item as the packet's table of contents has it: no texts, but the hash of them."""

    item: ItemId
    position: int
    page: str
    digest: str


@dataclass(frozen=True, slots=True)
class PacketOutline:
    """The part of a packet that never changes, item texts left out. `pages` holds criteria and codebook by name."""

    manifest: PacketManifest
    pages: Mapping[str, str]
    entries: tuple[OutlineEntry, ...]
    practice: tuple[PracticeItem, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 over manifest, pages, practice and the hashes of all items: what the study knows its packet by."""
        practice = {"practice": [asdict(item) for item in self.practice]} if self.practice else {}
        return hash_of(
            {
                "manifest": self.manifest.as_json(),
                "pages": dict(self.pages),
                "items": [[entry.item, entry.position, entry.page, entry.digest] for entry in self.entries],
                **practice,
            }
        )

    def check(self) -> None:
        """Raise `PacketError` unless the items are those of the manifest, numbered, under opaque ids, with a page."""
        for number, entry in enumerate(self.entries, start=1):
            if entry.position != number or not re.fullmatch(r"[0-9a-f]{16}", entry.item):
                raise PacketError(f"Item {number} of the packet has a wrong place or an id that is not opaque.")
            if entry.page not in self.pages:
                raise PacketError(f"Item {number} of the packet lacks the page to label it by.")
        if len({entry.item for entry in self.entries}) != len(self.entries) or len(self.entries) != self.manifest.items:
            raise PacketError("The packet's items are not as its manifest says.")
        for item in self.practice:
            item.check(self.manifest, self.pages)
        practised = {item.item for item in self.practice}
        if len(practised) != len(self.practice) or practised & {entry.item for entry in self.entries}:
            raise PacketError("A practice item of the packet has the id of another item.")


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """One row of a packet's log: a label, or (with `undoes`) the withdrawal of an earlier one.

    `active_seconds` is the time spent on the item, pauses and idle time left out. `at` is the annotator's clock;
    the order is that of `sequence`. `confidence` is 1 (low) to 3 (high), None when it was not given; `answers` are
    the parts of the kind's form as canonical JSON, empty for a kind that asks for a label only.
    """

    sequence: int
    item: ItemId
    label: str
    reason: str = ""
    note: str = ""
    undoes: int | None = None
    active_seconds: float = 0.0
    at: str = ""
    confidence: int | None = None
    answers: str = ""

    def as_json(self) -> dict[str, object]:
        """The row as it is sealed. What was not asked is left out, so that seals from before it could be hold."""
        return {
            name: value
            for name, value in ((name, getattr(self, name)) for name in self.__slots__)
            if not (name in ("confidence", "answers") and value in (None, ""))
        }


def standing(labels: Sequence[GivenLabel]) -> list[GivenLabel]:
    """The labels (oldest first) that no undo has withdrawn, undos themselves left out."""
    withdrawn = {row.undoes for row in labels if row.undoes is not None}
    return [row for row in labels if row.undoes is None and row.sequence not in withdrawn]


@dataclass(frozen=True, slots=True)
class LabelSummary:
    """What a log amounts to: `analysed` is the first standing label of each item, `changed` counts the items
    that got another one later, `withdrawn` the labels that were undone."""

    analysed: Mapping[ItemId, GivenLabel] = field(default_factory=dict)
    latest: Mapping[ItemId, GivenLabel] = field(default_factory=dict)
    changed: int = 0
    withdrawn: int = 0


def summarise(labels: Sequence[GivenLabel]) -> LabelSummary:
    """The first and the latest standing label of every item (see `LabelSummary`)."""
    analysed: dict[ItemId, GivenLabel] = {}
    latest: dict[ItemId, GivenLabel] = {}
    for row in standing(labels):
        analysed.setdefault(row.item, row)
        latest[row.item] = row
    changed = sum(1 for item, row in latest.items() if row.label != analysed[item].label)
    return LabelSummary(analysed, latest, changed, sum(1 for row in labels if row.undoes is not None))


def check_log(labels: Sequence[GivenLabel], items: Collection[str], manifest: PacketManifest) -> None:
    """Raise `PacketError` unless the log could have been written by the labelling screen.

    Rows are numbered without a gap; each names an item of the packet and a label of the manifest (with a reason
    where one is needed), or withdraws the newest standing label.
    """
    left: list[GivenLabel] = []
    for number, row in enumerate(labels, start=1):
        if row.sequence != number or row.item not in items:
            raise PacketError(f"Row {number} of the packet's labels is out of order or about another item.")
        if row.undoes is not None:
            if not left or left[-1].sequence != row.undoes or left[-1].item != row.item:
                raise PacketError(f"Row {number} of the packet's labels withdraws what can't be withdrawn.")
            left.pop()
            continue
        choice = manifest.choice(row.label)
        sure = row.confidence in (None, 1, 2, 3)
        if choice is None or not sure or (choice.needs_reason and not row.reason.strip()):
            raise PacketError(f"Row {number} of the packet's labels is not a label that could be given.")
        left.append(row)


def labels_digest(labels: Sequence[GivenLabel]) -> str:
    """SHA-256 over a whole log: stored before the key is opened."""
    return hash_of([row.as_json() for row in labels])
