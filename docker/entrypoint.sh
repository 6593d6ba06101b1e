#!/bin/sh
# Runs `rookery-server` in the container, with what a first start needs.
#
#   [serve] [OPTION ...]   makes a token if there is none, and serves
#   anything else          is a command of rookery-server, --help or --version, or any other program
#
# Commands get the configuration of the container. `join` gets none: it offers what its options say.
set -eu

config=${ROOKERY_CONFIG:-/etc/rookery/rookery.toml}

case "${1:-serve}" in
    -h | --help | --version | join)
        exec rookery-server "$@"
        ;;
    serve | -*)
        [ "${1:-}" != serve ] || shift
        rookery-server token add admin --role admin --if-none --config "$config" >&2
        exec rookery-server serve --config "$config" "$@"
        ;;
    check | health | drain | invite | analyse)
        command=$1
        shift
        exec rookery-server "$command" --config "$config" "$@"
        ;;
    sessions | machines | jobs | cache | token)
        command=$1
        shift
        exec rookery-server "$command" "$@" --config "$config"
        ;;
    *)
        # What is no program may be a command with a slip: rookery-server says which there are.
        command -v "$1" >/dev/null || exec rookery-server "$@"
        exec "$@"
        ;;
esac
