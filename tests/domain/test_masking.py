"""What tells its model is masked, and what is about the world stays."""

from __future__ import annotations

import time

import pytest

from btc_gui.domain.masking import MASK, mask, mask_values
from btc_gui.domain.packet import Field, FieldForm, Search, written


@pytest.mark.parametrize(
    ("text", "original"),
    [
        ("As Claude, I can't browse.", "Claude"),
        ("I'm Claude, made for you.", "Claude"),
        ("I’m ChatGPT and I can help.", "ChatGPT"),
        ("I am GPT-4o mini, here to help.", "GPT-4o mini"),
        ("I am an AI assistant called Gemini 2.5 Pro.", "Gemini 2.5 Pro"),
        ("My name is Grok 3.", "Grok 3"),
        ("I was developed by Anthropic to be helpful.", "Anthropic"),
        ("I am a large language model trained by Google DeepMind.", "Google DeepMind"),
        ("OpenAI trained me on text.", "OpenAI"),
        ("I'm an AI assistant from Meta AI.", "Meta AI"),
        ("**ChatGPT:** invite her.", "ChatGPT"),
        ("Invite her.\n— Claude", "Claude"),
        ("My knowledge cutoff is April 2024, so check.", "April 2024"),
        ("As of my last update in early 2025 she is alive.", "early 2025"),
        ("As of my last knowledge update in September 2021, yes.", "September 2021"),
        ("My training data goes until October 2023.", "October 2023"),
        ("She won【12†source】 the prize.", "【12†source】"),
        (
            "She won \ue200cite\ue202turn0search1\ue202turn2news4\ue201 it.",
            "\ue200cite\ue202turn0search1\ue202turn2news4\ue201",
        ),
        ("She won (turn0search1).", "turn0search1"),
        ("See citeturn0search3turn1news2 there.", "citeturn0search3turn1news2"),
        ("See :contentReference[oaicite:0]{index=0} there.", ":contentReference[oaicite:0]{index=0}"),
        ("https://example.org/?utm_source=chatgpt.com", "?utm_source=chatgpt.com"),
        ("<tool_call>{}", "<tool_call>"),
        ("<|channel|>final", "<|channel|>"),
        ("<think>well</think>", "<think>"),
        ("[TOOL_CALLS] search", "[TOOL_CALLS]"),
    ],
)
def test_self_identification_is_masked_and_kept(text: str, original: str) -> None:
    shown, originals = mask(text)
    assert originals[0] == original
    assert original not in shown
    assert shown.replace(MASK, "{}").format(*originals) == text if "{" not in text else MASK in shown


@pytest.mark.parametrize(
    "text",
    [
        "As Claude Monet painted, so should you.",
        "Claude Lelouch is the guest of honour.",
        "Ask the Gemini programme at NASA; a Gemini season begins in May.",
        "A game developed by Google and a film made by Amazon.",
        "Sam Altman of OpenAI spoke about ChatGPT and Claude.",
        "Invite Meta's head of AI, hired in April 2024.",
        "As of April 2024 she chairs the board.",
        "As an AI language model, I can't be sure.",
        "The knowledge of the late queen ends here. In 2024 she died.",
        "Read <b>this</b> [1] and <https://example.org>.",
        "The Nova Scotia office; Phi is a letter; Copilot needed for the flight.",
        "It is his turn. Search 1: nothing.",
    ],
)
def test_what_is_about_the_world_stays(text: str) -> None:
    assert mask(text) == (text, [])


def test_several_passages_are_masked_once_each_in_their_order() -> None:
    text = "I'm Claude, an assistant made by Anthropic【1】. I'm Claude."
    assert mask(text) == (
        f"I'm {MASK}, an assistant made by {MASK}{MASK}. I'm {MASK}.",
        ["Claude", "Anthropic", "【1】", "Claude"],
    )


def test_answer_and_queries_are_masked_and_nothing_else() -> None:
    """What a search gave is shown as the model received it; what the request says is not the model's."""
    fields = (Field("probe", "Request"), Field("searches", "Searches", FieldForm.SEARCHES), Field("answer", "Answer"))
    searches = [Search("<think>who is she", "I'm Claude, says the page."), Search("again", "")]
    values = {"probe": "I'm Claude, whom to invite?", "searches": written(searches), "answer": "As Gemini, I say: no."}
    shown, passages = mask_values(values, fields)
    assert shown["probe"] == values["probe"]
    assert shown["searches"] == written([Search(f"{MASK}who is she", "I'm Claude, says the page."), searches[1]])
    assert shown["answer"] == f"As {MASK}, I say: no."
    assert [(p.field, p.place, p.original) for p in passages] == [("searches", 0, "<think>"), ("answer", 0, "Gemini")]


def test_a_text_without_anything_to_mask_keeps_every_character() -> None:
    fields = (Field("searches", "Searches", FieldForm.SEARCHES), Field("answer", "Answer"))
    values = {"searches": '[ {"query":"q", "received":"r","finding":""} ]', "answer": "日本 🙂 <b>=1+1</b>\r\n\x00end"}
    assert mask_values(values, fields) == (values, [])


@pytest.mark.parametrize("text", ["I am " * 5_000, "a" * 100_000, "\ue200" * 10_000, "<|" * 10_000, "cite" * 10_000])
def test_long_texts_take_no_long_time(text: str) -> None:
    """No pattern may fall into retrying: generous, for a busy machine."""
    began = time.process_time()
    mask(text)
    assert time.process_time() - began < 20
