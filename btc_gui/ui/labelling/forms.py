"""The forms that exist, by the kind of study they belong to. A new form is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable

from btc_gui.ui.labelling.form import FormContext, LabelForm
from btc_gui.ui.labelling.verdict_form import VerdictForm

_FORMS: dict[str, Callable[[FormContext], LabelForm]] = {
    "judge_verdict": VerdictForm,
}


def make_form(context: FormContext) -> LabelForm | None:
    """The form for a packet of this kind; None when there is none, or when the packet asks for more than it shows."""
    form = _FORMS.get(context.manifest.kind)
    return form(context) if form is not None else None
