"""Which column of a file is which fact: guessed from names and contents, and corrected by a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from btc_gui.domain.hashing import hash_of
from btc_gui.domain.table_row import UNKNOWN_VALUE
from btc_gui.errors import InputError


class LoadSubject(StrEnum):
    """What the rows of a file are."""

    EVENTS = "events"
    PROBES = "probes"
    ANSWERS = "answers"


#: The fact that may be said once for all rows that don't name it.
DEFAULT_OF: dict[LoadSubject, str] = {
    LoadSubject.EVENTS: "category",
    LoadSubject.PROBES: "kind",
    LoadSubject.ANSWERS: "model",
}


_QID_COLUMNS = (
    "qid q_id wikidata wikidata_id wikidata_qid wikidata_item entity_qid person_qid item_qid item person entity id"
)
_NAME_COLUMNS = (
    "entity name person person_name entity_name label entity_label person_label item_label full_name name_en subject "
    "len lmul item"
)
_ARTICLE_COLUMNS = "enwiki_title article article_title wikipedia_title wikipedia enwiki wiki page_title page title"
#: The facts of a row, and for each the names that files give its column, the likeliest first. `ended` is the end
#: of a time in office, `ends` the end of the change itself (a place that opens again), `died` a person's death.
_FACTS: dict[LoadSubject, dict[str, str]] = {
    LoadSubject.EVENTS: {
        "qid": _QID_COLUMNS,
        "article": _ARTICLE_COLUMNS,
        "entity": _NAME_COLUMNS,
        "category": "category kind event_type update_type change_type type change",
        "date": "date event_date change_date date_of_change day when",
        "precision": "date_precision precision prec",
        "description": "description entity_description person_description item_description den summary",
        "position_qid": "position_qid office_qid role_qid position_id position office role",
        "position": "position position_label position_name office office_label role role_en role_label",
        "started": "start start_date started term_start start_time",
        "ended": "end end_date ended term_end end_time",
        "died": "date_of_death death_date dod died death",
        "ends": "ends until date_until reopens reopening_date",
        "country": "country country_label",
        "aliases": "aliases alias also_known_as other_names",
        "source": "source sources source_url reference url link",
        "note": "note notes comment remark",
    },
    LoadSubject.PROBES: {
        "qid": "qid q_id event_qid wikidata wikidata_id entity_qid person_qid item person entity id",
        "key": "key id probe_id probe_key uuid",
        "text": "text probe probe_text prompt question request query",
        "kind": "kind type probe_kind probe_type",
        "event": "event event_id event_key event_ref",
        "article": _ARTICLE_COLUMNS,
        "entity": "entity name person entity_name person_name event_entity event_name subject label",
        "category": "category event_category",
        "position": "position office role event_position",
        "date": "date event_date",
        "requester": "requester persona asker requested_by",
        "situation": "situation scenario context",
        "consequence": "consequence",
        "ordinal": "ordinal number index n",
    },
    LoadSubject.ANSWERS: {
        "probe": "probe probe_key probe_id key id sample_id",
        "text": "text probe_text request prompt question",
        "model": "model model_name evaluated_model",
        "answer": "answer final_answer response completion prediction output",
        "effort": "effort reasoning_effort",
        "harness": "harness",
        "repetition": "repetition epoch repeat attempt trial",
        "ending": "ending status outcome",
        "reason": "ending_reason reason error",
        "steps": "steps trajectory",
        "queries": "queries search_queries searches",
        "reasoning": "reasoning thinking thought",
        "agent": "agent agent_name scaffold",
        "search": "search search_backend search_engine",
        "as_of": "as_of",
        "input_tokens": "input_tokens usage_input_tokens usage_input prompt_tokens usage_prompt_tokens",
        "output_tokens": "output_tokens usage_output_tokens usage_output completion_tokens usage_completion_tokens",
        "reasoning_tokens": "reasoning_tokens usage_reasoning_tokens usage_reasoning",
        "cache_read_tokens": "cache_read_tokens usage_cache_read_tokens usage_cache_read",
        "cache_write_tokens": "cache_write_tokens usage_cache_write_tokens usage_cache_write",
        "cost": "cost cost_usd usd",
        "seconds": "seconds duration latency",
        "started_at": "started_at started start_time",
        "finished_at": "finished_at finished end_time",
    },
}
#: Facts that are ids of Wikidata, and the names of columns that hold such ids in one file and names in another.
_IDS = frozenset({"qid", "position_qid"})
_EITHER = frozenset(["item", "person", "entity", "id", "subject", "position", "office", "role"])
#: Names that mean an article beside an id, and anything elsewhere (“Prime Minister” would make one of many people).
_VAGUE = frozenset(["title", "page"])
_PRECISION_ENDS = ("_precision", "precision", "_prec", "prec", "_p", "p")
_QID = re.compile(r"^(?:https?://www\.wikidata\.org/(?:entity|wiki)/)?[Qq][1-9]\d*$")


def is_qid(text: str) -> bool:
    """Whether this is an id of Wikidata, alone or as an address."""
    return _QID.match(text) is not None


def facts_of(subject: LoadSubject) -> tuple[str, ...]:
    """The facts to which a column can be mapped."""
    return tuple(_FACTS[subject])


def columns_hash(columns: Iterable[str]) -> str:
    """What files with the same columns have in common, in whatever order these stand."""
    return hash_of(sorted(columns))


def _plain(column: str) -> str:
    """`personLabel`, `Person label` and `?person_label` are one name."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column)
    return re.sub(r"[^a-z0-9]+", "_", spaced.casefold()).strip("_")


def guess_mapping(subject: LoadSubject, columns: Sequence[str], sample: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The column of each fact that can be told from the columns' names and the first rows. One column, one fact."""
    plain: dict[str, str] = {}
    for column in columns:
        plain.setdefault(_plain(column), column)
    holds_ids = {column: _holds_ids([row.get(column, "") for row in sample]) for column in columns}
    mapping: dict[str, str] = {}
    for fact, names in _FACTS[subject].items():
        for name in names.split():
            if name not in plain or plain[name] in mapping.values():
                continue
            column = plain[name]
            if name in _EITHER and holds_ids[column] != (fact in _IDS):
                continue
            if name in _VAGUE and "qid" not in mapping:
                continue
            mapping[fact] = column
            break
    if subject is LoadSubject.EVENTS and (precision := _precision_of(mapping, plain)):
        mapping["precision"] = precision
    return mapping


def _precision_of(mapping: Mapping[str, str], plain: Mapping[str, str]) -> str | None:
    """The column named after the date's own (`dodp`, `endprec`, `date_precision`), if there is one."""
    date = next((mapping[fact] for fact in ("date", "ended", "died") if fact in mapping), None)
    names = (f"{_plain(date)}{suffix}" for suffix in _PRECISION_ENDS) if date else ()
    return next((plain[name] for name in names if name in plain), None)


def _holds_ids(cells: list[str]) -> bool:
    filled = [cell for cell in cells if cell and cell != UNKNOWN_VALUE]
    return bool(filled) and sum(map(is_qid, filled)) * 2 > len(filled)


def adjust_mapping(
    subject: LoadSubject, mapping: Mapping[str, str], changes: Mapping[str, str], columns: Sequence[str]
) -> dict[str, str]:
    """The mapping with a person's changes; an empty column takes the fact away.

    Raises `InputError` for a fact or column that doesn't exist, naming those that do.
    """
    adjusted = dict(mapping)
    for fact, column in changes.items():
        if fact not in _FACTS[subject]:
            raise InputError(f"“{fact}” is not a fact of {subject}.", f"Facts: {', '.join(facts_of(subject))}.")
        if not column:
            adjusted.pop(fact, None)
        elif column in columns:
            adjusted[fact] = column
        else:
            raise InputError(f"There is no column “{column}”.", f"Columns: {', '.join(columns)[:300]}.")
    return adjusted


def problems_of_mapping(
    subject: LoadSubject, mapping: Mapping[str, str], columns: Sequence[str], defaults: Mapping[str, str]
) -> list[str]:
    """What is missing or unclear before rows can be read; `defaults` are values for facts without a column."""
    problems = []
    for fact, column in mapping.items():
        twins = [name for name in columns if name != column and re.sub(r" \(\d+\)$", "", name) == column]
        if twins:
            problems.append(f"the file has several columns “{column}”; rename one in the file")
        if column not in columns:
            problems.append(f"there is no column “{column}” for {fact}")
    have = {*mapping, *(fact for fact, value in defaults.items() if value)}
    if subject is LoadSubject.EVENTS:
        wanted = {
            "the entity’s name": ("entity", "article"),
            "the date": ("date", "ended", "died"),
            "the category": ("category",),
        }
    elif subject is LoadSubject.ANSWERS:
        wanted = {
            "the probe (its key, number or text)": ("probe", "text"),
            "the model": ("model",),
            "the answer": ("answer", "steps", "ending"),
        }
    else:
        wanted = {
            "the request’s text": ("text",),
            "the kind (direct or indirect)": ("kind",),
            "the event": ("event", "qid", "article", "entity"),
        }
    problems += [f"no column holds {what}" for what, facts in wanted.items() if not have.intersection(facts)]
    return problems
