# To be sourced by scripts that test: expect counts what does not hold, and end_of_expectations says it and
# decides. shellcheck shell=bash
failures=0 checks=0

expect() { # WHAT CONDITION...
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" || {
        echo "$(basename "$0" .sh): $what" >&2
        failures=$((failures + 1))
    }
}

end_of_expectations() {
    echo "$(basename "$0" .sh): $((checks - failures)) passed, $failures failed"
    [ "$failures" -eq 0 ]
}
