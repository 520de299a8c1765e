"""The words of a Python module; `adjective` and `noun` also name variables and hosts elsewhere."""

from pytest_context_bench.datasets.needle.words import listed

RULES = {
    "adjective": listed(
        "active auto back base black blue clear common custom default direct double empty external "
        "fast final first free full general global good green high home internal last left light "
        "local long low lower main master new next normal old open primary private public random raw "
        "ready real red remote right round safe second short static super temp top total unknown user "
        "valid virtual visible white"
    ),
    "noun": listed(
        "account agent anchor archive band block bridge bucket buffer bundle card cell chain channel "
        "chart circle clock cloud column deck device disk engine entry field filter folder frame gate "
        "graph grid group handle key layer level line link list lock market meter mirror model node "
        "order packet page panel path plate point port queue record region report route scale screen "
        "sensor server session signal socket stack stage state station store stream string table "
        "target team template text thread tile timer token tool track trigger type unit value version "
        "view volume window"
    ),
    "verb": listed(
        "align apply build check clean close collect count drop encode expand fetch filter find fold "
        "join load merge move open parse prune pull push read reset round scan send shift sort split "
        "start stop store sum trim update verify warm wrap"
    ),
    "function": (
        'def {f}({a}, {b}):\n    """{Verb} the {a} of one {b}."""\n    return {a} * {n2} + {b}\n',
        "def {f}({a}, limit={n2}):\n    for {b} in {a}[:limit]:\n        yield {b}.strip()\n",
        "def {f}({a}):\n    if not {a}:\n        return None\n    return max({a}) - {n2}\n",
        "def {f}({a}, {b}=None):\n    {b} = {b} or []\n    {b}.append({a})\n    return {b}\n",
        "def {f}({a}, {b}):\n    # any {adjective} {a} will do\n    return {b} if {a} is None else {a}\n",
        "def {f}(*{a}):\n    return sorted({a}, key=len)[:{n2}]\n",
        'class {Class}:\n    """Holds one {adjective} {a}."""\n\n    {b} = {n3}\n    last_{a} = None\n',
        "def {f}({a}):\n    try:\n        return int({a})\n    except ValueError:\n        return {n2}\n",
        'def {f}({a}):\n    """Return whether the {a} is {adjective}."""\n    return len({a}) > {n2}\n',
        "def {f}({a}, {b}):\n    total = sum({a})\n    return total / {b} if {b} else 0.{n2}\n",
    ),
    "setting": (
        "{NAME}_{LIMIT} = {n3}\n",
        "{NAME}_{LIMIT} = {n2} * {n2}\n",
        "{NAME}_{LIMIT} = 0.{n2}\n",
        '{NAME}_MODE = "{adjective}"\n',
        '{NAME}_TYPES = ("{noun}", "{noun}", "{noun}")\n',
        "# {Verb} the {noun} before the {adjective} {noun}.\n",
    ),
    "LIMIT": ("LIMIT", "SIZE", "COUNT", "DEPTH", "DELAY", "LENGTH", "TIMEOUT", "WIDTH"),
    "KIND": ("KEY", "TOKEN", "CODE", "LABEL", "CHANNEL", "MARK", "PREFIX", "NAME"),
}
RULES |= {
    "ADJECTIVE": tuple(map(str.upper, RULES["adjective"])),
    "NOUN": tuple(map(str.upper, RULES["noun"])),
    "Verb": tuple(map(str.capitalize, RULES["verb"])),
}
