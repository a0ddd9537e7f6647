"""Cards of cases from a project's rows. A case of an open study has none: a card tells verdict and mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.case import CaseRow
from btc_gui.domain.case_card import (
    ANSWER_CHARACTERS,
    DIRECT_CHARACTERS,
    CardEvidence,
    CardQuery,
    CaseCard,
    DirectAnswer,
    excerpt,
)
from btc_gui.domain.category import Category
from btc_gui.domain.configuration_titles import configuration_titles
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.studies.label_words import label_text
from btc_gui.domain.timeline import newest_published, published_date
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.progress import Progress
from btc_gui.sessions.case_side import Side
from btc_gui.sessions.comparing import ComparingSession
from btc_gui.store.answers import AnswerStore
from btc_gui.store.case_labels import case_labels
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore
from btc_gui.store.studies import StudyStore

_IN_STUDY = "Not shown: it is part of a study that is still open."


@dataclass(frozen=True, slots=True)
class CaseCards:
    """The cards of some cases, in their order; `in_study` are those without one, since a study over them is open."""

    cards: tuple[CaseCard, ...]
    in_study: tuple[AnswerId, ...]


def case_cards(
    database: Database, categories: Mapping[str, Category], ids: Sequence[AnswerId], progress: Progress
) -> CaseCards:
    """Make the cards. Raises `ProjectError` when one of the cases does not exist."""
    maker = _Maker(database, categories)
    cards: list[CaseCard] = []
    in_study: list[AnswerId] = []
    for number, answer_id in enumerate(ids):
        progress.report(number, len(ids), "case cards")
        if maker.is_in_open_study(answer_id):
            in_study.append(answer_id)
        else:
            cards.append(maker.card(answer_id))
    progress.report(len(ids), len(ids), "case cards")
    return CaseCards(tuple(cards), tuple(in_study))


class _Maker:
    """Makes cards of one project; titles of configurations are read once."""

    def __init__(self, database: Database, categories: Mapping[str, Category]) -> None:
        self._database, self._categories = database, categories
        self._cases, self._studies = CaseStore(database), StudyStore(database)
        self._titles = configuration_titles(RunStore(database).configurations())

    def is_in_open_study(self, answer_id: AnswerId) -> bool:
        return bool(self._studies.open_over([answer_id]))

    def card(self, answer_id: AnswerId) -> CaseCard:
        session = ComparingSession(self._database, self._categories)
        session.open(answer_id)
        side, case = session.left, session.left.case
        category = self._categories.get(case.category)
        facts = session.event.facts if session.event else None
        direct, no_direct = self._direct(case)
        asked = published_date(side.told_date)
        answer = side.trajectory.answer
        mentions = next((side.mentions(step) for step in side.trajectory.steps if step.text == answer), [])
        return CaseCard(
            reference=case.reference,
            change=session.change,
            before=category.fact_before(facts) if category and facts else "",
            source=facts.source if facts else "",
            kind=case.kind_text,
            probe=case.probe_text,
            configuration=self._titles.get(case.configuration_id, case.configuration.title)
            + (f" · answer {case.repetition}" if case.repetition > 1 else ""),
            asked=asked.text if asked else "",
            direct=direct,
            no_direct=no_direct,
            queries=_queries(side),
            evidence=_evidence(side),
            no_evidence=_no_evidence(side),
            answer=excerpt(answer, mentions, ANSWER_CHARACTERS),
            ending="" if case.ending is Ending.ANSWERED else _ending(side),
            mode=case.mode.text if case.mode else "",
            mode_reason=_mode_reason(side),
            verdicts=self._verdicts(side),
            hides_queries=case.hides_queries,
        )

    def _direct(self, case: CaseRow) -> tuple[DirectAnswer | None, str]:
        """The direct answer of the same configuration: of the same repetition where there is one."""
        if case.kind is not ProbeKind.INDIRECT:
            return None, ""
        rows = self._cases.fetch(self._cases.relatives(case.answer_id))
        same = [
            row
            for row in rows.values()
            if row.kind is ProbeKind.DIRECT and row.configuration_id == case.configuration_id
        ]
        if not same:
            return None, "This configuration was not asked directly."
        row = min(same, key=lambda each: (each.repetition != case.repetition, each.repetition, each.answer_id))
        if self.is_in_open_study(row.answer_id):
            return None, _IN_STUDY
        answer = AnswerStore(self._database).get(row.answer_id).answer
        told = (
            f"judged {row.label.value}" if row.label else row.ending.text if row.ending is not Ending.ANSWERED else ""
        )
        return DirectAnswer(row.reference, row.probe_text, excerpt(answer, [], DIRECT_CHARACTERS), told), ""

    def _verdicts(self, side: Side) -> tuple[str, ...]:
        verdict = side.verdict
        machine = []
        if verdict is not None:
            said = verdict.label.value if verdict.label else f"unscored: {verdict.unscored}"
            machine = [f"{_capital(said)}, by the judge {verdict.judge}."]
        people = [
            f"{_capital(label_text(each.kind, each.given.label))}, by {each.annotator} in the study “{each.study}”."
            for each in case_labels(self._database, side.case.answer_id)
            if each.is_first and not each.is_repeat
        ]
        return (*machine, *people)


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _queries(side: Side) -> tuple[CardQuery, ...]:
    found = []
    for number, step in enumerate(side.trajectory.queries, start=1):
        kind = side.query_class(step)
        found.append(
            CardQuery(number, step.text, kind.value if kind else "", len(step.results), newest_published(step))
        )
    return tuple(found)


def _evidence(side: Side) -> tuple[CardEvidence, ...]:
    found: list[CardEvidence] = []
    first = None
    for number, step in enumerate(side.trajectory.queries, start=1):
        evidence = side.evidence(step)
        for result in step.results:
            if result.id not in evidence:
                continue
            first = first if first is not None else result.id
            day = published_date(result.published)
            published = day.text if day else ""
            found += [
                CardEvidence(number, each.excerpt, result.title, result.url, published, result.id == first)
                for each in evidence[result.id]
            ]
    return tuple(found)


def _no_evidence(side: Side) -> str:
    if not side.trajectory.queries:
        return "It received no results."
    if side.classification is None and not side.marks:
        return "Not classified: nobody has looked for evidence in what it received."
    return "None was found in what it received."


def _ending(side: Side) -> str:
    reason = side.trajectory.ending_reason
    words = side.case.ending.text
    return f"{_capital(words)}{f': {reason}' if reason else ''}"


def _mode_reason(side: Side) -> str:
    found = side.classification
    if side.case.mode is None or found is None:
        return ""
    if found.by_construction:
        return "by construction: it issued no query"
    return " · ".join(part for part in (found.trace.partition(";")[0], f"by the classifier {found.classifier}") if part)
