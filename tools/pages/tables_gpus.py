"""tables_gpus.py: step 14 on several GPUs: many_gpus.csv, which make compare-gpus writes."""
from figures import elements, short, size_name
from markdown import Problem, table
from results import about, date_and_commit, read_rows

COLUMNS = ("gpus", "n", "cache", "launch", "way", "rival", "way_us", "rival_us", "ratio", "above")


class Pairs:
    """Rows by how many GPUs, n, cache, launch and rival: nvlink_slots beside a rival."""

    def __init__(self, folder):
        self.folder = folder
        self.rows = {(int(row["gpus"]), int(row["n"]), row["cache"], row["launch"], row["rival"]): row
                     for row in read_rows(folder, "many_gpus.csv", COLUMNS) if row["way"] == "nvlink_slots"}

    def get(self, gpus, n, cache, launch, rival, column):
        row = self.rows.get((gpus, n, cache, launch, rival))
        if row is None:
            raise Problem(f"results/{self.folder}/many_gpus.csv holds no {launch}, {cache}, of {gpus} GPUs beside {rival} at n = {n}")
        if column == "efficiency":  # of one_gpu: percent of as many times its speed as there are GPUs
            return 100 / float(row["ratio"]) / gpus
        if column == "speedup":
            return 1 / float(row["ratio"])
        if column not in row:
            raise Problem(f"many_gpus.csv has no column {column}; it has {', '.join(row)}")
        return float(row[column])

    def sizes(self, gpus):
        return sorted({n for k, n, *_ in self.rows if k == gpus})

    def crossing(self, gpus, rival_way):
        """The least n from which on this way on so many GPUs always beats one GPU."""
        best = None
        for n in reversed(self.sizes(gpus)):
            us = self.get(gpus, n, "cold", "graphs", "nccl", "rival_us") if rival_way == "nccl" else None
            beats = us < self.get(gpus, n, "cold", "graphs", "one_gpu", "rival_us") if us else \
                self.get(gpus, n, "cold", "graphs", "one_gpu", "ratio") < 1
            if not beats:
                return best
            best = n
        return best


def value(folder, gpus, size, cache, launch, rival, column):
    return Pairs(folder).get(int(gpus), elements(size), cache, launch, rival, column)


def crossing_value(folder, gpus, way):
    n = Pairs(folder).crossing(int(gpus), way)
    if n is None:
        raise Problem(f"{way} on {gpus} GPUs never beats one")
    return size_name(n)


def gpus_table(at):
    """One line for each fourth power of two, from the local sums to what each way takes."""
    pairs, gpus = Pairs(at.folder), int(at.argument)
    lines = []
    for n in pairs.sizes(gpus):
        def get(rival, column):
            return pairs.get(gpus, n, "cold", "graphs", rival, column)
        lines.append([size_name(n), short(get("local", "rival_us")), short(get("local", "way_us")), short(get("local", "above")),
                      short(get("nccl", "rival_us")), short(get("nccl", "ratio")), short(get("one_gpu", "rival_us")),
                      short(get("one_gpu", "speedup"))])
    return table(["n in all", "local sums, µs", "slots, µs", "longer by", "NCCL, µs", "slots ÷ NCCL", "one GPU, µs", "slots: times as fast"], lines, 1)


def calls_table(at):
    """What one call takes, however it is made."""
    pairs, gpus = Pairs(at.folder), int(at.argument)
    names = {"graphs": "one of many in a graph of each GPU", "stream": "one of many calls on streams", "graph": "one, in a graph over all GPUs",
             "single": "one call"}
    lines = []
    for launch, name in names.items():
        for size in ("1K", "1M"):
            def get(rival, column):
                return pairs.get(gpus, elements(size), "cold", launch, rival, column)
            host = short(get("host", "rival_us")) if launch == "single" else "–"
            lines.append([name, size, short(get("local", "way_us")), short(get("nccl", "rival_us")), host])
    return table(["how", "n", "slots, µs", "NCCL, µs", "host, µs"], lines, 2)


def gpus_line(at):
    facts = about(at.folder, "machine.json")
    return (f"Measured on {facts.get('gpus')} × {facts.get('gpu')} of one host, {facts.get('nvlinks')} links of NVLink each: driver "
            f"{facts.get('nvidia_driver')}, CUDA {facts.get('runtime')}, NCCL {facts.get('nccl')}; {date_and_commit(facts)}.")
