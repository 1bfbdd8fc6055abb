#!/usr/bin/env bash
# Installs missing dependencies: on Debian and Ubuntu with apt, on macOS with Homebrew. setup.sh --build-only
# installs what opviz is built with, setup.sh [PACKAGE…] also what tests and all examples need, and further Debian packages.
set -euo pipefail
build_only=
if [ "${1:-}" = --build-only ]; then
    build_only=yes
    shift
fi

say() { printf 'setup: %s\n' "$*" >&2; }

require_swift() {
    local version
    if ! version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9]+\.[0-9]+' | head -n 1); then
        say "Swift is missing; install it from https://swift.org/install"
        exit 1
    fi
    if [ "${version%%.*}" -lt 6 ] || { [ "${version%%.*}" -eq 6 ] && [ "${version##*.}" -lt 2 ]; }; then
        say "Swift $version is too old; install 6.2 or later from https://swift.org/install"
        exit 1
    fi
}

# Prints the Debian packages among the arguments that are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s\n' "$package"
    done
}

setup_debian() {
    local missing sudo=() packages=(pkg-config libgraphviz-dev libsimdjson-dev libcurl4-openssl-dev libxml2-dev fonts-dejavu-core)
    if [ -z "$build_only" ]; then
        packages+=(libsqlite3-dev libpng-dev python3 python3-venv)
        # For the tests of JSON, unless the Python in the path has it.
        python3 -c 'import jsonschema' 2>/dev/null || packages+=(python3-jsonschema)
        # The tests drive the page of opviz report in it. On Ubuntu, the package only refers to another store.
        if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null &&
            [ "$(. /etc/os-release && printf %s "${ID:-}")" = debian ]; then
            packages+=(chromium)
        fi
    fi
    mapfile -t missing < <(missing_packages "${packages[@]}" "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "these packages are missing, and only root can install them: ${missing[*]}"
            exit 1
        fi
        sudo=(sudo)
    fi
    say "installing with apt: ${missing[*]}"
    # A mirror that does not answer is given up after half a minute, and asked again.
    local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=2 -o Acquire::http::Timeout=30)
    "${apt[@]}" update || say "the list of packages could not be updated; the lines above name the servers"
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null || {
        mapfile -t missing < <(missing_packages "${missing[@]}")
        say "apt could not install ${missing[*]}; the lines above say why"
        exit 1
    }
}

setup_macos() {
    if ! command -v brew >/dev/null; then
        say "Homebrew is missing; install it from https://brew.sh"
        exit 1
    fi
    local formula formulas=(graphviz simdjson pkgconf)
    [ -n "$build_only" ] || formulas+=(libpng)
    for formula in "${formulas[@]}"; do
        brew list --versions "$formula" >/dev/null || brew install "$formula"
    done
}

require_swift
if command -v apt-get >/dev/null; then
    setup_debian "$@"
elif [ "$(uname)" = Darwin ]; then
    setup_macos
else
    say "this system has neither apt nor Homebrew; Graphviz and simdjson with their headers, and pkg-config, are needed"
fi
