#!/usr/bin/env python3
"""PyYAML, which cloud-init reads with, gets the data back that was written. Argument: the json_tests program."""
import json
import subprocess
import sys

import yaml


def main() -> int:
    printed = subprocess.run([sys.argv[1], "[.print]"], check=True, capture_output=True, timeout=120).stdout.decode()
    documents = [json.loads(line[1:]) for line in printed.split("\n") if line.startswith("@")]
    wrong = 0
    for document in documents:
        try:
            read = yaml.safe_load(document["text"])
        except yaml.YAMLError as error:
            read = error
        if read != document["value"]:
            wrong += 1
            print(f"wrote {document['text']!r}\nof {document['value']!r}\nread {read!r}")
    print(f"{len(documents)} documents, {wrong} read as something else")
    return 0 if documents and not wrong else 1


sys.exit(main())
