#!/usr/bin/env bash
# DuckDB exports JSON that JSON parsers refuse: NaN and Infinity stand as bare words.
#
# Seen on 2026-11-28 with duckdb 2.0.1 (Python 3.11) and Node 20: `copy (…) to 'x.json'` writes {"ratio":NaN,"limit":Infinity}
# and no error. DuckDB reads the file again as doubles; JSON.parse refuses the whole file, Python's json accepts it.
# A decimal(9,2) of 1.10 is written as 1.1, so the scale is lost, too.
# Why it matters: one division by zero in one row makes an exported file unreadable for strict readers (RFC 8259,
# section 6 has no such numbers).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet duckdb==2.0.1
environment/bin/python - <<'PYTHON'
import json
import math

import duckdb

duckdb.sql(
    "copy (select 'nan'::double as ratio, 'infinity'::double as ceiling, 1.10::decimal(9,2) as price) to 'x.json'"
)
text = open("x.json").read().strip()
print("written:", text)
assert text == '{"ratio":NaN,"ceiling":Infinity,"price":1.1}', text
(row,) = duckdb.sql("select * from read_json('x.json')").fetchall()
print("read by DuckDB:", row)
assert math.isnan(row[0]) and math.isinf(row[1])
assert math.isnan(json.loads(text)["ratio"])
PYTHON
node -e '
  const text = require("node:fs").readFileSync("x.json", "utf8");
  let refused;
  try { JSON.parse(text); } catch (error) { refused = error; }
  console.log("JSON.parse:", String(refused));
  if (!(refused instanceof SyntaxError)) process.exit(1);
'
