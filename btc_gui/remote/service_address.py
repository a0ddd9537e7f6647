"""Where the services of Wikimedia (and QLever) are: the environment first, then the settings, else their own place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from btc_gui.errors import SettingsError
from btc_gui.known_secrets import KEYS_BELONG, address_problem
from btc_gui.settings import Settings

#: The addresses as published (https://www.wikidata.org/wiki/Wikidata:Data_access; QLever's own page).
_PUBLISHED: Final = {
    "wdqs": "https://query.wikidata.org/sparql",
    "qlever": "https://qlever.dev/api/wikidata",
    "wikidata": "https://www.wikidata.org/w/api.php",
    "wikipedia": "https://en.wikipedia.org/w/api.php",
}
#: What people call them.
TITLES: Final = {
    "wdqs": "Wikidata Query Service",
    "qlever": "QLever",
    "wikidata": "Wikidata",
    "wikipedia": "Wikipedia",
}


def title_of(service: str) -> str:
    """What people call a service; an unknown one by its own name."""
    return TITLES.get(service, service)


def variable_of(service: str) -> str:
    """The environment variable that changes a service's address: `WDQS_BASE_URL` for `wdqs`."""
    return f"{service.upper()}_BASE_URL"


def address_of(service: str, settings: Settings, environment: Mapping[str, str] = os.environ) -> str:
    """The address of a service (one of `TITLES`). Raises `SettingsError` for one that holds a login or key."""
    address = environment.get(variable_of(service)) or settings.services.get(service) or _PUBLISHED[service]
    if problem := address_problem(address):
        raise SettingsError(f"{title_of(service)} can't be asked there. {problem}", KEYS_BELONG)
    return address
