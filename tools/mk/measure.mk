# tools/mk/measure.mk: what measures this GPU, and what the simulator counts beside it.

.PHONY: counters counters-sim model machine experiments results rows
# What the GPU's own counters say about every kernel: needs a GPU and Nsight Compute.
# STEPS="step15 step16": of these programs alone.
COUNTERS ?= $(RESULTS)/counters.csv
counters:
	@tools/setup.sh --check ncu python3 gpu
	@$(MAKE) -s BACKEND=cuda $(or $(STEPS),all) build/cuda/machine
	tools/measure/nsight.py counters $(COUNTERS) $(STEPS)

# Every experiment, on a GPU; on the simulator only their checks. FOLDER says where to.
experiments:
	@tools/setup.sh --check python3 $(if $(filter cuda,$(BACKEND)),ncu gpu)
	@$(MAKE) -s all $(EXPERIMENTS)
	tools/measure/experiments.py $(BACKEND) $(FOLDER)

# A folder of results for this GPU, whole and checked, ready for a pull request.
results:
	@tools/setup.sh python3 && tools/setup.sh --check gpu
	@$(MAKE) -s BACKEND=cuda build/cuda/machine
	@tools/measure/measure.py results

# Step 16 alone, in rows of every length, into a folder of results that is there; and the map of it.
rows:
	@tools/setup.sh --check python3 gpu
	@$(MAKE) -s BACKEND=cuda step16 build/cuda/machine
	tools/measure/measure.py rows $(RESULTS)
	@tools/draw/plots.py $(RESULTS) plots/$(notdir $(RESULTS))

# What the model of time predicts where results/ has measurements, and the picture of docs/time.md.
model:
	@tools/setup.sh --check gnuplot python3
	@$(MAKE) -s BACKEND=sim all
	tools/measure/model.py results/sim/model.csv
	tools/draw/model.py shares plots/model_shares.svg

# What that model must know of this GPU, as far as it can be measured, into FILE.
machine: FILE = build/gpu.toml
machine:
	@tools/setup.sh --check python3 gpu
	@$(MAKE) -s BACKEND=cuda $(addprefix build/cuda/,machine levels shuffle_cost vote_cost)
	@tools/measure/gpu_file.py >$(FILE).new && mv $(FILE).new $(FILE)
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
