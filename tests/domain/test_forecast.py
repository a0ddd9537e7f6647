"""What a run will take: searches have their price, recordings take seconds, measured goes before assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel, NativeSearch, TokenPrice
from btc_gui.domain.forecast import Forecast, Typical, forecast_of
from btc_gui.domain.models_file import ModelsText, builtin_models_path, read_models_text, searches_in
from btc_gui.domain.search_price import SearchPrice
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.errors import SettingsError
from btc_gui.evals.harness import configuration_of, shared_configuration

MODEL = EvaluatedModel("Test-1", "openai", "test-1", price=TokenPrice(1.0, 1.0, search=0.02), native=NativeSearch())
EXA = {"exa": SearchPrice(0.007, 0.001, 10)}


def _forecast(search: SearchSettings, prices: Mapping[str, SearchPrice], harness: Harness = Harness.SHARED) -> Forecast:
    configuration = configuration_of(MODEL, harness, Effort.LOW, search=search)
    measured = {configuration.identity: Typical(3, 500_000, 500_000, 20, searches=2)}
    return forecast_of([(configuration, 100)], measured, 8, {MODEL.name: MODEL}, prices)


def test_searches_of_the_shared_harness_have_their_price() -> None:
    exa = SearchSettings(SearchKind.EXA)
    # A dollar for the tokens of each answer; two searches at 0.7 cents.
    assert _forecast(exa, EXA).cost == pytest.approx(100 + 200 * 0.007)
    assert _forecast(exa, EXA).searches == 200
    # Twenty results for each: ten of them beyond those that are included.
    assert _forecast(replace(exa, results=20), EXA).cost == pytest.approx(100 + 200 * 0.017)
    assert _forecast(replace(exa, as_of="2026-05-09"), EXA).cost == pytest.approx(100 + 200 * 0.017)
    assert _forecast(SearchSettings(), EXA).cost == pytest.approx(100)


def test_what_has_no_known_price_is_named() -> None:
    told = _forecast(SearchSettings(SearchKind.EXA), {})
    assert told.cost == pytest.approx(100)
    assert told.unpriced == ("searches with exa",)


def test_native_searches_are_part_of_the_models_price() -> None:
    assert _forecast(SearchSettings(), EXA, Harness.NATIVE).cost == pytest.approx(100 + 200 * 0.02)


def test_recordings_take_seconds() -> None:
    configuration = shared_configuration("Larkspur-2", Effort.HIGH)
    told = forecast_of([(configuration, 800)], {}, 8, {}, {}, latency=0.05)
    # Nine turns of 50 ms and a tenth of a second each, eight at a time.
    assert told.seconds == pytest.approx(800 * (9 * 0.05 + 0.1) / 8)
    assert (told.cost, told.unpriced) == (None, ())


def test_the_prices_of_searches_come_from_the_models_files() -> None:
    builtin = read_models_text(builtin_models_path())
    known = searches_in([builtin])["exa"]
    assert known.date
    assert known.source.startswith("ours")
    own = searches_in([builtin, ModelsText("mine", "[searches.exa]\nsearch = 0.5\n")])["exa"]
    assert (own.search, own.result) == (0.5, known.result)
    for text, words in [
        ("[searches.bing]\nsearch = 1", "mine, line 1: the search “bing” is unknown"),
        ('[searches.exa]\nsearch = "much"', "mine, line 2: “search” must be a number"),
        ("searches = 3", "“searches” must be tables"),
    ]:
        with pytest.raises(SettingsError, match=words):
            searches_in([ModelsText("mine", text)])
