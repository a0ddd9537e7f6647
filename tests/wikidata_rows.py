"""Rows as the query service sends them, built from short texts."""

from __future__ import annotations

from btc_gui.domain.collection_plan import Binding

ENTITY = "http://www.wikidata.org/entity/"
GENID = "http://www.wikidata.org/.well-known/genid/0123456789abcdef0123456789abcdef"
DATE_TIME = "http://www.w3.org/2001/XMLSchema#dateTime"
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


def cell(text: str) -> dict[str, str]:
    """One value: `Q42` an item, `Q42$1` a statement, `?` an unknown value, `2026-05-09` a date, digits a number."""
    if text == "?":
        return {"type": "uri", "value": GENID}
    if text == "_":
        return {"type": "bnode", "value": "t123"}
    if text.startswith("Q") and "$" in text:
        return {"type": "uri", "value": f"{ENTITY}statement/{text.replace('$', '-')}"}
    if text.startswith("Q") and text[1:].isdigit():
        return {"type": "uri", "value": f"{ENTITY}{text}"}
    if text in ("normal", "preferred", "deprecated"):
        return {"type": "uri", "value": f"http://wikiba.se/ontology#{text.title()}Rank"}
    if len(text) == 10 and text[4] == text[7] == "-":
        return {"type": "literal", "datatype": DATE_TIME, "value": f"{text}T00:00:00Z"}
    if text.isdigit():
        return {"type": "literal", "datatype": INTEGER, "value": text}
    return {"type": "literal", "value": text}


def row(**cells: str) -> Binding:
    """A row; empty cells are left out, as the service does."""
    return {name: cell(text) for name, text in cells.items() if text}


def demise(number: int, date: str = "2026-05-09", prec: str = "11", **more: str) -> Binding:
    """A row of the demises' first query."""
    told = {
        "st": f"Q{number}$a",
        "title": f"Person {number}",
        "rank": "normal",
        "links": "3",
        "len": f"Person {number}",
    }
    return row(**{"person": f"Q{number}", "date": date, "prec": prec, **told, **more})


def tenure(number: int, end: str = "2026-05-09", start: str = "2022-01-10", **more: str) -> Binding:
    """A row of the tenures' first query: the office is Q900."""
    told = {"st": f"Q{number}$a", "position": "Q900", "rank": "normal", "title": f"Person {number}", "links": "3"}
    precise = {"endprec": "11", "startprec": "11" if start else "", "len": f"Person {number}"}
    return row(**{"person": f"Q{number}", "end": end, "start": start, **told, **precise, **more})


def term(number: int, st: str, start: str = "", end: str = "", position: str = "Q900", **more: str) -> Binding:
    """A row of the tenures' second query: one of all times in office of a person."""
    precise = {"startprec": "11" if start else "", "endprec": "11" if end else "", "rank": "normal"}
    told = {"person": f"Q{number}", "st": f"Q{number}${st}", "position": position, "start": start, "end": end}
    return row(**{**told, **precise, **more})


def position(number: int = 900, label: str = "Mayor of Exampleton", **more: str) -> Binding:
    """A row of the tenures' third query: what a position is."""
    return row(**{"position": f"Q{number}", "len": label, **more})
