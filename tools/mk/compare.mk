# tools/mk/compare.mk: the library against its rivals, on a GPU.

# One program. A rival is linked where what it needs is there: CUB and Thrust, cuBLAS; and with CCCL=FOLDER, the headers of a
# newer CCCL (with cub/ in it), a newer CUB. Step 14's part are its ways to bring the sums of several GPUs together.
ifeq ($(BACKEND),cuda)
RIVALS := $(if $(wildcard $(foreach i,include/cccl include,$(CUDA_HOME)/$i/cub/cub.cuh)),cub thrust cub_rows) \
          $(if $(wildcard $(CUDA_HOME)/include/cublas_v2.h),cublas) $(if $(CCCL),newer_cub newer_cub_rows)
endif
STEP14 := $(patsubst %,$(BUILD)/steps/14_many_gpus/%.o,one_gpu host nccl nvlink_slots)
$(BUILD)/compare: $(patsubst %,$(BUILD)/library/compare/%.o,compare harness rounds subjects tune ours rows tune_rows $(RIVALS)) \
                  $(patsubst %,$(BUILD)/steps/14_many_gpus/compare/%.o,gpus local) $(STEP14) $(LIBRARY) $(REDUCE) $(COMMON) $(BUILD)/flags
	$(call links, $(if $(filter cublas,$(RIVALS)),-lcublas))
$(BUILD)/library/compare/newer_%.o: library/compare/%.cu $(BUILD)/flags
	$(call compiles,$(subst -Icommon,-I$(CCCL) -DNEWER_CCCL -Icommon,$(CU_COMPILE)), with the headers of $(CCCL))

.PHONY: compare compare-exact compare-gpus compare-rows compare-row-types compare-types compare-softmax measures_here nccl-header
# Each measures on this GPU, and puts its files into a folder of results/. CCCL=FOLDER: see above. PYTHON=... is a python3
# that has PyTorch, for rows, row types, types and softmax. Several GPUs have a folder of their own.
RESULTS ?= results/mine
compare: measures_here
	CCCL="$(CCCL)" tools/measure/compare.py floats $(RESULTS)
compare-gpus: measures_here
	tools/measure/compare.py gpus $(or $(filter-out results/mine,$(RESULTS)),results/mine-gpus)
compare-exact compare-rows compare-row-types compare-types compare-softmax: compare-%: measures_here
	CCCL="$(CCCL)" tools/measure/compare.py $(subst -,_,$*) $(RESULTS)
	@$(if $(filter rows,$*),tools/draw/plots.py $(RESULTS) plots/$(notdir $(RESULTS)))
measures_here:
	@tools/setup.sh --check python3 gpu
nccl-header:
	@echo $(NCCL_HOME)/include/nccl.h
