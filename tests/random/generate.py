#!/usr/bin/env python3
"""Random kernels with a known answer, as CUDA on standard output: generate.py COUNT SEED. What a kernel must leave is worked
out here, by a plain interpreter that knows nothing of the simulator. They never race: between two barriers an array of
shared memory is only read, or each thread writes a place of its own, or all use one kind of atomic. With --fault, a last
kernel has one: barrier (one is missing that is needed), lane (a shuffle reads the next lane), constant (another one)."""
import argparse
import functools
import operator
import random
import struct
import types

WHOLE = [(32, 1, 1), (64, 1, 1), (96, 1, 1), (128, 1, 1), (256, 1, 1), (8, 8, 1), (16, 4, 2), (4, 4, 4), (32, 2, 1), (1, 1, 32)]
RAGGED = [(1, 1, 1), (5, 1, 1), (33, 1, 1), (35, 1, 1), (40, 1, 1), (100, 1, 1), (7, 5, 1), (3, 5, 7), (1, 77, 1), (250, 1, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 4, 1), (1, 1, 3)]

M = 0xffffffff


def random_word(i):
    x = (i * 0x9e3779b9 + 0x7f4a7c15) & M
    x = (x ^ x >> 16) * 0x85ebca6b & M
    x = (x ^ x >> 13) * 0xc2b2ae35 & M
    return x ^ x >> 16


IN, TABLE = [random_word(i) for i in range(1024)], [random_word(1024 + i) for i in range(64)]
BYTES = struct.pack("<1024I", *IN)


def signed(x):
    return x - (x >> 31 << 32)


def local_array(x, y, z, k):
    t = [*x[:3], k]
    t[y & 3] += z
    return t[z & 3] ^ t[z >> 2 & 3]


def pick_bytes(y, z, k):
    return sum(((z << 32 | y) >> 8 * (k >> 4 * i & 7) & 255) << 8 * i for i in range(4))


# Each operation: as CUDA, and what it means. x: the registers of a thread, of which w, y, z are those named a, b, c; k: a constant.
ALONE = {
    "ADD": ("x{a} = x{b} + x{c};", lambda x, w, y, z, k: y + z),
    "SUB": ("x{a} = x{b} - x{c};", lambda x, w, y, z, k: y - z),
    "MULTIPLY": ("x{a} = x{b} * x{c};", lambda x, w, y, z, k: y * z),
    "MULTIPLY_HIGH": ("x{a} = __umulhi(x{b}, x{c});", lambda x, w, y, z, k: y * z >> 32),
    "AND": ("x{a} = x{b} & x{c};", lambda x, w, y, z, k: y & z),
    "OR": ("x{a} = x{b} | x{c};", lambda x, w, y, z, k: y | z),
    "XOR": ("x{a} = x{b} ^ x{c} ^ {k}u;", lambda x, w, y, z, k: y ^ z ^ k),
    "SHIFT_LEFT": ("x{a} = x{b} << {k5};", lambda x, w, y, z, k: y << k % 32),
    "SHIFT_RIGHT": ("x{a} = (unsigned)((int)x{b} >> {k5});", lambda x, w, y, z, k: signed(y) >> k % 32),
    "FUNNEL": ("x{a} = __funnelshift_l(x{b}, x{c}, {k5});", lambda x, w, y, z, k: (z << 32 | y) << k % 32 >> 32),
    "COUNT_BITS": ("x{a} = __popc(x{b});", lambda x, w, y, z, k: f"{y:b}".count("1")),
    "REVERSE_BITS": ("x{a} = __brev(x{b});", lambda x, w, y, z, k: int(f"{y:032b}"[::-1], 2)),
    "LEADING_ZEROS": ("x{a} = __clz((int)x{b});", lambda x, w, y, z, k: 32 - y.bit_length()),
    "FIRST_BIT": ("x{a} = __ffs((int)x{b});", lambda x, w, y, z, k: (y & -y).bit_length()),
    "BYTES": ("x{a} = __byte_perm(x{b}, x{c}, {k}u & 0x7777);", lambda x, w, y, z, k: pick_bytes(y, z, k)),
    "LESS": ("x{a} = (int)x{b} < (int)x{c};", lambda x, w, y, z, k: signed(y) < signed(z)),
    "LEAST": ("x{a} = min(x{b}, x{c});", lambda x, w, y, z, k: min(y, z)),
    "MOST": ("x{a} = max(x{b}, x{c});", lambda x, w, y, z, k: max(y, z)),
    "SELECT": ("x{a} = x{b} & 1 ? x{c} : x{a};", lambda x, w, y, z, k: z if y & 1 else w),
    "DIVIDE": ("x{a} = x{b} / (x{c} | 1);", lambda x, w, y, z, k: y // (z | 1)),
    "REMAINDER": ("x{a} = x{b} % (x{c} % 1000 + 1);", lambda x, w, y, z, k: y % (z % 1000 + 1)),
    "FLOAT": ("x{a} = (unsigned)((float)(x{b} & 4095) * (float)(x{c} & 1023) + 7.0f);", lambda x, w, y, z, k: (y & 4095) * (z & 1023) + 7),
    "DOUBLE": ("x{a} = (unsigned)(unsigned long long)((double)x{b} * 3.0 + (double)x{c});", lambda x, w, y, z, k: y * 3 + z),
    "LOCAL_ARRAY": ("{{ unsigned t[4] = {{x0, x1, x2, {k}u}}; t[x{b} & 3] += x{c}; x{a} = t[x{c} & 3] ^ t[x{c} >> 2 & 3]; }}", lambda x, w, y, z, k: local_array(x, y, z, k)),
    "CALL": ("x{a} = differ(x{b}, x{c}, {k}u);", lambda x, w, y, z, k: y - z if y > z else (z - y) * 3 + k),
}
LOADS = {
    "LOAD": ("x{a} = in[(x{b} + {k}u) % 1024];", lambda x, w, y, z, k: IN[(y + k) % 1024]),
    "LOAD_READ_ONLY": ("x{a} = __ldg(&in[(x{b} + {k}u) % 1024]);", lambda x, w, y, z, k: IN[(y + k) % 1024]),
    "LOAD_BYTE": ("x{a} = ((const unsigned char *)in)[(x{b} + {k}u) % 4096];", lambda x, w, y, z, k: BYTES[(y + k) % 4096]),
    "LOAD_SHORT": ("x{a} = ((const unsigned short *)in)[(x{b} + {k}u) % 2048];", lambda x, w, y, z, k: int.from_bytes(BYTES[(y + k) % 2048 * 2:][:2], "little")),
    "LOAD_PAIR": ("{{ uint2 v = ((const uint2 *)in)[(x{b} + {k}u) % 512]; x{a} = v.x + 3 * v.y; }}",
                  lambda x, w, y, z, k: IN[(y + k) % 512 * 2] + 3 * IN[(y + k) % 512 * 2 + 1]),
    "LOAD_FOUR": ("{{ uint4 v = ((const uint4 *)in)[(x{b} + {k}u) % 256]; x{a} = v.x + 3 * v.y + 5 * v.z + 7 * v.w; }}",
                  lambda x, w, y, z, k: sum((2 * i + 1) * IN[(y + k) % 256 * 4 + i] for i in range(4))),
    "LOAD_CONSTANT": ("x{a} = table[(x{b} + {k}u) % 64];", lambda x, w, y, z, k: TABLE[(y + k) % 64]),
}
TOTALS = {  # number 0, 1, ... of the totals
    "ADD_TO_TOTAL": ("atomicAdd(&total[0], x{b});", lambda old, y, k: old + y),
    "LEAST_TO_TOTAL": ("atomicMin(&total[1], x{b});", lambda old, y, k: min(old, y)),
    "MOST_TO_TOTAL": ("atomicMax(&total[2], x{b});", lambda old, y, k: max(old, y)),
    "XOR_TO_TOTAL": ("atomicXor(&total[3], x{b});", lambda old, y, k: old ^ y),
    "OR_TO_TOTAL": ("atomicOr(&total[4], x{b} & {k}u);", lambda old, y, k: old | y & k),
    "AND_TO_TOTAL": ("atomicAnd(&total[5], x{b} | {k}u);", lambda old, y, k: old & (y | k)),
    "FLOAT_TO_TOTAL": ("atomicAdd((float *)&total[6], (float)(x{b} & 15));", lambda old, y, k: old + (y & 15)),  # whole numbers, until the end
}
OWN = "own[{place} * 8 + {c}]"
TO_OWN = {  # k: the place of the word, c: which one -> what is there then, what x[a] is
    "STORE": (OWN + " = x{b};", lambda old, w, y: (y, w)),
    "LOAD_BACK": ("x{a} = x{b} ^ " + OWN + ";", lambda old, w, y: (old, y ^ old)),
    "ADD_TO_OWN": ("x{a} = atomicAdd(&" + OWN + ", x{b});", lambda old, w, y: (old + y & M, old)),
    "EXCHANGE_OWN": ("x{a} = atomicExch(&" + OWN + ", x{b});", lambda old, w, y: (y, old)),
    "COMPARE_AND_SWAP_OWN": ("{{ unsigned *p = &" + OWN + ", old = *p; x{a} = atomicCAS(p, old, old % 2 == 0 ? x{b} : old); }}", lambda old, w, y: (old if old % 2 else y, old)),
}
SHARED = {  # c: the array; at a place of its own, or at any -> what is there then, what x[a] is
    "SHARED_STORE": ("s{c}[{place}] = x{b};", lambda old, w, y: (y, w)),
    "SHARED_STORE_BYTE": ("((unsigned char *)s{c})[{place}] = (unsigned char)x{b};", None),
    "SHARED_LOAD_OWN": ("x{a} = x{b} + s{c}[{place}];", lambda old, w, y: (old, y + old & M)),
    "SHARED_LOAD": ("x{a} = s{c}[(x{b} + {k}u) % n];", lambda old, w, y: (old, old)),
    "SHARED_ADD": ("atomicAdd(&s{c}[(x{b} + {k}u) % n], x{a});", lambda old, w, y: (old + w & M, w)),
    "SHARED_XOR": ("atomicXor(&s{c}[(x{b} + {k}u) % n], x{a});", lambda old, w, y: (old ^ w, w)),
    "SHARED_MOST": ("atomicMax(&s{c}[(x{b} + {k}u) % n], x{a});", lambda old, w, y: (max(old, w), w)),
}
BARRIERS = {  # bits: of all that are here
    "SYNC": ("__syncthreads();", None),
    "SYNC_COUNT": ("x{a} = __syncthreads_count(x{b} >> {k5} & 1);", sum),
    "SYNC_AND": ("x{a} = __syncthreads_and(x{b} >> {k5} & 1) != 0;", all),
    "SYNC_OR": ("x{a} = __syncthreads_or(x{b} >> {k5} & 1) != 0;", any),
}
HERE = {  # those of the warp that are here: m. v: of each lane its x[b]
    "SHUFFLE_FIRST": ("x{a} = __shfl_sync(m, x{b}, __ffs((int)m) - 1);", lambda w: w.v[min(w.v)]),
    "SHUFFLE_LAST": ("x{a} = __shfl_sync(m, x{b}, 31 - __clz((int)m));", lambda w: w.v[max(w.v)]),
    "BALLOT": ("x{a} = __ballot_sync(m, x{b} >> {k5} & 1);", lambda w: sum((v >> w.k % 32 & 1) << lane for lane, v in w.v.items())),
    "ANY": ("x{a} = __any_sync(m, x{b} >> {k5} & 1) != 0;", lambda w: any(v >> w.k % 32 & 1 for v in w.v.values())),
    "ALL": ("x{a} = __all_sync(m, x{b} >> {k5} & 1) != 0;", lambda w: all(v >> w.k % 32 & 1 for v in w.v.values())),
    "MATCH_ANY": ("x{a} = __match_any_sync(m, x{b} & 3);", lambda w: sum(1 << lane for lane, v in w.v.items() if (v ^ w.mine) % 4 == 0)),
    "MATCH_ALL": ("{{ int all; x{a} = __match_all_sync(m, x{b} & 3, &all); x{a} += (unsigned)(all != 0); }}",
                  lambda w: 1 + sum(1 << lane for lane in w.v) if len({v % 4 for v in w.v.values()}) == 1 else 0),
    "REDUCE_ADD": ("x{a} = __reduce_add_sync(m, x{b});", lambda w: sum(w.v.values())),
    "REDUCE_LEAST": ("x{a} = __reduce_min_sync(m, x{b});", lambda w: min(w.v.values())),
    "REDUCE_MOST": ("x{a} = __reduce_max_sync(m, x{b});", lambda w: max(w.v.values())),
    "REDUCE_AND": ("x{a} = __reduce_and_sync(m, x{b});", lambda w: functools.reduce(operator.and_, w.v.values())),
    "REDUCE_OR": ("x{a} = __reduce_or_sync(m, x{b});", lambda w: functools.reduce(operator.or_, w.v.values())),
    "REDUCE_XOR": ("x{a} = __reduce_xor_sync(m, x{b});", lambda w: functools.reduce(operator.xor, w.v.values())),
}
ALL_LANES = {  # no lane has returned or gone another way; the warp may be a short one
    "WARP_EXCHANGE": ("__syncwarp(); w[r] = x{b}; __syncwarp(); x{a} = w[r - lane + (x{c} + {k}u) % lanes]; __syncwarp();", lambda w: w.v[(w.x[w.c] + w.k & M) % w.lanes]),
    "SHUFFLE_ANY": ("x{a} = __shfl_sync(m, x{b}, (int)((x{c} + {k}u) % lanes));", lambda w: w.v[(w.x[w.c] + w.k & M) % w.lanes]),
    "SHUFFLE_UP": ("x{a} = __shfl_up_sync(m, x{b}, {k5}, {width});", lambda w: w.v[w.lane - w.k % 32 if w.lane >= w.first + w.k % 32 else w.lane]),
}
WHOLE_WARP = {  # beyond the edge of its segment, of width lanes from first on, a lane reads itself
    "SHUFFLE_UP": ALL_LANES["SHUFFLE_UP"],
    "SHUFFLE": ("x{a} = __shfl_sync(~0u, x{b}, (int)((x{a} + {k}u) % {width}), {width});", lambda w: w.v[w.first + (w.x[w.a] + w.k) % w.width]),
    "SHUFFLE_DOWN": ("x{a} = __shfl_down_sync(m, x{b}, {k5}, {width});", lambda w: w.v[w.lane + w.k % 32 if w.lane + w.k % 32 < w.first + w.width else w.lane]),
    "SHUFFLE_XOR": ("x{a} = __shfl_xor_sync(m, x{b}, {k5}, {width});", lambda w: w.v[w.lane ^ w.k % 32 if w.lane ^ w.k % 32 < w.first + w.width else w.lane]),
    "SHUFFLE_LONG": ("{{ unsigned long long v = __shfl_sync(m, (unsigned long long)x{next} << 32 | x{b}, "
                     "(int)((x{a} + {k}u) % {width}), {width}); x{a} = (unsigned)v ^ (unsigned)(v >> 32) * 3; }}",
                     lambda w: w.v[w.first + (w.x[w.a] + w.k) % w.width] ^ w.all[w.first + (w.x[w.a] + w.k) % w.width][(w.b + 1) % 4] * 3 & M),
    "TILE_SUM": ("x{a} = cg::reduce(cg::tiled_partition<{width}>(cg::this_thread_block()), x{b}, cg::plus<unsigned>());",
                 lambda w: sum(w.v[lane] for lane in range(w.first, w.first + w.width))),
    "TILE_SCAN": ("x{a} = cg::inclusive_scan(cg::tiled_partition<{width}>(cg::this_thread_block()), x{b}, cg::plus<unsigned>());",
                  lambda w: sum(w.v[lane] for lane in range(w.first, w.lane + 1))),
    "TILE_ROTATE": ("{{ auto tile = cg::tiled_partition<{width}>(cg::this_thread_block()); "
                    "x{a} = tile.shfl(x{b}, (tile.thread_rank() + {k}u) % {width}); }}", lambda w: w.v[w.first + (w.lane + w.k) % w.width]),
}
FOR_ITSELF, OF_A_WARP = {**ALONE, **LOADS}, {**HERE, **ALL_LANES, **WHOLE_WARP}


class Block:
    """A plain interpreter of a kernel's operations: each is done for all threads of a block before the next one begins."""

    def __init__(self, kernel, number, out, total):
        self.n, self.number, self.out, self.total = kernel.threads, number, out, total
        self.x = [[IN[(number * self.n + t) % 1024], t, number * 77 + t % 32, 5] for t in range(self.n)]
        self.shared = [[0] * self.n, [0] * self.n]
        self.gone = set()
        self.run(kernel.ops, range(self.n))
        self.finish(range(self.n))

    def finish(self, threads):
        for t in threads:
            if t not in self.gone:
                at = (self.number * self.n + t) * 8
                self.out[at + 4:at + 8] = self.x[t]
        self.gone |= set(threads)

    def run(self, ops, threads):
        for code, a, b, c, k, parts in ops:
            threads = [t for t in threads if t not in self.gone]
            if code.startswith("IF"):
                yes = {t for t in threads if (t // 32 % 2 == k if code == "IF_WARP" else self.number % 2 == k if code == "IF_BLOCK" else self.x[t][b] >> k & 1)}
                for part, goes in zip(parts, (yes, {*threads} - yes)):
                    self.run(part, sorted(goes))
            elif code in ("LOOP", "WHILE"):
                rounds = {t: k if code == "LOOP" else self.x[t][b] & 3 for t in threads}
                for done in range(3):
                    self.run(parts[0], [t for t in threads if done < rounds[t]])
            elif code == "RETURN":
                self.finish([t for t in threads if self.x[t][b] & 7 == k])
            elif code in BARRIERS:
                if code != "SYNC":
                    result = int(BARRIERS[code][1](self.x[t][b] >> k % 32 & 1 for t in threads))
                    for t in threads:
                        self.x[t][a] = result
            elif code in OF_A_WARP:
                for first in range(0, self.n, 32):
                    self.warp(code, first, [t for t in threads if first <= t < first + 32], a, b, c, k)
            else:
                for t in threads:
                    self.alone(code, t, self.x[t], a, b, c, k)

    def warp(self, code, first, threads, a, b, c, k):
        every = {t - first: list(self.x[t]) for t in threads}
        values = {lane: x[b] for lane, x in every.items()}
        for lane, x in every.items():
            w = types.SimpleNamespace(a=a, b=b, c=c, k=k, x=x, all=every, v=values, mine=x[b], lane=lane, lanes=min(32, self.n - first), width=1 << c, first=lane >> c << c)
            self.x[first + lane][a] = int(OF_A_WARP[code][1](w)) & M

    def alone(self, code, t, x, a, b, c, k):
        n, y = self.n, x[b]
        place = (t + k) % n if k % 2 == 0 else (k + n - t) % n
        if code in FOR_ITSELF:
            x[a] = int(FOR_ITSELF[code][1](x, x[a], y, x[c], k)) & M
        elif code in TOTALS:
            i = list(TOTALS).index(code)
            self.total[i] = TOTALS[code][1](self.total[i], y, k) & M
        elif code in TO_OWN:
            at = (self.number * n + place) * 8 + c
            self.out[at], x[a] = TO_OWN[code][1](self.out[at], x[a], y)
        elif code == "SHARED_STORE_BYTE":
            words, shift = self.shared[c], place % 4 * 8
            words[place // 4] = words[place // 4] & ~(255 << shift) | (y & 255) << shift
        else:
            at = place if code in ("SHARED_STORE", "SHARED_LOAD_OWN") else (y + k & M) % n
            self.shared[c][at], x[a] = SHARED[code][1](self.shared[c][at], x[a], y)


def array(name, words):
    return f"static const unsigned {name}[] = {{{', '.join(f'{word:#x}' for word in words)}}};"


class Kernel:
    """One kernel: `text`, its lines; `ops`, its operations, each with the parts that it opens: of such operations, too."""

    def __init__(self, dice, name, fault=None):
        self.dice, self.name, self.fault = dice, name, fault
        self.whole = dice.random() < 0.6
        self.block = dice.choice(WHOLE if self.whole or fault else RAGGED)
        self.grid = dice.choice(GRIDS)
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.text, self.ops = [], []
        self.places = [dice.randrange(0, 300) for _ in range(4)]  # of the first words that a thread has in out
        self.phase = [None, None]  # what the shared arrays are for since the last barrier
        self.full = [False, False]  # every word of them is written
        self.depth = 1
        self.returned = False
        self.body()

    def add(self, code, line, a=0, b=0, c=0, k=0):
        place = f"(r + {k}u) % n" if k % 2 == 0 else f"({k}u + n - r) % n"
        self.text.append("    " * self.depth + line.format(a=a, b=b, c=c, k=k, k5=k % 32, place=f"({place})", width=1 << c, next=(b + 1) % 4))
        self.ops.append((code, a, b, c, k, []))

    def any(self, codes, c=None, k=None):
        code = self.dice.choice(list(codes))
        a, b, c = self.dice.randrange(4), self.dice.randrange(4), self.dice.randrange(4) if c is None else c
        self.add(code, codes[code][0], a, b, c, self.dice.randrange(5000) if k is None else k)

    def sync(self):
        self.phase = [None, None]
        self.any(BARRIERS if self.dice.random() < 0.3 else {"SYNC": BARRIERS["SYNC"]})

    def enter(self, array, phase):
        """May this access be made before the next barrier?"""
        if self.phase[array] is None:
            self.phase[array] = phase
        return self.phase[array] == phase

    def shared(self, whole_block):
        array = self.dice.randrange(2)
        phase = self.phase[array] or self.dice.choice(["read", "read", "bytes", "SHARED_ADD", "SHARED_XOR", "SHARED_MOST"] + [self.dice.randrange(300)] * 4)
        if isinstance(phase, int):
            if self.enter(array, phase):
                code = "SHARED_STORE" if not self.full[array] or self.dice.random() < 0.7 else "SHARED_LOAD_OWN"
                self.any({code: SHARED[code]}, array, phase)
                self.full[array] |= code == "SHARED_STORE" and whole_block
        elif self.full[array] and self.enter(array, phase):
            code = {"read": "SHARED_LOAD", "bytes": "SHARED_STORE_BYTE"}.get(phase, phase)
            self.any({code: SHARED[code]}, array, 0 if phase == "bytes" else None)

    def own(self):
        word = self.dice.randrange(4)
        self.any(TO_OWN, word, self.places[word])

    def nest(self, code, line, middle, end, where, count, **more):
        """A part that some threads go through, or all several times."""
        ops, full, uniform = self.ops, list(self.full), where in ("block", "loop")
        if uniform:
            self.sync()
        self.add(code, line, **more)
        parts = ops[-1][-1]
        for half in range(2 if middle and self.dice.random() < 0.6 else 1):
            if half == 1:
                self.text.append("    " * self.depth + middle)
            self.ops = []
            parts.append(self.ops)
            self.depth += 1
            if uniform:
                self.sync()
                self.full = list(full)
            self.some(count, where)
            if uniform:
                self.sync()
            self.depth -= 1
        self.text.append("    " * self.depth + end)
        self.ops = ops
        if uniform:
            self.full = full

    def branch(self, where):
        bit, register = self.dice.randrange(32), self.dice.randrange(4)
        which = self.dice.random()
        count = self.dice.randrange(1, 6)
        if which < 0.2 and where == "top":
            self.nest("IF_WARP", "if (r / 32 % 2 == {k}u) {{", "} else {", "}", "warp", count, k=bit % 2)
        elif which < 0.35 and where == "top" and not self.returned:
            self.nest("IF_BLOCK", "if (b % 2 == {k}u) {{", "} else {", "}", "block", count, k=bit % 2)
        elif which < 0.5 and where == "top" and not self.returned:
            self.nest("LOOP", "for (unsigned i = 0; i < {k}u; i++) {{", None, "}", "loop", count, k=1 + bit % 3)
        elif which < 0.65 or where == "while":
            self.nest("WHILE", "for (unsigned i = x{b} & 3; i > 0; i--) {{", None, "}", "while", 2, b=register)
        else:
            self.nest("IF", "{{ const bool p = x{b} >> {k} & 1; const unsigned yes = __ballot_sync(m, p), no = m & ~yes; (void)no; if (p) {{ unsigned m = yes; (void)m;",
                      "} else { unsigned m = no; (void)m;", "} }", "if", count, b=register, k=bit)

    def some(self, count, where):
        for _ in range(count):
            which, uniform, top = self.dice.random(), where in ("top", "block", "loop"), where == "top" and not self.returned
            together = (uniform or where == "warp") and not self.returned
            below = ((0.25, True, lambda: self.any(ALONE)), (0.38, True, lambda: self.any({**LOADS, **TOTALS})), (0.46, True, self.own),
                     (0.64, where != "loop", lambda: self.shared(top)), (0.72, uniform, self.sync), (0.80, where != "while", lambda: self.any(HERE)),
                     (0.86, together, lambda: self.any(ALL_LANES)), (0.92, together and self.whole, lambda: self.any(WHOLE_WARP, c=self.dice.randrange(1, 6))),
                     (0.99, self.depth < 4, lambda: self.branch(where)), (1, top, self.early_return), (1, True, lambda: None))
            next(act for bound, may, act in below if which < bound and may)()

    def early_return(self):
        if self.dice.random() < 0.4:
            self.add("RETURN", "{{ const bool done = (x{b} & 7) == {k}u; m = __ballot_sync(m, !done); if (done) {{ FINISH; return; }} }}",
                     b=self.dice.randrange(4), k=self.dice.randrange(8))
            self.returned = True

    def body(self):
        if not self.fault:
            self.some(self.dice.randrange(10, 30), "top")
        if self.fault == "barrier":
            self.add("SHARED_STORE", SHARED["SHARED_STORE"][0])
            self.add("SYNC", "__syncthreads();")
            self.add("SHARED_LOAD", SHARED["SHARED_LOAD"][0], a=1, b=2, k=3)
            self.add("SYNC", "")
            self.add("SHARED_STORE", SHARED["SHARED_STORE"][0], b=2, k=4)
        elif self.fault == "lane":  # x1 is the rank
            self.add("SHUFFLE_FIRST", "x{a} = __shfl_sync(m, x{b}, 1);", a=1, b=1)
        elif self.fault == "constant":
            self.add("XOR", "x{a} = x{b} ^ x{c} ^ 3u;", a=2, b=2, c=1, k=2)

    def cuda(self):
        dynamic, full_mask = self.dice.random() < 0.3, self.dice.random() < 0.5
        (x, y, z), (gx, gy, gz), n = self.block, self.grid, self.threads
        shared = "extern __shared__ unsigned s0[];\n    unsigned *s1 = s0 + {0}, *w = s1 + {0};" if dynamic else "__shared__ unsigned s0[{0}], s1[{0}], w[{0}];"
        text = "\n".join(self.text).replace("FINISH", "finish(own + r * 8, x0, x1, x2, x3)")
        template = self.dice.random() < 0.2
        out, total = [0xa5a5a5a5] * (gx * gy * gz * n * 8), [0, M, 0, 0, 0, M, 0, 0]
        for number in range(gx * gy * gz):
            Block(self, number, out, total)
        total[6] = struct.unpack("<I", struct.pack("<f", total[6]))[0]
        return f"""
{"template <unsigned SIZE> " if template else ""}__global__ void {self.name}(const unsigned *in, unsigned *out, unsigned *total)
{{
    {shared.format("SIZE" if template else n)}
    const unsigned n = blockDim.x * blockDim.y * blockDim.z, b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned r = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), lane = r % 32;
    const unsigned lanes = n - r + lane < 32 ? n - r + lane : 32;
    unsigned *own = out + b * n * 8, m = {"~0u >> (32 - lanes)" if full_mask or not self.whole else "0xffffffffu"};
    unsigned x0 = in[(b * n + r) % 1024], x1 = r, x2 = b * 77 + lane, x3 = 5;
    (void)s0, (void)s1, (void)w, (void)m, (void)total;
{text}
    finish(own + r * 8, x0, x1, x2, x3);
}}
static void launch_{self.name}(const unsigned *in, unsigned *out, unsigned *total)
{{
    {self.name}{f"<{n}>" if template else ""}<<<dim3({gx}, {gy}, {gz}), dim3({x}, {y}, {z}){f", {3 * n} * sizeof(unsigned)" if dynamic else ""}>>>(in, out, total);
}}
{array(f"out_{self.name}", out)}
{array(f"total_{self.name}", total)}
"""

    def row(self):
        blocks = self.grid[0] * self.grid[1] * self.grid[2]
        return f'    {{"{self.name}", launch_{self.name}, {blocks}, {self.threads}, out_{self.name}, total_{self.name}}},'


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("count", type=int)
parser.add_argument("seed", type=int)
parser.add_argument("--fault", choices=["barrier", "lane", "constant"])
options = parser.parse_args()
kernels = [Kernel(random.Random(f"{options.seed} {i}"), f"k{i}") for i in range(options.count)]
if options.fault:
    kernels.append(Kernel(random.Random(options.seed), "faulty", options.fault))
print('#include "random.cuh"\n\nnamespace cg = cooperative_groups;\n')
print(array("in", IN), array("constants", TABLE), sep="\n")
print("static __device__ void finish(unsigned *own, unsigned x0, unsigned x1, unsigned x2, unsigned x3)\n{")
print("    own[4] = x0, own[5] = x1, own[6] = x2, own[7] = x3;\n}")
for kernel in kernels:
    print(kernel.cuda())
print("static const struct kernel kernels[] = {", *[kernel.row() for kernel in kernels], "};", sep="\n")
print("\nint main()\n{\n    return run_all(in, constants, kernels, sizeof kernels / sizeof *kernels);\n}")
