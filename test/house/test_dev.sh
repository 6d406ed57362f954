#!/bin/sh
# ./dev on machines that lack something, played with a PATH of its own: the basic commands, a
# recording apt-get, an id that says who we are, and compilers that do nothing.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
failed=0

command_in_stage() {
    printf '#!/bin/sh\n%s\n' "$2" >"$stage/bin/$1"
    chmod +x "$stage/bin/$1"
}

# machine USER-ID TOOL…: a machine with these tools, which do nothing.
machine() {
    rm -rf "$stage/bin" "$stage/calls"
    mkdir "$stage/bin"
    : >"$stage/calls"
    for basic in sh dirname mktemp cat rm sort tr chmod grep sed; do
        ln -s "$(command -v $basic)" "$stage/bin/$basic"
    done
    command_in_stage id "echo $1"
    command_in_stage apt-get "echo \"apt-get \$*\" >>$stage/calls"
    shift
    for tool in "$@"; do
        command_in_stage "$tool" "echo \"$tool \$*\" >>$stage/calls; cat >/dev/null"
    done
}

# front_door VERB…: from another directory, with nothing to read on standard input.
front_door() {
    status=0
    (cd / && PATH="$stage/bin" "$root/dev" "$@" </dev/null >"$stage/out" 2>&1) || status=$?
}

check() {
    if ! eval "$2"; then
        echo "failed: $1"
        cat "$stage/out" "$stage/calls"
        failed=1
    fi
}

apt_calls() {
    grep -c '^apt-get' "$stage/calls" || true
}

packages="cmake gcc libc6-dev libcairo2-dev libcjson-dev libexpat1-dev libyaml-dev make ninja-build"
install="apt-get install -y --no-install-recommends $packages"

machine 0
front_door build
check "root without anything installs all of it with one command" \
    'grep -qx "$install" "$stage/calls" && [ "$(apt_calls)" -eq 1 ]'
check "a build that fails is a failure" '[ $status -ne 0 ]'

machine 0
command_in_stage apt-get "echo \"apt-get \$*\" >>$stage/calls
case \$1 in update) : >$stage/updated ;; *) [ -e $stage/updated ] ;; esac"
front_door build
check "without package lists it updates them, then installs" \
    '[ "$(grep "^apt-get" "$stage/calls" | sed -n 2p)" = "apt-get update" ] &&
     [ "$(grep "^apt-get" "$stage/calls" | sed -n 3p)" = "$install" ]'

machine 1000
front_door build
check "a user without rights is told the line to run" 'grep -q "$install" "$stage/out"'
check "and nothing is installed" '[ "$(apt_calls)" -eq 0 ] && [ $status -eq 1 ]'

machine 0 gcc cc make ninja
front_door build
check "only what is missing is installed" \
    'grep -qx "apt-get install -y --no-install-recommends cmake" "$stage/calls"'

machine 1000 gcc cc make ninja cmake
front_door build
check "with everything there it configures and builds, and installs nothing" \
    '[ $status -eq 0 ] && grep -q "^cmake --preset release" "$stage/calls" &&
     grep -q "^cmake --build --preset release" "$stage/calls" && [ "$(apt_calls)" -eq 0 ]'

machine 1000 gcc cc make ninja
rm "$stage/bin/apt-get"
front_door build
check "a machine without apt-get is told what it lacks" \
    '[ $status -eq 1 ] && grep -q "calls: cmake$" "$stage/out"'

machine 1000
front_door help
check "help needs nothing" '[ $status -eq 0 ] && grep -q test-portable "$stage/out"'

machine 1000
front_door dance
check "an unknown verb is refused" '[ $status -eq 2 ] && grep -q "dance" "$stage/out"'
exit $failed
