"""Requests to the services of Wikimedia: one at a time, under our own name, as patient as they ask us to be.

Rules: https://www.mediawiki.org/wiki/API:Etiquette and the query service's limits. Rate limits (429), overload
(502, 503, 504) and a lost connection are waited out; a ban (403 with its end) is kept until that time.
"""

from __future__ import annotations

import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

import requests

from btc_gui import __version__
from btc_gui.domain.dates import day_words
from btc_gui.errors import ServiceError, SettingsError
from btc_gui.known_secrets import address_problem, secrets_in
from btc_gui.progress import Progress
from btc_gui.remote.bans import banned_until, remember_ban

#: Seconds: to connect; between two parts of a reply (the query service thinks for up to 60); for all of a reply.
CONNECT_SECONDS: Final = 10.0
READ_SECONDS: Final = 75.0
WHOLE_SECONDS: Final = 180.0
#: Waits before a request is made again after an overload or a lost connection (5–60 s).
BACK_OFF: Final = (5.0, 15.0, 30.0, 60.0)
#: A reply can say “retry in 0 seconds”.
LEAST_WAIT: Final = 1.0
#: Longer waits are left to the person: the work stops in order and goes on later.
LONGEST_WAIT: Final = 600.0
_LIMITED_IN_A_ROW: Final = 3
_BAN_WITHOUT_END: Final = timedelta(hours=24)
_TRIES_A_MINUTE: Final = 1_200
#: A service that has more to say is asked for less. What it packed is unpacked in pieces (urllib3 does so from 2.6 on).
_LARGEST: Final = 64_000_000

_OVERLOADED = frozenset({502, 503, 504})
_BANNED = re.compile(r"banned until\s+([0-9][0-9T:.+Z-]+)", re.IGNORECASE)
_RETRY_IN = re.compile(r"retry in (\d+) seconds", re.IGNORECASE)
_ABOUT_US = re.compile(r"user.?agent|robot|contact|polic(y|ies)", re.IGNORECASE)
_E_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_ADDRESS = re.compile(r"https?://[^\s/]+\.\S+")

#: One request at a time to each host, whichever job asks.
_hosts: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


class TimedOutError(ServiceError):
    """The service gave up on a request (or broke off its reply): ask for less. `body` is what came, for the record.

    `is_unclear`: it does not say that time was what it lacked. It may be broken, so wait before asking for less.
    """

    def __init__(self, message: str, remedy: str = "", body: str = "", *, is_unclear: bool = False) -> None:
        super().__init__(message, remedy)
        self.body = body
        self.is_unclear = is_unclear


class RefusedError(ServiceError):
    """The service will not answer this request, however often it is asked."""


class ServicePausedError(ServiceError):
    """The service wants to be left alone for some time; what has been received is kept."""


class TryAgain(Exception):  # noqa: N818 (a request, not an error)
    """Raised by the check of a reply that is a rate limit in other words. `seconds` is what the reply says, or None."""

    def __init__(self, reason: str, seconds: float | None = None) -> None:
        super().__init__(reason)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came, whole. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str
    seconds: float

    @property
    def content_type(self) -> str:
        """The media type without its parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().casefold()

    @property
    def beginning(self) -> str:
        """The first words of the text without markup, for a sentence."""
        return " ".join(re.sub(r"<[^>]*>", " ", self.text[:2_000]).split())[:160]


def user_agent(contact: str) -> str:
    """Our name for Wikimedia, with whom to write to. Raises `SettingsError` without a contact.

    The policy wants the operator's contact, an e-mail address or a page:
    https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy
    """
    contact = contact.strip()
    if secrets_in(contact) or address_problem(contact):
        raise SettingsError("The contact holds a key or a login.", "It is sent with each request: set another one.")
    if not (_E_MAIL.search(contact) or _ADDRESS.search(contact)):
        raise SettingsError(
            "Wikimedia asks programs to say whom to write to, and no contact is set."
            if not contact
            else f"The contact “{contact[:60]}” is neither an e-mail address nor the address of a page.",
            "Set Contact on the Settings page (operator_contact in settings.toml) to yours, or give --contact on the "
            "command line. Nothing was asked.",
        )
    if not contact.isascii() or not contact.isprintable():
        raise SettingsError("The contact may hold ASCII characters only: it travels in a header of each request.")
    return f"btc_gui/{__version__} ({contact}) python-requests/{requests.__version__}"


@dataclass(slots=True)
class WebClient:
    """Asks one person's questions. `progress` is waited with; `said` is told why nothing happens just now.

    `sent` and `waited` count what was sent and the seconds waited for permission.
    """

    contact: str
    progress: Progress
    said: Callable[[str], None] = lambda _: None
    connect_seconds: float = CONNECT_SECONDS
    read_seconds: float = READ_SECONDS
    whole_seconds: float = WHOLE_SECONDS
    sent: int = 0
    waited: float = 0.0
    _agent: str = field(init=False)
    _session: requests.Session = field(init=False)

    def __post_init__(self) -> None:
        self._agent = user_agent(self.contact)
        self._session = requests.Session()
        self._session.headers["User-Agent"] = self._agent
        # No netrc and no proxies' passwords of others: requests carry our name and nothing else.
        self._session.auth = _no_auth

    def close(self) -> None:
        """End the connections."""
        self._session.close()

    def __enter__(self) -> WebClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def post(
        self,
        title: str,
        address: str,
        form: Mapping[str, str],
        accept: str,
        check: Callable[[Reply], None] = lambda _: None,
    ) -> Reply:
        """Ask the service called `title` and give its reply of status 200, 400, 404 or 500.

        `check` sees every reply first and may raise what it means (`TryAgain` for a limit in other words). Raises
        `ServicePausedError`, `RefusedError`, `TimedOutError`, `ServiceError` (nobody there), and `Cancelled` at once.
        """
        host = urlsplit(address).netloc
        with self._turn(title, host):
            limited = failed = 0
            while True:
                self.progress.check()
                _refuse_while_banned(title, host)
                try:
                    reply = self._send(address, form, accept)
                except _Lost as lost:
                    failed += 1
                    self._back_off(title, failed, lost.reason)
                    continue
                try:
                    check(reply)
                    if reply.status == 429:
                        raise TryAgain("too many requests", retry_after(reply))
                except TryAgain as again:
                    limited += 1
                    self._slow_down(title, limited, again)
                    continue
                if reply.status == 403:
                    raise _refusal(title, host, reply)
                if reply.status in _OVERLOADED:
                    failed += 1
                    self._back_off(title, failed, f"it answers {reply.status}", retry_after(reply))
                    continue
                return reply

    # -- waiting ----------------------------------------------------------------------------------------------

    @contextmanager
    def _turn(self, title: str, host: str) -> Iterator[None]:
        lock = _hosts[host]
        tries = 0
        while not lock.acquire(timeout=0.05):
            self.progress.check()
            if tries % _TRIES_A_MINUTE == 0:
                self.said(f"{title} is being asked by another job: waiting for it")
            tries += 1
        try:
            yield
        finally:
            lock.release()

    def _slow_down(self, title: str, times: int, again: TryAgain) -> None:
        seconds = max(again.seconds if again.seconds is not None else BACK_OFF[0], LEAST_WAIT)
        if times >= _LIMITED_IN_A_ROW or seconds > LONGEST_WAIT:
            raise ServicePausedError(
                f"{title} asked to slow down"
                + (f" {times} times in a row ({again})." if times > 1 else f" for {_span(seconds)} ({again})."),
                f"What has been received is kept: go on in {_span(max(seconds, 60.0))} or later.",
            )
        self.wait(seconds, f"{title} asks to slow down: waiting {_span(seconds)}")

    def _back_off(self, title: str, times: int, reason: str, asked: float | None = None) -> None:
        if times > len(BACK_OFF):
            raise ServiceError(
                f"{title} can't be reached: {reason}; tried {times} times.",
                "What has been received is kept: go on when the service is back.",
            )
        seconds = min(max(BACK_OFF[times - 1], asked or 0.0), LONGEST_WAIT)
        self.wait(seconds, f"{title}: {reason}; trying again in {_span(seconds)}")

    def wait(self, seconds: float, why: str) -> None:
        """Let the service alone for some seconds, and say why. Raises `Cancelled`."""
        self.said(why)
        self.waited += seconds
        self.progress.wait(seconds)

    # -- sending ----------------------------------------------------------------------------------------------

    def _send(self, address: str, form: Mapping[str, str], accept: str) -> Reply:
        """One request, on a thread of its own: who cancels does not wait for a service that is thinking."""
        self.sent += 1
        outcome: list[Reply | Exception] = []
        done = threading.Event()
        abandoned = threading.Event()

        def work() -> None:
            try:
                outcome.append(self._receive(address, form, accept, abandoned))
            except (requests.RequestException, _Lost, TimedOutError, RefusedError) as error:
                outcome.append(error)
            finally:
                done.set()

        threading.Thread(target=work, name="web request", daemon=True).start()
        while not done.wait(0.05):
            if self.progress.is_cancelled:
                abandoned.set()
                self.progress.check()
        if not outcome:
            raise _Lost("the request failed")
        found = outcome[0]
        if isinstance(found, Reply):
            return found
        if isinstance(found, requests.ReadTimeout):
            raise TimedOutError(f"No answer within {self.read_seconds:.0f} seconds.") from found
        if isinstance(found, requests.RequestException):
            if isinstance(found, requests.exceptions.InvalidURL | requests.exceptions.InvalidSchema):
                raise RefusedError(f"The address {address} can't be used.", "Correct it in the settings.") from found
            raise _Lost(_reason(found)) from found
        raise found

    def _receive(self, address: str, form: Mapping[str, str], accept: str, abandoned: threading.Event) -> Reply:
        began = time.monotonic()
        with self._session.post(
            address,
            data=dict(form),
            headers={"Accept": accept, "Accept-Encoding": "gzip"},
            timeout=(self.connect_seconds, self.read_seconds),
            stream=True,
            allow_redirects=False,
        ) as response:
            body = bytearray()
            try:
                for part in response.iter_content(65_536):
                    body += part
                    if abandoned.is_set():
                        raise _Lost("cancelled")
                    if time.monotonic() - began > self.whole_seconds:
                        raise TimedOutError(f"The answer did not end within {self.whole_seconds:.0f} seconds.")
                    if len(body) > _LARGEST:
                        raise TimedOutError(f"The answer is larger than {_LARGEST / 1e6:.0f} MB.")
            except requests.exceptions.SSLError:
                raise
            except requests.ConnectionError as error:
                # Silence after the head is no ReadTimeout to requests. The service is there and does not get on.
                raise TimedOutError(f"The answer stopped in the middle for {self.read_seconds:.0f} seconds.") from error
            return Reply(
                status=response.status_code,
                headers={name.casefold(): value for name, value in response.headers.items()},
                text=body.decode("utf-8", "replace"),
                seconds=time.monotonic() - began,
            )


class _Lost(Exception):  # noqa: N818 (leads to another try)
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def _reason(error: requests.RequestException) -> str:
    text = str(error).casefold()
    for words, reason in (
        ("name or service not known", "its name can't be resolved (is there a connection?)"),
        ("name resolution", "its name can't be resolved (is there a connection?)"),
        ("refused", "nobody answers there"),
        ("certificate", "its certificate is not accepted"),
        ("timed out", "no connection within the time"),
        ("incomplete", "the connection broke off in the middle of the answer"),
        ("broken", "the connection broke off in the middle of the answer"),
    ):
        if words in text:
            return reason
    return "the connection failed"


def retry_after(reply: Reply) -> float | None:
    """The seconds that a reply asks to wait (a number or an HTTP date), in its header or else in its text."""
    header = reply.headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", header):
        return float(header)
    if header:
        try:
            at = parsedate_to_datetime(header)
        except (ValueError, OverflowError):
            at = None
        if at is not None:
            at = at if at.tzinfo else at.replace(tzinfo=UTC)
            return max((at - datetime.now(UTC)).total_seconds(), 0.0)
    found = _RETRY_IN.search(reply.text[:4_000])
    return float(found.group(1)) if found else None


def _refuse_while_banned(title: str, host: str) -> None:
    until = banned_until(host)
    if until is not None:
        raise ServicePausedError(
            f"{title} has banned this program until {_moment(until)}.",
            "Asking sooner would prolong it, so nothing is asked. What has been received is kept: go on after that.",
        )


def _refusal(title: str, host: str, reply: Reply) -> ServiceError:
    if "banned" not in reply.text.casefold():
        return RefusedError(
            f"{title} refused the request (403): “{reply.beginning}”.",
            after_refusal(reply),
        )
    until = _end_of_ban(reply)
    remember_ban(host, until)
    return ServicePausedError(
        f"{title} has banned this program until {_moment(until)}.",
        "What has been received is kept: go on after that. Until then nothing is asked.",
    )


def after_refusal(reply: Reply) -> str:
    """What a person can do about a refusal: the contact matters only where the reply speaks of it."""
    if _ABOUT_US.search(reply.text[:4_000]):
        return (
            "Check that the contact is yours and can be reached (Contact on the Settings page; --contact on the "
            "command line)."
        )
    return "What has been received is kept: go on later, when the service is as usual."


def _end_of_ban(reply: Reply) -> datetime:
    found = _BANNED.search(reply.text)
    if found:
        try:
            until = datetime.fromisoformat(found.group(1).rstrip(".,"))
            return until if until.tzinfo else until.replace(tzinfo=UTC)
        except ValueError:
            pass
    asked = retry_after(reply)
    return datetime.now(UTC) + (timedelta(seconds=asked) if asked else _BAN_WITHOUT_END)


def _moment(at: datetime) -> str:
    local = at.astimezone()
    return f"{day_words(local)}, {local:%H:%M} (your time)"


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} seconds" if round(seconds) != 1 else "1 second"
    return f"{seconds / 60:.0f} minutes" if seconds < 7_200 else f"{seconds / 3_600:.0f} hours"
