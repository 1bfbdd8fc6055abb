#!/usr/bin/env bash
# The manual pages, the completions, the SKILL.md and the JSON schemas of opviz, below a prefix:
# install-texts.sh OPVIZ GENERATE-MANUAL PREFIX
set -euo pipefail
scripts=$(dirname "$0") opviz=$1 generator=$2 share=$3/share
# The day of the latest change in the changelog, so that two installations of one version are the same.
date=$(git -C "$scripts" log -1 --format=%cs -- ../CHANGELOG.md 2>/dev/null || true)
[ -n "$date" ] || date=$(date -r "$scripts/../CHANGELOG.md" +%F)

install -d "$share/man/man1"
python3 "$scripts/manual.py" "$opviz" "$generator" "$date" "$share/man/man1"

completion() { # SHELL FILE
    install -d "$(dirname "$share/$2")"
    python3 "$scripts/completions.py" "$opviz" "$1" >"$share/$2"
}
completion bash bash-completion/completions/opviz
completion zsh zsh/site-functions/_opviz
completion fish fish/vendor_completions.d/opviz.fish

install -d "$share/opviz/schemas"
install -m 644 "$scripts"/../Documentation/schemas/*.schema.json "$share/opviz/schemas"
python3 "$scripts/skill.py" "$opviz" >"$share/opviz/SKILL.md"
