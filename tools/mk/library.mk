# tools/mk/library.mk: the library, its example, sums over many machines, and make install.

LIBRARY := $(patsubst %,$(BUILD)/library/%.o,sum_f32 sum_exact sum_f32_plan)
# Rows, columns and segments: what sums alone need is without them.
REDUCE := $(patsubst %,$(BUILD)/library/%.o,reduce_rows reduce_columns reduce_segments reduce_plan reduce_depth)
# Their kernels are many. On the simulator they have lines, and no more of what debuggers want: it takes a quarter of the time.
ifneq ($(SIMT_OBJECTS),)
$(REDUCE): private SIM_FLAGS := -g1 $(SIM_FLAGS)
endif
# sum_f32_all() needs NCCL; on the simulator it is a stand-in.
SUM_ALL := $(if $(NCCL_LINK)$(and $(SIMT_OBJECTS),$(wildcard simulator/include/nccl.h)),$(patsubst %,$(BUILD)/library/%.o,sum_all sum_all_comm))
$(SUM_ALL): CU_INCLUDES := $(if $(NCCL_LINK),-I$(NCCL_HOME)/include)
$(SUM_ALL) $(BUILD)/steps/14_many_gpus/sum_mpi.o: CPPFLAGS_ALL += $(if $(NCCL_LINK),-I$(NCCL_HOME)/include)
$(BUILD)/libsum_f32.a: $(LIBRARY) $(REDUCE) $(SUM_ALL)
	$(Q)$(call whole,$(AR) rcs $(NEW) $^)

# Steps 11 to 14 have variants that call it; on a GPU their exercises are linked with them.
CALLERS := $(BUILD)/step11 $(BUILD)/step12 $(BUILD)/step13 $(BUILD)/step14
ifeq ($(BACKEND),cuda)
CALLERS += $(foreach l,11_library 12_types 13_exact,$(filter $(BUILD)/practice/exercises/$l/% $(BUILD)/practice/solutions/$l/%,$(EXERCISES) $(SOLUTIONS)))
endif
$(CALLERS): $(LIBRARY)

# Step 14 calls NCCL, too: of its header nvcc sees that it is there. The simulator has a stand-in.
ifeq ($(BACKEND),cuda)
$(BUILD)/steps/14_many_gpus/%.o: CU_INCLUDES := $(if $(NCCL_LINK),$(addprefix -I,$(filter-out /usr/include,$(NCCL_HOME)/include)),-DWITHOUT_NCCL)
$(BUILD)/step14 $(BUILD)/compare $(BUILD)/back_to_back: LINK += $(NCCL_LINK)
endif

# The same for programs that load it while they run, such as tools/measure/with_torch.py.
$(BUILD)/libsum_f32.so: $(patsubst $(BUILD)/%.o,$(BUILD)/pic/%.o,$(LIBRARY) $(REDUCE))
	$(call say,links $@)
	$(Q)$(call whole,$(NVCC) -shared $(GENCODE) $^ -o $(NEW))
$(BUILD)/pic/%.o: %.cu $(BUILD)/flags
	$(call compiles,$(CU_COMPILE) -Xcompiler -fPIC, for a shared library)
$(BUILD)/pic/%.o: %.c $(BUILD)/flags
	$(call compiles,$(C_COMPILE) -fPIC, for a shared library)

.PHONY: example example_rows install
example example_rows: %: $(BUILD)/library/%
	@ln -sf $< $@
$(BUILD)/library/example_rows: $(REDUCE)
$(BUILD)/library/example $(BUILD)/library/example_rows: %: %.o $(LIBRARY) $(if $(SIMT_OBJECTS),$(COMMON)) $(BUILD)/flags
	$(links)
$(BUILD)/library/example.o $(BUILD)/library/example_rows.o: CPPFLAGS_ALL += -Ilibrary

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
	$(Q)$(call whole,$(MPICC) $(OPENMP) $(filter %.o,$^) $(filter %.a,$^) $(NCCL_LINK) -L$(CUDA_HOME)/lib64 -lcudart -Xlinker -rpath=$(CUDA_HOME)/lib64 -lstdc++ -lm -o $(NEW))

# The library for the GPU, where a C compiler finds it: pkg-config --cflags --libs sum_f32
PREFIX ?= /usr/local
PC = sed -n '/^\[$1\]/,/^\[/{/^\[/d;p;}' library/pkgconfig.in
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
	install -m 644 $(addprefix library/,sum_f32.h sum_types.h sum_exact.h reduce_rows.h) "$$INTO/include/"
	install -m 644 build/cuda/libsum_f32.a "$$INTO/lib/"
	{ printf 'prefix=%s\ncuda=%s\n' "$$PREFIX" '$(CUDA_HOME)'; $(call PC,sum_f32); } >"$$INTO/lib/pkgconfig/sum_f32.pc"
	$(call PC,reduce_rows) >"$$INTO/lib/pkgconfig/reduce_rows.pc"
	@$(MAKE) -s BACKEND=cuda install-all

# sum_f32_all(), whose users link NCCL too: pkg-config --cflags --libs sum_f32_all
.PHONY: install-all
install-all:
	@$(if $(NCCL_LINK),,echo 'make install: there is no NCCL here (NCCL_HOME=FOLDER names one), so sum_f32_all() is left out')
	$(if $(NCCL_LINK),install -m 644 library/sum_all.h "$$INTO/include/")
	$(if $(NCCL_LINK),{ printf 'prefix=%s\ncuda=%s\nnccl=%s\nnccl_lib=%s\n' "$$PREFIX" '$(CUDA_HOME)' '$(NCCL_HOME)' '$(patsubst %/,%,$(dir $(NCCL_LIBRARY)))'; \
	    $(call PC,sum_f32_all) | sed 's/@nccl@/$(notdir $(NCCL_LIBRARY))/'; } >"$$INTO/lib/pkgconfig/sum_f32_all.pc")
