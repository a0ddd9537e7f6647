"""Wikidata's replies: whole ones are read, everything else is named for what it is and never used in part."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from btc_gui.errors import ServiceError
from btc_gui.remote.http import RefusedError, TimedOutError, WebClient
from btc_gui.remote.wikidata import Wikidata
from btc_gui.settings import Settings
from tests.fakes.mediawiki import WikiWorld, mediawiki
from tests.fakes.patience import Impatient
from tests.fakes.service_faults import FaultyServer
from tests.fakes.wdqs import QueryWorld, Table, wdqs

QUERY = 'SELECT ?person ?date WHERE { FILTER(?date >= "2026-05-01T00:00:00Z" && ?date < "2026-06-01T00:00:00Z") }'


def _row(qid: str, day: str) -> dict[str, dict[str, str]]:
    return {
        "person": {"type": "uri", "value": f"http://www.wikidata.org/entity/{qid}"},
        "date": {"type": "literal", "value": f"{day}T00:00:00Z"},
    }


WORLD = [_row(f"Q{number}", f"2026-05-{number:02d}") for number in range(1, 29)]


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with wdqs(QueryWorld([Table(("person", "date"), WORLD, "date")])) as made:
        yield made


@pytest.fixture
def progress() -> Impatient:
    return Impatient()


@pytest.fixture
def wikidata(server: FaultyServer, progress: Impatient) -> Iterator[Wikidata]:
    settings = Settings(services={"wdqs": f"{server.address}/sparql", "qlever": f"{server.address}/sparql"})
    with WebClient("curator@example.org", progress) as client:
        yield Wikidata(client, settings)


def test_a_whole_reply_is_read(wikidata: Wikidata, server: FaultyServer) -> None:
    """The rows, and the text as it came; asked by POST with the results' own content type."""
    answer = wikidata.query(QUERY, ("person", "date"))
    assert len(answer.bindings) == 28
    assert '"bindings"' in answer.text
    assert server.asked[0].headers["accept"] == "application/sparql-results+json"
    assert wikidata.data_date() == "2026-11-30T01:00:00Z"


def test_an_empty_result_is_no_failure(wikidata: Wikidata) -> None:
    """Nothing happened in that time: 0 rows, whole."""
    assert wikidata.query(QUERY.replace("2026-", "2025-"), ("person", "date")).bindings == ()


@pytest.mark.parametrize("fault", ["cut", "short"])
def test_a_cut_reply_is_a_time_out_and_not_used(wikidata: Wikidata, server: FaultyServer, fault: str) -> None:
    """Status 200, JSON that breaks off: its rows are counted for the sentence and thrown away."""
    server.give_faults(fault)
    with pytest.raises(TimedOutError, match=r"after about \d\d rows; none of them is used") as refused:
        wikidata.query(QUERY, ("person", "date"))
    assert refused.value.body
    assert len(server.asked) == 1


@pytest.mark.parametrize("fault", ["out-of-time", "qlever-out-of-time"])
def test_time_outs_ask_for_less(wikidata: Wikidata, server: FaultyServer, fault: str) -> None:
    """500 with the trace and QLever's 429: each is a time-out, at once."""
    server.give_faults(fault)
    with pytest.raises(TimedOutError):
        wikidata.query(QUERY, ("person", "date"))
    assert len(server.asked) == 1


def test_a_mistake_in_the_query_is_final(wikidata: Wikidata, server: FaultyServer, progress: Impatient) -> None:
    """It is shown and not tried again."""
    server.give_faults("malformed")
    with pytest.raises(RefusedError, match=r"MalformedQueryException.*not tried again"):
        wikidata.query(QUERY, ("person", "date"))
    assert len(server.asked) == 1
    assert progress.waits == []


@pytest.mark.parametrize("fault", ["prose", "page"])
def test_prose_with_status_200_is_a_refusal(wikidata: Wikidata, server: FaultyServer, fault: str) -> None:
    """Not an empty result; whoever is under maintenance has nothing against our contact."""
    server.give_faults(fault)
    with pytest.raises(RefusedError, match=r"instead of results.*(user-agent|maintenance)") as refused:
        wikidata.query(QUERY, ("person", "date"))
    assert ("--contact" in refused.value.remedy) is (fault == "prose")


@pytest.mark.parametrize("fault", ["prose", "forbidden", "malformed"])
def test_a_refusal_is_final_for_the_date_of_the_data_too(wikidata: Wikidata, server: FaultyServer, fault: str) -> None:
    """It is the first request of a collection; only a date that takes too long is done without."""
    server.give_faults(fault, "out-of-time")
    with pytest.raises(RefusedError):
        wikidata.data_date()
    assert wikidata.data_date() == ""


def test_other_columns_are_another_answer(wikidata: Wikidata, server: FaultyServer) -> None:
    """The variables must be those that were asked for."""
    server.give_faults("other-columns")
    with pytest.raises(ServiceError, match="another query"):
        wikidata.query(QUERY, ("person", "date"))


def test_limits_are_waited_out_here_too(wikidata: Wikidata, server: FaultyServer, progress: Impatient) -> None:
    """A limit is neither an empty result nor an end."""
    server.give_faults("limited", "overloaded")
    assert len(wikidata.query(QUERY, ("person", "date")).bindings) == 28
    assert progress.waits == [7.0, 5.0]


def test_the_hint_is_for_the_query_service_only(server: FaultyServer) -> None:
    """On QLever it would be a triple that matches nothing: no rows, without an error."""
    with WebClient("curator@example.org", Impatient()) as client:
        assert Wikidata(client, Settings()).range_hint.startswith("hint:Prior")
        assert Wikidata(client, Settings(query_service="qlever")).range_hint == ""
        assert Wikidata(client, Settings(), "qlever").address == "https://qlever.dev/api/wikidata"


def _item(number: int) -> dict[str, object]:
    return {"id": f"Q{number}", "sitelinks": {"enwiki": {"title": f"Person {number}"}}}


def test_items_come_fifty_a_call_with_what_they_are_now() -> None:
    """Merged items give the id of today; missing ones are left out; limits in the JSON are waited out."""
    world = WikiWorld(items={f"Q{n}": _item(n) for n in range(1, 121)}, merged={"Q500": "Q3"})
    progress = Impatient()
    with mediawiki(world) as server, WebClient("curator@example.org", progress) as client:
        wikidata = Wikidata(client, Settings(services={"wikidata": f"{server.address}/w/api.php"}))
        server.give_faults("maxlag", "ratelimited")
        found = wikidata.items([*(f"Q{n}" for n in range(1, 121)), "Q500", "Q999"])
        assert len(found) == 121
        assert found["Q500"]["id"] == "Q3"
        assert "Q999" not in found
        assert len(server.asked) == 5
        assert progress.waits == [5.0, 5.0]
        assert wikidata.items_of_articles(["Person 7", "Nobody"]) == {"Person 7": "Q7"}
        server.give_faults("short")
        with pytest.raises(ServiceError, match="broke off"):
            wikidata.items(["Q1"])
        server.give_faults("page")
        with pytest.raises(RefusedError, match="maintenance"):
            wikidata.items(["Q1"])
