"""Entities as Wikidata's own interface gives them (`wbgetentities`, `Special:EntityData`), turned into items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from btc_gui.domain.item_draft import Draft, ItemDraft, StatementDraft
from btc_gui.domain.statements import NO_DATE, UNKNOWN_DATE, DateState, Item, Rank, StatedDate, stated_date
from btc_gui.outside_data import json_from

#: Properties with items as values that an item is described by.
_ITEM_CLAIMS = {"P31": "classes", "P279": "parents", "P1001": "jurisdictions", "P17": "jurisdictions"}
_RANKS = {rank.value: rank for rank in Rank}
_DEATH = "P570"
_TERM_DATES = {"P580": "begins", "P571": "begins", "P582": "finishes", "P576": "finishes"}
_QUALIFIERS = {"P2937": "terms", "P5102": "natures", "P1480": "natures"}
_QUALIFIER_DATES = {"P580": "starts", "P582": "ends"}


@dataclass(frozen=True, slots=True)
class Entities:
    """The items of a reply by their present id, and the ids that the reply says don't exist (any more)."""

    items: Mapping[str, Item]
    missing: tuple[str, ...]


def read_entities(text: str, prop: str) -> Entities:
    """The items of a reply with their statements of `prop`. Takes the envelope, a bare entity, or a list of them.

    Raises ValueError with a reason for anything else.
    """
    try:
        reply = json_from(text, is_trusted=True)
    except ValueError as error:
        raise ValueError(f"the reply is no JSON: {error}") from error
    entities = reply.get("entities", reply) if isinstance(reply, dict) else reply
    if isinstance(reply, dict) and isinstance(reply.get("error"), dict):
        raise ValueError(f"the service refused: {reply['error'].get('info', reply['error'].get('code', ''))}")
    if isinstance(entities, dict) and "id" in entities:
        entities = {str(entities["id"]): entities}
    if isinstance(entities, list):
        entities = {str(entity.get("id")): entity for entity in entities if isinstance(entity, dict)}
    if not isinstance(entities, dict) or not all(isinstance(entity, dict) for entity in entities.values()):
        raise ValueError("the reply holds no entities")
    draft = Draft()
    missing = []
    for asked, entity in entities.items():
        if "missing" in entity or "id" not in entity:
            missing.append(asked)
            continue
        _take(draft, asked, entity, prop)
    return Entities(draft.finish(), tuple(sorted(missing)))


def _take(draft: Draft, asked: str, entity: Mapping[str, object], prop: str) -> None:
    qid = str(entity["id"])
    redirected = table(entity, "redirects").get("from")
    for former in {asked, str(redirected or qid)} - {qid}:
        if former[:1] == "Q":
            draft.moved[former] = qid
    item = draft.items[qid]
    _take_names(item, entity)
    claims = table(entity, "claims")
    for name, target in _ITEM_CLAIMS.items():
        for snak in _best_snaks(claims, name):
            item.texts[target].update(filter(None, [_item_value(snak)]))
    for snak in _best_snaks(claims, _DEATH):
        item.dates["died"].add(_date(snak))
    for name, target in _TERM_DATES.items():
        for snak in _best_snaks(claims, name):
            item.dates[target].add(_date(snak))
    for claim in _claims(claims, prop):
        _take_statement(draft.statement(str(claim.get("id", "")), qid), claim)


def _take_names(item: ItemDraft, entity: Mapping[str, object]) -> None:
    for language, target in (("en", "label_en"), ("mul", "label_mul")):
        item.texts[target].update(filter(None, [_value(table(entity, "labels").get(language))]))
        aliases = table(entity, "aliases").get(language)
        for alias in aliases if isinstance(aliases, list) else []:
            item.texts["aliases"].update(filter(None, [_value(alias)]))
    item.texts["description"].update(filter(None, [_value(table(entity, "descriptions").get("en"))]))
    links = table(entity, "sitelinks")
    item.sitelinks = len(links)
    link = links.get("enwiki")
    title = link.get("title") if isinstance(link, dict) else link
    item.texts["title"].update(filter(None, [str(title or "")]))


def _take_statement(draft: StatementDraft, claim: Mapping[str, object]) -> None:
    draft.add_rank(_RANKS.get(str(claim.get("rank")), Rank.NORMAL))
    main = table(claim, "mainsnak")
    if value := _item_value(main):
        draft.texts["value"].add(value)
    elif main.get("snaktype") != "value" or _is_time(main):
        draft.dates["dates"].add(_date(main))
    qualifiers = table(claim, "qualifiers")
    for name, target in _QUALIFIERS.items():
        for snak in _snaks(qualifiers, name):
            draft.texts[target].update(filter(None, [_item_value(snak)]))
    for name, target in _QUALIFIER_DATES.items():
        for snak in _snaks(qualifiers, name):
            draft.dates[target].add(_date(snak))


def table(value: Mapping[str, object], key: str) -> Mapping[str, object]:
    """The table under a key; an empty one where something else stands."""
    # Wikibase writes an empty table as an empty list.
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _value(entry: object) -> str:
    # Simplified copies of entities have the text alone.
    if isinstance(entry, dict):
        return str(entry.get("value") or "")
    return entry if isinstance(entry, str) else ""


def _claims(claims: Mapping[str, object], prop: str) -> list[Mapping[str, object]]:
    found = claims.get(prop)
    return [claim for claim in found if isinstance(claim, dict)] if isinstance(found, list) else []


def _snaks(qualifiers: Mapping[str, object], prop: str) -> list[Mapping[str, object]]:
    return _claims(qualifiers, prop)


def _best_snaks(claims: Mapping[str, object], prop: str) -> list[Mapping[str, object]]:
    counted = [claim for claim in _claims(claims, prop) if claim.get("rank") != "deprecated"]
    preferred = [claim for claim in counted if claim.get("rank") == "preferred"]
    return [table(claim, "mainsnak") for claim in preferred or counted]


def _data(snak: Mapping[str, object]) -> Mapping[str, object]:
    return table(table(snak, "datavalue"), "value")


def _is_time(snak: Mapping[str, object]) -> bool:
    return "time" in _data(snak)


def _item_value(snak: Mapping[str, object]) -> str:
    data = _data(snak)
    if "numeric-id" in data and "id" not in data:
        return f"Q{data['numeric-id']}"
    text = str(data.get("id", ""))
    return text if text[:1] == "Q" else ""


def _date(snak: Mapping[str, object]) -> StatedDate:
    if snak.get("snaktype") == "somevalue":
        return UNKNOWN_DATE
    if snak.get("snaktype") == "novalue":
        return NO_DATE
    data = _data(snak)
    if "time" not in data:
        return StatedDate(DateState.UNREADABLE, None, "", "no date in the statement")
    precision = data.get("precision")
    return stated_date(str(data["time"]), precision if isinstance(precision, int) else None)
