/* cuda_errors.c: see cuda_errors.h. */
#include "cuda_errors.h"

#include "message.h"

#include <stdlib.h>

#ifdef SIMT_SIMULATOR

/* The simulator is always there: what it refuses is a mistake in the program. */
static int explain(cudaError_t error)
{
    (void)error;
    return -1;
}

#else

/* The driver's version is 0 where there is no driver. */
static int explain_driver(cudaError_t error)
{
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0 || error == cudaErrorNoDevice)
        return complain(STATUS_NOTHING,
                        "no CUDA driver or GPU here; make BACKEND=sim %s runs it on the simulator",
                        program_name());
    return complain(STATUS_NOTHING,
                    "the driver knows CUDA up to %d.%d, this program needs %d.%d: update the "
                    "driver, or make BACKEND=sim %s",
                    driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                    CUDART_VERSION % 1000 / 10, program_name());
}

static int explain_architecture(void)
{
    int device = 0, major = 0, minor = 0;
    struct cudaDeviceProp prop;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    if (cudaGetDeviceProperties(&prop, device) != cudaSuccess)
        prop.name[0] = '\0';
    return complain(STATUS_NOTHING,
                    "no code for this GPU (%s, sm_%d%d) in the program: make ARCH=sm_%d%d %s",
                    prop.name, major, minor, major, minor, program_name());
}

/* Says what the user can do about the error. Returns the exit status, or -1 if
   it is none that a user can mend. */
static int explain(cudaError_t error)
{
    switch (error) {
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
    case cudaErrorUnsupportedPtxVersion:
        return explain_driver(error);
    case cudaErrorNoKernelImageForDevice:
        return explain_architecture();
    default:
        return -1;
    }
}

#endif

static const char *what_would_work(cudaError_t error)
{
    switch (error) {
    case cudaErrorMemoryAllocation:
        return ": take a smaller -n";
    case cudaErrorInvalidConfiguration:
        return ": take another -b";
    default:
        return "";
    }
}

void cuda_failed(cudaError_t error, const char *call, const char *file, int line)
{
    int status = explain(error);
    if (status < 0)
        status =
            complain(STATUS_WRONG, "%s:%d: %s: %s (%s)%s", file, line, call,
                     cudaGetErrorName(error), cudaGetErrorString(error), what_would_work(error));
    exit(status);
}

int select_device(int device)
{
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    if (device >= count && count == 1)
        return complain(STATUS_USAGE, "device %d does not exist: there is 1, number 0", device);
    if (device >= count)
        return complain(STATUS_USAGE, "device %d does not exist: there are %d, numbers 0 to %d",
                        device, count, count - 1);
    CUDA_CHECK(cudaSetDevice(device));
    return -1;
}
