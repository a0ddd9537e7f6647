"""What a judge is asked to return.

Apart from the verdict, which every page reads: only who asks a model loads pydantic.
"""

from __future__ import annotations

from pydantic import BaseModel, Field

from btc_gui.domain.verdict import Label


class JudgeReply(BaseModel):
    """What the judge is asked to return. `names_entity`: does the answer mention the entity at all?"""

    rationale: str = Field(description="One or two sentences: why the answer gets this label.")
    names_entity: bool = Field(description="Whether the answer mentions the entity by any of its names.")
    label: Label = Field(description="correct when the answer is consistent with the change, else incorrect.")
