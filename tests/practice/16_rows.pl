# Lesson 16: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. sectors of loads: no answer yet/,
        wrong => [
            'a sector for a row'           => sub {s/8192, /1024, /}, qr/1\..* not 1024: each sector is touched by 8 requests/,
            'a sector for a request'       => sub {s/8192, /256, /}, qr/1\..* not 256: so many requests, and each touches a sector of 32 rows/,
            'a sector for each answer'     => sub {s/ 128, / 1024, /}, qr/2\..* not 1024: the answers of 8 neighbouring lanes share a sector/,
            'one row'                      => sub {s/ 32\}/ 8}/}, qr/3\..* not 8: that is one row, and a thread has several/,
            'as if there were one block'   => sub {s/ 32\}/ 64}/}, qr/3\..* not 64: that is too much/,
        ],
    },
    '2_lanes' => {
        hole  => qr/shuffles and votes: \d+, and it should be at most 384/,
        wrong => [
            'five rounds'              => sub {s/COLUMNS \/ 2; offset/16; offset/}, qr/answer: .*: expected -?\d+, got/,
            'five rounds, each in its own eight' => sub {s/COLUMNS \/ 2; offset/16; offset/; s/__shfl_down_sync\(0xffffffff, sum, offset\)/(offset < COLUMNS ? 1.0f : 0.0f) * __shfl_down_sync(0xffffffff, sum, offset)/}, qr/shuffles and votes: 640, and it should be at most 384 .*three rounds/,
            'two rounds'               => sub {s/COLUMNS \/ 2; offset/2; offset/}, qr/answer: .*: expected -?\d+, got/,
            'lanes without a row leave' => sub {s/    float sum = r < rows \? (.*?) : 0.0f;/    if (r >= rows)\n        return;\n    float sum = $1;/}, qr/__shfl_down_sync|fault|names/,
            'each warp of a block has the same rows' => sub {s/(blockIdx.x \* \(size_t\)blockDim.x \+ threadIdx.x)/blockIdx.x * (size_t)blockDim.x + threadIdx.x % 32/}, qr/race in global memory/,
            'a lane loads all eight'   => sub {s/r < rows \? .* : 0.0f;/0.0f;\n    for (int k = 0; lane == 0 && r < rows && k < COLUMNS; k++)\n        sum += in[r * COLUMNS + k];/}, qr/load requests: 1024, and it should be at most 128 .*reads four rows/,
            'half a warp at a time' => sub {s/    float sum = r < rows.*/    float sum = 0.0f;\n    for (unsigned half = 0; half < 2; half++, __syncwarp())\n        if (r < rows && threadIdx.x \/ 16 % 2 == half)\n            sum = in[r * COLUMNS + lane];/}, qr/load requests: 256, and it should be at most 128/,
            'a thread for each row' => sub {s/ \/ COLUMNS;\n/;\n/; s/    unsigned lane = .*\n//; s/    float sum = .*/    float sum = 0.0f;\n    for (int c = 0; c < COLUMNS && r < rows; c++)\n        sum += in[r * COLUMNS + c];/; s/    for \(unsigned offset.*?\n.*?\n//; s/r < rows && lane == 0/r < rows/}, qr/load sectors: \d+, and it should be at most 512/,
        ],
    },
    '3_weight' => {
        hole  => qr/answer: |names|__shfl_down_sync/,
        wrong => [
            'the weight is still added' => sub {s/    if \(lane == COLUMNS\)\n.*\n//}, qr/answer: .*: expected -?\d+, got/,
            'lanes without a row leave' => sub {s/    float sum = r < rows \? (.*?) : 0.0f;/    if (r >= rows)\n        return;\n    float sum = $1;/}, qr/__shfl_down_sync|names/,
            'without the weight'        => sub {s/weight \* sum/sum/}, qr/answer: .*: expected -?\d+, got/,
            'the mean in place of the sum' => sub {s/weight \* sum;/weight * (sum \/ COLUMNS);/}, qr/answer: .*: expected -?\d+, got/,
            'every lane loads the weight' => sub {s/float weight = .*/float weight = r < rows ? in[r * LEAD + COLUMNS] : 0.0f;/}, qr/floats loaded: 8192, and it should be at most 4096 .*read once/,
            'a round more'              => sub {s/LEAD \/ 2; offset/16; offset/; s/__shfl_down_sync\(0xffffffff, sum, offset\)/(offset < LEAD ? 1.0f : 0.0f) * __shfl_down_sync(0xffffffff, sum, offset)/}, qr/shuffles and votes: 768, and it should be at most 512/,
        ],
        stays => [
            'a grid that is written in another way' => sub {s{\(rows \+ rows_of_block - 1\) / rows_of_block}{(rows - 1) / rows_of_block + 1}}, qr{^launch\(\) stays as it is},
        ],
    },
    '4_columns' => {
        hole  => qr/answer: .*(?:never written|unwritten|expected)/,
        wrong => [
            'the warps do not meet'    => sub {s/    for \(unsigned w = 1; w < warps; w\+\+\)\n.*\n//}, qr/answer: .*: expected -?\d+, got/,
            'no barrier'               => sub {s/    __syncthreads\(\);\n//}, qr/race|reads shared memory that no thread/,
            'a lane for each row'      => sub {s/in\[r \* COLUMNS \+ lane\]/0.0f/; s/    smem\[warp\]\[lane\] = sum;/    smem[warp][lane] = 0.0f;\n    __syncthreads();\n    for (size_t r = threadIdx.x; r < rows; r += blockDim.x)\n        for (unsigned c = 0; c < COLUMNS; c++)\n            atomicAdd(&smem[warp][c], in[r * COLUMNS + c]);\n    __syncthreads();\n    sum = smem[warp][lane];/}, qr/load sectors: 4096, and it should be at most 512 .*four for each of 128 rows/,
            'atomics in place of the meeting' => sub {s/    if \(warp > 0\)\n.*?(\}\n)/    if (warp == 0)\n        out[lane] = 0.0f;\n    __syncthreads();\n    atomicAdd(&out[lane], sum);\n$1/s}, qr/atomics on global memory: 256, and there should be none .*meet in shared memory/,
            'every warp has all rows'  => sub {s/size_t r = warp; r < rows; r \+= warps/size_t r = 0; r < rows; r++/}, qr/answer: .*: expected -?\d+, got/,
            'a shuffle that changes nothing' => sub {s/    smem\[warp\]\[lane\] = sum;/    sum = __shfl_sync(0xffffffff, sum, lane);\n$&/}, qr/shuffles and votes: 8, and there should be none .*different columns/,
            'one warp' => sub {s/<<<1, block>>>/<<<1, 32>>>/}, qr/threads that load: 32, and it should be at least 256/,
        ],
    },
    '5_few_rows' => {
        hole  => qr/blocks: 4, and it should be at least 16/,
        wrong => [
            'all blocks read the whole row' => sub {s/size_t i = blockIdx.x \* blockDim.x \+ threadIdx.x; i < row; i \+= gridDim.x \* blockDim.x/size_t i = threadIdx.x; i < row; i += blockDim.x/}, qr/answer: .*: expected -?\d+, got/,
            'a slot for each block of a row, for all rows the same' => sub {s/r \* gridDim.x \+ blockIdx.x/blockIdx.x/; s/r \* gridDim.x \+ b/b/}, qr/race|expected -?\d+, got/,
            'nobody waits for the last' => sub {s/!is_last_block\(tickets \+ r\) \|\| threadIdx.x > 0/blockIdx.x > 0 || threadIdx.x > 0/}, qr/race|expected -?\d+, got|reads global memory that no thread/,
            'atomics in place of slots' => sub {s/slots\[r \* gridDim.x \+ blockIdx.x\] = sum;/atomicAdd(\&slots[r * gridDim.x], sum);/; s/for \(unsigned b = 0; b < gridDim.x; b\+\+\)\n.*\n/sum = slots[r * gridDim.x];\n    slots[r * gridDim.x] = 0.0f;\n/; s/(        cudaMemset\(tickets)/        cudaMemset(slots, 0, ROWS * SHARING * sizeof *slots);\n$1/}, qr/atomics.*global.*: 32, and it should be at most 16 .*sums go through slots/,
            'two blocks for a row'     => sub {s/SHARING = 4/SHARING = 2/}, qr/blocks: 8, and it should be at least 16 .*four blocks for each of four rows/,
            'one of four blocks' => sub {s/i = blockIdx.x \* blockDim.x \+ threadIdx.x; i < row; i \+= gridDim.x \* blockDim.x/i = threadIdx.x; blockIdx.x == 0 && i < row; i += blockDim.x/}, qr/threads that load: \d+, and it should be at least 2048/,
            'two blocks for each row' => sub {s/SHARING = 4/SHARING = 2/}, qr/blocks: 8, and it should be at least 16/,
            'slots are added by atomics' => sub {s/    sum = 0.0f;\n    for \(unsigned b.*?\n.*?\n    out\[r\] = sum;/    for (unsigned b = 0; b < gridDim.x; b++)\n        atomicAdd(&out[r], slots[r * gridDim.x + b]);/; s/    sum_rows<<</    cudaMemset(out, 0, ROWS * sizeof *out);\n$&/}, qr/atomics on global memory: 32, and it should be at most 16/,
            'an atomic sum' => sub {s/        slots\[r \* gridDim.x \+ blockIdx.x\] = sum;/        atomicAdd(&out[r], sum);/; s/    if \(!is_last.*?(?=^\})//ms; s/    sum_rows<<</    cudaMemset(out, 0, ROWS * sizeof *out);\n$&/}, qr/floats stored: 0, and it should be at least 8/,
        ],
    },
    '6_ragged' => {
        hole  => qr/floats that one thread loads: \d+, and it should be at most 8/,
        wrong => [
            'only where the thread ends'  => sub {s/row_ends \|\| mine_end/mine_end/}, qr/answer: .*: expected -?\d+, got/,
            'only where the row ends'     => sub {s/row_ends \|\| mine_end/row_ends/}, qr/answer: .*: expected -?\d+, got/,
            'the sum goes on'             => sub {s/            sum = 0.0f;\n//}, qr/answer: .*: expected -?\d+, got/,
            'stores in place of atomics'  => sub {s/atomicAdd\(&out\[r\], sum\)/out[r] += sum/}, qr/race/,
            'the end of the array forgotten' => sub {s/ \|\| i \+ 1 == n//}, qr/answer: .*: expected -?\d+, got/,
            'out[] is not zero'           => sub {s/    cudaMemset\(out.*\n//}, qr/answer: .*: expected -?\d+, got/,
            'sixteen floats for each'     => sub {s/EACH = 8/EACH = 16/}, qr/: 16, and it should be at most 8 .*every thread has 8 floats/,
            'an atomic for each float' => sub {s/        if \(row_ends \|\| mine_end\)/        if (row_ends || mine_end || true)/}, qr/atomics: 16384, and it should be at most 2144/,
        ],
    },
);
