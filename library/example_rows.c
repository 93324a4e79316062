/* The shortest program with reduce_rows(): make example_rows && ./example_rows */
#include <reduce_rows.h>
#include <stdio.h>

int main(void)
{
    enum { ROWS = 2, COLUMNS = 4 };
    static const float scores[ROWS][COLUMNS] = {{1, 7, 3, 7}, {-2, 0, 5, 1}};
    float *data, sums[ROWS], *out;
    int64_t best[ROWS], *where;
    struct reduce_workspace w;
    if (reduce_workspace_bytes(&w.bytes) != REDUCE_OK || cudaMalloc(&w.memory, w.bytes) ||
        cudaMemset(w.memory, 0, w.bytes) || cudaMalloc((void **)&data, sizeof scores) ||
        cudaMalloc((void **)&out, sizeof sums) || cudaMalloc((void **)&where, sizeof best) ||
        cudaMemcpy(data, scores, sizeof scores, cudaMemcpyHostToDevice))
        return fprintf(stderr, "example_rows: no GPU, or no memory on it\n"), 77;

    const struct reduce_matrix m = {data, REDUCE_F32, ROWS, COLUMNS, COLUMNS};
    enum reduce_status status = reduce_rows(REDUCE_ARGMAX, &m, where, &w, 0);
    if (status == REDUCE_OK)
        status = reduce_rows(REDUCE_SUM, &m, out, &w, 0);
    if (status == REDUCE_OK && (cudaMemcpy(best, where, sizeof best, cudaMemcpyDeviceToHost) ||
                                cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost)))
        return fprintf(stderr, "example_rows: %s\n", cudaGetErrorString(cudaGetLastError())), 1;
    for (int r = 0; status == REDUCE_OK && r < ROWS; r++)
        printf("row %d: the sum is %g, the largest is number %d\n", r, sums[r], (int)best[r]);
    if (status != REDUCE_OK)
        fprintf(stderr, "example_rows: %s\n", reduce_message(status));
    return fflush(stdout) != 0 ? 1 : (int)status;
}
