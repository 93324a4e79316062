# make step05 && ./step05      one step: on the GPU if there is one, else on the simulator
# make help                    what else is asked for most; make help-all: everything

.DEFAULT_GOAL := help
.SUFFIXES:

# make cannot read them in a list of dependences, and would stop at its second run.
ifneq ($(strip $(foreach c,: ; |,$(findstring $c,$(CURDIR)))),)
$(error $(CURDIR): make does not work in a folder with : ; or | in its path: move or rename it)
endif

# The order matters: a part uses the names of those before it.
include tools/mk/backend.mk
include tools/mk/compile.mk
include tools/mk/programs.mk
include tools/mk/practice.mk
include tools/mk/library.mk
include tools/mk/compare.mk
include tools/mk/measure.mk
include tools/mk/pages.mk
include tools/mk/tests.mk
include tools/mk/help.mk

.PHONY: all backend format clean
all: $(PROGRAMS) $(TOOLS) $(BUILD)/machine

backend:
	@echo $(BACKEND)

format:
	@tools/setup.sh --check clang-format
	tools/files.sh | grep -zE '\.(c|h|cu)$$' | xargs -0 clang-format -i

# kept/ stays: it has the work that practice/run reset has put aside.
clean:
	rm -rf build simulator/build $(PROGRAMS) $(TOOLS) $(EXPERIMENTS) sum_mpi

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
