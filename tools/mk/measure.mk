# tools/mk/measure.mk: what measures this GPU, and what the simulator counts beside it.

.PHONY: counters counters-sim experiments results rows
# What the GPU's own counters say about every kernel: needs a GPU and Nsight Compute.
# STEPS="step15 step16": of these programs alone.
COUNTERS ?= results/h200/counters.csv
counters:
	@tools/setup.sh --check ncu python3 gpu
	@$(MAKE) -s BACKEND=cuda $(or $(STEPS),all) build/cuda/machine
	tools/measure/profile_kernels.py $(COUNTERS) $(STEPS)

# Every experiment, on a GPU; on the simulator only their checks. FOLDER says where to.
experiments:
	@tools/setup.sh --check python3 $(if $(filter cuda,$(BACKEND)),ncu gpu)
	@$(MAKE) -s all $(EXPERIMENTS)
	tools/measure/experiments.py $(BACKEND) $(FOLDER)

# A folder of results for this GPU, whole and checked, ready for a pull request.
results:
	@tools/measure/contribute.sh

# Step 16 alone, in rows of every length, into a folder of results that is there; and the map of it.
rows:
	@tools/setup.sh --check python3 gpu
	@$(MAKE) -s BACKEND=cuda step16 build/cuda/machine
	tools/measure/rows.sh $(RESULTS)
	@tools/draw/plots.py $(RESULTS) plots/$(notdir $(RESULTS))

# The simulator's counts beside them, and of each run at 64K elements and more.
counters-sim:
	@$(MAKE) -s BACKEND=sim all
	tools/measure/count_on_simulator.sh results/sim/counters.csv
	@./run_all.sh --sim --no-plots --out build/results/sim >build/counters-sim.txt
	@tools/pages/results.py build/results/sim >build/runs.csv && cp build/runs.csv build/results/sim/machine.json results/sim/
