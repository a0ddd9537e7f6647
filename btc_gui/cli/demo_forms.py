"""The form of a failure mode as the demo's annotator fills it in: the classifier's findings, looked at again."""

from __future__ import annotations

from dataclasses import replace

from btc_gui.domain.evidence import locate
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.mode_form import EvidenceAnswer, ModeForm, OverrideCode, QueryAnswer, QueryLabel, make_span
from btc_gui.domain.packet import PacketItem, PacketManifest

#: The class of a query that leads to a mode, where the annotator saw another one than the classifier.
_CLASS_FOR = {
    FailureMode.EXPLICIT.value: QueryLabel.EXPLICIT,
    FailureMode.INDIRECT.value: QueryLabel.INDIRECT,
    FailureMode.NONE.value: QueryLabel.UNRELATED,
}


def answers_for(item: PacketItem, label: str, manifest: PacketManifest) -> str:
    """The parts that lead to `label`: as the classifier has them where they do, else with other classes.

    Empty where the packet asks for no parts.
    """
    if not manifest.relations or label not in list(FailureMode):
        return ""
    mode, searches = FailureMode(label), item.searches()
    form = ModeForm(tuple(QueryAnswer(QueryLabel(search.finding or "unrelated")) for search in searches))
    form = form.answered(EvidenceAnswer.NO)
    if mode is FailureMode.REASONING:
        form = _with_evidence(form, item)
    elif form.derived(manifest.relations).mode is not mode:
        classes = [
            _CLASS_FOR[mode] if number == 0 or mode is FailureMode.NONE else QueryLabel.UNRELATED
            for number in range(len(searches))
        ]
        form = replace(form, queries=tuple(QueryAnswer(each) for each in classes))
    if form.derived(manifest.relations).mode is not mode:
        form = form.overridden(OverrideCode.OTHER, "Invented for the demo.")
    return form.text


def _with_evidence(form: ModeForm, item: PacketItem) -> ModeForm:
    for number, search in enumerate(item.searches(), start=1):
        for excerpt in item.excerpts():
            place = locate(excerpt.text, search.received)
            if place is not None:
                form = form.with_passage(make_span(number, search.received, *place))
    return form
