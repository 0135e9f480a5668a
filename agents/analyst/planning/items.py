"""Items: a question as the things it says, in order: marks, names, values, numbers, times, unknown words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.analyst.planning.calendar import Window
from agents.analyst.planning.marks import LEXICON, Kind, Mark, mark_at
from agents.analyst.planning.vocabulary import LONGEST, Naming, Vocabulary
from agents.analyst.planning.words import Token, folded
from envs.analyst.catalogue import ValueIndex, ValueMatch


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase of the lexicon."""

    text: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Named:
    """A phrase that names tables or columns; `values` that it may be besides."""

    text: str
    naming: Naming
    values: tuple[ValueMatch, ...] = ()


@dataclass(frozen=True, slots=True)
class Valued:
    """A phrase that is a stored value, or a quoted text that may be none.

    Attributes:
        guessed: Whether it is only similar to what is stored.
        quoted: Whether it stood between quotation marks.
    """

    text: str
    matches: tuple[ValueMatch, ...]
    guessed: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Numbered:
    """A number, as digits or as a word."""

    text: str
    number: float
    spelled: bool = False


@dataclass(frozen=True, slots=True)
class Timed:
    """A stretch of time."""

    text: str
    window: Window


@dataclass(frozen=True, slots=True)
class Unknown:
    """A word that means nothing here."""

    text: str
    token: Token


Item = Said | Named | Valued | Numbered | Timed | Unknown

_STRUCTURE = frozenset(
    {
        Kind.EACH, Kind.CLAUSE, Kind.OF, Kind.IS, Kind.AND, Kind.OR, Kind.NOT, Kind.WHICH, Kind.WHO,
        Kind.HAVE, Kind.CMP, Kind.BETWEEN, Kind.ALL, Kind.WITHOUT, Kind.BOTH, Kind.TEXT,
    }
)  # fmt: skip
"""Marks that hold a sentence together: a column of that name has to be quoted or named with its table."""
_SURE = 0.95
_ALIKE = 0.86
_CODES = {
    "male": ("m", "male"), "males": ("m", "male"), "men": ("m", "male"), "man": ("m", "male"),
    "female": ("f", "female"), "females": ("f", "female"), "women": ("f", "female"), "woman": ("f", "female"),
    "laki-laki": ("m", "l", "male"), "pria": ("m", "l", "male"),
    "perempuan": ("f", "p", "female"), "wanita": ("f", "p", "female"),
    "boys": ("m",), "girls": ("f",), "active": ("active", "yes"), "aktif": ("active", "aktif", "yes"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tagger:
    """Turns tokens into items by the longest reading at each place."""

    vocabulary: Vocabulary
    values: ValueIndex

    def items(self, said: tuple[Token, ...], windows: tuple[Window, ...]) -> tuple[Item, ...]:
        """The items of a question; what is neither known nor a mark stays as `Unknown`."""
        found: list[Item] = []
        for item in self._read(said, windows):
            whole = _whole(found[-1], item) if found else None
            if whole is not None:
                found[-1] = whole
            else:
                found.append(item)
        return tuple(found)

    def _read(self, said: tuple[Token, ...], windows: tuple[Window, ...]) -> Iterator[Item]:
        place, last = 0, None
        while place < len(said):
            window = next((w for w in windows if w.first <= said[place].first < w.last), None)
            compared = isinstance(last, Said) and last.mark.kind is Kind.CMP
            if window is not None and not (compared and window.year_only is not None):
                length = sum(window.first <= token.first < window.last for token in said)
                last = Timed(_text(said[place : place + length]), window)
                yield last
            elif said[place].number is not None and compared:
                # "one" is a number only where something is counted.
                last, length = _number(said[place]), 1
                yield last
            else:
                item, length = self._longest(said, place, windows)
                if item is not None:
                    last = item
                    yield item
            place += length

    def _longest(
        self, said: tuple[Token, ...], place: int, windows: tuple[Window, ...]
    ) -> tuple[Item | None, int]:
        token = said[place]
        if token.quoted:
            return Valued(token.text, self.values.exact(token.text), quoted=True), 1
        marked = mark_at(said, place)
        named, named_length = self._named(said, place, windows)
        valued, valued_length = self._valued(said, place, windows)
        letter = valued is not None and len(valued.text) == 1
        if marked and marked[0].kind is Kind.PERIOD and place and _ends_name(named, said, place):
            marked = None
        if (
            marked
            and marked[1] >= max(named_length, valued_length)
            and not letter
            and not self._name_wins(marked[0], marked[1], named, named_length, place)
        ):
            return Said(_text(said[place : place + marked[1]]), marked[0]), marked[1]
        weak = named is None or (named.naming.score < _SURE and valued_length == named_length)
        if valued is not None and (weak or valued_length > named_length):
            return valued, valued_length
        if named is not None:
            matches = valued.matches if valued is not None and valued_length == named_length else ()
            return Named(named.text, named.naming, matches), named_length
        if token.number is not None:
            return _number(token), 1
        return self._guess(token), 1

    @staticmethod
    def _name_wins(mark: Mark, length: int, named: Named | None, named_length: int, place: int) -> bool:
        if named is None or named_length < length or named.naming.score < _SURE or mark.kind in _STRUCTURE:
            return False
        if mark.kind in (Kind.VERB, Kind.NOTHING):
            return place > 0 and len(named.text) > 3
        return mark.kind not in (Kind.AGG, Kind.ORDER, Kind.GRAIN)

    def _named(
        self, said: tuple[Token, ...], place: int, windows: tuple[Window, ...]
    ) -> tuple[Named | None, int]:
        best: tuple[Named | None, int] = (None, 0)
        for length in range(min(LONGEST, len(said) - place), 0, -1):
            phrase = said[place : place + length]
            if phrase[0].word in _EDGES or phrase[-1].word in _EDGES or _cuts(phrase, windows):
                continue
            naming = self.vocabulary.naming(phrase)
            if naming is None or (length > 1 and naming.score < 0.79):
                continue
            if any(_runs_on(said, place + at, length - at) for at in range(1, length)):
                continue
            if best[0] is None or naming.score > best[0].naming.score + 0.25:
                best = Named(_text(phrase), naming), length
        return best

    def _valued(
        self, said: tuple[Token, ...], place: int, windows: tuple[Window, ...]
    ) -> tuple[Valued | None, int]:
        for length in range(min(LONGEST, len(said) - place), 0, -1):
            phrase = said[place : place + length]
            if any(token.word in "?!,;" for token in phrase) or _cuts(phrase, windows):
                continue
            text = _text(phrase)
            if length == 1 and (
                phrase[0].number is not None or (len(text) < 2 and not (text.isupper() and place))
            ):
                continue
            if length == 1 and (phrase[0].word,) in LEXICON and phrase[0].word == text:
                continue
            matches = self._exact(text, phrase[-1])
            if matches:
                return Valued(text, matches), length
        return None, 0

    def _exact(self, text: str, last: Token) -> tuple[ValueMatch, ...]:
        matches = self.values.exact(text)
        if not matches and last.stem != last.word and len(last.stem) > 3:
            matches = self.values.exact(text[: -(len(last.word) - len(last.stem))])
        if not matches and len(last.stem) > 4 and text.lower() == last.word:
            # `excluding returns` leaves out what was returned.
            matches = self.values.exact(f"{last.stem}ed")
        if matches or text.lower() not in _CODES:
            return matches
        return tuple(match for code in _CODES[text.lower()] for match in self.values.exact(code))

    def _guess(self, token: Token) -> Item | None:
        """A word nobody knows: a misspelt name, a misspelt value, or nothing; a mark says nothing."""
        if not any(character.isalnum() for character in token.text):
            return Said(token.text, _POINTS[token.text]) if token.text in _POINTS else None
        naming = self.vocabulary.guessed(token)
        if naming is not None:
            return Named(token.text, naming)
        alike = self.values.alike(token.text, _ALIKE) if len(token.text) > 3 else ()
        # Few misspell the first letter, and many words differ from a name in it alone.
        alike = tuple(match for match in alike if folded(match.value[:1]) == token.word[:1])
        if alike:
            best = [match for match in alike if match.score >= alike[0].score - 0.02]
            return Valued(token.text, tuple(best), guessed=True)
        return Unknown(token.text, token)


def _ends_name(named: Named | None, said: tuple[Token, ...], place: int) -> bool:
    """`opening year` where a column is called `open_year`: no unit of the calendar, but its end."""
    if named is None or not named.naming.columns or named.naming.score < _TAIL:
        return False
    before, words = said[place - 1], [token.word for token in said[:place]]
    if before.word == "and":
        return not {"by", "per", "each", "every"} & set(words)
    if before.word == "by":
        return len(words) > 1 and words[-2] in (
            "ordered",
            "sorted",
            "order",
            "sort",
            "ascending",
            "descending",
        )
    dated = place + 1 < len(said) and said[place + 1].number is not None
    return before.number is None and (dated or before.word not in _ASKING)


_TAIL = 0.79
_ASKING = frozenset("which what in by per each every of and the this last next top best for".split())


def _whole(one: Item, other: Item) -> Named | None:
    """`purchase time` where the column is `time_of_purchase`: two halves of one name."""
    if not isinstance(one, Named) or not isinstance(other, Named) or one.naming.tables or other.naming.tables:
        return None
    if max(one.naming.score, other.naming.score) >= _SURE_HALF:
        return None
    second = {(hit.table, hit.column) for hit in other.naming.columns}
    both = tuple(hit for hit in one.naming.columns if (hit.table, hit.column) in second)
    columns = tuple(replace(hit, score=_SURE_HALF) for hit in both)
    return Named(f"{one.text} {other.text}", Naming((), columns)) if columns else None


_SURE_HALF = 0.9
"""Of two halves that name one column together; what is surer by itself is no half."""
_COMMA, _STOP = Mark(Kind.AND, ","), Mark(Kind.STOP)
_POINTS = {",": _COMMA, ";": _COMMA, "?": _STOP, ".": _STOP, "!": _STOP}
_EDGES = frozenset("of the a an in and or for by is are , ; ? ! . ( ) : dari yang dan di".split())


def _runs_on(said: tuple[Token, ...], place: int, length: int) -> bool:
    """Whether a comparison starts inside a phrase and goes on behind it: `books | cost less than`."""
    found = mark_at(said, place)
    return found is not None and found[0].kind is Kind.CMP and found[1] > length


def _number(token: Token) -> Numbered:
    return Numbered(token.text, token.number or 0.0, spelled=not token.text[-1].isdigit())


def _text(phrase: tuple[Token, ...]) -> str:
    return " ".join(token.text for token in phrase)


def _cuts(phrase: tuple[Token, ...], windows: tuple[Window, ...]) -> bool:
    return any(w.first < phrase[-1].last and phrase[0].first < w.last for w in windows)
