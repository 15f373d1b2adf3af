#!/usr/bin/env bash
# Text of a PDF layer that is off: pdftotext leaves it out; pypdf, pdfplumber and PDFium's text functions return it.
#
# Seen on 2026-11-28 with pypdf 7.1.1, pdfplumber 0.11.10, pypdfium2 5.15.2 and poppler's pdftotext 22.12 (Debian 12). The
# file has optional content that its default configuration switches off (ISO 32000-1, 8.11.4). PDFium does not draw
# the layer, yet its text page holds the words, at their places.
# Why it matters: drafts, answers of a test and translations live in such layers; a reader of the page never sees them.
set -euo pipefail
command -v pdftotext >/dev/null || { echo 'needs pdftotext (poppler-utils)'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet reportlab==5.1.0 pikepdf==10.18.0 pypdf==7.1.1 pdfplumber==0.11.10 pypdfium2==5.15.2 pillow==13.0.0 numpy==2.4.6
environment/bin/python - <<'PYTHON'
import subprocess

import pdfplumber
import pikepdf
import pypdf
import pypdfium2
from reportlab.pdfgen import canvas

page = canvas.Canvas("base.pdf", pagesize=(300, 200))
page.drawString(20, 150, "Final price 75")
page.save()
pdf = pikepdf.open("base.pdf")
layer = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="Draft"))
pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=[layer], D=pikepdf.Dictionary(OFF=[layer], Order=[layer]))
first = pdf.pages[0]
first.Resources.Properties = pikepdf.Dictionary(L1=layer)
font = list(first.Resources.Font.keys())[0]
first.contents_add(
    pdf.make_stream(f"/OC /L1 BDC BT {font} 12 Tf 20 100 Td (Draft price 90) Tj ET EMC".encode())
)
pdf.save("layers.pdf")

document = pypdfium2.PdfDocument("layers.pdf")
seen = {
    "pdftotext": subprocess.run(["pdftotext", "layers.pdf", "-"], capture_output=True, text=True, check=True).stdout,
    "pypdf": pypdf.PdfReader("layers.pdf").pages[0].extract_text(),
    "pdfplumber": pdfplumber.open("layers.pdf").pages[0].extract_text(),
    "pdfium": document[0].get_textpage().get_text_range(),
}
for name, text in seen.items():
    print(f"{name}: {text.split()}")
picture = document[0].render(scale=1).to_numpy()
drawn = [bool((picture[200 - y - 12 : 200 - y + 2, 15:150] < 128).any()) for y in (150, 100)]
print("PDFium draws [final, draft]:", drawn)
assert drawn == [True, False]
assert "Draft" not in seen["pdftotext"]
assert all("Draft price 90" in seen[name] for name in ["pypdf", "pdfplumber", "pdfium"])
PYTHON
