#!/usr/bin/env python3
"""share/opviz/SKILL.md, on standard output: skill.py OPVIZ

What `opviz help agent` prints, below a front matter with its second paragraph as the description.
"""
import json
import subprocess
import sys


def opviz(*arguments):
    return subprocess.run([sys.argv[1], *arguments], check=True, capture_output=True, text=True).stdout


text = opviz("help", "agent")
description = " ".join(text.split("\n\n")[1].split())
print(f"""---
name: opviz
description: {json.dumps(description, ensure_ascii=False)}
version: {json.dumps(opviz("--version").strip())}
---

{text}""", end="")
