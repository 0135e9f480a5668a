"""Talk: messages that show no rows: questions back, refusals, small talk and what is not acted on."""

from __future__ import annotations

from typing import assert_never

from agents.analyst.planning.outcome import (
    Ask,
    AskAbout,
    Blocked,
    Blocking,
    Chat,
    OutOfScope,
    Refuse,
    Talk,
)
from agents.analyst.planning.words import Language

Said = Chat | Blocked | OutOfScope | Ask | Refuse


def said(outcome: Said) -> str:
    """The text of an outcome without rows; the options of a question back are in it, one a line."""
    english = outcome.language is Language.EN
    match outcome:
        case Chat():
            return _chat(outcome.talk, english)
        case Blocked():
            return _blocked(outcome.why, english)
        case OutOfScope():
            return (
                "I can only answer from the data and documents of this analysis, and nothing in "
                "them is about that."
                if english
                else "Saya hanya menjawab dari data dan dokumen analisis ini; tidak ada yang membahas itu."
            )
        case Ask():
            return "\n".join((_asked(outcome, english), *(f"- {option}" for option in outcome.options)))
        case Refuse():
            return _refused(outcome, english)
        case _:
            assert_never(outcome)


def _chat(talk: Talk, english: bool) -> str:
    match talk:
        case Talk.GREETING:
            return (
                "Hello! I'm your AI data analyst. Ask a question about your data to get started."
                if english
                else "Halo! Saya analis data AI Anda. Ajukan pertanyaan tentang data Anda untuk mulai."
            )
        case Talk.FAREWELL:
            return (
                "Goodbye! This analysis stays here."
                if english
                else "Sampai jumpa! Analisis ini tetap tersimpan."
            )
        case Talk.THANKS:
            return "You're welcome." if english else "Sama-sama."
        case Talk.ABOUT:
            return (
                "I'm your AI data analyst. Connect a source or ask a question to get started."
                if english
                else "Saya analis data AI Anda. Hubungkan sumber data atau ajukan pertanyaan untuk mulai."
            )
        case _:
            assert_never(talk)


def _blocked(why: Blocking, english: bool) -> str:
    match why:
        case Blocking.SQL:
            return (
                "I do not run SQL. Ask the question in words, and I will show the query that answers it."
                if english
                else "Saya tidak menjalankan SQL. Tanyakan dengan kata-kata; kuerinya saya tampilkan."
            )
        case Blocking.INSTRUCTION:
            return (
                "I do not follow instructions that change my rules. Ask a question about the data instead."
                if english
                else "Saya tidak mengikuti perintah yang mengubah aturan saya. Silakan bertanya tentang data."
            )
        case Blocking.FILTER:
            return (
                "The model's content filter refused this message. Put it in other words."
                if english
                else "Filter konten model menolak pesan ini. Ungkapkan dengan kata lain."
            )
        case _:
            assert_never(why)


def _asked(ask: Ask, english: bool) -> str:
    match ask.about:
        case AskAbout.WORD:
            return f"What do you mean by “{ask.said}”?" if english else f"Apa maksud “{ask.said}”?"
        case AskAbout.CHOICE:
            return (
                f"“{ask.said}” could be several things. Which one?"
                if english
                else f"“{ask.said}” bisa berarti beberapa hal. Yang mana?"
            )
        case AskAbout.FISCAL_START:
            return (
                "In which month does the fiscal year start?" if english else "Tahun fiskal mulai bulan apa?"
            )
        case AskAbout.METRIC:
            return "By which measure?" if english else "Berdasarkan ukuran apa?"
        case AskAbout.CAUSE:
            return (
                "The data do not say why, but they show which parts changed. Which do you want to see?"
                if english
                else "Data tidak menyebut sebabnya, tetapi menunjukkan bagian yang berubah. Lihat yang mana?"
            )
        case AskAbout.PART:
            return (
                f"I did not understand this part: {ask.said}. Could you put it another way?"
                if english
                else f"Saya tidak memahami bagian ini: {ask.said}. Bisa diungkapkan dengan cara lain?"
            )
        case _:
            assert_never(ask.about)


def _refused(refuse: Refuse, english: bool) -> str:
    missing, known = ", ".join(refuse.missing), ", ".join(refuse.known)
    if english:
        return f"The data cannot answer this: there is nothing for {missing}." + (
            f" They have: {known}." if known else ""
        )
    return f"Data tidak bisa menjawab ini: tidak ada {missing}." + (f" Yang ada: {known}." if known else "")
