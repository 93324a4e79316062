# tools/mk/backend.mk: which backend, cuda (nvcc and a GPU) or sim, and its compilers and their options.

NVCC ?= $(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc))
GPU := $(shell nvidia-smi -L 2>/dev/null | grep '^GPU 0')
BACKEND ?= $(if $(and $(NVCC),$(GPU)),cuda,sim)
ifneq ($(words $(BACKEND)) $(words $(filter cuda sim,$(BACKEND))),1 1)
$(error BACKEND=$(BACKEND): there are two, cuda and sim)
endif
ifneq ($(if $(filter cuda,$(BACKEND)),$(SANITIZE)),)
$(error SANITIZE=$(SANITIZE) is for BACKEND=sim; on a GPU, make test-gpu runs compute-sanitizer)
endif
ifeq ($(BACKEND)$(NVCC),cuda)
$(error BACKEND=cuda needs nvcc: install the CUDA toolkit, or use make BACKEND=sim)
endif

# ---- how to compile ----
BUILD   := build/$(BACKEND)$(SANITIZE:%=-%)
# make's own names, or none (MAKEFLAGS=rR), are not what a user chose.
CC      := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CXX     := $(if $(filter default undefined,$(origin CXX)),g++,$(CXX))
AR      := $(if $(filter default undefined,$(origin AR)),ar,$(AR))
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra
OPENMP  ?= -fopenmp
# A file names what it takes from another folder: "library/parts/tile.h", "toolbox/words.h".
INCLUDES := -Icommon -Isimulator -Isteps -I.

# An ARCH of the environment may be meant for something else: x86_64.
ARCHES := native all% sm_% compute_%
ifneq ($(and $(filter environment,$(origin ARCH)),$(filter-out $(ARCHES),$(ARCH))),)
undefine ARCH
endif
ifneq ($(filter-out $(ARCHES),$(ARCH))$(word 2,$(ARCH)),)
$(error ARCH=$(ARCH): a kind of GPU is needed, as in ARCH=sm_90 or ARCH=native)
endif

ifeq ($(BACKEND),cuda)
# As nvcc tells, which may be a script that calls the real one from elsewhere.
CUDA_HOME := $(realpath $(shell $(NVCC) -dryrun -x cu -c /dev/null 2>&1 | sed -n 's/^#$$ TOP=//p'))
# With a GPU, code for it alone. Without, machine code for Turing, Ampere (and Ada,
# which runs it) and Hopper, and PTX that the driver compiles for what comes later.
ARCH    ?= $(if $(GPU),native)
GENCODE := $(if $(ARCH),-arch=$(ARCH),$(foreach a,75 80 90,-gencode arch=compute_$a,code=sm_$a) \
                                      -gencode arch=compute_90,code=compute_90)
CPPFLAGS_ALL := $(INCLUDES) -I$(CUDA_HOME)/include -I$(CUDA_HOME)/include/cccl
# ptxas cannot read the lines of a folder with a quote in its name.
LINEINFO := $(if $(findstring ",$(CURDIR)),,-lineinfo)
# A switch of NVIDIA's: cooperative_groups.h without libcu++. The machine code is the same, in a fifth of the time.
LIGHT_GROUPS := -D_CG_LIMIT_INCLUDED_DEPENDENCIES
CU_COMPILE = $(NVCC) -std=c++20 -O3 $(LINEINFO) $(GENCODE) $(LIGHT_GROUPS) $(INCLUDES) $(CU_INCLUDES) -Xcompiler -Wall,-Wextra,-Wno-missing-field-initializers \
             -MD -MP -MF $(NEW_D) -MT $@ -c $< -o $(NEW)
LINK       = $(NVCC) $(GENCODE) -Xcompiler "$(OPENMP)" $(filter %.o,$^) $(filter %.a,$^) -o $(NEW) -lm
# NCCL, for sums over several GPUs: beside CUDA, in the system, or Python's package nvidia-nccl; NCCL_HOME=FOLDER has
# include/nccl.h and lib/libnccl.so. Where there is none, what calls it is left out. The simulator has a stand-in.
NCCL_HOME ?= $(or $(patsubst %/include/nccl.h,%,$(firstword $(wildcard $(addsuffix /include/nccl.h,$(CUDA_HOME) /usr/local /usr)))),\
                  $(shell python3 -c 'import nvidia.nccl as n; print(list(n.__path__)[0])' 2>/dev/null))
NCCL_LIBRARY := $(firstword $(wildcard $(foreach l,lib lib64 lib/$(shell uname -m)-linux-gnu,$(NCCL_HOME)/$l/libnccl.so $(NCCL_HOME)/$l/libnccl.so.2)))
NCCL_LINK := $(if $(NCCL_LIBRARY),$(NCCL_LIBRARY) -Xlinker -rpath=$(dir $(NCCL_LIBRARY)))
SIMT_OBJECTS :=
else
# SANITIZE=address,undefined: the compiler's checks, in a build folder of their own.
SIM_FLAGS := $(SIM_FLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover)
CPPFLAGS_ALL := $(INCLUDES) -Isimulator/include
CU_COMPILE = CC="$(CC)" CXX="$(CXX)" simulator/simcc -std=c++20 -Wall $(INCLUDES) $(CU_INCLUDES) $(SIM_FLAGS) \
             -MMD -MP -MF $(NEW_D) -MT $@ -c $< -o $(NEW)
# The C++ library as an archive, where there is one: a program links in two thirds of the time, and starts sooner.
CXX_LIBRARY = $(eval CXX_LIBRARY := $(if $(SANITIZE),,$(if $(wildcard $(shell $(CXX) -print-file-name=libstdc++.a)),-static-libstdc++)))$(CXX_LIBRARY)
LINK       = $(CXX) $(SIM_FLAGS) $(OPENMP) $(CXX_LIBRARY) $(filter %.o,$^) $(filter %.a,$^) -o $(NEW) -lm
SIMT_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out simulator/rewrite.c simulator/merge.c simulator/extras/ptx.c,$(wildcard simulator/*.c simulator/extras/*.c simulator/time/*.c)))
endif
C_COMPILE = $(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) $(OPENMP) $(SIM_FLAGS) $(CPPFLAGS_ALL) \
            -ffp-contract=off -MMD -MP -MF $(NEW_D) -MT $@ -c $< -o $(NEW)
