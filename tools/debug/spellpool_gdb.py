"""GDB pretty-printers for Spellpool's object pools.

    (gdb) source tools/debug/spellpool_gdb.py
    (gdb) print bullets
    $1 = FreeListPool of 2/100 = {[slot 0, generation 3] = {x = 1, y = 2}, [slot 4, generation 7] = {x = 3, y = 4}}
    (gdb) print target
    $2 = slot 4, generation 7 (object 3 of the slot)

A pool shows its live objects by slot; a field-wise pool (DensePool, SoaPool) shows its columns. A handle cannot say whether its object
is alive: look for its slot and generation among the pool's. `source` it from ~/.gdbinit to have it always. GDB 9 or newer.
"""
import re

import gdb


def template_name(value_type):
    """spellpool::pool::Table<int> → spellpool::pool::Table, without the inline namespace of builds that check owners."""
    name = value_type.strip_typedefs().unqualified().tag or ""
    return name.split("<", 1)[0].replace("::checked_owners", "")


def rows(table):
    """The rows of a Table, as an index into its array."""
    return table["rows_"]


def number(value):
    """An integer that may be a char type."""
    return int(value.cast(gdb.lookup_type("unsigned long")))


class HandlePrinter:
    """A handle. Generations rise by two with each object that takes the slot; the first object has 3."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        slot, generation = number(self.value["index"]), number(self.value["generation"])
        if generation == 0:
            return "null"
        if generation % 2 == 0:
            return "slot %d, generation %d (no object's)" % (slot, generation)
        return "slot %d, generation %d (object %d of the slot)" % (slot, generation, (generation - 1) // 2)


class TablePrinter:
    """An array that knows how many rows it has."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "Table of %d" % int(self.value["size_"])

    def children(self):
        for row in range(int(self.value["size_"])):
            yield "[%d]" % row, rows(self.value)[row]

    def display_hint(self):
        return "array"


def cell_objects(storage):
    """(slot, generation, object) of a CellStorage: the cells lie in blocks, each {cells, first, count}."""
    generations, blocks = storage["generations_"]["of_"], storage["cells_"]["blocks_"]
    for which in range(int(blocks["size_"])):
        block = rows(blocks)[which]
        first = int(block["first"])
        for offset in range(int(block["count"])):
            generation = number(rows(generations)[first + offset])
            if generation % 2 == 1:
                yield first + offset, generation, block["cells"][offset]["live"]


def indexed_objects(storage, object_at):
    """The same of a storage with a DenseIndex, whose objects lie at the places 0 … live - 1."""
    index = storage["index_"]
    for place in range(int(storage["live_"])):
        slot = int(rows(index["slot_"])[place])
        yield slot, number(rows(index["generations_"]["of_"])[slot]), object_at(place)


class PoolPrinter:
    """A pool: how full it is, and its objects by slot."""

    def __init__(self, value):
        self.value = value
        self.storage = value["storage_"]
        self.kind = template_name(self.storage.type).rsplit("::", 1)[-1]

    # Where the name of the pool is not that of its scheme or memory.
    NAMES = {
        "ConsoleMemory": "ConsoleHeapPool",
        "LowestSlot": "BitmapPool",
        "NewDelete": "HeapPool",
        "PmrMemory": "PmrPool",
        "RandomSlot": "RandomPool",
        "SlotQueue": "QueuePool",
    }

    def name(self):
        storage_type = self.storage.type.strip_typedefs()
        if self.kind == "PackedStorage":
            return "PackedPool"
        if self.kind == "ColumnStorage":
            return "DensePool" if bool(storage_type.template_argument(2)) else "SoaPool"
        # The last argument: the scheme (a template, which is not a type to GDB) or the memory.
        last = re.search(r"(\w+)(?:<.*>)?\s*>$", storage_type.tag).group(1)
        return self.NAMES.get(last, last + "Pool")

    def to_string(self):
        return "%s of %d/%d" % (self.name(), int(self.storage["live_"]), int(self.value["rules_"]["counters"]["capacity"]))

    def children(self):
        if self.kind == "ColumnStorage":
            yield "rows", self.storage["rows_"]
            yield "columns", self.storage["columns_"]["arrays_"]
            return
        if self.kind == "PackedStorage":
            cells = self.storage["cells_"]["first_"]
            objects = indexed_objects(self.storage, lambda place: cells[place]["live"])
        elif self.kind == "HeapStorage":
            pointers = rows(self.storage["dense_"])
            objects = indexed_objects(self.storage, lambda place: pointers[place].dereference())
        else:
            objects = cell_objects(self.storage)
        try:
            for slot, generation, value in objects:
                yield "[slot %d, generation %d]" % (slot, generation), value
        except gdb.error:  # clang leaves types out that it thinks another file describes
            yield "[objects]", "not in the debug information; clang++ needs -fstandalone-debug"


PRINTERS = {
    "spellpool::Handle": HandlePrinter,
    "spellpool::pool::Table": TablePrinter,
    "spellpool::pool::Pool": PoolPrinter,
}


def spellpool_printer(value):
    """The printer for a value, or None: what GDB asks for."""
    value_type = value.type.strip_typedefs()
    if value_type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
        value_type = value.type.strip_typedefs()
    if value_type.code != gdb.TYPE_CODE_STRUCT:
        return None
    printer = PRINTERS.get(template_name(value_type))
    return printer(value) if printer else None


gdb.pretty_printers[:] = [p for p in gdb.pretty_printers if getattr(p, "__name__", "") != "spellpool_printer"]
gdb.pretty_printers.append(spellpool_printer)
