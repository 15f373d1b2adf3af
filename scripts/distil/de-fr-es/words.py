"""Words of texts in the form in which the service's tokenizer compares them."""

import re
import unicodedata
from collections import Counter
from pathlib import Path

LANGUAGES = {"de": "german", "fr": "french", "es": "spanish"}
WORD = re.compile(r"[^\W\d_]+")
LATIN = re.compile(r"^[a-zßœæ]+$")
# A word of a list without counts is taken to occur as often.
LISTED = 3


def plain(text: str) -> str:
    """Lower case, without accents."""
    return "".join(char for char in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(char) != "Mn")


def count_words(texts: Path, lists: Path, language: str) -> tuple[Counter[str], dict[str, str]]:
    """Returns how often each plain word occurs, and its most frequent spelling. `lists` has snowball-data's folders."""
    spelt = Counter(WORD.findall((texts / f"{language}.all").read_text()))
    for word in WORD.findall((lists / LANGUAGES[language] / "voc.txt").read_text()):
        spelt[word] += LISTED
    counts: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    for word, count in spelt.most_common():
        key = plain(word)
        counts[key] += count
        spelling.setdefault(key, word)
    return counts, spelling


def cut(word: str, tokens: set[str] | dict[str, int], longest: int) -> list[str]:
    """Returns the longest tokens from the left; those inside a word begin with ##. Empty if the word cannot be cut."""
    found: list[str] = []
    start = 0
    while start < len(word):
        for end in range(min(len(word), start + longest), start, -1):
            token = ("##" if start > 0 else "") + word[start:end]
            if token in tokens:
                found.append(token)
                start = end
                break
        else:
            return []
    return found
