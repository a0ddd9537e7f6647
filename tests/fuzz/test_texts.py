"""Every parser of one text or small file: it reads what it is given, or says in a sentence why it can't."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from btc_gui import paths
from btc_gui.domain.answer_steps import read_steps
from btc_gui.domain.article_text import article_text
from btc_gui.domain.case import CaseQuery
from btc_gui.domain.case_reference import parse_reference
from btc_gui.domain.category import load_categories
from btc_gui.domain.classifier_reply import ClassifierReply
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.entity_json import read_entities
from btc_gui.domain.event_rows import Rejected
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.judge_reply import JudgeReply
from btc_gui.domain.label_rows import label_agreement, read_label_table
from btc_gui.domain.left_out import read_left_out
from btc_gui.domain.mode_form import ModeForm
from btc_gui.domain.models_file import ModelsText, models_in, roles_in, searches_in
from btc_gui.domain.origin import Origin
from btc_gui.domain.packet import ItemId, Layer, PacketManifest
from btc_gui.domain.practice_file import read_practice
from btc_gui.domain.practice_items import practice_items
from btc_gui.domain.probe import ProbeText
from btc_gui.domain.received import read_results as read_received
from btc_gui.domain.received import write_results
from btc_gui.domain.release import ReleasedProbe, ReleasePair, read_pair
from btc_gui.domain.run_recipe_file import sealed, unsealed
from btc_gui.domain.search_terms import parse
from btc_gui.domain.sparql_rows import UnusableReply, gather
from btc_gui.domain.sparql_rows import read_results as read_sparql_reply
from btc_gui.domain.structured_reply import UnreadableReplyError, read_reply
from btc_gui.domain.studies import study_kind
from btc_gui.domain.trajectory import SearchResult
from btc_gui.domain.written_probes import WrittenProbes
from btc_gui.errors import BtcError
from btc_gui.evals.search.html_text import html_document
from btc_gui.outside_data import json_from
from tests.builders import make_facts
from tests.fuzz.mutating import fuzz, is_sentence, mutated, no_hang
from tests.run_builders import make_configuration, make_recipe
from tests.study_builders import make_manifest

RESOURCES = paths.resources()
CATEGORIES = load_categories(RESOURCES / "categories")
#: The reasons of these are shown to a person as they are.
Refusal = type[Exception] | tuple[type[Exception], ...]


@dataclass(frozen=True)
class Parser:
    """What is read, from which good texts, and how a refusal comes."""

    read: Callable[[str], object]
    seeds: tuple[str, ...]
    refusal: Refusal = BtcError


def _storable(value: object) -> object:
    """What was read goes into a database and into files: as text it must be UTF-8."""
    repr(value).encode("utf-8")
    return value


def _agreement(text: str) -> object:
    return label_agreement(read_label_table(text)).report.as_json()


def _steps(text: str) -> object:
    for step in read_steps(text):
        for part in (step.text, step.output, step.error, step.tool, *(p for r in step.results for p in r.excerpts)):
            part.encode("utf-8")
    return None


def _reply(schema: type[BaseModel]) -> Callable[[str], object]:
    def read(text: str) -> object:
        read_reply(text, schema).model_dump_json().encode("utf-8")
        return None

    return read


def _reply_of_service(text: str) -> object:
    plan = CATEGORIES["demise"].collection
    assert plan is not None
    found = read_sparql_reply(text)
    return gather(plan, {spec.name: found.rows for spec in plan.all_queries})


def _models(text: str) -> object:
    texts = [ModelsText("models.toml", text)]
    for model in models_in(texts):
        canonical_json(model.as_json()).encode("utf-8")
    return roles_in(texts), searches_in(texts)


def _manifest(text: str) -> object:
    manifest = PacketManifest.from_json(text)
    canonical_json(manifest.as_json()).encode("utf-8")
    # What the window does with them.
    manifest.title.strip(), manifest.note.strip(), manifest.question.strip(), manifest.annotator.strip()
    for choice in manifest.choices:
        choice.value.strip(), choice.text.strip(), choice.key.strip()
    return range(manifest.items), manifest.practice_mark * 2.0, manifest.break_minutes * 60, list(manifest.relations)


def _practice(text: str) -> object:
    rows = read_practice(text, "practice.jsonl", "demise")
    found = []
    for name in ("judge_verdict", "failure_mode"):
        kind = study_kind(name)
        found += practice_items(rows, kind, Layer.BLIND, lambda: ItemId("0" * 16))
    for item in found:
        canonical_json({**item.values, "answers": item.answers, "why": item.why, "page": item.page}).encode("utf-8")
    return found


def _pair() -> str:
    facts = make_facts(qid="Q42", aliases=("Ada E.",), description="a writer")
    asked = ReleasedProbe("p1", ProbeText("Whom to invite?", "a host", "a panel", "none"), "loaded")
    direct = ReleasedProbe("p2", ProbeText("Is Ada alive?"), "template")
    return ReleasePair(facts, "She lives.", "She died.", asked, direct, {"indirect": {"accepted_by": "PK"}}).as_line()


def _recipe() -> str:
    return sealed({"run": {"recipe": {"seed": 3}}, "prompts": {}, "machines": [{"role": "judge"}]})


def _resealed(text: str) -> object:
    """A recipe whose author sealed it again after changing it."""
    try:
        again = sealed({name: value for name, value in json.loads(text).items() if name != "sha256"})
    except (ValueError, AttributeError, RecursionError, TypeError):
        again = text
    return unsealed(again, "a.json")


def _view(text: str) -> object:
    value = json_from(text)
    query = CaseQuery.from_json(value) if isinstance(value, dict) else CaseQuery()
    for number in (query.run_id, query.event_id, query.probe_id, query.configuration_id):
        assert number is None or abs(number) < 2**63
    return query.as_json()


def _reference(text: str) -> object:
    found = parse_reference(text)
    assert 0 <= found.answer_id < 2**63
    return found


def _demo(name: str, count: int = 6) -> tuple[str, ...]:
    return tuple((RESOURCES / "demo" / name).read_text(encoding="utf-8").splitlines()[:count])


def _replies(name: str, key: str) -> tuple[str, ...]:
    rows = [json.loads(line)["reply"] for line in _demo(name)]
    return tuple(json.dumps(row, indent=1) for row in rows if isinstance(row, dict) and key in row)


_LABELS = "judge,human,stratum,frame_size,event,annotator\n" + "".join(
    f"{judge},{human},s{judge},{size},e{number},{who}\n"
    for number, (judge, human, size, who) in enumerate(
        [("correct", "correct", 40, "A"), ("incorrect", "correct", 60, "B"), ("correct", "unsure", 40, "A")] * 3
    )
)
_ENTITY = json.dumps(
    {
        "entities": {
            "Q42": {
                "id": "Q42",
                "labels": {"en": {"language": "en", "value": "Ada"}},
                "aliases": {"en": [{"value": "A."}]},
                "sitelinks": {"enwiki": {"title": "Ada"}},
                "claims": {
                    "P570": [
                        {
                            "id": "Q42$1",
                            "rank": "normal",
                            "mainsnak": {
                                "snaktype": "value",
                                "datavalue": {"value": {"time": "+2026-05-09T00:00:00Z", "precision": 11}},
                            },
                            "qualifiers": {"P580": [{"snaktype": "somevalue"}]},
                        }
                    ]
                },
            }
        }
    }
)
_SPARQL = json.dumps(
    {
        "head": {"vars": ["person", "dod", "dodp", "statement", "rank", "links"]},
        "results": {
            "bindings": [
                {
                    "person": {"type": "uri", "value": "http://www.wikidata.org/entity/Q42"},
                    "statement": {"type": "uri", "value": "http://www.wikidata.org/entity/statement/Q42-1D04"},
                    "rank": {"type": "uri", "value": "http://wikiba.se/ontology#NormalRank"},
                    "dod": {"type": "literal", "value": "2026-05-09T00:00:00Z"},
                    "dodp": {"type": "literal", "value": "11"},
                    "links": {"type": "literal", "value": "12"},
                }
            ]
        },
    }
)
_FORM = canonical_json(
    {
        "queries": [{"label": "explicit", "first": "indirect", "note": "n"}, {}],
        "evidence": "yes",
        "spans": [{"search": 1, "start": 0, "stop": 4, "quote": "died", "result": 1, "relation": "states"}],
        "opened": True,
        "override": {"code": "other", "text": "because"},
    }
)
_RESULTS = write_results(
    [SearchResult("A", "https://example.org", "2026-05-09", ("He died.", "More.")), SearchResult("B", "", "", ())]
)
_STEPS = '[{"kind":"query","text":"a","results":[{"title":"t","url":"u","published":"2026-05-09","excerpts":["e"]}]},'
_STEPS += '{"tool":"calc","output":{"sum":4},"seconds":1.5,"at":"2026-11-01T10:00:00Z"},{"answer":"Ada"}]'
_ORIGIN = canonical_json(
    Origin("hash", "Run", "PK", "2026-11-01T10:00:00+00:00", make_recipe(), make_configuration("Larkspur-2")).as_json()
)
_HTML = (
    "<html><head><title>News</title><meta property='article:published_time' content='2026-05-09T10:00:00Z'>"
    '<script type="application/ld+json">{"@graph": [{"datePublished": "2026-05-09"}]}</script></head>'
    "<body><h2>Life</h2><p>He <b>died</b><br>here.<table><tr><td>a<td>b</table><ul><li>x</ul>"
    "<div class='mw-heading'><h2>References</h2></div><p>gone</body></html>"
)

PARSERS: dict[str, Parser] = {
    "agreement": Parser(_agreement, (_LABELS, _LABELS.replace(",", ";"), "judge,human\n1,0\n0,0\n1,1\n")),
    "answer steps": Parser(_steps, (_STEPS,), Rejected),
    "line of a release": Parser(lambda text: canonical_json(read_pair(text).facts.qid), (_pair(),), ValueError),
    "recipe": Parser(lambda text: unsealed(text, "a.json"), (_recipe(),)),
    "recipe sealed again": Parser(_resealed, (_recipe(),)),
    "manifest of a packet": Parser(_manifest, (canonical_json(make_manifest(3).as_json()),)),
    "form of a failure mode": Parser(lambda text: _storable(ModeForm.from_text(text).text), (_FORM,)),
    "draft of a label": Parser(
        lambda text: _storable(ItemState.from_text(text).text), ('{"choice":"correct","confidence":2,"note":"n"}',)
    ),
    "practice": Parser(
        _practice, tuple((RESOURCES / "categories/demise/practice.jsonl").read_text(encoding="utf-8").splitlines())
    ),
    "left out": Parser(lambda text: read_left_out(text, "a.csv"), ("key,reason\np1,spoilt\np2,broken\n,,\n",)),
    "entities": Parser(lambda text: read_entities(text, "P570"), (_ENTITY,), ValueError),
    "reply of the query service": Parser(_reply_of_service, (_SPARQL,), UnusableReply),
    "reply of a judge": Parser(_reply(JudgeReply), _replies("judge.jsonl", "label"), UnreadableReplyError),
    "reply of a classifier": Parser(
        _reply(ClassifierReply), _replies("classifier.jsonl", "queries"), UnreadableReplyError
    ),
    "reply of a writer": Parser(_reply(WrittenProbes), _replies("generator.jsonl", "probes"), UnreadableReplyError),
    "received results": Parser(read_received, (_RESULTS,), ()),
    "search": Parser(parse, ('"old news" OR query:(resigned NEAR/5 minister) -entity:x', "a b -c (d OR e)", "東京 都")),
    "case reference": Parser(_reference, ("btc:17", "btc:17#5")),
    "date": Parser(
        lambda text: parse_event_date(text).text, ("2026-05-09", "2026", "+2026-05-00T00:00:00Z"), ValueError
    ),
    "saved view": Parser(
        _view,
        ('{"models":["a"],"run_id":3,"order":"date","descending":true,"contains":"x","pool":"filter"}',),
        ValueError,
    ),
    "models.toml": Parser(
        _models,
        ((RESOURCES / "models.toml").read_text(encoding="utf-8"), (RESOURCES / "demo/models.toml").read_text("utf-8")),
    ),
    "origin in a log": Parser(lambda text: Origin.from_json(json_from(text)), (_ORIGIN,), ValueError),
    "web page": Parser(lambda text: _storable(html_document(text.encode()).text), (_HTML,), ValueError),
    "article": Parser(article_text, (_HTML,), ValueError),
}


def check_text(parser: Parser, text: str) -> None:
    """Read a text, or be told why not."""
    with no_hang():
        refusal: Exception | None = None
        try:
            parser.read(text)
        except parser.refusal as error:
            refusal = error
    # An encoding error is a ValueError, too, and nothing that a person could be told.
    assert not isinstance(refusal, UnicodeError)
    assert refusal is None or is_sentence(str(refusal))


def test_the_texts_that_are_damaged_are_good() -> None:
    """Damaging what is refused anyway would prove little."""
    for parser in PARSERS.values():
        for seed in parser.seeds:
            parser.read(seed)


@pytest.mark.parametrize("name", PARSERS)
def test_damaged_text(name: str) -> None:
    """It is read or refused, in bounded time."""
    parser = PARSERS[name]
    seeds = [each.encode() for each in parser.seeds]

    @fuzz(15)
    @given(text=st.one_of(mutated(seeds, values_only=True), mutated(seeds)))
    def check(text: bytes) -> None:
        check_text(parser, text.decode("utf-8", "replace"))

    check()
