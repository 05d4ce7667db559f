"""Reads what a comparison wrote, by the rules of the programs that it is for, with nothing of Spellpool in it.

usage: read_recordings.py KIND FILE…    prints one JSON object of what it understood; ends with 1 and a line if a rule is broken.
"""
import csv
import json
import math
import re
import sys


def need(what, told):
    if not what:
        sys.exit(told)


def mangohud(path):
    """As mangoplot and CapFrameX's reader do: a line of names of the system, its values, then the table's header; columns by name."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    need(rows[0] == "os,cpu,gpu,ram,kernel,driver,cpuscheduler".split(","), "line 1 does not name the system")
    need(len(rows[1]) == len(rows[0]), "line 2 does not fit line 1")
    need(rows[1][3].isdigit(), "ram is no whole number of KiB")
    header = rows[2]
    fps, frametime, elapsed = header.index("fps"), header.index("frametime"), header.index("elapsed")
    last, total = -1, 0.0
    for number, row in enumerate(rows[3:], 4):
        need(len(row) == len(header), f"line {number} has {len(row)} fields")
        values = [float(field) for field in row]
        need(all(math.isfinite(v) for v in values), f"line {number} holds what is no number")
        need(abs(values[fps] * values[frametime] - 1000) < 1, f"line {number}: fps × frametime is not 1000")
        need(values[elapsed] > last, f"line {number}: elapsed does not rise")
        last = values[elapsed]
        total += values[frametime]
    need(abs(last / 1e6 - total) < 1, "elapsed is not the sum of frametime, in ns")
    return {"frames": len(rows) - 3, "total_ms": total}


def capframex(path):
    """//Key=Value lines, then PresentMon 1 columns by name; more than 40 lines; Dropped is 0; times add up."""
    keys, lines = {}, open(path, encoding="utf-8").read().splitlines()
    while lines and lines[0].startswith("//"):
        key, value = lines.pop(0)[2:].split("=", 1)
        keys[key] = value
    for key in ("GameName", "ProcessName", "CreationDate", "CreationTime", "Processor", "GPU"):
        need(keys.get(key), f"no {key}")
    need(re.fullmatch(r"\d{4}-\d\d-\d\d", keys["CreationDate"]), "CreationDate is no date")
    need(len(lines) > 40, "CapFrameX refuses files of 40 lines and fewer")
    rows = list(csv.DictReader(lines))
    total = 0.0
    for number, row in enumerate(rows, 2):
        need(None not in row and None not in row.values(), f"row {number} has another number of fields")
        need(row["Dropped"] == "0", f"row {number}: Dropped is not 0")
        total += float(row["MsBetweenPresents"])
        need(abs(float(row["TimeInSeconds"]) * 1000 - total) < 0.01, f"row {number}: TimeInSeconds is not the sum of MsBetweenPresents")
        need(row["Application"] == "spellpool", f"row {number}: another application")
        float(row["MsInPresentAPI"]), float(row["MsUntilRenderComplete"]), float(row["MsUntilDisplayed"])
    return {"frames": len(rows), "total_ms": total}


def trace(path):
    """The Trace Event Format as Perfetto's and Tracy's importers take it."""
    events = json.load(open(path))["traceEvents"]
    stacks, count, frames, spikes = {}, 0, {}, 0
    complete = []
    for event in events:
        need(event["ph"] in ("X", "B", "E", "C", "i", "M"), "a phase that importers do not know: " + event["ph"])
        need(isinstance(event["pid"], int) and isinstance(event["tid"] if event["ph"] != "C" else event.get("tid", 0), int), "pid and tid have to be integers")
        need(isinstance(event["name"], str), "no name")
        need(isinstance(event["ts"], (int, float)) and event["ts"] >= 0, "ts is no number")
        if event["ph"] == "C":
            need(all(isinstance(v, (int, float)) for v in event["args"].values()), "a counter's value is no number")
        if event["ph"] == "X":
            need(isinstance(event["dur"], (int, float)) and event["dur"] > 0, "dur is no time")
            complete.append(event)
            if event["cat"] == "frame":
                frames[event["pid"]] = frames.get(event["pid"], 0) + 1
                spikes += "spike" in event["name"]
                need("new_calls" in event["args"] and "minflt" in event["args"], "a frame without its counters")
    ns = lambda us: round(us * 1000)
    for event in sorted(complete, key=lambda e: (ns(e["ts"]), -ns(e["dur"]))):
        stack = stacks.setdefault((event["pid"], event["tid"]), [])
        begin, end = ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])
        while stack and stack[-1] <= begin:
            stack.pop()
        need(not stack or end <= stack[-1], "X events of one thread overlap without being nested")
        stack.append(end)
        count += 1
    need(sum(frames.values()) <= 2000, "too long a window")
    return {"slices": count, "frames": frames, "spikes": spikes}


def picture(path):
    """A PNG of 8 bits a channel: its size, its most usual shade of grey, and how many shades it has."""
    import collections, struct, zlib
    data = open(path, "rb").read()
    need(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", data[at + 8:at + 21])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    need(depth == 8 and colour in (2, 6) and not interlaced, "another kind of PNG")
    step = 3 if colour == 2 else 4
    raw, before, shades = zlib.decompress(packed), bytearray(width * step), collections.Counter()
    for y in range(height):
        kind, row = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for i in range(len(row)):
            left, up = row[i - step] if i >= step else 0, before[i]
            corner = before[i - step] if i >= step else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                p = left + up - corner
                near = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        before = row
        if y % 4 == 0:
            shades.update((row[i] + row[i + 1] + row[i + 2]) // 3 for i in range(0, len(row), step))
    return {"width": width, "height": height, "usual": shades.most_common(1)[0][0], "shades": len(shades)}


def frames(path):
    """frames.csv, as any reader of CSV sees it."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    need(rows, "no rows")
    for number, row in enumerate(rows, 2):
        need(None not in row and None not in row.values(), f"line {number} has another number of fields")
        need(float(row["frame_us"]) > 0, f"line {number}: no time")
        need(row["hash"] == "NA" or re.fullmatch("[0-9a-f]{16}", row["hash"]), f"line {number}: hash")
        for name in ("minflt", "majflt", "nvcsw", "nivcsw"):
            need(row[name] == "NA" or row[name].isdigit(), f"line {number}: {name}")
    return {"frames": len(rows), "strategies": sorted({row["strategy"] for row in rows}), "blocks": len({row["block"] for row in rows})}


if __name__ == "__main__":
    readers = {"mangohud": mangohud, "capframex": capframex, "trace": trace, "picture": picture, "frames": frames}
    print(json.dumps([readers[sys.argv[1]](path) for path in sys.argv[2:]]))
