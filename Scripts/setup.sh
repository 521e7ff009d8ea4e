# Sourced by the other scripts: what they need on a machine, installed by name where it is missing.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"

# SwiftPM passes the traits to the compiler in the order of a set. With one seed for hashes, this order is the same each
# time; in another order, everything is compiled again. MAPSTATE_INDEX=1 adds the index of who calls whom to a build.
swift() {
  if [ "${1-}" != build ]; then command swift "$@"; return; fi
  if [ "${MAPSTATE_INDEX-}" = 1 ]; then set -- "$@" --enable-index-store; fi
  SWIFT_DETERMINISTIC_HASHING=1 command swift "$@"
}

say() { if [ -t 1 ]; then printf '\033[1m%s\033[0m\n' "$*"; else printf '%s\n' "$*"; fi; }
# timed NAME COMMAND...: runs a command and prints its time.
timed() {
  local name=$1 started=$SECONDS
  shift
  say "$name"
  "$@"
  say "$name: $((SECONDS - started)) s"
}
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Installs the Debian packages whose check fails: need PACKAGE CHECK...
missing=()
need() { local package=$1; shift; "$@" >/dev/null 2>&1 || missing+=("$package"); }

install_missing() {
  [ ${#missing[@]} -eq 0 ] && return
  say "Installing ${missing[*]}"
  command -v apt-get >/dev/null || die "these packages are missing and there is no apt-get to install them: ${missing[*]}"
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "these packages are missing: ${missing[*]}; install them as root, or install sudo"
    root=(sudo)
  fi
  "${root[@]}" apt-get update -qq || die "apt-get update failed; these packages are missing: ${missing[*]}"
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    die "apt-get could not install ${missing[*]}"
  missing=()
}

# Whether a shared library of that name is installed; the build does not need its headers.
has_library() { /sbin/ldconfig -p | grep -E "$1"; }

# Cairo and libpng are all that the core needs, and HarfBuzz shapes labels; pkg-config tells the build where they are. The
# tool opens GDAL, which brings PROJ, GEOS and SQLite, libcurl, FriBidi, librsvg, TurboJPEG and WebP when it needs them.
prepare() {
  type -P swift >/dev/null || die "there is no swift; install a Swift 6.2 or later toolchain (https://www.swift.org/install/linux/)"
  local version
  version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
  [ "$(printf '%s\n6.2\n' "${version:-0}" | sort -V | head -n 1)" = 6.2 ] ||
    die "Swift $version is too old; install 6.2 or later (https://www.swift.org/install/linux/)"
  need pkg-config command -v pkg-config
  need libcairo2-dev pkg-config --exists cairo
  need libpng-dev pkg-config --exists libpng
  need libharfbuzz-dev pkg-config --exists harfbuzz
  need gdal-bin has_library 'libgdal\.so\.'
  need libcurl4 has_library 'libcurl(-gnutls)?\.so\.4'
  need libfribidi0 has_library 'libfribidi\.so\.0'
  need librsvg2-2 has_library 'librsvg-2\.so\.2'
  need libturbojpeg0 has_library 'libturbojpeg\.so\.0'
  need libwebp7 has_library 'libwebp\.so\.7'
  install_missing
}

# Builds a product for machines without a toolchain, with the Swift runtime inside; `static_build --show` prints the folder.
#   static_build OPTION...
# Paths of this machine stay out of the binary, so that each folder gives the same bytes. Swift 6.3 unrolls loops over
# short arrays in an order that changes from build to build, so this pass is off. Each function has a section of its own, so
# that the linker leaves out those that nothing calls and keeps one of equal ones.
static_build() {
  local options=(-c release --static-swift-stdlib --scratch-path .build/install
    -Xswiftc -file-prefix-map -Xswiftc "$top=/mapstate" -Xcc "-ffile-prefix-map=$top=/mapstate" -Xlinker --gc-sections
    -Xlinker --icf=all -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
    -Xswiftc -Xllvm -Xswiftc -sil-disable-pass=loop-unroll)
  if [ "$1" = --show ]; then swift build "${options[@]}" --show-bin-path; else
    MAPSTATE_COMPACT=1 swift build "${options[@]}" "$@"
  fi
}

# links_only NAME TOOL PATTERN: fails unless a tool links the libraries of a pattern and the Swift runtime alone.
links_only() {
  say "Libraries that $1 links"
  local direct
  direct=$(objdump -p "$2" | awk '/NEEDED/ { print $2 }')
  printf '%s\n' "$direct"
  if printf '%s\n' "$direct" | grep -vE "^($3|libswift|libFoundation|lib_Foundation|libdispatch|libBlocksRuntime|libc|libm|libgcc_s|libstdc\+\+|ld-linux)[-_.A-Za-z0-9]*\.so"; then
    die "$1 links more than $3 and the Swift runtime"
  fi
}
