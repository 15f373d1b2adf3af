#!/usr/bin/env bash
# A full-text index of LanceDB without options finds nothing for "The Who", and "run" finds "running".
#
# Seen on 2026-11-28 with lancedb 0.40.0, Python 3.11: `create_fts_index("text")` removes English stop words from rows and
# queries and stems both, whatever the language of the column. A query of stop words only has no term and returns no
# row, without an error or a warning. "AB1234" does not find "AB-1234", "1234" does.
# Why it matters: names (The Who, It, Nowhere), codes and columns in other languages need `remove_stop_words=False`,
# `stem=False` from the first row on, because the index must be built again to change them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet lancedb==0.40.0
environment/bin/python - <<'PYTHON'
import lancedb

rows = [
    {"id": "band", "text": "The Who played in Leeds"},
    {"id": "code", "text": "Part AB-1234 is in stock"},
    {"id": "sport", "text": "running fast"},
]
database = lancedb.connect("lance")
plain = database.create_table("plain", rows)
plain.create_fts_index("text")
exact = database.create_table("exact", rows)
exact.create_fts_index("text", remove_stop_words=False, stem=False)


def ids(table, query):
    return [row["id"] for row in table.search(query, query_type="fts").to_list()]


seen = {query: (ids(plain, query), ids(exact, query)) for query in ["The Who", "run", "AB1234", "1234"]}
for query, (without, with_options) in seen.items():
    print(f"{query!r}: default {without}, no stop words and no stemming {with_options}")
assert seen["The Who"] == ([], ["band"])
assert seen["run"] == (["sport"], [])
assert seen["AB1234"] == ([], [])
assert seen["1234"] == (["code"], ["code"])
PYTHON
