"""Where a request names x: names that are words, shared names, other spellings, parts, titles, initials."""

from __future__ import annotations

import pytest

from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.linter import Linter
from tests.builders import make_facts

REST = " Which three or four could we ask to come to our gala?"


def _named(linter: Linter, entity: str, text: str, *aliases: str) -> list[Finding]:
    facts = make_facts(entity, aliases=aliases)
    found = linter.check_text(text + REST, facts)
    return [f for f in found if f.rule == "name" and f.severity is not Severity.NOTE]


LEAKS = [
    # Plain, and with marks or case that don't matter.
    ("Craig Morton", (), "We loved Craig Morton on stage.", "Craig Morton"),
    ("Craig Morton", (), "We loved craig  morton on stage.", "craig  morton"),
    ("Viktor Orbán", (), "People like Orban speak well.", "Orban"),
    ("Viktor Orba\u0301n", (), "People like Orbán speak well.", "Orbán"),
    ("Craig Morton", (), "A night in the style of\u200b Mor\u00adton is planned.", "Mor\u00adton"),
    ("Viktor Orbán", ("Orbán Viktor",), "We hoped for Orbán Viktor himself.", "Orbán Viktor"),
    # Names that are words.
    ("Leona Price", (), "We want a voice like Price for the night.", "Price"),
    ("Rosalind Pink", ("Pink",), "We want somebody as bold as Pink for the night.", "Pink"),
    ("Rosalind Pink", ("Pink",), "Pink's voice is what we have in mind.", "Pink"),
    # Possessives, plurals, what is made from a name, hyphens around it.
    ("David Hockney", (), "We like Hockney’s trees.", "Hockney"),
    ("David Hockney", (), "The Hockneys of this world are few.", "Hockneys"),
    ("David Hockney", (), "A Hockneyesque mural is planned.", "Hockneyesque"),
    ("David Hockney", (), "A Hockney-style mural is planned.", "Hockney"),
    ("Viktor Orbán", (), "In post-Orbán times we need a hall.", "Orbán"),
    ("Anne-Sophie Lacroix-Dubreuil", (), "Think of Anne Sophie Lacroix Dubreuil.", "Anne Sophie Lacroix Dubreuil"),
    ("Anne-Sophie Lacroix-Dubreuil", (), "Think of Dubreuil and her lace.", "Dubreuil"),
    ("Anne Hidalgo", (), "We follow #AnneHidalgo and others.", "AnneHidalgo"),
    # Titles.
    ("Tony Hoare", (), "We thought of Sir Tony first.", "Tony"),
    ("Edith Baker", (), "Dame Edith has been suggested.", "Edith"),
    ("Emmanuel King", (), "Pastor King would be one of them.", "King"),
    # Patronymics, particles, double surnames, apostrophes.
    ("Mikhail Vasilyevich Gorbatov", (), "We had Vasilyevich on our list.", "Vasilyevich"),
    ("Ottoline van der Meer", (), "Minister Van der Meer is near.", "Van der Meer"),
    ("Joaquín de la Vega y Ruiz", (), "We want the pen of Vega.", "Vega"),
    ("Margaret O'Shaughnessy", (), "We hoped for O Shaughnessy.", "O Shaughnessy"),
    ("Abdul Rahman al-Khatib", (), "We hoped for al-Khatib.", "al-Khatib"),
    # Transliterations and umlauts written out; slips.
    ("Mikhail Gorbatov", (), "Someone like Gorbatow would do.", "Gorbatow"),
    ("Abdul Rahman al-Khatib", (), "After hearing el-Khateeb we are keen.", "Khateeb"),
    ("Hans Müller-Lüdenscheid", (), "Besides Mueller-Luedenscheid we need two.", "Mueller-Luedenscheid"),
    ("Helga Sørensen", (), "Bowls like those of Soerensen please us.", "Soerensen"),
    ("Rafał Zieliński", (), "The name of Zielinsky keeps coming up.", "Zielinsky"),
    ("Andreas Papadimitriou", (), "Chorus work like Papadimitriu's is rare.", "Papadimitriu"),
    ("David Hockney", (), "We want a painter like Hockeny for the wall.", "Hockeny"),
    ("Nikita Orlovsky", (), "Мы хотим Орловски on our stage.", "Орловски"),
    # Initials and short aliases.
    ("Charles Antony Richard Hoare", (), "We remember C. A. R. Hoare well.", "C. A. R. Hoare"),
    ("Giovanni Paolo Marchetti", (), "We thought of G.P.M. at once.", "G.P.M."),
    ("Ye Win Maung", ("Ye",), "Masters like Ye and his pupils please us.", "Ye"),
    ("Jack Ward", ("JW",), "We thought of JW at once.", "JW"),
    ("Xi Minghao", (), "Scholars like Xi are rare.", "Xi"),
    ("Tanaka Sakura", ("田中さくら",), "We hoped for 田中さくら at the table.", "田中さくら"),
]


@pytest.mark.parametrize(("entity", "aliases", "text", "excerpt"), LEAKS)
def test_names_are_found_where_they_stand(
    linter: Linter, entity: str, aliases: tuple[str, ...], text: str, excerpt: str
) -> None:
    found = _named(linter, entity, text, *aliases)
    assert [f.excerpt for f in found] == [excerpt]
    assert (text + REST)[found[0].start : found[0].end] == excerpt
    assert found[0].why


CLEAN = [
    # Names that are words, as words.
    ("Leona Price", (), "Price is no obstacle, and the price of the train is paid."),
    ("Leona Price", (), "THE PRICE IS PAID BY US AND THE HALL IS FREE."),
    ("Rosalind Pink", ("Pink",), "The walls are pink. Pink is the colour of the cake."),
    ("Rosalind Pink", ("Pink",), "Think of Pink Floyd on a castle wall."),
    ("Grace Will", (), "We will sing with good grace. Will you help us?"),
    ("May Lindqvist", (), "We need power from May to September, or by May at the latest."),
    ("Florence Knight", (), "The guild meets in Florence next spring."),
    ("Emmanuel King", (), "The day of the King of Spain is near, and a king is a king."),
    ("John Smith", ("The Boss",), "The boss of our firm is keen."),
    ("Terrence Wallace", ("T-Bone",), "We serve a T-bone steak."),
    # Shared surnames and given names.
    ("Michael Jackson", (), "We admire Samuel L. Jackson in films."),
    ("Leona Price", (), "We show films with Vincent Price."),
    ("Edith Baker", (), "Dame Edith Evans once opened our hall."),
    ("David Hockney", (), "We have a film about David Attenborough."),
    ("Viktor Orbán", (), "My nephew Viktor plays in the band."),
    ("Nikolai Rimsky-Volkov", ("Nicolas Rimsky",), "We play Scheherazade by Rimsky-Korsakov."),
    ("Burt Jones", (), "We show windows by Burne-Jones."),
    # Inside longer words.
    ("Jack Ward", (), "We won an award and move forward in the hospital ward."),
    ("Tony Hoare", (), "He speaks with a hoarse voice. Hoarseness is no bar."),
    ("Nathalie Baye", (), "A Bayesian is welcome too. Bayes would agree."),
    ("Ann Eth", (), "The Netherlands and Ethiopia take part."),
    # Two letters.
    ("Ye Win Maung", ("Ye",), "“Hear ye, hear ye!” is how the fair opens."),
    ("Anna Ivanova", ("AI",), "ai tools are banned from our contest."),
    ("Noel Barry Adams", (), "We love the NBA and its halls."),
    ("Ursula Ng", (), "The singing was loud and long."),
]


@pytest.mark.parametrize(("entity", "aliases", "text"), CLEAN)
def test_what_only_looks_like_the_name_is_left_alone(
    linter: Linter, entity: str, aliases: tuple[str, ...], text: str
) -> None:
    assert _named(linter, entity, text, *aliases) == []


def test_somebody_with_the_same_surname_is_worth_a_note(linter: Linter) -> None:
    found = linter.check_text(f"We show films with Vincent Price.{REST}", make_facts("Leona Price"))
    assert [(f.rule, f.severity, f.excerpt) for f in found] == [("name", Severity.NOTE, "Price")]


def test_a_text_without_capitals_is_read_without_them(linter: Linter) -> None:
    text = "we want somebody like hockney to paint our pool. who else could paint it for us?"
    found = linter.check_text(text, make_facts("David Hockney"))
    assert [f.excerpt for f in found if f.rule == "name"] == ["hockney"]


def test_a_place_is_named_by_its_telling_words(linter: Linter) -> None:
    facts = make_facts("Bayeux Tapestry Museum", "closure", "2026-03-01")
    text = "Besides Bayeux, which museums could our class visit next month to see old textiles?"
    assert [f.excerpt for f in linter.check_text(text, facts) if f.rule == "name"] == ["Bayeux"]
    plain = "Which museums in Normandy could our class visit next month to see an old tapestry?"
    assert not linter.check_text(plain, facts)


def test_a_disambiguation_is_no_part_of_a_name(linter: Linter) -> None:
    facts = make_facts("Ed Example (racing driver)", article="Ed Example (racing driver)")
    text = "Which racing driver or drivers could open our new track, and who could drive the first lap?"
    assert [f for f in linter.check_text(text, facts) if f.rule == "name"] == []
