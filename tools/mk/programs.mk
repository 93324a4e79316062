# tools/mk/programs.mk: the steps, the topics of the toolbox, the experiments.

LESSONS  := $(patsubst steps/%/lesson.c,%,$(sort $(wildcard steps/*/lesson.c)))
PROGRAMS := $(foreach s,$(LESSONS),step$(firstword $(subst _, ,$s)))
TOOLS    := exchange masks width vote compact transpose scan match softmax
EXPERIMENTS := $(basename $(notdir $(wildcard steps/experiments/*.cu)))
# A library: a program that has a main() of its own takes no other.
COMMON   := $(BUILD)/libcommon.a
COMMON_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out common/print_machine.c,$(wildcard common/*.c))) \
                  $(patsubst %.cu,$(BUILD)/%.o,$(wildcard common/*.cu)) $(SIMT_OBJECTS)

.PHONY: $(PROGRAMS) $(TOOLS) $(EXPERIMENTS)

$(COMMON): $(COMMON_OBJECTS)
	$(call say,collects $@)
	$(Q)$(call whole,$(AR) rcs $(NEW) $^)

# A program is all that is in its folder. step05, or scan, in the root is a link to the program of
# the backend chosen last.
# What has a main() of its own, or needs NCCL, is built apart.
APART := %/first %/sum_mpi
define PROGRAM
$1: $(BUILD)/$1
	@ln -sf $$< $$@
$(BUILD)/$1: $(patsubst %,$(BUILD)/%.o,$(filter-out $(APART),$(basename $(wildcard $2/*.cu $2/*.c)))) $(COMMON) $(BUILD)/flags
	$$(links)
endef
$(foreach s,$(LESSONS),$(eval $(call PROGRAM,step$(firstword $(subst _, ,$s)),steps/$s)))
$(foreach t,$(TOOLS),$(eval $(call PROGRAM,$t,steps/toolbox/$t)))
# Each of many answers is judged as step 15 judges one.
$(BUILD)/step16: $(BUILD)/steps/15_operators/operators_check.o
step%:
	@echo 'make: there is no $@: there are $(firstword $(PROGRAMS)) to $(lastword $(PROGRAMS)); make help-all lists them$(and $(CHINESE),（没有 $@：有的是 $(firstword $(PROGRAMS)) 到 $(lastword $(PROGRAMS))）)' >&2; exit 2

# An experiment is one file: make unrolled && ./unrolled
$(EXPERIMENTS): %: $(BUILD)/%
	@ln -sf $< $@
$(EXPERIMENTS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/steps/experiments/%.o $(COMMON) $(BUILD)/flags
	$(links)

# Prints machine.json: the device, the compilers, the theoretical bandwidth.
$(BUILD)/machine: $(BUILD)/common/print_machine.o $(COMMON) $(BUILD)/flags
	$(links)
