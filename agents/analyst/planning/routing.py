"""Routing: messages that are no question to the data: small talk, help, checks, and what is not acted on.

Decides by wording alone, in English and Indonesian; what is left is a question, and the planner's.
"""

from __future__ import annotations

import re

from agents.analyst.planning.outcome import Blocked, Blocking, Chat, Check, Help, Talk
from agents.analyst.planning.words import Language, folded

_SQL = re.compile(
    r"^\W*(?:explain\s+)?(?:select\b[\s\S]+\bfrom\b|with\s+\w+\s+as\s*\(|insert\s+into\b|update\s+\w+\s+set\b|delete\s+from\b"
    r"|drop\s+(?:table|view|schema|database|index)\b|alter\s+table\b|create\s+(?:or\s+replace\s+)?(?:table|view|index|macro|function)\b"
    r"|truncate\s+(?:table\b|\w+)|attach\s+(?:database\b|')|pragma\s+\w+|copy\s+\w+\s+(?:to|from)\b|install\s+\w+|load\s+'|grant\s+|call\s+\w+\()"
    r"|;\s*(?:drop|delete|insert|update|alter|attach|create|truncate)\b|\bunion\s+(?:all\s+)?select\b|\bor\s+1\s*=\s*1\b",
    re.IGNORECASE,
)
_SQL_LIST = re.compile(
    r"^\W*select\s+(?:\*|[\w.]+\s*,|count\s*\(|sum\s*\()[\s\S]*\bfrom\s+\w+", re.IGNORECASE
)
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.?!]{0,40}\b(?:instruction|rule|prompt|guideline|restriction|guard|polic|previous|above)"
    r"|\b(?:reveal|show|print|repeat|tell me|output)\b[^.?!]{0,30}\b(?:system prompt|your prompt|"
    r"your instructions|hidden prompt|your rules|api key|password of the (?:database|server))"
    r"|\byou are now\b|\bact as (?:an? )?(?:unrestricted|dan|admin|root)\b|\bdeveloper mode\b|\bjailbreak"
    r"|\b(?:abaikan|lupakan|langgar)\b[^.?!]{0,40}\b(?:instruksi|aturan|perintah|batasan|petunjuk)"
    r"|\b(?:tampilkan|bocorkan|sebutkan)\b[^.?!]{0,30}\b(?:prompt sistem|instruksi sistem|kunci api)",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hi|hello|hey|hai|halo|hallo|good (?:morning|afternoon|evening)|selamat (?:pagi|siang|"
    r"sore|malam)|greetings|assalamualaikum)"
    r"(?: there| all| everyone| semua| team| apa kabar| how are you)?"
)
_FAREWELL = re.compile(
    r"(?:bye|goodbye|see you(?: later)?|good night|sampai jumpa|dadah|selamat tinggal)(?: .{0,12})?"
)
_THANKS = re.compile(r"(?:ok(?:ay)?\s+)?(?:thanks|thank you|thx|terima kasih|makasih|trims)(?: .{0,24})?")
_ABOUT = re.compile(
    r"(?:who|what) are you|what is your name|siapa (?:kamu|anda)|kamu siapa|"
    r"are you (?:a )?(?:bot|robot|human|ai)|how are you|apa kabar"
)
_HELP = re.compile(
    r"/help\b.*|help(?: me)?|what can (?:you|i) (?:do|ask)(?: .{0,20})?|how (?:do|does|can) (?:i|"
    r"this|it) (?:use|work|start)(?: .{0,20})?"
    r"|bantuan|tolong bantu(?: saya)?|bantu(?: saya)?|apa (?:saja )?yang bisa (?:kamu|anda|"
    r"saya) (?:lakukan|bantu|tanyakan|tanya)|cara (?:pakai|menggunakan)(?: .{0,20})?"
    r"|what should i (?:do|ask)(?: next)?|what (?:do i do )?next"
)
_CHECK = re.compile(
    r"(?:check|inspect|describe|show|list|what(?:'s| is| are)?|which|periksa|cek|tampilkan|"
    r"lihat)\b.{0,20}\b(?:data ?sources?|sources|datasets?|tables?|schema|my data|the data|"
    r"available data|sumber data|tabel|skema|files?|berkas)"
    r"(?: (?:do (?:you|we|i) have|are (?:there|available|loaded|connected)|is (?:there|available|"
    r"loaded)|available|yang (?:ada|tersedia)|apa saja))?"
    r"|what data (?:do (?:you|we|i) have|is (?:there|available|loaded))|"
    r"data apa (?:saja )?(?:yang )?(?:ada|tersedia|dimiliki)?|"
    r"sumber data apa (?:saja )?(?:yang )?(?:ada|tersedia)?"
    r"|check data|cek data|periksa data"
)

Routed = Chat | Help | Check | Blocked


def instructs(text: str) -> bool:
    """Whether a text orders its reader to leave its rules, whoever wrote it."""
    return _ORDER.search(text) is not None


def route(message: str, language: Language) -> Routed | None:
    """What a message is if it is no question to the data; None if it is one."""
    if _SQL.search(message) or _SQL_LIST.search(message):
        return Blocked(Blocking.SQL, language)
    if instructs(message):
        return Blocked(Blocking.INSTRUCTION, language)
    said = re.sub(r"[\s!.?,]+", " ", folded(message)).strip()
    for pattern, talk in (
        (_GREETING, Talk.GREETING),
        (_FAREWELL, Talk.FAREWELL),
        (_THANKS, Talk.THANKS),
        (_ABOUT, Talk.ABOUT),
    ):
        if pattern.fullmatch(said):
            return Chat(talk, language)
    if _HELP.fullmatch(said):
        return Help(language)
    return Check(language) if _CHECK.fullmatch(said) else None


_DOCUMENT = re.compile(
    r"\b(?:handbook|manual|polic(?:y|ies)|document(?:ation|s)?|guidelines?|according to|"
    r"procedures?|terms|pdf|page \d+|buku panduan|panduan"
    r"|kebijakan|dokumen|prosedur|menurut (?:dokumen|buku)|ketentuan|peraturan|aturan)\b"
)


def names_documents(message: str) -> bool:
    """Whether a message says that its answer stands in a text."""
    return _DOCUMENT.search(folded(message)) is not None
