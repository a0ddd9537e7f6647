"""A category of change, read from its folder in resources/categories/: what it says, asks and judges by."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from btc_gui import paths
from btc_gui.domain.boundary import Boundary, boundary_text, load_boundaries
from btc_gui.domain.bracketed_dates import without_bracketed_dates
from btc_gui.domain.collection_file import load_plan
from btc_gui.domain.collection_plan import CollectionPlan
from btc_gui.domain.practice_file import PracticeRow, read_practice
from btc_gui.domain.rules import compose
from btc_gui.errors import InputError, SettingsError
from btc_gui.outside_data import toml_from
from btc_gui.records import dataclass

if TYPE_CHECKING:
    from btc_gui.domain.event import EventFacts


#: What a category may be called: the name of its folder.
NAME = re.compile(r"[^\W_][\w-]*")
#: What templates may have put in.
_PLACES = ("entity", "position", "date", "description", "country", "ends")
#: Where a category that names no order stands: after those that do.
_LAST = 1_000


@dataclass(frozen=True, slots=True)
class Category:
    """One kind of change.

    `before`, `after` and `direct_probe` are templates over the facts ({entity}, {position}, {date}, {description},
    {country}, {ends}, which is “further notice” where no end is known); `required` names facts that an event can't do
    without; `criteria` holds the judge's text by probe kind; `codebook` is what annotators of verdicts read.
    `query_classes` is what classifier and annotators of failure modes read, with the `boundaries` of the classes
    written into it.
    `rules` compose the decisions about what is an event; `collection` says how events are collected, if they are;
    `change_words` are words that texts about such a change often have: what a guess goes by, never evidence.
    `practice` are invented items with known answers for annotators to practise on. Categories are offered by their
    `order`, the smallest first.
    """

    name: str
    title: str
    plural: str
    before: str
    after: str
    direct_probe: str
    required: tuple[str, ...]
    written_as: tuple[str, ...]
    criteria: dict[str, str]
    codebook: str
    query_classes: str
    rules: dict[str, object] = field(default_factory=dict)
    boundaries: tuple[Boundary, ...] = ()
    collection: CollectionPlan | None = None
    practice: tuple[PracticeRow, ...] = ()
    change_words: tuple[str, ...] = ()
    order: int = _LAST

    @property
    def has_end(self) -> bool:
        """Whether its changes end one day: then its texts speak of the end."""
        return any("{ends}" in text for text in (self.before, self.after, self.direct_probe))

    def fill(self, template: str, facts: EventFacts) -> str:
        """Fill a template of this category with an event's facts."""
        return template.format(
            entity=facts.entity,
            position=facts.position,
            date=facts.date.text,
            description=without_bracketed_dates(facts.description),
            country=facts.country,
            ends=facts.ends.text if facts.ends else "further notice",
        )

    def direct_question(self, facts: EventFacts) -> str:
        """The direct probe about an event: the template filled, without what the facts leave empty."""
        filled = self.fill(self.direct_probe, facts)
        # “Is Ada Example, , still alive?” for want of a description.
        return " ".join(re.sub(r"\s*,\s*,", "", filled).split())

    def fact_before(self, facts: EventFacts) -> str:
        """The fact that held before the change, as a sentence."""
        return self.fill(self.before, facts)

    def fact_after(self, facts: EventFacts) -> str:
        """The fact that holds since the change, as a sentence."""
        return self.fill(self.after, facts)


def load_category(folder: Path) -> Category:
    """Read one category from its folder. Raises `SettingsError` naming the file and the key that is wrong."""
    path = folder / "category.toml"
    try:
        table = toml_from(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"The category file {path} can't be read: {error}.") from error

    def text(key: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value.strip():
            raise SettingsError(f"{path}: the key “{key}” must be a text.")
        return value

    def texts(key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise SettingsError(f"{path}: the key “{key}” must be a list of texts.")
        return tuple(value)

    def page(name: str) -> str:
        try:
            return (folder / name).read_text(encoding="utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"The category “{folder.name}” lacks its file {name}: {error}.") from error

    order = table.get("order", _LAST)
    if type(order) is not int:
        raise SettingsError(f"{path}: the key “order” must be a whole number.")
    boundaries = load_boundaries(folder / "boundaries.toml")
    rules = table.get("rules", {})
    if not isinstance(rules, dict):
        raise SettingsError(f"{path}: [rules] must be a table.")
    try:
        compose(rules)
    except ValueError as error:
        raise SettingsError(f"{path}: {error}.") from error
    return Category(
        name=folder.name,
        title=text("title"),
        plural=text("plural"),
        before=_template(path, "before", text("before")),
        after=_template(path, "after", text("after")),
        direct_probe=_template(path, "direct_probe", text("direct_probe")),
        required=texts("required"),
        written_as=texts("written_as"),
        criteria={"indirect": page("judge_indirect.md"), "direct": page("judge_direct.md")},
        codebook=page("codebook.md"),
        query_classes=_with_boundaries(folder / "query_classes.md", page("query_classes.md"), boundaries),
        rules=rules,
        boundaries=boundaries,
        collection=load_plan(folder, table),
        practice=_practice(folder, page),
        change_words=texts("change_words"),
        order=order,
    )


def _template(path: Path, key: str, text: str) -> str:
    """A template whose places are plain: nothing is looked up within a fact, or set wide. Raises `SettingsError`."""
    try:
        parts = [part[1:] for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise SettingsError(f"{path}: the key “{key}” has a brace too many or too few ({error}).") from error
    for name, spec, conversion in parts:
        if name not in _PLACES or spec or conversion:
            known = ", ".join(f"{{{each}}}" for each in _PLACES)
            raise SettingsError(
                f"{path}: the key “{key}” has a place {{{name}}} that nothing is put into.", f"Known are {known}."
            )
    return text


def _practice(folder: Path, page: Callable[[str], str]) -> tuple[PracticeRow, ...]:
    """The category's practice items; a category may have none."""
    if not (folder / "practice.jsonl").exists():
        return ()
    try:
        return read_practice(page("practice.jsonl"), str(folder / "practice.jsonl"), folder.name)
    except InputError as error:
        raise SettingsError(str(error)) from error


def _with_boundaries(path: Path, text: str, boundaries: tuple[Boundary, ...]) -> str:
    """The page with its boundaries in place: they are written down once, and can't be left out of it."""
    if ("$boundaries" in text) != bool(boundaries):
        raise SettingsError(f"{path}: the place $boundaries and the file boundaries.toml go together.")
    return text.replace("$boundaries", boundary_text(boundaries))


def load_categories(folder: Path, own: Path | None = None) -> dict[str, Category]:
    """Read all categories of a folder, by name and in their order, and those of a person's `own` folder.

    An own one stands in place of another of the same name. Raises `SettingsError` when there is none or one is wrong.
    """
    found = {path.parent.name: load_category(path.parent) for path in folder.glob("*/category.toml")}
    if not found:
        raise SettingsError(f"There is no category in {folder}.")
    for path in own.glob("*/category.toml") if own is not None else ():
        if not NAME.fullmatch(path.parent.name):
            raise SettingsError(
                f"The folder {path.parent} can't be a category: its name is that of the category.",
                "Use letters, digits, “_” and “-”.",
            )
        found[path.parent.name] = load_category(path.parent)
    return {each.name: each for each in sorted(found.values(), key=lambda each: (each.order, each.name))}


def installed_categories() -> dict[str, Category]:
    """The app's categories and the person's own. Raises `SettingsError` when one is wrong."""
    return load_categories(paths.resources() / "categories", paths.own_categories())
