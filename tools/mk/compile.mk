# tools/mk/compile.mk: how a file becomes an object, and when all are compiled again.

# make prints a line for each file; V=1 shows the commands.
Q   := $(if $(V),,@)
say  = $(if $(V),,@echo '  $1')

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,compiles $<)
	$(Q)$(C_COMPILE)

$(BUILD)/%.o: %.cu $(BUILD)/flags $(if $(filter sim,$(BACKEND)),simulator/simcc simulator/rewrite.c simulator/merge.c simulator/extras/ptx.c)
	@mkdir -p $(@D)
	$(call say,compiles $<)
	$(Q)$(CU_COMPILE)

.PHONY: FORCE
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
