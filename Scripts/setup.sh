#!/usr/bin/env bash
# Installs missing build dependencies: on Debian and Ubuntu with apt, on macOS with Homebrew. Arguments are further
# Debian packages.
set -euo pipefail

say() { printf 'setup: %s\n' "$*" >&2; }

require_swift() {
    local version
    if ! version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9]+\.[0-9]+' | head -n 1); then
        say "Swift is missing; it is to be had from https://swift.org/install"
        exit 1
    fi
    if [ "${version%%.*}" -lt 6 ] || { [ "${version%%.*}" -eq 6 ] && [ "${version##*.}" -lt 2 ]; }; then
        say "Swift $version is too old: 6.2 or later is needed, from https://swift.org/install"
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
    local missing sudo=() browser=chromium
    # The tests drive the page of opviz report in it. On Ubuntu, the package only refers to another store.
    if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
        [ "$(. /etc/os-release && printf %s "${ID:-}")" != debian ]; then
        browser=
    fi
    mapfile -t missing < <(missing_packages \
        pkg-config libgraphviz-dev libsimdjson-dev libsqlite3-dev libpng-dev libcurl4-openssl-dev libxml2-dev fonts-dejavu-core python3 python3-venv ${browser:+"$browser"} "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "these packages are missing, and only root can install them: ${missing[*]}"
            exit 1
        fi
        sudo=(sudo)
    fi
    say "installing ${missing[*]}"
    # Retries a mirror that does not answer once.
    "${sudo[@]}" apt-get update -qq || "${sudo[@]}" apt-get update -qq
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "${missing[@]}"
}

setup_macos() {
    if ! command -v brew >/dev/null; then
        say "Homebrew is missing; it is to be had from https://brew.sh"
        exit 1
    fi
    local formula
    for formula in graphviz simdjson libpng pkgconf; do
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
