# tools/mk/practice.mk: the exercises, their judges, and what a learner asks for.

# An exercise is one file: with practice/runner it becomes a program, which the judge of its folder runs.
JUDGE   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard practice/judge/*.c))
RUNNER  := $(BUILD)/runner.a
$(RUNNER): $(patsubst %.c,$(BUILD)/%.o,$(wildcard practice/runner/*.c))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(BUILD)/practice/exercises/%/criteria.o $(BUILD)/practice/%.o: CPPFLAGS_ALL += -Ipractice
JUDGES := $(patsubst %/criteria.c,$(BUILD)/%/judge,$(wildcard practice/exercises/*/criteria.c))
$(JUDGES): %/judge: %/criteria.o $(JUDGE) $(COMMON) $(BUILD)/flags
	$(Q)$(LINK)
EXERCISES := $(patsubst %.cu,$(BUILD)/%,$(wildcard practice/exercises/*/*.cu))
# Clusters are for Hopper and later: code for an older GPU would not compile. private: what else these files need keeps its flags.
$(BUILD)/practice/exercises/10_clusters/%.o $(BUILD)/practice/solutions/10_clusters/%.o: private GENCODE := -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90
# On a GPU the variants of the lesson are timed beside; but not those of lesson 14, for several GPUs.
lesson_of = $(if $(filter cuda,$(BACKEND)),$(filter-out $(APART:=.o) $(BUILD)/steps/14%,$(patsubst %,$(BUILD)/%.o,$(basename $(wildcard steps/$1/*.cu steps/$1/*.c)) $(if $(filter 16%,$1),steps/15_operators/operators_check))))
SOLUTIONS := $(EXERCISES:$(BUILD)/practice/exercises/%=$(BUILD)/practice/solutions/%)
$(foreach e,$(EXERCISES),$(eval $e $(e:$(BUILD)/practice/exercises/%=$(BUILD)/practice/solutions/%): $(call lesson_of,$(notdir $(patsubst %/,%,$(dir $e))))))
$(EXERCISES) $(SOLUTIONS): %: %.own.o $(RUNNER) $(COMMON) $(BUILD)/flags
	$(Q)$(LINK)
$(EXERCISES:=.own.o) $(SOLUTIONS:=.own.o): %.own.o: %.o $(RUNNER:.a=.names) practice/localize_symbols practice/check_includes
	$(Q)practice/check_includes $(<:.o=.d) $(patsubst $(BUILD)/practice/exercises/%.o,practice/solutions/%.cu,$(patsubst $(BUILD)/practice/solutions/%.o,practice/solutions/%.cu,$<))
	$(Q)practice/localize_symbols $< $@ $(RUNNER:.a=.names)
# What an exercise may not name: what asks it on behalf of the judge, what steers the simulator, and what the simulator keeps to
# itself, as its counts: all that neither its headers have nor what rewrites kernels. The compiler's own begin with _.
SIMT_USED := simulator/rewrite.c simulator/merge.c simulator/simcc $(shell find simulator/include -type f 2>/dev/null)
names_of_simulator = nm -P $(SIMT_OBJECTS) | awk '$$2 ~ /^[TDBCR]$$/ { print $$1 }' | grep -v '^_' | sort -u | \
    comm -23 - <(cat $(SIMT_USED) | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u);
$(RUNNER:.a=.names): SHELL := bash
$(RUNNER:.a=.names): $(RUNNER) $(SIMT_OBJECTS) simulator/simt.h
	$(AT)export LC_ALL=C; { { nm -P $(RUNNER); $(if $(SIMT_OBJECTS),cat simulator/simt.h;) } | \
	    sed -n 's/^\([a-z_]*\) T .*/\1/p; s/^[a-z].*[ *]\(simt_[a-z_]*\)(.*/\1/p'; $(if $(SIMT_OBJECTS),$(names_of_simulator)) } >$@

# Courses (docs/courses.md): what is linked with a submission, which names it may not call, what confines it.
COURSE := $(patsubst %,$(BUILD)/practice/%.o,course/runner course/copies runner/count judge/counts)
$(BUILD)/course.a: $(COURSE) $(SIMT_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(BUILD)/course.names: SHELL := bash
$(BUILD)/course.names: $(BUILD)/course.a simulator/simt.h
	$(AT)export LC_ALL=C; { { nm -P $(COURSE); cat simulator/simt.h; } | \
	    sed -n 's/^\([a-z_]*\) [TBD] .*/\1/p; s/^[a-z].*[ *]\(simt_[a-z_]*\)(.*/\1/p'; $(if $(SIMT_OBJECTS),$(names_of_simulator)) } >$@
$(BUILD)/practice/confined: $(BUILD)/practice/course/confined.o $(BUILD)/practice/judge/confine.o
	$(Q)$(LINK)

.PHONY: practice practice-list practice-watch hint solution reset
practice:
	@practice/run || [ $$? -eq 1 ]
practice-list:
	@practice/run list || [ $$? -eq 1 ]
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

# make course COURSE=FOLDER                 the first exercise of a course that is not solved
# make course COURSE=FOLDER GRADE=FOLDER    the table of a folder of submissions
.PHONY: course
course:
	@practice/run --course '$(COURSE)' $(if $(GRADE),grade '$(GRADE)',$(EXERCISE:%=check %)) || [ $$? -eq 1 ]
