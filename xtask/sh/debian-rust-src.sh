#!/bin/sh
# Downloads the sources of Rust's standard library as Debian packages them, in the version of the compiler in use.
#
#   debian-rust-src.sh FOLDER VERSION
#
# Nothing is installed: the package is unpacked in FOLDER. Prints the folder of the library's sources.
set -eu
mkdir -p "$1/lists/partial"
cd "$1"
version=$2
sources() { find "$PWD/rust-src" -maxdepth 5 -type d -path "*rustc-$version*/library" 2> /dev/null | head -n 1; }
if [ -z "$(sources)" ]; then
    # The machine's own mirror, which may not list backports.
    mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep '/debian/*$' | head -n 1)
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    options="-o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$PWD/lists"
    options="$options -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root"
    found=
    for suite in trixie-backports sid; do
        echo "deb [signed-by=$keys] $mirror $suite main" > sources.list
        apt-get $options update > apt.log 2>&1 || continue
        found=$(apt-cache $options madison rust-src | tr -d ' ' | cut -d '|' -f 2 | grep "^$version+" | head -n 1) || true
        [ -z "$found" ] || break
    done
    [ -n "$found" ] || { echo "Debian has no rust-src $version" >&2; exit 1; }
    apt-get $options download "rust-src=$found" >> apt.log 2>&1
    rm -rf rust-src
    dpkg-deb -x rust-src_*.deb rust-src
    rm rust-src_*.deb
fi
sources
