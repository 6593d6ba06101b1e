"""Languages in whose letters moves are written, and which of them a game is in.  No I/O.

The standard has English letters.  A game whose every move is legal in English is in English;
any other is in the language in which every move is legal.  If there are several, and the
moves would be different ones, nobody knows which game it is.
`server/web/src/game/language.ts` has the same.
"""

from collections.abc import Iterable

from rookery_analysis.notation import Letters

PIECES = "KQRBN"
ENGLISH: Letters = dict(zip(PIECES, PIECES, strict=True))
PAWN = "P"

# King, queen, rook, bishop and knight.
LANGUAGES: dict[str, tuple[str, ...]] = {
    "German": tuple("KDTLS"),  # Danish, Norwegian, Swedish, Croatian, Slovene, Serbian
    "Dutch": tuple("KDTLP"),
    "French": tuple("RDTFC"),
    "Spanish": tuple("RDTAC"),  # Catalan, Italian
    "Portuguese": tuple("RDTBC"),  # Galician
    "Polish": tuple("KHWGS"),
    "Czech": tuple("KDVSJ"),  # Slovak
    "Hungarian": tuple("KVBFH"),
    "Romanian": tuple("RDTNC"),
    "Finnish": tuple("KDTLR"),  # Afrikaans
    "Icelandic": tuple("KDHBR"),
    "Estonian": tuple("KLVOR"),
    "Latvian": tuple("KDTLZ"),
    "Lithuanian": tuple("KVBRŽ"),
    "Turkish": tuple("ŞVKFA"),
    "Indonesian": tuple("RMBGK"),
    "Vietnamese": tuple("VHXTM"),
    "Welsh": tuple("TBCEM"),
    "Irish": tuple("RBCED"),
    "Basque": tuple("EDGAZ"),
    "Esperanto": tuple("RDTKĈ"),
    "Russian": ("Кр", "Ф", "Л", "С", "К"),
    "Ukrainian": ("Кр", "Ф", "Т", "С", "К"),
    "Bulgarian": tuple("ЦДТОК"),
    "Serbian": tuple("КДТЛС"),  # Macedonian
    "Greek": tuple("ΡΒΠΑΙ"),
}


def candidates(used: Iterable[str]) -> list[Letters]:
    """Return what some letters may mean, each meaning once; English comes first.

    Only languages are of interest that have all of them.  A pawn may have its P in English;
    in another language only if none has it for a piece.
    """
    used = frozenset(used)
    known = [ENGLISH, {**ENGLISH, PAWN: PAWN}]
    others = [dict(zip(each, PIECES, strict=True)) for each in LANGUAGES.values()]
    found = _those_with(used, [*known, *others])
    return found or _those_with(used, [{PAWN: PAWN, **each} for each in others])


def _those_with(used: frozenset[str], languages: Iterable[Letters]) -> list[Letters]:
    found: list[Letters] = []
    for letters in languages:
        if used <= letters.keys():
            meaning = {letter: letters[letter] for letter in sorted(used)}
            if meaning not in found:
                found.append(meaning)
    return found
