"""Stands in for the helper process: an answer is whether the two texts are the same."""

import json
import os
import sys
import time
from pathlib import Path


def say(**answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if "STAND_IN_PROBLEM" in os.environ:
    say(problem=os.environ["STAND_IN_PROBLEM"])
else:
    say(ready=True)
for line in sys.stdin:
    question = json.loads(line)
    if question["given"] == "hang":
        time.sleep(60)
    if question["given"] == "die":
        sys.exit(1)
    say(equal=question["given"] == question["gold"])
if "STAND_IN_ENDED" in os.environ:
    Path(os.environ["STAND_IN_ENDED"]).touch()
