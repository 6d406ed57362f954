#!/bin/sh
# Runs the same city in SUMO and in Kerb, and prints trips, mean time loss and vehicle updates a
# second of both:
#
#     bench/traffic_beside_sumo.sh town.net.xml town.rou.xml [types.add.xml …]
#
# KERB names the command (build/kerb), SECONDS_MAX the simulated time (3600), STEP the step (1).
set -eu
[ $# -ge 2 ] || { echo "usage: $0 NET ROUTES [ADDITIONAL…]" >&2; exit 2; }
net=$1 routes=$2
shift 2
kerb=${KERB:-build/kerb} seconds=${SECONDS_MAX:-3600} step=${STEP:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
set_additional= list=
for file in "$@"; do
    set_additional="$set_additional --additional $file"
    list=${list:+$list,}$file
done

mean_loss() {
    sed -n 's/.*timeLoss="\([0-9.]*\)".*/\1/p' "$1" |
        awk '{ sum += $1 } END { if (NR) printf "%d trips done, time loss %.1f s\n", NR, sum / NR }'
}

# shellcheck disable=SC2086 # words are separate on purpose
"$kerb" traffic "$net" --routes "$routes" $set_additional --seconds "$seconds" --step "$step" \
    --tripinfo "$folder/kerb.xml" --json --quiet >"$folder/kerb.json" 2>/dev/null || true
printf 'Kerb: %s' "$(mean_loss "$folder/kerb.xml")"
sed -n 's/.*"updates_per_s":[[:space:]]*\([0-9.]*\).*/, \1 updates a second/p' "$folder/kerb.json"

if ! command -v sumo >/dev/null; then
    echo "SUMO: not installed"
    exit 0
fi
sumo -n "$net" -r "$routes" ${list:+-a "$list"} --step-length "$step" --end "$seconds" --no-warnings \
    --no-step-log --xml-validation never --duration-log.statistics \
    --tripinfo-output "$folder/sumo.xml" >"$folder/sumo.txt" 2>&1 || true
printf 'SUMO: %s' "$(mean_loss "$folder/sumo.xml")"
sed -n 's/.*UPS: *\([0-9.]*\).*/, \1 updates a second/p' "$folder/sumo.txt"
sed -n 's/.*Teleports: *\(.*\)/      teleports: \1/p' "$folder/sumo.txt"
