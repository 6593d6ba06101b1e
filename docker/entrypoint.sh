#!/bin/sh
# Runs `rookery-server` in the container, with what a first start needs.
#
#   serve [OPTION ...]   makes a token if there is none, and serves
#   anything else        is a command of rookery-server: check, health, drain, token ...,
#                        invite, sessions, machines, cache; or any other program
set -eu

config=${ROOKERY_CONFIG:-/etc/rookery/rookery.toml}

case "${1:-serve}" in
    serve)
        [ $# -eq 0 ] || shift
        rookery-server token add admin --role admin --if-none --config "$config" >&2
        exec rookery-server serve --config "$config" "$@"
        ;;
    check | health | drain)
        command=$1
        shift
        exec rookery-server "$command" --config "$config" "$@"
        ;;
    sessions | machines | cache)
        command=$1
        shift
        exec rookery-server "$command" "$@" --config "$config"
        ;;
    invite)
        shift
        exec rookery-server invite --config "$config" "$@"
        ;;
    token)
        shift
        exec rookery-server token "$@" --config "$config"
        ;;
    *)
        exec "$@"
        ;;
esac
