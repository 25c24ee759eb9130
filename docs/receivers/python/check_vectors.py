"""Checks every vector: `python3 check_vectors.py ../vectors.json` exits with 0 if all results are as expected."""

import json
import sys

from receiver import Refused, verify

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
for vector in vectors:
    try:
        verify(vector["body"].encode(), vector["headers"].get("X-Signature", ""), vector["secret"], vector["now"])
        is_accepted = True
    except Refused:
        is_accepted = False
    if is_accepted != vector["accept"]:
        sys.exit(vector["title"])
print(len(vectors), "vectors")
