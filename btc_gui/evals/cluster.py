"""Shards on a Dask cluster. The only place that knows dask.distributed, which is an optional extra."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from btc_gui.errors import InputError, RunError
from btc_gui.evals.messages import EvaluationRequest
from btc_gui.evals.shard_runner import ShardOutcome, run_requests
from btc_gui.progress import Progress

_CONNECT_SECONDS = 30.0
_TICK_SECONDS = 0.5
#: How often a shard that raised an error is given out again. Killed workers are the scheduler's to count.
_RETRIES = 2


def run_shards(
    scheduler: str, work: Mapping[str, tuple[str, Sequence[EvaluationRequest]]], progress: Progress
) -> dict[str, ShardOutcome]:
    """Give every shard (its place for logs, and its requests) to the cluster, and wait for all of them.

    A shard whose worker dies goes to another worker by itself. Cancelling `progress` takes back what has not
    begun; a shard that is going is finished into its logs. Raises `InputError` without the extra, `RunError`
    when the scheduler can't be reached or a shard fails again and again.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(
            "A cluster needs the extra “cluster”.", "Install it with: pip install 'btc_gui[cluster]'."
        ) from error
    try:
        client = Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RunError(
            f"The Dask scheduler {scheduler} can't be reached: {error}.", "Check its address, such as tcp://host:8786."
        ) from error
    # A scheduler takes two tasks of one key for the same: other runs, and earlier tries of this one, have other keys.
    batch = uuid4().hex
    with client:
        futures = {
            client.submit(
                _shard,
                place,
                [each.as_json() for each in requests],
                pure=False,
                retries=_RETRIES,
                key=f"shard-{name}-{batch}",
            ): name
            for name, (place, requests) in work.items()
        }
        outcomes: dict[str, ShardOutcome] = {}
        failed: dict[str, str] = {}
        waiting = list(futures)
        while waiting and not progress.is_cancelled:
            progress.tell(len(futures) - len(waiting), len(futures), f"{len(waiting)} shards on the cluster")
            time.sleep(_TICK_SECONDS)
            for future in [each for each in waiting if each.done()]:
                waiting.remove(future)
                if future.status == "finished":
                    outcomes[futures[future]] = ShardOutcome(**future.result())
                else:
                    failed[futures[future]] = str(future.exception())
        client.cancel(waiting)
    if failed:
        name, reason = next(iter(failed.items()))
        raise RunError(
            f"{len(failed)} of {len(futures)} shards failed; shard {name}: {reason}",
            "What was answered is in the logs. Run again to go on.",
        )
    return outcomes


def _shard(place: str, requests: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """What a worker of the cluster does: start an evaluation worker of its own and feed it."""
    outcome = run_requests([EvaluationRequest.from_json(each) for each in requests], place, Progress())
    return {"asked": outcome.asked, "known": outcome.known, "finished": outcome.finished}
