#!/usr/bin/env python3
"""The completions of opviz for a shell, on standard output: completions.py OPVIZ bash|zsh|fish

The generated ones know nothing of the default command: `opviz trace.json`, and the options that may follow it. That is put
in here. Where what it is put into is no longer there, this fails rather than leave it out.
"""

import re
import subprocess
import sys


def replaced(pattern, by, text):
    result, count = re.subn(pattern, lambda found: found.expand(by), text, count=1, flags=re.DOTALL)
    if count == 0:
        sys.exit(f"completions.py: the generated script has no more: {pattern}")
    return result


def without_second_help(text):
    """The help that is built in stands beside ours."""
    text = text.replace("|help|help)", "|help)").replace(" help help'", " help'")
    text = replaced(r"(_opviz_help\(\) \{.*?\n\}\n)\n_opviz_help\(\) \{.*?\n\}\n", r"\1", text)
    return re.sub(r"\n *'help:Show subcommand help information\.'", "", text)


def bash(text):
    text = without_second_help(text)
    # The first word may be a command or a trace. A trace is completed like `opviz graph trace`.
    return replaced(
        r"\n        COMPREPLY\+=\(\$\(compgen -W '([^']*\bgraph\b[^']*)' -- \"\$\{cur\}\"\)\)\n",
        r"""
        [[ "${COMP_CWORD}" -gt 1 ]] || COMPREPLY+=($(compgen -W '\1' -- "${cur}"))
        unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")
        _opviz_graph
""",
        text,
    )


def zsh(text):
    text = without_second_help(text)
    text = replaced(
        r"(        _describe -V subcommand subcommands && ret=0\n)",
        r"\1        _files -g '*.json *.optrace' && ret=0\n",
        text,
    )
    return replaced(
        r"(            \"_opviz_\$\{words\[1\]\}\" && ret=0\n            ;;\n)",
        r"""\1        *)
            words=(graph "${words[@]}")
            ((CURRENT++))
            _opviz_graph && ret=0
            ;;
""",
        text,
    )


def fish(text):
    lines = [line for line in text.splitlines() if "Show subcommand help information." not in line]
    of_graph = [line for line in lines if '"opviz graph"' in line]
    if not of_graph:
        sys.exit("completions.py: the generated script has no more: opviz graph")
    # opviz's own options are already included: --version and --help.
    extra = [
        line.replace('"opviz graph"', '"opviz"')
        for line in of_graph
        if '"opviz graph" version' not in line and '"opviz graph" h help' not in line
    ]
    text = "\n".join(lines + extra) + "\n"
    # The options of the default command are parsed if no command was named.
    options = re.search(r"case 'graph'\n\s*__opviz_parse_subcommand 1 ([^\n]*)\n", text).group(1)
    return replaced(r"(case 'opviz'\n\s*__opviz_parse_subcommand 0) 'version' 'h/help'\n", rf"\1 {options}\n", text)


if len(sys.argv) != 3 or sys.argv[2] not in ("bash", "zsh", "fish"):
    sys.exit(__doc__)
generated = subprocess.run(
    [sys.argv[1], "--generate-completion-script", sys.argv[2]], check=True, capture_output=True, text=True
).stdout
print({"bash": bash, "zsh": zsh, "fish": fish}[sys.argv[2]](generated), end="")
