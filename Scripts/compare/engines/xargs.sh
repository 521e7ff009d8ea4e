#!/usr/bin/env bash
# Answers a question for Parquet files with xargs, two at a time; leaves N.state in the current folder.
#   xargs.sh QUESTION FILE...
# MAPSTATE is the tool, and PYTHON has pyarrow.
set -euo pipefail
export question=$1 here=${BASH_SOURCE[0]%/*}
shift
# The number of a file is its ordinal.
printf '%s\n' "$@" | awk '{ print NR - 1, $0 }' | xargs -P 2 -L 1 bash -euo pipefail -c \
  '"$PYTHON" "$here/stream.py" "$1" | "$MAPSTATE" partial - --question "$question" --ordinal "$0" -o "$0.state"'
