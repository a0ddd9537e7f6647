"""What the recipe of a run must be made of, so that a stranger's can be planned: texts, numbers that mean something."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.run import Purpose
from btc_gui.errors import InputError

_Words = Annotated[str, Field(max_length=1_000)]
#: A day, or none.
_Day = Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]
_Count = Annotated[int, Field(ge=0, le=10_000_000)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class _Settings(_Strict):
    current_date: _Day
    purpose: Annotated[Purpose, Field(strict=False)]
    at_once: Annotated[int, Field(ge=1, le=1_000)] = 1
    message_limit: _Count = 0
    seconds_limit: _Count = 0
    latency: Annotated[float, Field(ge=0, le=3_600)] = 0.0
    sample: _Words = ""
    max_cost: Annotated[float | None, Field(ge=0, allow_inf_nan=False)] = None

    @model_validator(mode="after")
    def _has_a_day(self) -> _Settings:
        date.fromisoformat(self.current_date)
        return self


class _Configuration(_Strict):
    model: _Words
    harness: Annotated[Harness, Field(strict=False)]
    effort: Annotated[Effort, Field(strict=False)]
    search: _Words
    prompt_hash: _Words
    as_of: _Day
    settings: dict[str, str]
    identity: str
    probes: list[_Count]


class _Probe(_Strict):
    key: str
    text_sha256: str
    facts_sha256: str


class _Run(_Strict):
    name: _Words
    recipe: _Settings
    repetitions: Annotated[int, Field(ge=1, le=1_000)]
    configurations: list[_Configuration]
    probes: list[_Probe]

    @model_validator(mode="after")
    def _names_its_probes(self) -> _Run:
        if any(number >= len(self.probes) for each in self.configurations for number in each.probes):
            raise ValueError("a configuration names a probe that is not in the list")
        return self


class _Sample(_Strict):
    items_sha256: str


class _Whole(_Strict):
    versions: dict[str, str]
    run: _Run
    sample: _Sample | None
    prompts: dict[str, str]


def check_shape(recipe: Mapping[str, Any]) -> None:
    """Raise `InputError`, naming the place, when a recipe lacks something or holds something else in its place."""
    try:
        _Whole.model_validate(recipe)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(each) for each in first["loc"])[:100]
        raise InputError(f"The recipe can't be read: {place}: {first['msg']}.", "Export it again.") from error
