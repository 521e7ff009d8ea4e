#!/usr/bin/env bash
# Answers a question for shares of the row groups of Parquet files, two at a time; leaves N.state in the current folder.
#   row_groups.sh QUESTION SHARES SOURCE
# SOURCE is a file, a folder or a pattern; MAPSTATE is the tool, which reads the row groups itself.
set -euo pipefail
export question=$1 shares=$2 source=$3
seq 0 $((shares - 1)) | xargs -P 2 -I N bash -euo pipefail -c \
  '"$MAPSTATE" partial "$source" --question "$question" --ordinal N --of "$shares" -o N.state'
