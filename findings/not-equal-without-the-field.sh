#!/usr/bin/env bash
# "Not equal" on a record that lacks the field: three vector stores, three answers.
#
# Seen on 2026-11-28 with chromadb 1.5.9, lancedb 0.40.0, qdrant-client 1.20.0 (its in-process mode), Python 3.11.
# Three records: team red, team blue, and one without a team. Asked for: not red.
#   Chroma    {"team": {"$ne": "red"}}           blue and the record without a team
#   LanceDB   team != 'red'                      blue only (SQL's three-valued logic)
#   Qdrant    must_not: match value red          blue and the record without a team
#   Qdrant    must: match except [red]           blue only
# Why it matters: a filter that expresses a right ("not confidential") admits or hides unlabelled records, depending on
# the store, and in Qdrant on which of two notations of the same wish is used.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet chromadb==1.5.9 lancedb==0.40.0 qdrant-client==1.20.0
environment/bin/python - <<'PYTHON'
import chromadb
import lancedb
from qdrant_client import QdrantClient, models

vectors = {"red": [1.0, 0.0], "blue": [0.9, 0.1], "none": [0.8, 0.2]}

chroma = chromadb.Client().create_collection("records")
chroma.add(
    ids=list(vectors),
    embeddings=list(vectors.values()),
    metadatas=[{"team": "red"}, {"team": "blue"}, {"year": 2026}],
)
by_chroma = sorted(chroma.get(where={"team": {"$ne": "red"}})["ids"])

rows = [{"id": name, "team": None if name == "none" else name, "vector": vector} for name, vector in vectors.items()]
table = lancedb.connect("lance").create_table("records", rows)
by_lance = sorted(row["id"] for row in table.search([1.0, 0.0]).where("team != 'red'").to_list())

qdrant = QdrantClient(":memory:")
qdrant.create_collection("records", vectors_config=models.VectorParams(size=2, distance=models.Distance.COSINE))
names = list(vectors)
qdrant.upsert(
    "records",
    [
        models.PointStruct(id=at, vector=vectors[name], payload={} if name == "none" else {"team": name})
        for at, name in enumerate(names)
    ],
)


def ask(condition):
    points = qdrant.query_points("records", query=[1.0, 0.0], query_filter=condition).points
    return sorted(names[point.id] for point in points)


is_red = models.FieldCondition(key="team", match=models.MatchValue(value="red"))
not_red = models.FieldCondition(key="team", match=models.MatchExcept(**{"except": ["red"]}))
by_must_not = ask(models.Filter(must_not=[is_red]))
by_except = ask(models.Filter(must=[not_red]))

print("chroma $ne:", by_chroma)
print("lancedb !=:", by_lance)
print("qdrant must_not:", by_must_not)
print("qdrant except:", by_except)
assert by_chroma == ["blue", "none"]
assert by_lance == ["blue"]
assert by_must_not == ["blue", "none"]
assert by_except == ["blue"]
PYTHON
