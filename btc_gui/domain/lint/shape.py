"""The rules about a text as a whole: `too_short`, `too_long`, `not_english`."""

from __future__ import annotations

from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.tokens import Text
from btc_gui.domain.lint.words import CommonWords


def find_length(text: Text, common: CommonWords) -> list[Finding]:
    """Fewer or more words than a request needs."""
    count, limits = len(text.tokens), common.limits
    if count < limits["fewest_words"]:
        why = f"It has {count} words; at least {limits['fewest_words']} are needed to say who asks and for what."
        return [Finding("too_short", Severity.ERROR, 0, 0, "", why)]
    if count > limits["most_words"]:
        start, stop = text.span(text.tokens[limits["most_words"]].start, text.tokens[-1].stop)
        why = f"It has {count} words; more than {limits['most_words']} are hard to read at once."
        return [Finding("too_long", Severity.WARNING, start, stop, text.original[start : start + 40], why)]
    return []


def find_language(text: Text, common: CommonWords) -> list[Finding]:
    """A text in another language, or a longer sentence of it."""
    found = []
    for start, stop in text.sentences:
        words = [token.lower for token in text.tokens if start <= token.start < stop]
        if len(words) >= common.limits["words_to_tell_language"] and _share(words, common) < _least(common) / 2:
            begin, end = text.span(start, stop)
            excerpt = text.original[begin:end].strip()
            why = "This sentence is not in English."
            found.append(Finding("not_english", Severity.ERROR, begin, begin + len(excerpt), excerpt, why))
    words = [token.lower for token in text.tokens]
    if not found and len(words) >= common.limits["words_to_tell_language"] and _share(words, common) < _least(common):
        found.append(Finding("not_english", Severity.WARNING, 0, 0, "", "It hardly looks like English."))
    return found


def _share(words: list[str], common: CommonWords) -> float:
    return sum(word in common.function_words for word in words) / len(words)


def _least(common: CommonWords) -> float:
    return common.limits["least_english_percent"] / 100
