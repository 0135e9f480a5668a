"""Words: a question cut into tokens, their stems, and which language it is in.

Leaves to the lexicon what a word asks for, and to the linker what it names.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from envs.analyst.turns import Language


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a quoted text of a question.

    Attributes:
        text: As typed, without quotation marks.
        word: Lower case without accents.
        first, last: Its characters in the question: [first, last).
        number: Its value if it is one, digits or word.
    """

    text: str
    word: str
    stem: str
    first: int
    last: int
    quoted: bool = False
    number: float | None = None


_TOKEN = re.compile(
    r"(?P<quoted>\"[^\"]+\"|“[^”]+”|‘[^’]+’|(?<!\w)'[^']+'(?!\w)|`[^`]+`)"
    r"|(?P<number>(?<![\w.])-?\d[\d,.]*\d(?:\s?%)?(?![\w])|(?<![\w.])-?\d(?:\s?%)?(?![\w]))"
    r"|(?P<word>\w+(?:[-./&'’]\w+)*)"
    r"|(?P<mark>[,;?!:().])"
)
_SCALES = {"k": 1e3, "thousand": 1e3, "ribu": 1e3, "rb": 1e3, "million": 1e6, "juta": 1e6, "jt": 1e6,
           "billion": 1e9, "miliar": 1e9, "milyar": 1e9}  # fmt: skip
_IRREGULAR = {"ids": "id", "people": "person", "children": "child", "men": "man", "women": "woman"}
_SCALED = re.compile(r"^(-?\d+(?:\.\d+)?)(k|m|jt|rb)$")
_NUMBERS = {
    word: float(n)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas",
    )
    for n, word in enumerate(words.split())
} | {
    "twice": 2.0,
    "once": 1.0,
    "hundred": 100.0,
    "twenty": 20.0,
    "thirty": 30.0,
    "seratus": 100.0,
    "seribu": 1000.0,
}
_INDONESIAN = frozenset(
    """
    apa apakah berapa siapa mana yang dan atau dari untuk pada dengan tanpa tidak bukan belum di ke
    per tiap setiap semua adalah jumlah total rata-rata tertinggi terendah terbanyak terbesar
    terkecil tampilkan tunjukkan daftar sebutkan cari hitung bulan tahun minggu hari kuartal
    triwulan lalu ini terakhir lebih kurang antara sejak sebelum setelah menurut berdasarkan
    penjualan pendapatan pelanggan produk wilayah pesanan saja hanya bagaimana kenapa mengapa banyak
    nama harga memiliki punya itu saya tolong dong berikan masing-masing urutkan halo selamat terima
    kasih bantu bantuan bisa kamu kami pertumbuhan tren persen persentase bandingkan dibanding kanal
    selain kecuali sampai hingga paling ada karyawan oleh nilai unit kembali cuti
    """.split()
)
_ENGLISH = frozenset(
    """
    the of and or what which who how many much is are was were show list find give for each by in
    with without not than more less all average total number top last month year by this from have
    has do does did whose that only about instead me count between since after before order orders
    sales hello hi thanks there their per
    """.split()
)


def folded(text: str) -> str:
    """Lower case without accents, character for character."""
    return "".join(_fold(character) for character in text)


def tokens(question: str) -> tuple[Token, ...]:
    """The question's tokens; marks such as commas are tokens of their own."""
    found: list[Token] = []
    for match in _TOKEN.finditer(question):
        token = _token(match)
        scale = _SCALES.get(token.word)
        if scale and found and found[-1].number is not None and not found[-1].quoted:
            before = found.pop()
            text, word = f"{before.text} {token.text}", f"{before.word} {token.word}"
            token = Token(
                text, word, token.stem, before.first, token.last,
                number=(before.number or 0.0) * scale,
            )  # fmt: skip
        found.append(token)
    return tuple(found)


def stem(word: str) -> str:
    """A word without what plural, possession, and in Indonesian doubling and `-nya`, add to it."""
    half, _, other = word.partition("-")
    if half == other and half:
        word = half
    if len(word) > 5 and word.endswith("nya"):
        word = word[:-3]
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or word.endswith(("ss", "us", "is", "as")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word.removesuffix("s")


def language_of(question: str, default: Language = Language.EN) -> Language:
    """The language most of whose common words a question has."""
    words = [token.word for token in tokens(question) if not token.quoted]
    indonesian = sum(word in _INDONESIAN or word.removesuffix("nya") in _INDONESIAN for word in words)
    english = sum(word in _ENGLISH for word in words)
    if indonesian == english:
        return default
    return Language.ID if indonesian > english else Language.EN


def name_words(name: str) -> tuple[str, ...]:
    """The stems of the words in the name of a table or a column: `orderDate`, `order_date`, `Order Date`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\W]+", " ", name)
    return tuple(stem(folded(word)) for word in spaced.split())


def _token(match: re.Match[str]) -> Token:
    text = match[0]
    if match["quoted"]:
        inner = text[1:-1].strip()
        return Token(inner, folded(inner), folded(inner), match.start(), match.end(), quoted=True)
    word = folded(text).replace("’", "'").removesuffix("'s")
    number = _number(word) if match["number"] else _NUMBERS.get(word)
    scaled = _SCALED.match(word)
    if scaled:
        number = float(scaled[1]) * {"m": 1e6, **_SCALES}[scaled[2]]
    own = re.sub(r"['’]s$", "", text)
    return Token(own, word, stem(word), match.start(), match.end(), number=number)


def _number(text: str) -> float | None:
    digits = text.replace(" ", "").rstrip("%").rstrip(".,")
    if re.fullmatch(r"-?\d{1,3}(?:[.,]\d{3})+", digits):
        digits = re.sub(r"[.,]", "", digits)
    try:
        return float(digits.replace(",", "." if digits.count(",") == 1 and "." not in digits else ""))
    except ValueError:
        return None


def _fold(character: str) -> str:
    lower = character.lower()
    plain = unicodedata.normalize("NFKD", lower)[:1] or lower
    return plain if len(lower) == 1 else character
