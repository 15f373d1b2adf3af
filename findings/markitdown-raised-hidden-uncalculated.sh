#!/usr/bin/env bash
# MarkItDown turns 10⁶ into 106, reads hidden slides, sheets and rows without a word, and states 0 for a formula.
#
# Seen on 2026-11-28 with markitdown 0.1.9, python-docx 1.2.0, python-pptx 1.0.2, xlsxwriter 3.3.1, Python 3.11.
#   Word         "10" with a raised "6"            10 and 6 become 106 (struck text is kept as ~~struck~~)
#   PowerPoint   a hidden slide                    its title stands like any other
#   Excel        a hidden sheet, a hidden row      both stand like any other
#   Excel        =2*3, never calculated            0: XlsxWriter stores 0 as the result until a program calculates
# Why it matters: the Markdown is given to a language model as the document; nothing marks what a reader does not see.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet 'markitdown[docx,pptx,xlsx]==0.1.9' python-docx==1.2.0 python-pptx==1.0.2 xlsxwriter==3.3.1
environment/bin/python - <<'PYTHON'
import xlsxwriter
from docx import Document
from markitdown import MarkItDown
from pptx import Presentation

document = Document()
paragraph = document.add_paragraph("Old ")
paragraph.add_run("90 euros").font.strike = True
paragraph.add_run(", dose 10")
paragraph.add_run("6").font.superscript = True
paragraph.add_run(" units")
document.save("dose.docx")

deck = Presentation()
for title in ["Shown", "Withdrawn"]:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = title
slide._element.set("show", "0")
deck.save("deck.pptx")

book = xlsxwriter.Workbook("book.xlsx")
sheet = book.add_worksheet("Prices")
sheet.write_row(0, 0, ["item", "price"])
sheet.write_row(1, 0, ["hidden lamp", 3])
sheet.set_row(1, None, None, {"hidden": True})
sheet.write(2, 0, "total")
sheet.write_formula(2, 1, "=2*3")
hidden = book.add_worksheet("Margins")
hidden.write(0, 0, "internal")
hidden.hide()
book.close()

read = {name: MarkItDown().convert(name).text_content for name in ["dose.docx", "deck.pptx", "book.xlsx"]}
for name, text in read.items():
    print(f"== {name}\n{text}")
assert "~~90 euros~~" in read["dose.docx"] and "dose 106 units" in read["dose.docx"]
assert "# Withdrawn" in read["deck.pptx"] and "hidden" not in read["deck.pptx"].lower()
assert "| hidden lamp | 3 |" in read["book.xlsx"] and "## Margins" in read["book.xlsx"]
assert "| total | 0 |" in read["book.xlsx"]
PYTHON
