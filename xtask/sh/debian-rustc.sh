#!/bin/sh
# Downloads Debian's own compiler with the sources of its standard library.
#
#   debian-rustc.sh FOLDER
#
# Nothing is installed: the packages (about 140 MB) are unpacked in FOLDER. Prints the path of a wrapper that starts the
# compiler, and on the next line the folder of the library's sources.
set -eu
mkdir -p "$1"
cd "$1"
sources() { find "$PWD/root/usr/src" -maxdepth 2 -type d -path '*rustc-*/library' 2> /dev/null | head -n 1; }
if [ -z "$(sources)" ]; then
    [ -n "$(apt-cache madison rustc-web)" ] || apt-get update > apt.log 2>&1
    needed() { apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances rustc-web; }
    packages="rustc-web rust-web-src $(needed | grep -E '^(libstd-rust-web|libllvm|libffi|libtinfo|libxml2|libedit|libz3)' | sort -u)"
    rm -rf root ./*.deb
    apt-get -o APT::Sandbox::User=root download $packages >> apt.log 2>&1
    for package in *.deb; do dpkg-deb -x "$package" root; done
    rm ./*.deb
fi
rustc=$(find "$PWD/root/usr" -type f -name 'rustc*' -perm -u+x -path '*/bin/*' | head -n 1)
libraries=$(find "$PWD/root/usr/lib" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')
cat > rustc << END
#!/bin/sh
LD_LIBRARY_PATH="$libraries" exec "$rustc" "\$@"
END
chmod +x rustc
echo "$PWD/rustc"
sources
