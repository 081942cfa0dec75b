#!/usr/bin/env bash
# fails_as_empty.sh PROGRAM [ARGUMENT...]   passes when PROGRAM ends with 2: it ran no case
"$@"
code=$?
echo "exit code $code"
[ "$code" -eq 2 ]
