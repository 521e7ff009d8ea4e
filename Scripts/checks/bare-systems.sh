# Sourced by release-check: bare Debian systems from debootstrap, which have nothing of this machine but what is copied.
#   bare_systems FOLDER    prepares FOLDER, or a temporary folder if it is empty, for systems

bare_systems() {
  mounts=()
  if [ -n "$1" ]; then
    mkdir -p "$1"
    base=$(cd "$1" && pwd)
    [ -z "$(ls -A "$base")" ] || die "$base is not empty"
    keeps=true
  else
    keeps=false
    base=$(mktemp -d "${TMPDIR:-/tmp}/mapstate-release-XXXXXX")
    chmod 755 "$base"
  fi
  trap clean_up EXIT
  trap 'exit 130' INT TERM
}

clean_up() {
  local index
  for ((index = ${#mounts[@]} - 1; index >= 0; index--)); do
    umount -R "${mounts[index]}" || umount -lR "${mounts[index]}"
  done
  $keeps || rm -rf --one-file-system "$base"
}

bind() { # FROM TO: mounts a folder of this machine read-only
  mkdir -p "$root$2"
  mount --bind "$1" "$root$2"
  mounts+=("$root$2")
  mount -o remount,ro,bind "$root$2"
}

inside() {
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/opt/swift-toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

packages() { # PACKAGE...: installs Debian packages
  inside apt-get install -y -qq --no-install-recommends "$@" >"$root/packages.log" 2>&1 ||
    die "apt-get failed: $(tail -n 3 "$root/packages.log")"
}

# Makes the usual devices in the system, because those of this machine may have other permissions.
devices() {
  local device
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  mounts+=("$root/dev")
  for device in null:3 zero:5 full:7 random:8 urandom:9; do
    mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
  done
  mknod -m 666 "$root/dev/tty" c 5 0
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  for device in stdin:0 stdout:1 stderr:2; do ln -s "fd/${device#*:}" "$root/dev/${device%:*}"; done
}

# system NAME RELEASE PACKAGE...: makes a system with some packages and a clone of this repository; `root` is its folder.
system() {
  root=$base/$1
  local release=$2 sources mirror proxy
  shift 2
  # The mirrors that this machine's apt uses, one line per suite. Another release is on the same mirror.
  sources=$(apt-get indextargets --format '$(CREATED_BY) deb $(SITE) $(RELEASE) $(COMPONENT)' |
    awk '$1 == "Packages" && /\/debian(-security)? / { $1 = ""; print substr($0, 2) }' | sort -u)
  mirror=$(awk '$2 !~ /security/ { print $2; exit }' <<<"$sources")
  [ -n "$mirror" ] || die "apt has no mirror of Debian; add one to its sources and run apt-get update"
  sources=$(awk -v release="$release" 'index($3, release) == 1' <<<"$sources")
  proxy=$(apt-config dump | sed -n 's/^Acquire::http::Proxy "\(.*\)";$/\1/p')

  printf 'Debian %s from %s into %s\n' "$release" "$mirror" "$root"
  ${proxy:+env http_proxy="$proxy"} debootstrap --variant=minbase "$release" "$root" "$mirror" >"$root.log" 2>&1 ||
    die "debootstrap failed: $(tail -n 3 "$root.log")"
  rm -f "$root.log"
  mount --rbind /proc "$root/proc"
  mount --make-rslave "$root/proc"
  mounts+=("$root/proc")
  devices
  printf '%s\n' "${sources:-deb $mirror $release main}" >"$root/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-Valid-Until|Check-Date|Retries)' >"$root/etc/apt/apt.conf.d/90machine" || true
  cat /etc/resolv.conf >"$root/etc/resolv.conf"
  inside apt-get update -qq
  packages "$@"
  git clone -q --no-hardlinks "$source_folder" "$root/root/MapState"
}

# Adds this machine's Swift toolchain to the system.
swift_toolchain() {
  local toolchain key from clone
  toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
  [ "$toolchain" != / ] || die "the Swift toolchain is installed in /usr; unpack it in a folder of its own"
  bind "$toolchain" /opt/swift-toolchain
  inside swift --version >"$root/swift.log" 2>&1 || die "the Swift toolchain does not run: $(tail -n 1 "$root/swift.log")"

  # Copies this machine's git configuration for Swift packages: folders are mounted, addresses are copied unchanged.
  while read -r key from; do
    clone=${key#url.}
    clone=${clone%.insteadof}
    if [ "${clone#/}" != "$clone" ]; then
      [ -d "$clone" ] || continue
      [ -e "$root$clone" ] || bind "$clone" "$clone"
    fi
    inside git config --global --add "url.$clone.insteadOf" "$from"
  done < <(git config --get-regexp '^url\..*\.insteadof$' || true)
  if [ -n "${MAPSTATE_PACKAGES:-}" ]; then
    bind "$MAPSTATE_PACKAGES" /opt/packages
    inside git config --global url./opt/packages/.insteadOf https://github.com/
  fi
}
