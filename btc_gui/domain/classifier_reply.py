"""What the classifier is asked to return: a class for each query, and excerpts that it says reveal the change."""

from __future__ import annotations

from pydantic import BaseModel, Field

from btc_gui.domain.failure_mode import QueryClass


class EvidenceClaim(BaseModel):
    """An excerpt that the classifier says reveals the change. It counts once it is found in that result."""

    result: int = Field(description="The number of the search result, as printed before it.")
    excerpt: str = Field(description="The words that reveal the change, copied from that result without changes.")


class QueryFinding(BaseModel):
    """The classifier's class of one query."""

    query: int = Field(description="The number of the query, as printed before it.")
    label: QueryClass = Field(description="What this query could reveal about the change.")


class ClassifierReply(BaseModel):
    """What the classifier is asked to return: every query exactly once, evidence only where there is some."""

    rationale: str = Field(description="Two or three sentences: how the search missed or ignored the change.")
    evidence: list[EvidenceClaim] = Field(description="Excerpts that reveal the change; empty when there is none.")
    queries: list[QueryFinding] = Field(description="One entry for each query, in order.")
