"""Collects English text to distil from, out of documentation with a permissive licence that lies on the machine.

    python collect_texts.py OUT.txt --wordnet /usr/share/wordnet --html DIR... --python DIR...

WordNet's definitions and examples (general words), paragraphs of HTML documentation (Python's: PSF licence, Rust's:
MIT/Apache) and the docstrings of scientific Python packages (BSD: technical words). One text a line, no duplicates.
No text of a retrieval test set may be given to it.
"""

import argparse
import ast
import html
import random
import re
from pathlib import Path

MIN_WORDS, MAX_WORDS = 4, 160
PARAGRAPH = re.compile(r"<(p|li|dd|h[1-4])\b[^>]*>(.*?)</\1>", re.S)


def wordnet(folder: Path):
    for path in sorted(folder.glob("data.*")):
        for line in path.read_text(errors="replace").splitlines():
            if line.startswith("  ") or "|" not in line:
                continue
            fields = line.split()
            count = int(fields[3], 16)
            words = ", ".join(fields[4 + 2 * i].replace("_", " ") for i in range(count))
            gloss = line.split("|", 1)[1].strip()
            definition, *examples = gloss.split('; "')
            yield f"{words}: {definition}"
            for example in examples:
                yield example.strip('" ')


def html_pages(folder: Path):
    for path in sorted(folder.rglob("*.html")):
        for _, inner in PARAGRAPH.findall(path.read_text(errors="replace")):
            yield html.unescape(re.sub(r"<[^>]+>", "", inner))


def docstrings(folder: Path):
    for path in sorted(folder.rglob("*.py")):
        if "test" in path.parts or "tests" in path.parts:
            continue
        try:
            tree = ast.parse(path.read_text(errors="replace"))
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                for paragraph in re.split(r"\n\s*\n", ast.get_docstring(node) or ""):
                    if ">>>" not in paragraph:
                        yield paragraph


def pieces(text: str):
    """Short texts as they are; long ones in pieces of unequal length, as passages and queries are."""
    words = text.split()
    while len(words) >= MIN_WORDS:
        size = random.randint(MAX_WORDS // 4, MAX_WORDS)
        if len(words) <= MAX_WORDS:
            size = len(words)
        yield " ".join(words[:size])
        words = words[size:]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--wordnet", type=Path)
    parser.add_argument("--html", type=Path, nargs="*", default=[])
    parser.add_argument("--python", type=Path, nargs="*", default=[])
    arguments = parser.parse_args()
    random.seed(1)
    sources = []
    if arguments.wordnet:
        sources.append(wordnet(arguments.wordnet))
    sources += [html_pages(folder) for folder in arguments.html]
    sources += [docstrings(folder) for folder in arguments.python]
    texts = dict.fromkeys(piece for source in sources for text in source for piece in pieces(text))
    lines = [text for text in texts if sum(c.isascii() and c.isalpha() for c in text) > 0.6 * len(text)]
    random.shuffle(lines)
    Path(arguments.out).write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} texts, {sum(len(line.split()) for line in lines)} words")


if __name__ == "__main__":
    main()
