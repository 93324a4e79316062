# mk/compare.mk: the library against its rivals, on a GPU.

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
NEWER := $(BUILD)/library/compare/newer
$(NEWER).o: library/compare/cub.cu $(BUILD)/flags
$(NEWER)_types.o: library/compare/cub_types.cu $(BUILD)/flags
$(NEWER).o $(NEWER)_types.o:
	@mkdir -p $(@D)
	$(call say,compiles $< with the headers of $(CCCL))
	$(Q)$(subst -Icommon,-I$(CCCL) -DNEWER_CCCL -Icommon,$(CU_COMPILE))

.PHONY: compare compare-exact compare-gpus compare-types compare-softmax nccl-header
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
