"""Components of failure modes against counts made by hand, and the cause of every kind of disagreement."""

from __future__ import annotations

import pytest

from btc_gui.domain.component_agreement import (
    Cause,
    ComparedItem,
    Components,
    Passage,
    component_agreement,
    components_of,
    token_f1,
)
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.mode_form import (
    EvidenceAnswer,
    EvidenceSpan,
    ModeForm,
    OverrideCode,
    QueryAnswer,
    QueryLabel,
    Relation,
)
from btc_gui.domain.packet import ItemId
from btc_gui.domain.trajectory import AnswerId

#: One process loads the libraries that they ask.
pytestmark = pytest.mark.xdist_group("oracles")

EXPLICIT, INDIRECT, UNRELATED = QueryClass.EXPLICIT, QueryClass.INDIRECT, QueryClass.UNRELATED
HERE, THERE = Passage(1, 2, "He died on 9 May"), Passage(2, 1, "elsewhere")


def compare(
    machine: Components, human: Components, given: FailureMode | None = None, said: FailureMode | None = None
) -> ComparedItem:
    """An item whose labels are the derived modes, unless others were given."""
    modes = [(mode or parts.mode) for mode, parts in ((said, machine), (given, human))]
    names = [mode.text if mode else "" for mode in modes]
    return ComparedItem(ItemId("0"), AnswerId(1), machine, human, names[0], names[1])


@pytest.mark.parametrize(
    ("item", "cause"),
    [
        (compare(Components((EXPLICIT,), False), Components((EXPLICIT,), False)), None),
        (compare(Components((EXPLICIT,), True, (HERE,)), Components((EXPLICIT,), False)), Cause.EVIDENCE),
        (compare(Components((EXPLICIT,), False), Components((INDIRECT,), True, (HERE,))), Cause.BOTH),
        (compare(Components((INDIRECT,), False), Components((INDIRECT, EXPLICIT), False)), Cause.QUERIES),
        (
            compare(
                Components((EXPLICIT,), False), Components((EXPLICIT,), False, (), "a border"), FailureMode.INDIRECT
            ),
            Cause.OVERRIDE,
        ),
        (
            compare(Components((EXPLICIT,), False), Components((None,), False, (), "an undecided"), FailureMode.NONE),
            Cause.OVERRIDE,
        ),
        (
            compare(
                Components((EXPLICIT,), False), Components((UNRELATED,), False, (), "a border"), FailureMode.INDIRECT
            ),
            Cause.QUERIES,
        ),
        (
            compare(Components((INDIRECT,), False), Components((EXPLICIT,), False), said=FailureMode.REASONING),
            Cause.MACHINE,
        ),
    ],
)
def test_a_disagreement_is_put_down_to_the_component_that_alone_would_undo_it(
    item: ComparedItem, cause: Cause | None
) -> None:
    assert item.cause is cause


def test_all_components_of_a_few_items() -> None:
    from sklearn.metrics import cohen_kappa_score

    both = compare(
        Components((EXPLICIT, UNRELATED), True, (HERE,)),
        Components((EXPLICIT, INDIRECT), True, (Passage(1, 2, "died on 9 May 2026"),)),
    )
    apart = compare(Components((UNRELATED,), True, (HERE,)), Components((UNRELATED,), True, (THERE,)))
    only_machine = compare(Components((INDIRECT, INDIRECT), True, (HERE,)), Components((INDIRECT, UNRELATED), False))
    neither = compare(Components((EXPLICIT,), False), Components((EXPLICIT,), False))
    unsure = compare(
        Components((UNRELATED, INDIRECT), False),
        Components((None, UNRELATED), None, (), "undecided"),
        given=FailureMode.NONE,
    )
    items = [both, apart, only_machine, neither, unsure]
    found = component_agreement(items, {"no parts were given": 2})
    assert found.evidence.matrix.counts == ((2, 1), (0, 1))
    assert found.evidence.matrix.left_out == {"unsure": 1}
    # Classifier and human, by first letters: EE, UI, UU, II, IU, EE, and of the unsure item only IU.
    assert found.queries.matrix.counts == ((2, 0, 0), (0, 1, 2), (0, 1, 1))
    kappa, alpha = found.query_statistics
    expected = cohen_kappa_score(list("EUUIIEI"), list("EIUIUEU"))
    assert kappa.value == pytest.approx(expected)
    assert alpha.value is not None
    same, f1 = found.passages
    assert same.count == (1, 2)
    # "he died on 9 may" and "died on 9 may 2026": 4 words in common of 5 and 5. The other pair has none.
    assert f1.value == pytest.approx((2 * 4 / 10 + 0) / 2)
    assert found.overrides.count == (1, 5)
    # Of the derived modes by first letters: RR, RR, RI, EE; the undecided one is left out.
    assert found.derived.matrix.counts == ((2, 0, 1, 0), (0, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    assert found.causes == {Cause.EVIDENCE: 1, Cause.OVERRIDE: 1}
    assert found.derived.find("precision:Explicit") is None


def test_nothing_to_compare_has_reasons() -> None:
    found = component_agreement([], {})
    for statistic in (*found.query_statistics, *found.passages, found.overrides, *found.evidence.statistics):
        assert statistic.value is None
        assert statistic.reason


def test_only_the_relations_of_the_design_make_evidence() -> None:
    form = ModeForm(
        queries=(QueryAnswer(QueryLabel.INDIRECT), QueryAnswer(QueryLabel.UNSURE)),
        evidence=EvidenceAnswer.YES,
        spans=(EvidenceSpan(1, 0, 4, "died", 1, relation=Relation.SUGGESTS),),
        override=OverrideCode.BORDER,
        override_text="stands between",
    )
    strict = components_of(form, ("states", "entails"))
    assert (strict.queries, strict.evidence, strict.passages) == ((INDIRECT, None), False, ())
    assert strict.override.endswith("stands between")
    wide = components_of(form, ("states", "suggests"))
    assert (wide.evidence, wide.passages, wide.mode) == (True, (Passage(1, 1, "died"),), FailureMode.REASONING)
    assert components_of(ModeForm(evidence=EvidenceAnswer.UNSURE), ("states",)).evidence is None


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("a b b", "b b b c", 2 * 2 / 7), ("", "a", 0), ("", "", 0), ("Été, 死", "été 死!", 1)],
)
def test_words_in_common_count_with_their_repetitions(first: str, second: str, expected: float) -> None:
    assert token_f1(first, second) == pytest.approx(expected)
