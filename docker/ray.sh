#!/bin/sh
# Runs a machine of a Ray cluster in the container; more words are options of `ray start`.
#
#   head [OPTION ...]        the head; it makes the cluster's token if there is none
#   node HOST [OPTION ...]   a node that runs engines
#   serve HOST [OPTION ...]  the server, and the node without engines that it needs
#   anything else            is for rookery-entrypoint: health, token list ..., sessions
set -eu

token=${RAY_AUTH_TOKEN_PATH:?}
port=${ROOKERY_RAY_PORT:-6379}
wait=${ROOKERY_RAY_WAIT:-60} # s for the token

fail() {
    echo "rookery-ray: $1" >&2
    exit 2
}

# Engines keep their own tables: Ray's store for objects is as small as Ray lets it be.
join() {
    exec ray start --block --disable-usage-stats --object-store-memory=80000000 "$@"
}

# The head has made the token, or somebody has put the same one on every machine.
wait_for_token() {
    left=$wait
    until [ -s "$token" ]; do
        [ "$left" -gt 0 ] || fail "there is no token in $token after $wait s: mount the head's there"
        left=$((left - 1))
        sleep 1
    done
}

make_token() {
    if [ -s "$token" ]; then return; fi
    (umask 077 && python -c 'import secrets; print(secrets.token_hex(32))' >"$token.new") ||
        fail "no token can be written to $token: mount a volume there that user 10001 may write to"
    mv "$token.new" "$token"
}

command=${1:-help}
[ $# -eq 0 ] || shift
case "$command" in
    node | serve)
        case "${1:--}" in
            -*) fail "$command needs the host of the head, as in: $command head.example" ;;
        esac
        head=$1:$port
        shift
        ;;
esac

case "$command" in
    head)
        make_token
        join --head --port="$port" --include-dashboard=false "$@"
        ;;
    node)
        wait_for_token
        join --address="$head" "$@"
        ;;
    serve)
        wait_for_token
        # It ends when the head is gone; the server stays, and has engines again with the next head.
        while true; do
            (join --address="$head" --num-cpus=0 "$@") >&2 || true
            sleep 2
        done &
        exec rookery-entrypoint serve
        ;;
    help)
        fail 'needs head, node HOST or serve HOST, with HOST that of the head; see docs/cluster.md'
        ;;
    *)
        exec rookery-entrypoint "$command" "$@"
        ;;
esac
