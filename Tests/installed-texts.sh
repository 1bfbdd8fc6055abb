#!/usr/bin/env bash
# Checks what make install puts beside opviz: a manual page for every command, completions that know the
# default command, and what opviz help agent prints as SKILL.md. installed-texts.sh OPVIZ GENERATE-MANUAL
set -euo pipefail
cd "$(dirname "$0")/.."
source Tests/expectations.sh
opviz=$(realpath "$1") generator=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bash Scripts/install-texts.sh "$opviz" "$generator" "$scratch"


commands=$("$opviz" help | sed -n '/SUBCOMMANDS:$/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p')
expect "no command is listed" [ "$(wc -w <<<"$commands")" -gt 10 ]
for command in $commands; do
    page=$scratch/share/man/man1/opviz-$command.1
    expect "$command has no page" [ -s "$page" ]
    expect "the page of $command is not called so" grep -q "^\.Nm \"opviz $command\"" "$page"
    expect "opviz(1) does not name $command" grep -q "^\.Xr opviz-$command 1" "$scratch/share/man/man1/opviz.1"
done
for page in "$scratch"/share/man/man1/*.1; do
    # Every example is a separate line, in a literal block.
    expect "$page has an example in running text" awk '
        /^\.Bd -literal/ { literal = 1 } /^\.Ed/ { literal = 0 } /^opviz / && !literal { exit 1 }' "$page"
    while read -r other; do
        expect "$page refers to $other, which is not there" [ -s "$scratch/share/man/man1/$other.1" ]
    done < <(sed -n 's/^\.Xr \([a-z-]*\) 1.*/\1/p' "$page")
done

# As a shell calls it: with the words so far, the last of which is being typed.
touch "$scratch/quiet.json" "$scratch/notes.txt"
completions() {
    (
        cd "$scratch"
        set +eu
        source share/bash-completion/completions/opviz
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMPREPLY=()
        COMP_POINT=${#COMP_LINE}
        _opviz opviz "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[*]}"
    )
}
expect "a trace is no completion" [ "$(completions opviz qui)" = quiet.json ]
expect "a file that is no trace is a completion" [ -z "$(completions opviz note)" ]
expect "a command is no completion" [ "$(completions opviz time)" = timeline ]
expect "options of the default command are no completions" [ "$(completions opviz quiet.json --coll)" = --collapse ]
expect "values of its options are no completions" [ "$(completions opviz quiet.json --collapse k)" = kind ]
expect "traces of a command are no completions" [ "$(completions opviz lint qui)" = quiet.json ]
expect "topics are no completions" [ "$(completions opviz help stu)" = stuck ]
if command -v fish >/dev/null; then
    expect "fish does not complete a trace" \
        [ "$(cd "$scratch" && fish -c 'source share/fish/vendor_completions.d/opviz.fish; complete -C "opviz qui"')" = quiet.json ]
fi
if command -v zsh >/dev/null; then
    expect "zsh does not read its script" zsh -n "$scratch/share/zsh/site-functions/_opviz"
fi

skill=$scratch/share/opviz/SKILL.md
expect "SKILL.md does not begin with a front matter" [ "$(head -n 2 "$skill")" = "---"$'\n'"name: opviz" ]
expect "SKILL.md has no description" grep -q '^description: "Use opviz .*\."$' "$skill"
expect "SKILL.md is of another version" grep -qx "version: \"$("$opviz" --version)\"" "$skill"
expect "SKILL.md is not what opviz help agent prints" \
    cmp -s <(sed '1,/^$/d' "$skill") <("$opviz" help agent)
expect "not every schema is installed" diff -r Documentation/schemas "$scratch/share/opviz/schemas"
end_of_expectations
