# make step05 && ./step05      one step: on the GPU if there is one, else on the simulator
# make help                    everything else

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

# ---- which backend: cuda (nvcc and a GPU) or sim ----
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
# A file names what it takes from another folder: "08_vectorized/tile.h", "toolbox/words.h".
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
CU_COMPILE = $(NVCC) -std=c++20 -O3 $(LINEINFO) $(GENCODE) $(INCLUDES) $(CU_INCLUDES) -Xcompiler -Wall,-Wextra,-Wno-missing-field-initializers \
             -MD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@
LINK       = $(NVCC) $(GENCODE) -Xcompiler "$(OPENMP)" $(filter %.o,$^) $(filter %.a,$^) -o $@ -lm
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
             -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@
LINK       = $(CXX) $(SIM_FLAGS) $(OPENMP) $(filter %.o,$^) $(filter %.a,$^) -o $@ -lm
SIMT_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out simulator/rewrite.c simulator/merge.c simulator/ptx.c,$(wildcard simulator/*.c)))
endif
C_COMPILE = $(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) $(OPENMP) $(SIM_FLAGS) $(CPPFLAGS_ALL) \
            -ffp-contract=off -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@

# ---- names of an older layout ----
.PHONY: toolbox steps/08_warp_toolbox steps/11_library/example steps/11_library/compare
toolbox steps/08_warp_toolbox:
	@echo 'make: step 08 is the toolbox now, a program for each topic: make $(firstword $(TOOLS)); make help lists them' >&2; exit 2
steps/11_library/example steps/11_library/compare:
	@echo 'make: $@ is in library/ now: make $(@F); make help lists them' >&2; exit 2

# ---- what make prints: a line for each file; V=1 shows the commands ----
Q   := $(if $(V),,@)
say  = $(if $(V),,@echo '  $1')

# ---- what there is ----
STEPS    := $(patsubst steps/%/lesson.c,%,$(sort $(wildcard steps/*/lesson.c)))
PROGRAMS := $(foreach s,$(STEPS),step$(firstword $(subst _, ,$s)))
TOOLS    := exchange masks width vote compact transpose scan match softmax
EXPERIMENTS := $(basename $(notdir $(wildcard experiments/*.cu)))
# A library: a program that has a main() of its own takes no other.
COMMON   := $(BUILD)/libcommon.a
COMMON_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out common/print_machine.c,$(wildcard common/*.c))) \
                  $(patsubst %.cu,$(BUILD)/%.o,$(wildcard common/*.cu)) $(SIMT_OBJECTS)

.PHONY: help all test test-gpu test-book test-programs plots traces player notes book book-serve counters counters-sim compare compare-exact compare-gpus compare-types compare-softmax nccl-header example install \
        experiments results clean format backend practice practice-list practice-watch hint solution reset FORCE $(PROGRAMS) $(TOOLS) $(EXPERIMENTS)

help:
	@echo 'make step05 && ./step05   builds and runs one step (step00 to step$(lastword $(PROGRAMS:step%=%)))'
	@echo 'make scan && ./scan       one topic of the toolbox: $(TOOLS)'
	@echo './run_all.sh              builds and runs everything, then draws the plots'
	@echo 'make practice             the next exercise that is not solved, and what is wrong with it still'
	@echo
	@echo 'make all           builds every step and topic'
	@echo 'make practice05, make practice05-2    the exercises of a lesson; one of them'
	@echo 'make practice-masks, practice-masks-1     those of a topic of the toolbox; one of them'
	@echo 'make practice-list, practice-watch    which are solved; checks again whenever a file is saved'
	@echo 'make hint, solution, reset            of the next one, or of EXERCISE=05-2'
	@echo 'make practice05-2 BACKEND=cuda        its time on a GPU, beside the lesson'\''s variant'
	@echo 'make test          all tests that need no GPU'
	@echo 'make test-gpu      the checks again, on a GPU, and with compute-sanitizer'
	@echo 'make test-book     the book, in a browser that nobody sees'
	@echo 'make notes         writes the tables of the pages from results/, and the line numbers of quoted code'
	@echo 'make book          makes a site of these pages: build/book/index.html; make book-serve shows it (PORT=8000)'
	@echo 'make plots         draws the pictures of results/: plots/NAME from results/NAME'
	@echo 'make traces        traces variants on the simulator, and draws what threads touch: plots/trace'
	@echo 'make player        the same for the player: build/player/index.html, to be opened in a browser'
	@echo 'make results       measures this GPU: a folder of results/, checked, ready for a pull request'
	@echo 'make counters      asks a GPU for its own counters of every kernel (Nsight Compute)'
	@echo 'make counters-sim  the counts of the simulator that the pages put beside them'
	@echo 'make experiments   asks the questions of docs/experiments.md, and writes the answers to results/'
	@echo 'make compare       times the library against CUB, size by size (needs a GPU)'
	@echo 'make compare-exact  times the exact sum against others (needs a GPU)'
	@echo 'make compare-gpus   times sums over several GPUs against NCCL (needs two GPUs)'
	@echo 'make compare-types  the same for half, bfloat16, float, int32 and double, and against PyTorch'
	@echo 'make compare-softmax   times the softmax of the toolbox against PyTorch, row by row (needs a GPU)'
	@echo 'make install       installs the library for the GPU: PREFIX=/usr/local; make example uses it'
	@echo 'make sum_mpi       one sum over the GPUs of many machines: mpirun -n 2 ./sum_mpi (needs GPUs, MPI and NCCL)'
	@echo 'make clean         removes what was built'
	@echo 'make format        lays out C and CUDA files'
	@echo
	@echo 'BACKEND=cuda or BACKEND=sim chooses where it runs: $(BACKEND) here, if you say nothing.'
	@echo 'V=1 shows the commands.'
	@echo 'SANITIZE=address,undefined adds the checks of the compiler, with BACKEND=sim.'
	@echo 'ARCH=sm_80 compiles for one kind of GPU: here it is $(or $(ARCH),a list) with BACKEND=cuda.'

all: $(PROGRAMS) $(TOOLS) $(BUILD)/machine

backend:
	@echo $(BACKEND)

$(COMMON): $(COMMON_OBJECTS)
	@rm -f $@
	$(call say,collects $@)
	$(Q)$(AR) rcs $@ $^

# A program is all that is in its folder. step05, or scan, in the root is a link to the program of
# the backend chosen last.
# What has a main() of its own, or needs NCCL, is built apart.
APART := %/first %/sum_mpi
define PROGRAM
$1: $(BUILD)/$1
	@ln -sf $$< $$@
$(BUILD)/$1: $(patsubst %,$(BUILD)/%.o,$(filter-out $(APART),$(basename $(wildcard $2/*.cu $2/*.c)))) $(COMMON) $(BUILD)/flags
	$$(call say,links $$@)
	$$(Q)$$(LINK)
endef
$(foreach s,$(STEPS),$(eval $(call PROGRAM,step$(firstword $(subst _, ,$s)),steps/$s)))
$(foreach t,$(TOOLS),$(eval $(call PROGRAM,$t,toolbox/$t)))
step%:
	@echo 'make: there is no $@: there are $(firstword $(PROGRAMS)) to $(lastword $(PROGRAMS)); make help lists them' >&2; exit 2

# An experiment is one file: make unrolled && ./unrolled
$(EXPERIMENTS): %: $(BUILD)/%
	@ln -sf $< $@
$(EXPERIMENTS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/experiments/%.o $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)

# An exercise is one file: with practice/sandbox it becomes a program, which the judge of its folder runs.
JUDGE   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard practice/judge/*.c))
SANDBOX := $(BUILD)/sandbox.a
$(SANDBOX): $(patsubst %.c,$(BUILD)/%.o,$(wildcard practice/sandbox/*.c))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(BUILD)/exercises/%/criteria.o $(BUILD)/practice/%.o: CPPFLAGS_ALL += -Ipractice
JUDGES := $(patsubst %/criteria.c,$(BUILD)/%/judge,$(wildcard exercises/*/criteria.c))
$(JUDGES): %/judge: %/criteria.o $(JUDGE) $(COMMON) $(BUILD)/flags
	$(Q)$(LINK)
EXERCISES := $(patsubst %.cu,$(BUILD)/%,$(wildcard exercises/*/*.cu))
# Clusters are for Hopper and later: code for an older GPU would not compile.
$(BUILD)/exercises/10_clusters/%.o $(BUILD)/solutions/10_clusters/%.o: GENCODE := -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90
# On a GPU the variants of the lesson are timed beside; but not those of lesson 14, for several GPUs.
lesson_of = $(if $(filter cuda,$(BACKEND)),$(filter-out $(APART:=.o) $(BUILD)/steps/14%,$(patsubst %,$(BUILD)/%.o,$(basename $(wildcard steps/$1/*.cu steps/$1/*.c)))))
SOLUTIONS := $(EXERCISES:$(BUILD)/exercises/%=$(BUILD)/solutions/%)
$(foreach e,$(EXERCISES),$(eval $e $(e:$(BUILD)/exercises/%=$(BUILD)/solutions/%): $(call lesson_of,$(notdir $(patsubst %/,%,$(dir $e))))))
$(EXERCISES) $(SOLUTIONS): %: %.own.o $(SANDBOX) $(COMMON) $(BUILD)/flags
	$(Q)$(LINK)
$(EXERCISES:=.own.o) $(SOLUTIONS:=.own.o): %.own.o: %.o $(SANDBOX:.a=.names) practice/own_names
	$(Q)practice/own_names $< $@ $(SANDBOX:.a=.names)
# What an exercise may not call: what asks it on behalf of the judge, and what steers the simulator.
$(SANDBOX:.a=.names): $(SANDBOX) simulator/simt.h
	$(Q){ nm -P $(SANDBOX); $(if $(SIMT_OBJECTS),cat simulator/simt.h;) } | \
	    sed -n 's/^\([a-z_]*\) T .*/\1/p; s/^[a-z].*[ *]\(simt_[a-z_]*\)(.*/\1/p' >$@

practice:
	@practice/run || [ $$? -eq 1 ]
practice-list:
	@practice/run list
practice-watch:
	@practice/run watch $(EXERCISE)
practice%:
	@practice/run check '$*' || [ $$? -eq 1 ]
hint:
	@practice/run hint '$(EXERCISE)' $(HINT)
solution:
	@practice/run solution '$(EXERCISE)'
reset:
	@practice/run reset '$(EXERCISE)'

# What tests/ runs besides: kernels broken on purpose, and the unit tests of common/.
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%.t,$(wildcard tests/unit/*.c))
test-programs: all $(BUILD)/broken $(BUILD)/library_contract $(BUILD)/library_types $(BUILD)/library_exact $(BUILD)/back_to_back example $(EXPERIMENTS:%=$(BUILD)/%) $(UNIT_TESTS)
$(BUILD)/broken: $(BUILD)/tests/broken/reduce.o $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)
$(UNIT_TESTS): %.t: %.o $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)

# ---- the library, and against its rivals ----
LIBRARY := $(patsubst %,$(BUILD)/library/%.o,sum_f32 sum_exact sum_f32_plan)
# sum_f32_all() needs NCCL; on the simulator it is a stand-in.
SUM_ALL := $(if $(NCCL_LINK)$(and $(SIMT_OBJECTS),$(wildcard simulator/include/nccl.h)),$(patsubst %,$(BUILD)/library/%.o,sum_all sum_all_comm))
ALL_TESTS := $(BUILD)/library_all $(if $(NCCL_LINK),$(BUILD)/library_processes)
test-programs: $(if $(SUM_ALL),$(ALL_TESTS))
$(SUM_ALL): CU_INCLUDES := $(if $(NCCL_LINK),-I$(NCCL_HOME)/include)
$(SUM_ALL) $(BUILD)/steps/14_many_gpus/sum_mpi.o: CPPFLAGS_ALL += $(if $(NCCL_LINK),-I$(NCCL_HOME)/include)
$(BUILD)/libsum_f32.a: $(LIBRARY) $(SUM_ALL)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# Steps 11 to 14 have variants that call it; on a GPU their exercises are linked with them.
CALLERS := $(BUILD)/step11 $(BUILD)/step12 $(BUILD)/step13 $(BUILD)/step14
ifeq ($(BACKEND),cuda)
CALLERS += $(foreach l,11_library 12_types 13_exact,$(filter $(BUILD)/exercises/$l/% $(BUILD)/solutions/$l/%,$(EXERCISES) $(SOLUTIONS)))
endif
$(CALLERS): $(LIBRARY)

# Step 14 calls NCCL, too: of its header nvcc sees that it is there. The simulator has a stand-in.
ifeq ($(BACKEND),cuda)
$(BUILD)/steps/14_many_gpus/%.o: CU_INCLUDES := $(if $(NCCL_LINK),$(addprefix -I,$(filter-out /usr/include,$(NCCL_HOME)/include)),-DWITHOUT_NCCL)
$(BUILD)/step14 $(BUILD)/compare_gpus $(BUILD)/back_to_back: LINK += $(NCCL_LINK)
endif

# The same for programs that load it while they run, such as tools/measure/time_torch_sum.py.
$(BUILD)/libsum_f32.so: $(LIBRARY:$(BUILD)/%.o=$(BUILD)/pic/%.o)
	$(call say,links $@)
	$(Q)$(NVCC) -shared $(GENCODE) $^ -o $@
$(BUILD)/pic/%.o: %.cu $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,compiles $< for a shared library)
	$(Q)$(CU_COMPILE) -Xcompiler -fPIC
$(BUILD)/pic/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,compiles $< for a shared library)
	$(Q)$(C_COMPILE) -fPIC

example: $(BUILD)/library/example
	@ln -sf $< $@
$(BUILD)/library/example: $(BUILD)/library/example.o $(LIBRARY) $(SIMT_OBJECTS) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)
$(BUILD)/library/example.o: CPPFLAGS_ALL += -Ilibrary

$(BUILD)/library_contract $(BUILD)/library_types $(BUILD)/library_exact: $(BUILD)/library_%: $(BUILD)/tests/library/%.o $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)
$(BUILD)/library_exact: $(patsubst %,$(BUILD)/steps/13_exact/%.o,accumulators in_register doubles cpu_exact)
$(BUILD)/tests/library/%.o: CU_INCLUDES := $(if $(NCCL_LINK),-I$(NCCL_HOME)/include)
$(ALL_TESTS): $(BUILD)/library_%: $(BUILD)/tests/library/%.o $(LIBRARY) $(SUM_ALL) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK) $(NCCL_LINK)

# A program for many machines: MPI starts it, NCCL carries the sums.
MPICC ?= mpicc
.PHONY: sum_mpi what_sum_mpi_needs
sum_mpi: $(if $(and $(NCCL_LINK),$(shell command -v $(MPICC))),$(BUILD)/sum_mpi,what_sum_mpi_needs)
	@ln -sf $< $@
what_sum_mpi_needs:
	@$(if $(SIMT_OBJECTS),echo 'make: sum_mpi is for GPUs: make BACKEND=cuda sum_mpi' >&2; exit 2)
	@$(if $(NCCL_LINK),,echo 'make: sum_mpi needs NCCL: none is found; NCCL_HOME=FOLDER names one, with include/nccl.h and lib/libnccl.so' >&2; exit 2)
	@echo 'make: sum_mpi needs MPI: there is no $(MPICC); on Debian or Ubuntu, apt-get install libopenmpi-dev; or MPICC=...' >&2; exit 2
$(BUILD)/steps/14_many_gpus/sum_mpi.o: private CC := $(MPICC)
$(BUILD)/sum_mpi: $(BUILD)/steps/14_many_gpus/sum_mpi.o $(LIBRARY) $(SUM_ALL) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(MPICC) $(OPENMP) $(filter %.o,$^) $(filter %.a,$^) $(NCCL_LINK) -L$(CUDA_HOME)/lib64 -lcudart -Xlinker -rpath=$(CUDA_HOME)/lib64 -lstdc++ -lm -o $@

# The library for the GPU, where a C compiler finds it: pkg-config --cflags --libs sum_f32
PREFIX ?= /usr/local
install: export PREFIX := $(PREFIX)
install: export INTO := $(DESTDIR)$(PREFIX)
install:
	@$(if $(NVCC),,echo 'make install needs nvcc: the library is for a GPU' >&2; exit 2)
	@case $$PREFIX in '' | [!/]* | *[\"\\\$$\#]*) echo "make: PREFIX=$$PREFIX: a path from / on is needed, without \" \\ $$ and #" >&2; exit 2; esac
	@for folder in "$$INTO/include" "$$INTO/lib/pkgconfig"; do \
	    until [ -e "$$folder" ]; do folder=$$(dirname "$$folder"); done; \
	    [ -d "$$folder" ] && [ -w "$$folder" ] || \
	        { echo "make: cannot write to $$folder: PREFIX=... names another folder; or sudo make install" >&2; exit 2; }; \
	done
	@$(MAKE) -s BACKEND=cuda build/cuda/libsum_f32.a
	install -d "$$INTO/include" "$$INTO/lib/pkgconfig"
	install -m 644 $(addprefix library/,sum_f32.h sum_types.h sum_exact.h) "$$INTO/include/"
	install -m 644 build/cuda/libsum_f32.a "$$INTO/lib/"
	{ printf 'prefix=%s\ncuda=%s\n' "$$PREFIX" '$(CUDA_HOME)'; cat library/sum_f32.pc.in; } >"$$INTO/lib/pkgconfig/sum_f32.pc"
	@$(MAKE) -s BACKEND=cuda install-all

# sum_f32_all(), whose users link NCCL too: pkg-config --cflags --libs sum_f32_all
.PHONY: install-all
install-all:
	@$(if $(NCCL_LINK),,echo 'make install: there is no NCCL here (NCCL_HOME=FOLDER names one), so sum_f32_all() is left out')
	$(if $(NCCL_LINK),install -m 644 library/sum_all.h "$$INTO/include/")
	$(if $(NCCL_LINK),{ printf 'prefix=%s\ncuda=%s\nnccl=%s\nnccl_lib=%s\n' "$$PREFIX" '$(CUDA_HOME)' '$(NCCL_HOME)' '$(patsubst %/,%,$(dir $(NCCL_LIBRARY)))'; \
	    sed 's/@nccl@/$(notdir $(NCCL_LIBRARY))/' library/sum_f32_all.pc.in; } >"$$INTO/lib/pkgconfig/sum_f32_all.pc")

# CCCL=FOLDER holds the headers of a newer CCCL (with cub/ in it): it is compared with too.
COMPARE := $(patsubst %,$(BUILD)/library/compare/%.o,pairs ours)
RIVALS  := $(patsubst %,$(BUILD)/library/compare/%.o,cub others $(if $(CCCL),newer))
$(BUILD)/library/compare/%.o: CPPFLAGS_ALL += $(if $(CCCL),-DNEWER_CCCL)
$(BUILD)/compare: $(BUILD)/library/compare/compare.o $(COMPARE) $(RIVALS) $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK) -lcublas
$(BUILD)/tune: $(BUILD)/library/compare/tune.o $(COMPARE) $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)
$(BUILD)/compare_types: $(patsubst %,$(BUILD)/library/compare/%.o,types cub_types $(if $(CCCL),newer_types)) $(COMPARE) $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)
$(BUILD)/compare_exact: $(patsubst %,$(BUILD)/library/compare/%.o,exact $(if $(CCCL),newer)) $(COMPARE) $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)
# Step 14's ways to bring the sums of several GPUs together, against each other.
STEP14 := $(patsubst %,$(BUILD)/steps/14_many_gpus/%.o,one_gpu host nccl nvlink_slots)
$(BUILD)/compare_gpus: $(patsubst %,$(BUILD)/steps/14_many_gpus/compare/%.o,compare_gpus local) $(STEP14) $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)
$(BUILD)/back_to_back: $(BUILD)/tests/many_gpus/back_to_back.o $(STEP14) $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)
NEWER := $(BUILD)/library/compare/newer
$(NEWER).o: library/compare/cub.cu $(BUILD)/flags
$(NEWER)_types.o: library/compare/cub_types.cu $(BUILD)/flags
$(NEWER).o $(NEWER)_types.o:
	@mkdir -p $(@D)
	$(call say,compiles $< with the headers of $(CCCL))
	$(Q)$(subst -Icommon,-I$(CCCL) -DNEWER_CCCL -Icommon,$(CU_COMPILE))

# What messages may name: the programs that have no link in the root.
.PHONY: machine broken tune back_to_back compare_exact compare_gpus
machine broken tune back_to_back compare_exact compare_gpus: %: $(BUILD)/%

# Prints machine.json: the device, the compilers, the theoretical bandwidth.
$(BUILD)/machine: $(BUILD)/common/print_machine.o $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(LINK)

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,compiles $<)
	$(Q)$(C_COMPILE)

$(BUILD)/%.o: %.cu $(BUILD)/flags $(if $(filter sim,$(BACKEND)),simulator/simcc simulator/rewrite.c simulator/merge.c simulator/ptx.c)
	@mkdir -p $(@D)
	$(call say,compiles $<)
	$(Q)$(CU_COMPILE)

# Changes only when the way of compiling does, and then everything is compiled again.
FLAGS_NOW = $(CC) $(CXX) $(NVCC) $(CFLAGS) $(OPENMP) $(SIM_FLAGS) $(GENCODE) $(CCCL) $(NCCL_LINK)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@for compiler in "$(CC)" "$(CXX)"; do \
	    $$compiler --version >/dev/null 2>&1 || \
	        { echo "make: no compiler $$compiler here: on Debian or Ubuntu, apt-get install g++; or CC=... CXX=..." >&2; exit 2; }; \
	    version=$$($$compiler -dumpfullversion 2>/dev/null); \
	    $(if $(SIMT_OBJECTS),[ -z "$$version" ] || [ "$${version%%.*}" -ge 12 ] || \
	        { echo "make: $$compiler is gcc $$version; the simulator needs gcc and g++ 12 or later: make CC=gcc-12 CXX=g++-12" >&2; exit 2; };) \
	done
	@[ "$$(cat $@ 2>/dev/null)" = '$(FLAGS_NOW)' ] || { \
	    $(if $(SIMT_OBJECTS),for compiler in "$(CC)" "$(CXX)"; do \
	        echo '_Float16 x;' | $$compiler -x c -fsyntax-only - 2>/dev/null || \
	            { echo "make: $$compiler has no type _Float16; the simulator needs gcc and g++ 12 or later (or clang 15 or later)" >&2; exit 2; }; \
	    done;) \
	    echo '$(FLAGS_NOW)' >$@; }

plots:
	@for folder in results/*/; do \
	    folder=$${folder%/}; \
	    [ -e "$$folder/machine.json" ] || continue; \
	    tools/draw/draw.sh "$$folder" "plots/$${folder##*/}" || exit; \
	done

# The pictures of threads and elements, from traces taken on the simulator.
traces: player
	@$(MAKE) -s BACKEND=sim all
	tools/draw/trace.sh

# The player, with the traces that the pages ask for: a folder that opens from disk.
player:
	@tools/setup.sh --check python3
	@$(MAKE) -s BACKEND=sim $$(book/player/traces.py --programs | sed 's,^,build/sim/,')
	@mkdir -p build/player
	@cp book/player/index.html book/player/player.js book/player/player.css build/player/
	@book/player/traces.py build/player/traces

# The pages as a site, build/book. PYTHON is a python3 that has the packages of book/requirements.txt.
BOOK_PYTHON = $(or $(PYTHON),$(wildcard .venv/bin/python),python3)
BOOK = $(BOOK_PYTHON) book/build.py
PORT ?= 8000
book:
	@tools/setup.sh --check $(BOOK_PYTHON) && $(BOOK) --check
	@$(MAKE) -s player
	@$(BOOK)
book-serve:
	@tools/setup.sh --check $(BOOK_PYTHON) && $(BOOK) --check --serve '$(PORT)'
	@$(MAKE) -s player
	@$(BOOK) --serve '$(PORT)'

notes:
	@tools/setup.sh --check python3
	tools/pages/quotes.py
	python3 tools/pages/notes.py

# What the GPU's own counters say about every kernel: needs a GPU and Nsight Compute.
COUNTERS ?= results/h200/counters.csv
counters:
	@tools/setup.sh --check ncu python3 gpu
	@$(MAKE) -s BACKEND=cuda all
	tools/measure/profile_kernels.py $(COUNTERS)

# Every experiment, on a GPU; on the simulator only their checks. FOLDER says where to.
experiments:
	@tools/setup.sh --check python3 $(if $(filter cuda,$(BACKEND)),ncu gpu)
	@$(MAKE) -s all $(EXPERIMENTS)
	tools/measure/experiments.py $(BACKEND) $(FOLDER)

# A folder of results for this GPU, whole and checked, ready for a pull request.
results:
	@tools/measure/contribute.sh

# The simulator's counts beside them.
counters-sim:
	@$(MAKE) -s BACKEND=sim all
	tools/measure/count_on_simulator.sh results/sim/counters.csv

# The library against CUB: needs a GPU. CCCL=FOLDER compares with a newer CUB too.
RESULTS ?= results/h200
compare:
	CCCL="$(CCCL)" tools/measure/compare_library.sh $(RESULTS)

# The exact sum against sum_f32(), a plain read and CUB's reproducible sum: the same.
compare-exact:
	CCCL="$(CCCL)" tools/measure/compare_exact.sh $(RESULTS)

# Several GPUs of one host: slots over NVLink against NCCL. It makes the folder.
compare-gpus:
	tools/measure/compare_gpus.sh $(or $(filter-out results/h200,$(RESULTS)),results/h200x2)
nccl-header:
	@echo $(NCCL_HOME)/include/nccl.h

# Every type that the library sums, against CUB and PyTorch: the same, with PYTHON=... too.
compare-types:
	CCCL="$(CCCL)" tools/measure/compare_types.sh $(RESULTS)

# The toolbox's softmax and PyTorch's, on this GPU. PYTHON=... is a python3 that has PyTorch.
compare-softmax:
	tools/measure/compare_softmax.sh $(RESULTS)

test:
	tests/run

test-gpu:
	tests/run-gpu

# In a browser: needs chromium, and Python's packages.
test-book:
	@PYTHON='$(PYTHON)' tests/run-book

format:
	@tools/setup.sh --check clang-format
	tools/files.sh | grep -zE '\.(c|h|cu)$$' | xargs -0 clang-format -i

# kept/ stays: it has the work that practice/run reset has put aside.
clean:
	rm -rf build simulator/build $(PROGRAMS) $(TOOLS) $(EXPERIMENTS) sum_mpi

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
