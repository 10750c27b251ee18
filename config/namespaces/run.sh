#!/usr/bin/env bash
# A deployment over five network namespaces, one for each site of the world aws5, on one machine and without root: four
# appservers and four bftservers at their places, each a process of its own, and a client in each namespace. Each process
# delays what it sends (--world aws5). At the end every node says which delays it was asked for and which it held.
#
# Usage: config/namespaces/run.sh [FOLDER]    FOLDER keeps the deployment and the nodes' logs (default: a new one in /tmp)
# Needs Linux with user namespaces (unshare), iproute2 and a built ./aspas (./aspas --version builds it).
# Environment: ASPAS, the command to run instead of ./aspas; ASPAS_JAVA_OPTS (default -Xmx256m).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
aspas=${ASPAS:-$root/aspas}
export ASPAS_JAVA_OPTS=${ASPAS_JAVA_OPTS:--Xmx256m}
world=aws5
# By index, as the world places them: eu-west-1, ca-central-1, us-west-1, ap-southeast-1, sa-east-1 are 0 to 4.
sites=(eu-west-1 ca-central-1 us-west-1 ap-southeast-1 sa-east-1)
appservers=(0 1 2 3)
bftservers=(0 1 2 4)
patience=${PATIENCE:-600}

if [[ ${ASPAS_NAMESPACED:-} != yes ]]; then
  folder=$(realpath -m "${1:-$(mktemp -d /tmp/aspas-namespaces.XXXXXX)}")
  mkdir -p "$folder"
  $aspas --version >/dev/null # Builds what is missing.
  # All processes end with this one: they have a process namespace of their own.
  ASPAS_NAMESPACED=yes exec unshare --user --map-root-user --net --mount --pid --fork --kill-child --mount-proc \
    bash "${BASH_SOURCE[0]}" "$folder"
fi
folder=$1
lab=$folder/lab

address() { echo "10.77.0.$(($1 + 1))"; }
at() { # SITE COMMAND...
  local site=$1
  shift
  ip netns exec "site$site" "$@"
}

# One bridge, and a pair of virtual interfaces to each namespace.
mount -t tmpfs none /run
mkdir /run/netns
ip link add bridge type bridge
ip link set bridge up
for site in "${!sites[@]}"; do
  ip netns add "site$site"
  ip link add "port$site" type veth peer name eth0 netns "site$site"
  ip link set "port$site" master bridge up
  at "$site" ip address add "$(address "$site")/24" dev eth0
  at "$site" ip link set eth0 up
  at "$site" ip link set lo up
done

places() { # PORT SITE...
  local port=$1 list=()
  shift
  for site in "$@"; do list+=("$(address "$site"):$port"); done
  (IFS=, && echo "${list[*]}")
}

[[ -e $lab ]] || $aspas init "$lab" --name "$world" \
  --appservers "$(places 7100 "${appservers[@]}")" --bftservers "$(places 7200 "${bftservers[@]}")" >/dev/null

nodes=()
node() { # SITE ROLE INDEX
  # The process itself, and no shell around it, is what is told to stop in the end.
  (ASPAS_LOG_FILE="$folder/$2-$3.log" exec ip netns exec "site$1" \
    $aspas "$2" "$lab" --index "$3" --world "$world" >"$folder/$2-$3.out" 2>&1) &
  nodes+=($!)
}
for index in "${!bftservers[@]}"; do node "${bftservers[$index]}" bftserver "$index"; done
for index in "${!appservers[@]}"; do node "${appservers[$index]}" appserver "$index"; done
echo "five namespaces, eight nodes, world $world; deployment and logs in $folder"

ready() { at 0 $aspas status --dir "$lab" 2>/dev/null | grep -c ' ready ' || true; }
until [[ $(ready) == "${#appservers[@]}" ]]; do
  ((SECONDS < patience)) || { echo "the appservers are not ready after $patience s" >&2; exit 1; }
  sleep 1
done
echo "all appservers are ready after $SECONDS s"

for client in "${!sites[@]}"; do
  echo "--- a client in ${sites[$client]}: adds 1, waits for the certificate, reads"
  as=(--dir "$lab" --client "client$client" --world "$world" --place "$client" --timeout 120)
  at "$client" $aspas counter inc visits "${as[@]}" --confirm
  at "$client" $aspas counter get visits "${as[@]}" --level certified
done

echo "--- the appservers"
at 0 $aspas status --dir "$lab"
kill -TERM "${nodes[@]}"
wait "${nodes[@]}" || true
for log in "$folder"/*.out; do
  echo "--- $(basename "$log" .out)"
  grep -A6 '^  delay' "$log" || echo "  (it said nothing about its delays)"
done
