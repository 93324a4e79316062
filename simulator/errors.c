/* errors.c: errors of the CUDA runtime API: the last one, their names and texts. */
#include <cuda_runtime_api.h>

static cudaError_t last_error;
static const char *reason;      /* of the last one, NULL: CUDA's own words say it */
void (*simt_error_asked)(void); /* summary of errors that the program never asked for (stream.c) */

cudaError_t simt_error(cudaError_t error)
{
    return simt_error_because(error, NULL);
}

cudaError_t simt_error_because(cudaError_t error, const char *why)
{
    if (error == cudaSuccess)
        return error;
    if (why || error != last_error)
        reason = why;
    last_error = error;
    return error;
}

const char *simt_error_reason(void)
{
    return reason;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    if (simt_error_asked)
        simt_error_asked();
    return last_error;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {{cudaSuccess, "cudaSuccess", "no error"},
#define ROW_OF(NAME, NUMBER, TEXT) {cudaError##NAME, "cudaError" #NAME, TEXT},
              SIMT_ERRORS(ROW_OF)};

#define SAYS(NAME, WHAT)                                                                           \
    const char *NAME(cudaError_t error)                                                            \
    {                                                                                              \
        for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)                                \
            if (errors[i].error == error)                                                          \
                return errors[i].WHAT;                                                             \
        return "unrecognized error code";                                                          \
    }
SAYS(cudaGetErrorName, name)
SAYS(cudaGetErrorString, text)
