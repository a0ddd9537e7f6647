"""One text that tries everything, in every place of a project that holds text from outside."""

from __future__ import annotations

from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind, ProbeText
from btc_gui.domain.review import Action
from btc_gui.domain.trajectory import AnswerId, SearchResult
from btc_gui.domain.verdict import Label
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.case_tags import CaseTagStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.saved_filters import SavedFilterStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, make_configuration, make_query, make_trajectory

#: A formula, markup that loads and runs, commands of LaTeX and Markdown, of a terminal, a name that climbs, marks
#: that turn the direction, a line end.
PLANTED = (
    "=HYPERLINK(\"http://x.test\")<b>bold</b><script>alert(1)</script><img src='http://x.test/p.png'>"
    "![p](http://x.test/p.png)\\input{/etc/passwd}\\write18{x} $x$ 100% "
    "../../up \x1b]0;owned\x07\u202egpj.exe\u2066\nend"
)


def plant(database: Database) -> list[AnswerId]:
    """Put `PLANTED` everywhere: facts, wordings, answers, verdicts, what people wrote. Gives the cases."""
    ProjectStore(database).set_value("name", PLANTED)
    event = add_event(
        database,
        entity=PLANTED,
        source=PLANTED,
        article=PLANTED,
        description=PLANTED,
        position=PLANTED,
        note=PLANTED,
        country=PLANTED,
        aliases=(PLANTED,),
    )
    indirect = add_probe(database, event, PLANTED)
    direct = add_probe(database, event, f"{PLANTED} still?", ProbeKind.DIRECT)
    content = ProbeText(f"{PLANTED}!", PLANTED, PLANTED, PLANTED)
    ReviewStore(database).decide(indirect.id, indirect.revision_id, Action.EDIT, PLANTED, edited=content)
    configuration = make_configuration(PLANTED)
    result = SearchResult(PLANTED, "javascript:alert(1)", PLANTED, (PLANTED,))
    trajectory = make_trajectory(PLANTED, [make_query(PLANTED, result)] * 2, reasoning=PLANTED)
    _, failed = add_answers(database, indirect, [trajectory, make_trajectory("", [])], configuration)
    _, right = add_answers(database, direct, [make_trajectory(PLANTED)], configuration)
    verdicts = VerdictStore(database)
    for answer, label in ((failed[0], Label.INCORRECT), (right[0], Label.CORRECT)):
        verdicts.add(NewVerdict(answer, PLANTED, None, label, names_entity=True, rationale=PLANTED))
    ClassificationStore(database).add(
        NewClassification(failed[0], PLANTED, None, FailureMode.REASONING, trace=PLANTED, rationale=PLANTED)
    )
    CaseNoteStore(database).add(failed[0], PLANTED, PLANTED)
    CaseTagStore(database).add(failed[:1], f"<img src=x>{PLANTED[-20:]}", PLANTED)
    collections = CaseCollectionStore(database)
    collections.add(collections.create(PLANTED[:100], PLANTED, PLANTED), [*failed, *right], PLANTED)
    SavedFilterStore(database, "cases").save(PLANTED[:100], {"contains": "x"})
    return [*failed, *right]
