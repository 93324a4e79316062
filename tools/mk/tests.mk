# tools/mk/tests.mk: the tests, and the programs that they run.

.PHONY: test test-more test-all test-gpu test-book test-programs test-more-programs lint
test:
	tests/run

test-more:
	tests/run --more

test-all:
	tests/run --all

test-gpu:
	tests/run --gpu

# In a browser: needs chromium, and Python's packages.
test-book:
	@PYTHON='$(PYTHON)' tests/run-book

# Other people's checkers, as far as they are here: shellcheck, pyflakes, codespell, rumdl, clang-format.
lint:
	@tools/lint.sh

# What make test runs besides: kernels broken on purpose, the unit tests of common/, a contract of the library.
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c))
test-programs: all $(BUILD)/broken $(BUILD)/library_types example $(EXPERIMENTS:%=$(BUILD)/%) $(UNIT_TESTS)
# And what make test-more does.
test-more-programs: $(BUILD)/library_exact $(BUILD)/library_rows $(if $(SIMT_OBJECTS),$(BUILD)/compare) $(BUILD)/back_to_back example_rows
$(BUILD)/broken: $(BUILD)/tests/broken/reduce.o $(COMMON) $(BUILD)/flags
	$(links)
$(UNIT_TESTS): %: %.o $(COMMON) $(BUILD)/flags
	$(links)

# Those of the library.
ALL_TESTS := $(BUILD)/library_all $(if $(NCCL_LINK),$(BUILD)/library_processes)
test-programs: $(if $(SUM_ALL),$(ALL_TESTS))
$(BUILD)/library_types $(BUILD)/library_exact $(BUILD)/library_rows: $(BUILD)/library_%: $(BUILD)/tests/library/%.o $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(links)
$(BUILD)/library_exact: $(patsubst %,$(BUILD)/steps/13_exact/%.o,accumulators cached_accumulators doubles cpu_exact)
$(BUILD)/library_rows: $(REDUCE)
$(BUILD)/tests/library/%.o: CU_INCLUDES := $(if $(NCCL_LINK),-I$(NCCL_HOME)/include)
$(ALL_TESTS): $(BUILD)/library_%: $(BUILD)/tests/library/%.o $(LIBRARY) $(SUM_ALL) $(COMMON) $(BUILD)/flags
	$(call say,links $@)
	$(Q)$(call whole,$(LINK) $(NCCL_LINK))
$(BUILD)/back_to_back: $(BUILD)/tests/many_gpus/back_to_back.o $(STEP14) $(LIBRARY) $(COMMON) $(BUILD)/flags
	$(links)

# What runs on a GPU, and for older ones. What takes longest to compile is asked for first.
OLDER := $(foreach a,75 80 90,older_$a)
.PHONY: gpu-programs $(OLDER)
gpu-programs: $(BUILD)/library/reduce_columns.o $(BUILD)/library/reduce_rows.o all $(BUILD)/broken $(EXERCISES) $(SOLUTIONS) \
              $(patsubst %,$(BUILD)/library_%,types exact rows) $(BUILD)/back_to_back example example_rows $(if $(SUM_ALL),$(ALL_TESTS)) \
              $(if $(NCCL_LINK),$(if $(shell command -v $(MPICC)),$(BUILD)/sum_mpi))
$(OLDER): older_%:
	+@$(MAKE) -s BACKEND=cuda ARCH=sm_$* BUILD=build/cuda-sm_$* $(patsubst %,build/cuda-sm_$*/library_%,rows types)

# What messages may name: the programs that have no link in the root.
.PHONY: broken back_to_back
broken back_to_back: %: $(BUILD)/%
