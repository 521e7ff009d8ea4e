#!/usr/bin/env bash
# Answers a question for tables of several PostgreSQL servers, two at a time; leaves N.state in the current folder.
#   postgresql.sh QUESTION ADDRESS...
# MAPSTATE is the tool. The tables are the partitions, in the order of their addresses.
set -euo pipefail
export question=$1
shift
printf '%s\n' "$@" | awk '{ print NR - 1, $0 }' | xargs -P 2 -L 1 bash -euo pipefail -c \
  '"$MAPSTATE" partial "$1" --question "$question" --ordinal "$0" -o "$0.state"'
