#!/usr/bin/env python3
"""Random kernels with a known answer, as CUDA on standard output: generate.py COUNT SEED. Each is written twice: as
the kernel itself, and as a table of what it does, from which reference.c works out the answer. They never race: between
two barriers an array of shared memory is only read, or each thread writes a place of its own, or all use one kind of
atomic. With --fault, a last kernel has one: barrier (one is missing that is needed), lane (a shuffle reads the next
lane), constant (another one)."""
import argparse
import random

WHOLE = [(32, 1, 1), (64, 1, 1), (96, 1, 1), (128, 1, 1), (256, 1, 1), (8, 8, 1), (16, 4, 2), (4, 4, 4), (32, 2, 1), (1, 1, 32)]
RAGGED = [(1, 1, 1), (5, 1, 1), (33, 1, 1), (35, 1, 1), (40, 1, 1), (100, 1, 1), (7, 5, 1), (3, 5, 7), (1, 77, 1), (250, 1, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 4, 1), (1, 1, 3)]

OWN = "own[{place} * 8 + {c}]"
ALONE = {
    "ADD": "x{a} = x{b} + x{c};",
    "SUB": "x{a} = x{b} - x{c};",
    "MULTIPLY": "x{a} = x{b} * x{c};",
    "MULTIPLY_HIGH": "x{a} = __umulhi(x{b}, x{c});",
    "AND": "x{a} = x{b} & x{c};",
    "OR": "x{a} = x{b} | x{c};",
    "XOR": "x{a} = x{b} ^ x{c} ^ {k}u;",
    "SHIFT_LEFT": "x{a} = x{b} << {k5};",
    "SHIFT_RIGHT": "x{a} = (unsigned)((int)x{b} >> {k5});",
    "FUNNEL": "x{a} = __funnelshift_l(x{b}, x{c}, {k5});",
    "COUNT_BITS": "x{a} = __popc(x{b});",
    "REVERSE_BITS": "x{a} = __brev(x{b});",
    "LEADING_ZEROS": "x{a} = __clz((int)x{b});",
    "FIRST_BIT": "x{a} = __ffs((int)x{b});",
    "BYTES": "x{a} = __byte_perm(x{b}, x{c}, {k}u & 0x7777);",
    "LESS": "x{a} = (int)x{b} < (int)x{c};",
    "LEAST": "x{a} = min(x{b}, x{c});",
    "MOST": "x{a} = max(x{b}, x{c});",
    "SELECT": "x{a} = x{b} & 1 ? x{c} : x{a};",
    "DIVIDE": "x{a} = x{b} / (x{c} | 1);",
    "REMAINDER": "x{a} = x{b} % (x{c} % 1000 + 1);",
    "FLOAT": "x{a} = (unsigned)((float)(x{b} & 4095) * (float)(x{c} & 1023) + 7.0f);",
    "DOUBLE": "x{a} = (unsigned)(unsigned long long)((double)x{b} * 3.0 + (double)x{c});",
    "LOCAL_ARRAY": "{{ unsigned t[4] = {{x0, x1, x2, {k}u}}; t[x{b} & 3] += x{c}; x{a} = t[x{c} & 3] ^ t[x{c} >> 2 & 3]; }}",
    "CALL": "x{a} = differ(x{b}, x{c}, {k}u);",
}
GLOBAL = {
    "LOAD": "x{a} = in[(x{b} + {k}u) % 1024];",
    "LOAD_READ_ONLY": "x{a} = __ldg(&in[(x{b} + {k}u) % 1024]);",
    "LOAD_BYTE": "x{a} = ((const unsigned char *)in)[(x{b} + {k}u) % 4096];",
    "LOAD_SHORT": "x{a} = ((const unsigned short *)in)[(x{b} + {k}u) % 2048];",
    "LOAD_PAIR": "{{ uint2 v = ((const uint2 *)in)[(x{b} + {k}u) % 512]; x{a} = v.x + 3 * v.y; }}",
    "LOAD_FOUR": "{{ uint4 v = ((const uint4 *)in)[(x{b} + {k}u) % 256]; x{a} = v.x + 3 * v.y + 5 * v.z + 7 * v.w; }}",
    "LOAD_CONSTANT": "x{a} = table[(x{b} + {k}u) % 64];",
    "ADD_TO_TOTAL": "atomicAdd(&total[0], x{b});",
    "LEAST_TO_TOTAL": "atomicMin(&total[1], x{b});",
    "MOST_TO_TOTAL": "atomicMax(&total[2], x{b});",
    "XOR_TO_TOTAL": "atomicXor(&total[3], x{b});",
    "OR_TO_TOTAL": "atomicOr(&total[4], x{b} & {k}u);",
    "AND_TO_TOTAL": "atomicAnd(&total[5], x{b} | {k}u);",
    "FLOAT_TO_TOTAL": "atomicAdd((float *)&total[6], (float)(x{b} & 15));",
}
TO_OWN = {  # k: the place of the word, c: which one
    "STORE": OWN + " = x{b};",
    "LOAD_BACK": "x{a} = x{b} ^ " + OWN + ";",
    "ADD_TO_OWN": "x{a} = atomicAdd(&" + OWN + ", x{b});",
    "EXCHANGE_OWN": "x{a} = atomicExch(&" + OWN + ", x{b});",
    "COMPARE_AND_SWAP_OWN": "{{ unsigned *p = &" + OWN + ", old = *p; x{a} = atomicCAS(p, old, old % 2 == 0 ? x{b} : old); }}",
}
SHARED = {  # c: the array
    "SHARED_STORE": "s{c}[{place}] = x{b};",
    "SHARED_STORE_BYTE": "((unsigned char *)s{c})[{place}] = (unsigned char)x{b};",
    "SHARED_LOAD_OWN": "x{a} = x{b} + s{c}[{place}];",
    "SHARED_LOAD": "x{a} = s{c}[(x{b} + {k}u) % n];",
    "SHARED_ADD": "atomicAdd(&s{c}[(x{b} + {k}u) % n], x{a});",
    "SHARED_XOR": "atomicXor(&s{c}[(x{b} + {k}u) % n], x{a});",
    "SHARED_MOST": "atomicMax(&s{c}[(x{b} + {k}u) % n], x{a});",
}
BARRIERS = {
    "SYNC": "__syncthreads();",
    "SYNC_COUNT": "x{a} = __syncthreads_count(x{b} >> {k5} & 1);",
    "SYNC_AND": "x{a} = __syncthreads_and(x{b} >> {k5} & 1) != 0;",
    "SYNC_OR": "x{a} = __syncthreads_or(x{b} >> {k5} & 1) != 0;",
}
HERE = {  # those of the warp that are here: m
    "SHUFFLE_FIRST": "x{a} = __shfl_sync(m, x{b}, __ffs((int)m) - 1);",
    "SHUFFLE_LAST": "x{a} = __shfl_sync(m, x{b}, 31 - __clz((int)m));",
    "BALLOT": "x{a} = __ballot_sync(m, x{b} >> {k5} & 1);",
    "ANY": "x{a} = __any_sync(m, x{b} >> {k5} & 1) != 0;",
    "ALL": "x{a} = __all_sync(m, x{b} >> {k5} & 1) != 0;",
    "MATCH_ANY": "x{a} = __match_any_sync(m, x{b} & 3);",
    "MATCH_ALL": "{{ int all; x{a} = __match_all_sync(m, x{b} & 3, &all); x{a} += (unsigned)(all != 0); }}",
    "REDUCE_ADD": "x{a} = __reduce_add_sync(m, x{b});",
    "REDUCE_LEAST": "x{a} = __reduce_min_sync(m, x{b});",
    "REDUCE_MOST": "x{a} = __reduce_max_sync(m, x{b});",
    "REDUCE_AND": "x{a} = __reduce_and_sync(m, x{b});",
    "REDUCE_OR": "x{a} = __reduce_or_sync(m, x{b});",
    "REDUCE_XOR": "x{a} = __reduce_xor_sync(m, x{b});",
}
ALL_LANES = {  # no lane has returned or gone another way; the warp may be a short one
    "WARP_EXCHANGE": "__syncwarp(); w[r] = x{b}; __syncwarp(); x{a} = w[r - lane + (x{c} + {k}u) % lanes]; __syncwarp();",
    "SHUFFLE_ANY": "x{a} = __shfl_sync(m, x{b}, (int)((x{c} + {k}u) % lanes));",
    "SHUFFLE_UP": "x{a} = __shfl_up_sync(m, x{b}, {k5}, {width});",
}
WHOLE_WARP = {
    "SHUFFLE_UP": ALL_LANES["SHUFFLE_UP"],
    "SHUFFLE": "x{a} = __shfl_sync(~0u, x{b}, (int)((x{a} + {k}u) % {width}), {width});",
    "SHUFFLE_DOWN": "x{a} = __shfl_down_sync(m, x{b}, {k5}, {width});",
    "SHUFFLE_XOR": "x{a} = __shfl_xor_sync(m, x{b}, {k5}, {width});",
    "SHUFFLE_LONG": "{{ unsigned long long v = __shfl_sync(m, (unsigned long long)x{next} << 32 | x{b}, "
                    "(int)((x{a} + {k}u) % {width}), {width}); x{a} = (unsigned)v ^ (unsigned)(v >> 32) * 3; }}",
    "TILE_SUM": "x{a} = cg::reduce(cg::tiled_partition<{width}>(cg::this_thread_block()), x{b}, cg::plus<unsigned>());",
    "TILE_SCAN": "x{a} = cg::inclusive_scan(cg::tiled_partition<{width}>(cg::this_thread_block()), x{b}, cg::plus<unsigned>());",
    "TILE_ROTATE": "{{ auto tile = cg::tiled_partition<{width}>(cg::this_thread_block()); "
                   "x{a} = tile.shfl(x{b}, (tile.thread_rank() + {k}u) % {width}); }}",
}


class Kernel:
    """One kernel: `text`, its lines; `ops`, the rows of its table."""

    def __init__(self, dice, name, fault=None):
        self.dice, self.name, self.fault = dice, name, fault
        self.whole = dice.random() < 0.6
        self.block = dice.choice(WHOLE if self.whole or fault else RAGGED)
        self.grid = dice.choice(GRIDS)
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.text, self.ops = [], []
        self.places = [dice.randrange(0, 300) for _ in range(4)]  # of the first words that a thread has in out
        self.phase = [None, None]  # what the shared arrays are for since the last barrier,
        self.before = [None, None]  # and before it
        self.full = [False, False]  # every word of them is written
        self.last_sync = None
        self.needed = []  # barriers without which there is a race: lines of text
        self.depth = 1
        self.returned = False
        self.body()

    def add(self, code, line, a=0, b=0, c=0, k=0, **more):
        place = f"(r + {k}u) % n" if k % 2 == 0 else f"({k}u + n - r) % n"
        self.text.append("    " * self.depth + line.format(a=a, b=b, c=c, k=k, k5=k % 32, place=f"({place})", width=1 << c, next=(b + 1) % 4, **more))
        self.ops.append(f"{{{code}, {a}, {b}, {c}, {k}u}}")

    def any(self, codes, c=None, k=None):
        code = self.dice.choice(list(codes))
        a, b, c = self.dice.randrange(4), self.dice.randrange(4), self.dice.randrange(4) if c is None else c
        self.add(code, codes[code], a, b, c, self.dice.randrange(5000) if k is None else k)

    def sync(self):
        self.before, self.phase = self.phase, [None, None]
        self.last_sync = len(self.text)
        codes = BARRIERS if self.dice.random() < 0.3 else {"SYNC": BARRIERS["SYNC"]}
        self.any(codes)

    def enter(self, array, phase):
        """May this access be made before the next barrier?"""
        if self.phase[array] is None:
            self.phase[array] = phase
            if self.before[array] not in (None, phase) and self.last_sync is not None:
                self.needed.append(self.last_sync)
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
        full, uniform = list(self.full), where in ("block", "loop")
        if uniform:
            self.sync()
        self.add(code, line, **more)
        self.depth += 1
        for half in range(2 if middle and self.dice.random() < 0.6 else 1):
            if half == 1:
                self.depth -= 1
                self.add("ELSE", middle)
                self.depth += 1
            if uniform:
                self.sync()
                self.full = list(full)
            self.some(count, where)
            if uniform:
                self.sync()
        self.depth -= 1
        self.add("END", end)
        if uniform:
            self.full = full

    def branch(self, where):
        bit, register = self.dice.randrange(32), self.dice.randrange(4)
        which = self.dice.random()
        count = self.dice.randrange(1, 6)
        if which < 0.2 and where == "top":
            self.nest("IF_WARP", "if (r / 32 % 2 == {k}u) {{", "}} else {{", "}}", "warp", count, k=bit % 2)
        elif which < 0.35 and where == "top" and not self.returned:
            self.nest("IF_BLOCK", "if (b % 2 == {k}u) {{", "}} else {{", "}}", "block", count, k=bit % 2)
        elif which < 0.5 and where == "top" and not self.returned:
            self.nest("LOOP", "for (unsigned i = 0; i < {k}u; i++) {{", None, "}}", "loop", count, k=1 + bit % 3)
        elif which < 0.65 or where == "while":
            self.nest("WHILE", "for (unsigned i = x{b} & 3; i > 0; i--) {{", None, "}}", "while", 2, b=register)
        else:
            self.nest("IF", "{{ const bool p = x{b} >> {k} & 1; const unsigned yes = __ballot_sync(m, p), no = m & ~yes; (void)no; if (p) {{ unsigned m = yes; (void)m;",
                      "}} else {{ unsigned m = no; (void)m;", "}} }}", "if", count, b=register, k=bit)

    def some(self, count, where):
        for _ in range(count):
            which, uniform = self.dice.random(), where in ("top", "block", "loop")
            together = uniform or where == "warp"
            if which < 0.25:
                self.any(ALONE)
            elif which < 0.38:
                self.any(GLOBAL)
            elif which < 0.46:
                self.own()
            elif which < 0.64 and where != "loop":
                self.shared(uniform and not self.returned and where == "top")
            elif which < 0.72 and uniform:
                self.sync()
            elif which < 0.80 and where != "while":
                self.any(HERE)
            elif which < 0.86 and together and not self.returned:
                self.any(ALL_LANES)
            elif which < 0.92 and together and self.whole and not self.returned:
                self.any(WHOLE_WARP, c=self.dice.randrange(1, 6))
            elif which < 0.99 and self.depth < 4:
                self.branch(where)
            elif where == "top" and not self.returned and self.dice.random() < 0.4:
                self.add("RETURN", "{{ const bool done = (x{b} & 7) == {k}u; m = __ballot_sync(m, !done); if (done) {{ FINISH; return; }} }}",
                         b=self.dice.randrange(4), k=self.dice.randrange(8))
                self.returned = True

    def body(self):
        if not self.fault:
            self.some(self.dice.randrange(10, 30), "top")
        if self.fault == "barrier":
            store, load = SHARED["SHARED_STORE"], SHARED["SHARED_LOAD"]
            self.add("SHARED_STORE", store, b=0, c=0, k=0)
            self.add("SYNC", "__syncthreads();")
            self.add("SHARED_LOAD", load, a=1, b=2, c=0, k=3)
            self.add("SYNC", "")
            self.add("SHARED_STORE", store, b=2, c=0, k=4)
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
static const struct op ops_{self.name}[] = {{{", ".join(self.ops)}}};
"""

    def row(self):
        blocks = self.grid[0] * self.grid[1] * self.grid[2]
        return f'    {{"{self.name}", launch_{self.name}, {blocks}, {self.threads}, ops_{self.name}, {len(self.ops)}}},'


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("count", type=int)
parser.add_argument("seed", type=int)
parser.add_argument("--fault", choices=["barrier", "lane", "constant"])
options = parser.parse_args()
kernels = [Kernel(random.Random(f"{options.seed} {i}"), f"k{i}") for i in range(options.count)]
if options.fault:
    kernels.append(Kernel(random.Random(options.seed), "faulty", options.fault))
print('#include "random.cuh"\n\nnamespace cg = cooperative_groups;\n')
print("static __device__ void finish(unsigned *own, unsigned x0, unsigned x1, unsigned x2, unsigned x3)\n{")
print("    own[4] = x0, own[5] = x1, own[6] = x2, own[7] = x3;\n}")
for kernel in kernels:
    print(kernel.cuda())
print("static const struct kernel kernels[] = {", *[kernel.row() for kernel in kernels], "};", sep="\n")
print("\nint main()\n{\n    return run_all(kernels, sizeof kernels / sizeof *kernels);\n}")
