"""Bugaboo's labeled ranking and Recon's reconstructions, straightforwardly, with networkx.

Reads run files as docs/records.md describes them; trusts their checksums, which is to its advantage.
Prints the same JSON as the worker in Rust.
"""

import functools
import json
import math
import pathlib
import resource
import struct
import sys
import time
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict

import networkx as nx

WINDOW, CANDIDATES, BODY, CUT, ANSWERS = 5, 2000, 1000, 0.5, 10


def load(path):
    """A run's graph: nodes are (pc, context), edges have kind, count and times, one between two nodes; whether it failed."""
    data = path.read_bytes()
    graph = nx.DiGraph()
    at = 0
    failing = False
    while at < len(data):
        kind, length = data[at + 2], struct.unpack_from("<H", data, at + 4)[0]
        payload = data[at + 8 : at + 8 + length]
        if kind == 4:
            for s_pc, t_pc, s_ctx, t_ctx, s_time, t_time, ends, count in struct.iter_unpack("<8I", payload):
                graph.add_edge(
                    (s_pc, s_ctx),
                    (t_pc, t_ctx),
                    kind=ends >> 16,
                    count=count,
                    source=(s_time, ends >> 8 & 255),
                    sink=(t_time, ends & 255),
                )
        elif kind == 7:
            failing = payload[0] != 1 or struct.unpack_from("<i", payload, 24)[0] != 0
        at += 12 + length
    return graph, failing


def sure(counts, executions):
    """Nodes of a region with at least half of the highest confidence."""
    most = max(counts.values(), default=0)
    return {node: runs / executions for node, runs in counts.items() if runs >= CUT * most}


def main():
    started = time.perf_counter()
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.run"))
    failing_runs, passing_runs = Counter(), Counter()
    usual = Counter()
    failing_nodes, passing_nodes = Counter(), Counter()
    passing_pairs = set()
    failed, passed = [], 0
    for path in paths:
        graph, failing = load(path)
        (failing_runs if failing else passing_runs).update(list(graph.edges))
        usual.update(node[0] for node in graph.nodes if node[0])
        if failing:
            failed.append(path)
            failing_nodes.update(list(graph.nodes))
        else:
            passed += 1
            passing_nodes.update(list(graph.nodes))
            passing_pairs.update((u[0], v[0]) for u, v in graph.edges)

    def b(edge):
        n = passing_runs[edge]
        share = n / passed if n else 1 / (passed + 1)
        return failing_runs[edge] / len(failed) / share

    def as_often(edge):
        n = passing_runs[edge]
        return n > 0 and failing_runs[edge] * passed <= n * len(failed)

    def log_choose(n, k):
        return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)

    @functools.cache
    def evidence(failing, passing):
        """Fisher's exact test: the decimal logarithm of 1 / p."""
        n = failing + passing
        ways = range(max(failing, n - passed), min(n, len(failed)) + 1)
        logs = [log_choose(len(failed), i) + log_choose(passed, n - i) for i in ways]
        most = max(logs)
        chance = most + math.log(sum(math.exp(log - most) for log in logs))
        told = (log_choose(len(paths), n) - chance) / math.log(10)
        return told if told >= 1e-9 else 0

    order = sorted(failing_runs, key=lambda e: (as_often(e), -b(e), -failing_runs[e], e))
    candidates = set(order[:CANDIDATES])

    bug_only, pair_runs = set(), Counter()
    regions = {edge: [Counter(), Counter(), Counter()] for edge in candidates}
    for path in failed:
        graph, _ = load(path)
        bug_nodes = set()
        last = {}
        for u, v, data in graph.edges(data=True):
            if not passing_runs[(u, v)]:
                bug_nodes.update((u, v))
            last[u] = max(last.get(u, (0, 0)), data["source"])
            last[v] = max(last.get(v, (0, 0)), data["sink"])
        bug_only.update(node for node in bug_nodes if node[0])
        pair_runs.update({(u[0], v[0]) for u, v in graph.edges} - passing_pairs)
        timeline = sorted((moment, node) for node, moment in last.items() if moment[0])
        moments = [moment for moment, _ in timeline]
        nodes = [node for _, node in timeline]
        for u, v, data in graph.edges(data=True):
            edge = (u, v)
            if edge not in candidates:
                continue
            sink = data["sink"]
            source = data["source"] if 0 < data["source"][0] <= sink[0] else sink
            start, after = bisect_left(moments, source), bisect_right(moments, source)
            until, end = max(bisect_left(moments, sink), after), bisect_right(moments, sink)
            body = nodes[after:until]
            if len(body) > BODY:
                body = body[: BODY // 2] + body[-BODY // 2 :]
            prefix, within, suffix = regions[edge]
            prefix.update(nodes[max(start - WINDOW, 0) : start])
            within.update(body)
            suffix.update(nodes[end : end + WINDOW])

    told = Counter()
    for node in bug_only:
        told[node[0]] += evidence(failing_nodes[node], passing_nodes[node])
    partners = Counter()
    for (source, sink), runs in pair_runs.items():
        for pc in {source, sink}:
            partners[pc] += evidence(runs, 0)
    scores = {pc: max(told[pc], partners[pc]) / (usual[pc] + len(paths)) for pc in told}
    ranking = sorted(scores.items(), key=lambda row: (-row[1], row[0]))

    contexts = defaultdict(lambda: (set(), set()))
    for runs, side in ((failing_runs, 0), (passing_runs, 1)):
        for u, v in runs:
            contexts[(u[0], v[0])][side].add((u[1], v[1]))
    highest = ranking[0][1]
    found = []
    for edge, counts in regions.items():
        u, v = edge
        confidences = [c for region in counts for c in sure(region, len(failed)).values()]
        r = sum(confidences) / len(confidences) if confidences else 0
        f, p = map(len, contexts[(u[0], v[0])])
        s = max(scores.get(u[0], 0), scores.get(v[0], 0)) / highest if highest else 1
        if highest and as_often(edge):
            s = 0
        c = abs(f - p) / (f + p) or 1 / (f + p + 2)
        score = b(edge) * c * (r or 1) * s
        found.append((-score, u, v))
    found.sort()

    print(
        json.dumps(
            {
                "seconds": time.perf_counter() - started,
                "processor": time.process_time(),
                "peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
                "ranking": ranking[:ANSWERS],
                "reconstructions": [(u[0], v[0], -score) for score, u, v in found[:ANSWERS]],
                "distinct": len(failing_runs.keys() | passing_runs.keys()),
            }
        )
    )


main()
