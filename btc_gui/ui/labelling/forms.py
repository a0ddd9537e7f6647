"""The forms that exist, by the kind of study they belong to. A new form is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable

from btc_gui.ui.labelling.form import FormContext, LabelForm
from btc_gui.ui.labelling.mode_form import FailureModeForm
from btc_gui.ui.labelling.verdict_form import VerdictForm


def _failure_mode(context: FormContext) -> LabelForm | None:
    # Packets without relations were issued before there was a form: they take no parts.
    return FailureModeForm(context) if context.manifest.relations else None


_FORMS: dict[str, Callable[[FormContext], LabelForm | None]] = {
    "judge_verdict": VerdictForm,
    "failure_mode": _failure_mode,
}


def make_form(context: FormContext) -> LabelForm | None:
    """The form for a packet of this kind; None when there is none, or when the packet asks for more than it shows."""
    form = _FORMS.get(context.manifest.kind)
    return form(context) if form is not None else None
