#!/usr/bin/env python3
"""seeds_test.py SOURCE_FOLDER BUILD_FOLDER PROGRAM CTEST

docs/SEEDS.md is true: its rows are numbered and complete, each command runs within a minute, exits with 0 and
shows what its row says, and each key, test, file and heading that a row names exists. The last part
plants errors of each kind in a copy and expects every one to be found.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIMIT_S = 60
FEWEST_ROWS = 60
COLUMNS = ("number", "text", "see", "test", "recording", "state")
STATES = ("works", "differs", "not shown")
COMMAND = re.compile(r"`([^`]* [^`]*)`(?: shows `([^`]*)`)?")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_names(build, ctest):
    """Every test that the build has, without its parameters; of a suite for several types without and with the type."""
    found = json.loads(output(ctest, "--test-dir", build, "--show-only=json-v1"))["tests"]
    names, rooms = set(), {}
    for test in found:
        program, *options = test.get("command", [""])
        suite = re.fullmatch(r"--gtest_filter=(.*)\.\*", options[-1] if options else "")
        if suite:  # Of most programs CTest runs whole suites: the program knows their tests.
            rooms[program] = test["name"].removesuffix("." + suite[1].replace("/*", ""))
        else:
            names.add(test["name"])
    for program, room in rooms.items():
        for line in output(program, "--gtest_list_tests").splitlines():
            if line.startswith(" "):
                names |= {f"{room}.{suite}.{line.split()[0]}" for suite in suites}
            else:
                suite = line.split()[0].rstrip(".")
                suites = {suite, suite.split("/")[0]} if "TypeParam" in line else {suite}
    return {re.sub(r"^(\w+\.(?:\w+/)?\w+\.\w+).*", r"\1", name) for name in names}


def keys_of(program):
    """The keys of `--list hotkeys`: its second column."""
    listed = output(program, "--list", "hotkeys").splitlines()
    rows = (line.split() for line in listed if line.startswith(" "))
    return {row[1] for row in rows if len(row) > 1}


def headings(path):
    """The addresses of the document's headings, as they are made on the web."""
    words = re.findall(r"^#+ (.*)$", path.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", word.lower()).replace(" ", "-") for word in words}


def rows_of(text):
    for line in text.splitlines():
        if re.match(r"\| \d+ \|", line):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            whole = len(cells) == len(COLUMNS)
            yield dict(zip(COLUMNS, cells)) if whole else {"number": cells[0], "broken": line}


class Program:
    """Runs commands as the page writes them, each once, in a folder and with settings of its own."""

    def __init__(self, path, folder):
        self.path, self.folder, self.outputs = path, folder, {}
        home = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
        self.environment = os.environ | {name: str(folder) for name in home}
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(display, None)

    def run(self, command):
        """The command's exit code and output. 124: it ran past the limit."""
        if command not in self.outputs:
            where = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            shell = f'spellpool() {{ timeout -k 5 {LIMIT_S} "{self.path}" "$@"; }}\n{command}\n'
            done = subprocess.run(["bash", "-c", shell], cwd=where, env=self.environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            self.outputs[command] = done.returncode, done.stdout + done.stderr
        return self.outputs[command]


def errors(text, folder, program, tests, keys):
    """What is wrong with the page TEXT, which lies in FOLDER."""
    found = []
    rows = list(rows_of(text))
    if len(rows) < FEWEST_ROWS:
        found.append(f"only {len(rows)} rows")
    for at, row in enumerate(rows, 1):
        wrong = lambda words, number=row["number"]: found.append(f"row {number}: {words}")
        if "broken" in row:
            wrong(f"has not the columns {', '.join(COLUMNS)}")
            continue
        if row["number"] != str(at):
            wrong(f"should be number {at}")
        state = next((state for state in STATES if row["state"].startswith(state)), None)
        if state is None:
            wrong(f"'{row['state']}' is none of {', '.join(STATES)}")
        elif state != "works" and len(row["state"].partition(":")[2]) < 15:
            wrong(f"'{state}' without a reason")
        elif state == "works" and row["test"] == "–":
            wrong("works, but no test proves it")
        for name in re.findall(r"`([^`]*)`", row["test"]):
            if name not in tests:
                wrong(f"no test is named {name}")
        for key in re.findall(r"<kbd>(.*?)</kbd>", row["see"]):
            if key not in keys:
                wrong(f"no action has the key {key}")
        for command, expected in COMMAND.findall(row["see"]):
            status, output = program.run(command)
            if status != 0:
                wrong(f"exits with {status}: {command}\n{output[-400:]}")
            elif expected and not re.search(expected, output):
                wrong(f"does not show {expected}: {command}\n{output[-400:]}")
    for target in re.findall(r"\]\(([^)]*)\)", text):
        path, _, heading = target.partition("#")
        if not (folder / path).is_file():
            found.append(f"no file: {path}")
        elif heading and heading not in headings(folder / path):
            found.append(f"no heading in {path}: {heading}")
    return found


def main(source, build, path, ctest):
    page = pathlib.Path(source) / "docs/SEEDS.md"
    text = page.read_text()
    tests, keys = test_names(build, ctest), keys_of(path)
    with tempfile.TemporaryDirectory() as folder:
        program = Program(path, pathlib.Path(folder))
        commands = {command for row in rows_of(text) for command, _ in COMMAND.findall(row.get("see", ""))}
        with concurrent.futures.ThreadPoolExecutor(2) as both:
            list(both.map(program.run, sorted(commands)))
        failed = errors(text, page.parent, program, tests, keys)

        # Planted errors: each is found, and named.
        last = text.rstrip("\n").rsplit("\n", 1)[0]
        number = len(list(rows_of(text)))
        planted = {
            f"| {number} | t | `spellpool --no-such-option` | `docs.seeds` | – | works |": "exits with 2",
            f"| {number} | t | `spellpool --list policies` shows `no words` | `docs.seeds` | – | works |":
                "does not show",
            f"| {number} | t | <kbd>F77</kbd> | `docs.seeds` | – | works |": "no action has the key F77",
            f"| {number} | t | – | `pool.EveryPool.NoSuch` | – | works |": "no test is named pool.EveryPool",
            f"| {number} | t | – | `docs.seeds` | [x](none.json) | works |": "no file: none.json",
            f"| {number} | t | – | `docs.seeds` | [x](POOLS.md#no) | works |": "no heading in POOLS.md",
            f"| {number} | t | – | – | – | works |": "no test proves it",
            f"| {number} | t | – | – | – | not shown |": "without a reason",
            f"| {number} | t | – | – | – | partly: for the most part |": "is none of",
            f"| {number} | t | – | – | works |": "has not the columns",
            f"| {number + 1} | t | – | `docs.seeds` | – | works |": f"should be number {number}",
        }
        for row, words in planted.items():
            found = errors(f"{last}\n{row}\n", page.parent, program, tests, keys)
            if not any(words in error for error in found):
                failed.append(f"the test does not find: {row}")
    for error in failed:
        print(f"seeds_test: {error}", file=sys.stderr)
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
