"""Requests to Wikimedia: our own name, one at a time, and the patience that services ask for."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from btc_gui.errors import ServiceError, SettingsError
from btc_gui.progress import Cancelled, Progress
from btc_gui.remote.bans import banned_until, remember_ban
from btc_gui.remote.http import (
    BACK_OFF,
    RefusedError,
    Reply,
    ServicePausedError,
    TimedOutError,
    WebClient,
    retry_after,
    user_agent,
)
from tests.fakes.patience import Impatient
from tests.fakes.service_faults import FaultyServer, Given

CONTACT = "curator@example.org"


def _server() -> FaultyServer:
    return FaultyServer(lambda asked: Given('{"all": "well"}' + " " * 2_000))


def _ask(client: WebClient, server: FaultyServer) -> Reply:
    return client.post("The service", server.address, {"query": "x"}, "application/json")


@pytest.mark.parametrize("contact", ["", "   ", "me", "a@b", "http://", "curator at example.org"])
def test_without_a_contact_nothing_is_asked(contact: str) -> None:
    """Wikimedia wants to know whom to write to; the sentence says where to set it."""
    with pytest.raises(SettingsError, match="contact") as refused:
        WebClient(contact, Progress())
    assert "Settings" in str(refused.value)


def test_a_contact_can_be_an_address_of_a_page() -> None:
    """An e-mail address or a page; what can't travel in a header is refused."""
    assert "(https://example.org/~me)" in user_agent("https://example.org/~me")
    with pytest.raises(SettingsError, match="ASCII"):
        user_agent("jürgen@example.org")
    with pytest.raises(SettingsError, match="ASCII"):
        user_agent("a@example.org\r\nX-Evil: 1")


def test_requests_carry_our_name_and_are_unpacked() -> None:
    """The agent names program, contact and library."""
    with _server() as server, WebClient(CONTACT, Progress()) as client:
        reply = _ask(client, server)
        assert reply.text.startswith('{"all": "well"}')
        assert server.asked[0].headers["user-agent"].startswith("btc_gui/")
        assert f"({CONTACT}) python-requests/" in server.asked[0].headers["user-agent"]
        assert server.asked[0].headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("fault", "least", "most"),
    [("limited", 7, 7), ("limited-date", 20, 41), ("limited-zero", 1, 1), ("limited-text", 9, 9)],
)
def test_a_rate_limit_is_waited_out(fault: str, least: float, most: float) -> None:
    """Seconds, an HTTP date or the text say how long; never less than a second."""
    progress, said = Impatient(), list[str]()
    with _server() as server, WebClient(CONTACT, progress, said.append) as client:
        server.give_faults(fault)
        assert _ask(client, server).status == 200
    assert len(progress.waits) == 1
    assert least <= progress.waits[0] <= most
    assert "asks to slow down" in said[0]


def test_three_limits_in_a_row_pause_the_work() -> None:
    """Somebody must look: the sentence says that nothing is lost."""
    progress = Impatient()
    with _server() as server, WebClient(CONTACT, progress) as client:
        server.give_faults("limited", "limited", "limited")
        with pytest.raises(ServicePausedError, match=r"3 times in a row.*kept"):
            _ask(client, server)
        assert len(server.asked) == 3
        assert progress.waits == [7.0, 7.0]


@pytest.mark.parametrize("fault", ["overloaded", "gateway", "gateway-timeout", "dropped"])
def test_overload_and_lost_connections_are_tried_again(fault: str) -> None:
    """After waits that grow from 5 to 60 seconds; then it is said that the service is away."""
    progress = Impatient()
    with _server() as server, WebClient(CONTACT, progress) as client:
        server.give_faults(fault, fault)
        assert _ask(client, server).status == 200
        assert progress.waits == list(BACK_OFF[:2])
        server.give_faults(*[fault] * 5)
        with pytest.raises(ServiceError, match=r"can't be reached.*kept"):
            _ask(client, server)


def test_nobody_there_is_a_sentence() -> None:
    """A service that is down is said to be."""
    with _server() as server:
        address = server.address
    with WebClient(CONTACT, Impatient()) as client, pytest.raises(ServiceError, match="nobody answers there"):
        client.post("The service", address, {}, "application/json")


def test_a_ban_is_kept_until_its_end_also_by_a_new_client() -> None:
    """Asking sooner prolongs a ban: until its end no request leaves, whoever starts the program again."""
    with _server() as server:
        with WebClient(CONTACT, Impatient()) as client:
            server.give_faults("ban")
            with pytest.raises(ServicePausedError, match=r"has banned this program until .*\d\d:\d\d \(your time\)"):
                _ask(client, server)
        host = server.address.removeprefix("http://")
        until = banned_until(host)
        assert until is not None
        assert timedelta(minutes=58) < until - datetime.now(UTC) < timedelta(minutes=61)
        with WebClient(CONTACT, Impatient()) as another, pytest.raises(ServicePausedError, match="banned"):
            _ask(another, server)
        assert len(server.asked) == 1
        remember_ban(host, datetime.now(UTC) - timedelta(seconds=1))
        with WebClient(CONTACT, Impatient()) as later:
            assert _ask(later, server).status == 200


def test_a_refusal_that_is_no_ban_points_to_the_contact() -> None:
    """403 without an end is about who we are."""
    with _server() as server, WebClient(CONTACT, Impatient()) as client:
        server.give_faults("forbidden")
        with pytest.raises(RefusedError, match=r"refused the request \(403\).*Contact"):
            _ask(client, server)
        assert len(server.asked) == 1


@pytest.mark.parametrize(("fault", "words"), [("silent", "No answer within"), ("stalls", "stopped|No answer")])
def test_silence_is_a_time_out(fault: str, words: str) -> None:
    """The query service thinks for a minute at most; longer is a time-out, not a lost connection.

    Before the answer or in the middle of it: asked once, as asking the same again would take as long.
    """
    with _server() as server, WebClient(CONTACT, Impatient(), read_seconds=0.2) as client:
        server.give_faults(fault)
        with pytest.raises(TimedOutError, match=words):
            _ask(client, server)
        assert len(server.asked) == 1


def test_cancelling_does_not_wait_for_a_silent_service() -> None:
    """Who cancels is free at once, though the service has not answered."""
    progress = Progress()
    with _server() as server, WebClient(CONTACT, progress, read_seconds=60) as client:
        server.give_faults("silent")
        threading.Timer(0.1, progress.cancel).start()
        with pytest.raises(Cancelled):
            _ask(client, server)


def test_one_request_at_a_time() -> None:
    """Several jobs ask one host one after the other."""
    with _server() as server:

        def work() -> None:
            with WebClient(CONTACT, Progress()) as client:
                for _ in range(5):
                    _ask(client, server)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.asked) == 20
        assert server.most_at_once == 1


def test_a_very_long_wait_is_left_to_the_person() -> None:
    """A service that wants hours gets them, without a job that hangs."""
    far = Reply(429, {"retry-after": "7200"}, "", 0.1)
    assert retry_after(far) == 7_200
    with FaultyServer(lambda _: Given("", 429, headers={"Retry-After": "7200"})) as server:
        with WebClient(CONTACT, Impatient()) as client, pytest.raises(ServicePausedError, match="2 hours"):
            _ask(client, server)
        assert len(server.asked) == 1
