"""Collects sentences of laws and help pages: LANGUAGE.txt (for the teacher) and LANGUAGE.all (for counting words).

    python texts.py OUT_FOLDER CHECKOUTS HELP_FOLDER [--without FILE]

CHECKOUTS has the repositories bundestag/gesetze, legalize-dev/legalize-fr, -uy and -ar as folders; HELP_FOLDER the folders
de, fr and es of LibreOffice's help. FILE lists paths of laws that question sets were drawn from: they are left out.
"""

import argparse
import html
import random
import re
from collections.abc import Iterator
from pathlib import Path

LAWS = {"de": ["gesetze"], "fr": ["legalize-fr"], "es": ["legalize-uy", "legalize-ar"]}
LAWS_PER_FOLDER = 2500
LAW_SENTENCES = 9000
HELP_SENTENCES = 6000
TAUGHT = 11000
COUNTED = 150_000
MIN_LETTERS = 0.75
PARAGRAPH = re.compile(r'<(?:p|h\d)[^>]*class="(?:paragraph|tip|note|listitem|head\w*)"[^>]*>(.*?)</(?:p|h\d)>', re.S)
SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[\"«„(]?[A-ZÄÖÜÉÈÀÁÍÓÚÑ])")


def sentences(text: str) -> Iterator[str]:
    joined = re.sub(r"(?<=[^\n])\n(?=[^\n#:|*\-])", " ", text)
    for line in joined.split("\n"):
        plain = re.sub(r"^[#>*\-\s]+|\*\*|\[|\]\([^)]*\)|\\", "", line).strip()
        for sentence in SENTENCE_END.split(plain):
            stripped = sentence.strip()
            if 40 <= len(stripped) <= 260 and sum(map(str.isalpha, stripped)) > MIN_LETTERS * len(stripped):
                yield stripped


def laws(folder: Path, left_out: list[str]) -> Iterator[str]:
    files = [file for file in sorted(folder.rglob("*.md")) if file.name not in ("README.md", "LICENSE.md")]
    used = [file for file in files if not any(path.endswith(str(file.relative_to(folder))) for path in left_out)]
    random.shuffle(used)
    for file in used[:LAWS_PER_FOLDER]:
        yield from sentences(file.read_text(errors="replace"))


def help_pages(folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*.html")):
        for paragraph in PARAGRAPH.findall(file.read_text()):
            plain = html.unescape(re.sub(r"<[^>]+>", "", paragraph))
            yield from sentences(re.sub(r"\s+", " ", plain))


def shuffled(texts: Iterator[str]) -> list[str]:
    distinct = sorted(set(texts))
    random.shuffle(distinct)
    return distinct


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("help", type=Path)
    parser.add_argument("--without", type=Path)
    arguments = parser.parse_args()
    random.seed(5)
    left_out = arguments.without.read_text().split("\n") if arguments.without else []
    for language, folders in LAWS.items():
        of_laws = shuffled(text for name in folders for text in laws(arguments.checkouts / name, left_out))
        of_help = shuffled(help_pages(arguments.help / language))
        taught = of_laws[:LAW_SENTENCES] + of_help[:HELP_SENTENCES]
        random.shuffle(taught)
        (arguments.out / f"{language}.txt").write_text("\n".join(taught[:TAUGHT]))
        (arguments.out / f"{language}.all").write_text("\n".join(of_laws[:COUNTED] + of_help))


if __name__ == "__main__":
    main()
