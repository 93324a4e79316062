/* The shortest program with sum_f32(): make example && ./example */
#include <stdio.h>
#include <sum_f32.h>

int main(void)
{
    static float x[1000000], sum, *in, *out;
    struct sum_f32_workspace w;
    for (int i = 0; i < 1000000; i++)
        x[i] = i % 2 ? 1.0f : 0.5f;
    if (sum_f32_workspace_bytes(&w.bytes) != SUM_F32_OK || cudaMalloc(&w.memory, w.bytes) ||
        cudaMemset(w.memory, 0, w.bytes) || cudaMalloc((void **)&in, sizeof x) ||
        cudaMalloc((void **)&out, sizeof sum) ||
        cudaMemcpy(in, x, sizeof x, cudaMemcpyHostToDevice))
        return fprintf(stderr, "example: no GPU, or no memory on it\n"), 77;

    enum sum_f32_status status = sum_f32(in, 1000000, out, &w, 0);

    /* The first call that waits for the sum tells what went wrong in it. */
    if (status == SUM_F32_OK && cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost))
        return fprintf(stderr, "example: %s\n", cudaGetErrorString(cudaGetLastError())), 1;
    printf("%s: %g\n", sum_f32_message(status), sum); /* all right: 750000 */
    return fflush(stdout) != 0 ? 1 : (int)status;
}
