#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""docs/compose-support.md says what the tables in the code say: run.py PRINT_SUPPORT DOCUMENT. With UPDATE=1 it is written anew."""
import difflib
import os
import subprocess
import sys

MARK = "<!-- From here on printed from the tables in generator/plan: UPDATE=1 tests/support/run.py PRINT_SUPPORT DOCUMENT -->\n"
program, document = sys.argv[1:3]
tables = subprocess.run([program], capture_output=True, text=True, check=True).stdout
with open(document, encoding="utf-8") as f:
    before = f.read()
head, mark, _ = before.partition(MARK)
if not mark:
    sys.exit(f"{document} has lost the line from which on it is printed")
wanted = head + MARK + tables
if os.environ.get("UPDATE") == "1":
    with open(document, "w", encoding="utf-8") as f:
        f.write(wanted)
elif before != wanted:
    for line in difflib.unified_diff(before.splitlines(), wanted.splitlines(), document, "the tables", lineterm="", n=0):
        print(line)
    sys.exit(1)
