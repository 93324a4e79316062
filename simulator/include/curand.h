/* curand.h: random numbers made by the host for the device's memory, by the names of cuRAND's host
   API (docs.nvidia.com/cuda/curand), as far as ../extras/curand.c has it. All pseudo-random
   generators are Philox4x32-10 here, with other keys: the numbers are not those of a GPU. Sobol's
   are, for up to 32 dimensions. */
#pragma once

#include "cuda_runtime_api.h"

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION   10400

#ifdef __cplusplus
extern "C" {
#endif

SIMT_ENUM(curandStatus, CURAND_STATUS_SUCCESS, CURAND_STATUS_VERSION_MISMATCH = 100,
          CURAND_STATUS_NOT_INITIALIZED, CURAND_STATUS_ALLOCATION_FAILED, CURAND_STATUS_TYPE_ERROR,
          CURAND_STATUS_OUT_OF_RANGE, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
          CURAND_STATUS_DOUBLE_PRECISION_REQUIRED, CURAND_STATUS_LAUNCH_FAILURE = 201,
          CURAND_STATUS_PREEXISTING_FAILURE, CURAND_STATUS_INITIALIZATION_FAILED,
          CURAND_STATUS_ARCH_MISMATCH, CURAND_STATUS_INTERNAL_ERROR = 999)
typedef enum curandStatus curandStatus_t, curandStatus;

SIMT_ENUM(curandRngType, CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW,
          CURAND_RNG_PSEUDO_MRG32K3A = 121, CURAND_RNG_PSEUDO_MTGP32 = 141,
          CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
          CURAND_RNG_QUASI_DEFAULT = 200, CURAND_RNG_QUASI_SOBOL32)
typedef enum curandRngType curandRngType_t, curandRngType;

SIMT_ENUM(curandOrdering, CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT,
          CURAND_ORDERING_PSEUDO_SEEDED, CURAND_ORDERING_PSEUDO_LEGACY,
          CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_QUASI_DEFAULT = 201)
typedef enum curandOrdering curandOrdering_t;

SIMT_ENUM(curandDirectionVectorSet, CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101)
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;
typedef unsigned curandDirectionVectors32_t[32]; /* of one dimension */

typedef struct curandGenerator_st *curandGenerator_t;

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t g);
curandStatus_t curandGetVersion(int *version);
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order);
/* The vectors of 20,000 dimensions, those after the 32nd zeros; they stay the library's. */
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **to,
                                           curandDirectionVectorSet_t set);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned count);
curandStatus_t curandGenerateSeeds(curandGenerator_t g);

/* count numbers, in the device's memory, or the host's by curandCreateGeneratorHost(). Of normal
   ones an even count, of quasi-random ones as many in each dimension. */
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *to, size_t count);
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *to, size_t count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *to, size_t count);
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                    float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *to, size_t count,
                                          double mean, double deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                       float deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *to, size_t count,
                                             double mean, double deviation);

#ifdef __cplusplus
}
#endif
