# tools/mk/practice.mk: what exercises are linked with, and what a learner asks for. practice/judge builds the programs; on a GPU
# the targets here do.

PRACTICE := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/confined.c %/reference.c $(if $(SIMT_OBJECTS),%/timed.c,%/copies.c),$(wildcard practice/runner/*.c)))
RUNNER   := $(BUILD)/runner.a
$(RUNNER): $(PRACTICE)
	$(Q)$(call whole,$(AR) rcs $(NEW) $^)
# What a submission to a course may not name (docs/courses.md): what asks it on behalf of the judge, what steers the simulator,
# and what the simulator keeps to itself: all that neither its headers have nor what rewrites kernels. The compiler's begin with _.
SIMT_USED := simulator/rewrite.c simulator/merge.c simulator/simcc $(shell find simulator/include -type f 2>/dev/null)
names_of_simulator = nm -P $(SIMT_OBJECTS) | awk '$$2 ~ /^[TDBCR]$$/ { print $$1 }' | grep -v '^_' | sort -u | \
    comm -23 - <(cat $(SIMT_USED) | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u);
$(BUILD)/runner.names: SHELL := bash
$(BUILD)/runner.names: $(RUNNER) simulator/simt.h
	$(AT)export LC_ALL=C; { { nm -P $(PRACTICE); cat simulator/simt.h; } | \
	    sed -n 's/^\([a-z_]*\) [TBD] .*/\1/p; s/^[a-z].*[ *]\(simt_[a-z_]*\)(.*/\1/p'; $(if $(SIMT_OBJECTS),$(names_of_simulator)) } >$(NEW) && mv -f $(NEW) $@
$(BUILD)/practice/confined: $(BUILD)/practice/runner/confined.o
	$(Q)$(call whole,$(LINK))

EXERCISES := $(patsubst %.cu,$(BUILD)/%,$(wildcard practice/exercises/*/*.cu))
SOLUTIONS := $(patsubst %.cu,$(BUILD)/%,$(wildcard practice/solutions/*/*.cu)) # a quiz has none
# Clusters are for Hopper and later: code for an older GPU would not compile. private: what else these files need keeps its flags.
$(BUILD)/practice/exercises/10_clusters/%.o $(BUILD)/practice/solutions/10_clusters/%.o: private GENCODE := -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90
# On a GPU the variants of the lesson are timed beside; but not those of lesson 14, for several GPUs.
lesson_of = $(if $(filter cuda,$(BACKEND)),$(filter-out $(APART:=.o) $(BUILD)/steps/14%,$(patsubst %,$(BUILD)/%.o,$(basename $(wildcard steps/$1/*.cu steps/$1/*.c)) $(if $(filter 16%,$1),steps/15_operators/operators_check))))
$(foreach e,$(EXERCISES),$(eval $e $(e:$(BUILD)/practice/exercises/%=$(BUILD)/practice/solutions/%): $(call lesson_of,$(notdir $(patsubst %/,%,$(dir $e))))))
# wrapped.c stands in the place of these.
$(EXERCISES) $(SOLUTIONS): private SIM_FLAGS += -Wl,--wrap=allocation_make,--wrap=allocation_free,--wrap=simt_error,--wrap=simt_error_because
$(EXERCISES) $(SOLUTIONS): %: %.o $(RUNNER) $(COMMON) $(BUILD)/flags
	$(Q)$(call whole,$(LINK))

# A file of a course, which may lie anywhere, on a GPU: FILE=/tmp/a.cu TO=/tmp/a
.PHONY: course-program
course-program: $(RUNNER) $(COMMON)
	$(Q)$(NVCC) -std=c++20 -O3 $(LINEINFO) $(GENCODE) -Xcompiler "$(OPENMP)" '$(FILE)' $^ -o '$(TO)' -lm

.PHONY: practice practice-list practice-watch hint solution reset
practice:
	@practice/run $(EXERCISE:%=check %) || [ $$? -eq 1 ]
practice-list:
	@practice/run list || [ $$? -eq 1 ]
practice-watch:
	@practice/run watch $(EXERCISE)
practice%: # practice/runner.h and the like, which old lists of dependences name, are no exercises
	@case '$*' in */*) ;; *) practice/run check '$*' || [ $$? -eq 1 ] ;; esac
hint:
	@practice/run hint '$(EXERCISE)' $(HINT)
solution:
	@practice/run solution '$(EXERCISE)'
reset:
	@practice/run reset '$(EXERCISE)'

# make course COURSE=FOLDER                 the first exercise of a course that is not solved
# make course COURSE=FOLDER GRADE=FOLDER    the table of a folder of submissions
.PHONY: course
course:
	@practice/run --course '$(COURSE)' $(if $(GRADE),grade '$(GRADE)',$(EXERCISE:%=check %)) || [ $$? -eq 1 ]
