# tools/mk/measure.mk: what measures this GPU, and what the simulator counts beside it.

.PHONY: counters counters-sim model machine experiments results
# What the GPU's own counters say about every kernel: needs a GPU and Nsight Compute.
# STEPS="step15 step16": of these programs alone.
COUNTERS ?= $(RESULTS)/counters.csv
counters:
	@tools/setup.sh --check ncu python3 gpu
	@$(MAKE) -s BACKEND=cuda $(or $(STEPS),all) build/cuda/machine
	tools/measure/nsight.py counters $(COUNTERS) $(STEPS)

# Every experiment, on a GPU, into RESULTS/experiments; on the simulator only their checks.
experiments:
	@tools/setup.sh --check python3 $(if $(filter cuda,$(BACKEND)),ncu gpu)
	@$(MAKE) -s all $(EXPERIMENTS)
	tools/measure/experiments.py $(BACKEND) $(if $(filter cuda,$(BACKEND)),$(RESULTS))

# A folder of results for this GPU, whole and checked, ready for a pull request. RESULTS=FOLDER; MINUTES=25: begins no part later,
# and the same command goes on; PARTS="16_rows rows_map": these alone.
results:
	@tools/setup.sh python3 && tools/setup.sh --check gpu
	@$(MAKE) -s BACKEND=cuda all $(addprefix build/cuda/,machine compare libsum_f32.so $(EXPERIMENTS))
	@CCCL="$(CCCL)" tools/measure/measure.py results "$(filter-out results/mine,$(RESULTS))" "$(MINUTES)" $(PARTS)

# What the model of time predicts where results/ has measurements, and the picture of docs/time.md.
model:
	@tools/setup.sh --check gnuplot python3
	@$(MAKE) -s BACKEND=sim all
	tools/measure/measure.py model results/sim/model.csv
	tools/draw/model.py shares plots/model_shares.svg

# What that model must know of this GPU, as far as it can be measured, into FILE.
machine: FILE = build/gpu.toml
machine:
	@tools/setup.sh --check python3 gpu
	@$(MAKE) -s BACKEND=cuda $(addprefix build/cuda/,machine levels shuffle_cost vote_cost)
	@tools/measure/measure.py gpu >$(FILE).new && mv $(FILE).new $(FILE)
	@echo 'wrote $(FILE): ./step05 --model $(FILE)'

# The simulator's counts beside them, and of each run at 64K elements and more. COUNTERS=results/sim/counters.csv: those that
# the pages show.
counters-sim: COUNTERS = build/results/sim/counters.csv
counters-sim:
	@tools/setup.sh --check python3
	@$(MAKE) -s BACKEND=sim all
	@./run_all.sh --sim --no-plots >build/counters-sim.txt
	@mkdir -p $(dir $(COUNTERS))
	tools/measure/measure.py counters-sim $(COUNTERS)
