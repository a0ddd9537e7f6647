"""What of a backend's results reaches the agent: the as-of day and the limits on number and length."""

from __future__ import annotations

from dataclasses import dataclass, replace

from btc_gui.domain.search_settings import SearchSettings, last_day
from btc_gui.domain.trajectory import SearchResult
from btc_gui.evals.search.backend import Found


@dataclass(frozen=True, slots=True)
class Shown:
    """What the agent is shown, and how many better ones it is not: published after the as-of, or undated."""

    results: tuple[SearchResult, ...]
    dropped: int = 0


def shown(found: Found, settings: SearchSettings) -> Shown:
    """The best results that the settings allow. Those below the last one shown are not counted as dropped."""
    kept: list[SearchResult] = []
    dropped = 0
    for result in found.results:
        if settings.results and len(kept) == settings.results:
            break
        if _is_allowed(result, settings):
            kept.append(replace(result, excerpts=_cut(result.excerpts, settings.characters)))
        else:
            dropped += 1
    return Shown(tuple(kept), dropped)


def _is_allowed(result: SearchResult, settings: SearchSettings) -> bool:
    if not settings.as_of:
        return True
    if last_day(result.published) is None:
        return settings.keep_undated
    return not settings.is_later(result.published)


def _cut(excerpts: tuple[str, ...], limit: int) -> tuple[str, ...]:
    """The first excerpts of together `limit` characters; the last one may end early, with an ellipsis."""
    if not limit:
        return excerpts
    kept: list[str] = []
    left = limit
    for text in excerpts:
        if left <= 0:
            break
        kept.append(text if len(text) <= left else text[: left - 1].rstrip() + "…")
        left -= len(text)
    return tuple(kept)
