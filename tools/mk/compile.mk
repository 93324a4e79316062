# tools/mk/compile.mk: how a file becomes an object, and when all are compiled again.

# make prints a line for each file, on a terminal one line that moves. What a compiler says stands there whole, without that
# line: $(Q) collects it. V=1 shows the commands.
MOVES := $(if $(V)$(findstring n,$(firstword -$(MAKEFLAGS))),,$(if $(filter-out dumb,$(TERM)),$(MAKE_TERMOUT)))
AT    := $(if $(V),,@)
Q     := $(AT)$(if $(MOVES),sh -c '[ -t 1 ] || exec "$$@"; said=$$("$$@" 2>&1); status=$$?; printf "\r\033[K"; \
         [ -z "$$said" ] || printf "%s\n" "$$said" >&2; exit $$status' make env )
count  = $(eval COUNTED += x)$(words $(COUNTED))
say    = $(if $(V),,@$(if $(MOVES),[ -t 1 ] && printf '\r\033[?7l[%s] %s\033[K\033[?7h' '$(count)' '$1' || )echo '  $1')

# Written beside its place, and moved there when it is whole: another make may be at work here. (A recipe's PPID is its make.)
NEW   = $@.$$PPID
NEW_D = $(@:.o=.d).$$PPID
whole = $1 && $(if $(filter %.o,$@),mv -f $(NEW_D) $(@:.o=.d) && )mv -f $(NEW) $@ || { rm -f $(NEW) $(NEW_D); false; }

# A recipe: its command, and what is told besides the name.
define compiles
@mkdir -p $(@D)
$(call say,compiles $<$2)
$(Q)$(call whole,$1)
endef
define links
$(call say,links $@)
$(Q)$(call whole,$(LINK)$1)
endef

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call compiles,$(C_COMPILE))
$(BUILD)/%.o: %.cu $(BUILD)/flags $(if $(filter sim,$(BACKEND)),simulator/simcc simulator/rewrite.c simulator/merge.c simulator/extras/ptx.c)
	$(call compiles,$(CU_COMPILE))

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
	    echo '$(FLAGS_NOW)' 2>/dev/null >$(NEW) && mv -f $(NEW) $@ || { rm -f $(NEW); echo 'make: $(@D) cannot be written: is the disk full?' >&2; exit 2; }; }
