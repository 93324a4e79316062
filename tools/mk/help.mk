# tools/mk/help.mk: make help in 15 lines, and the rest under make help-all.

.PHONY: help help-all
# As gettext decides it (simulator/chinese.h).
LOCALE := $(or $(LC_ALL),$(LC_MESSAGES),$(LANG))
CHINESE := $(and $(filter-out C C.% POSIX,$(LOCALE)),$(filter zh%,$(or $(LANGUAGE),$(LOCALE))))
help:
ifneq ($(CHINESE),)
	@echo 'make step05 && ./step05   编译并运行一课（step00 到 step$(lastword $(PROGRAMS:step%=%))）'
	@echo 'make scan && ./scan       工具箱的一个主题：$(TOOLS)'
	@echo './run_all.sh              编译并运行全部课程，然后画图'
	@echo
	@echo 'make practice      下一道还没有做对的习题，以及还有什么不对'
	@echo 'make practice05    一课的习题；make practice05-2 其中一题，practice-masks 一个主题的'
	@echo 'make hint          给出提示；make solution 显示解答，make reset 恢复原样'
	@echo 'make test          每次改动都要先通过的测试：两分钟，不需要 GPU'
	@echo 'make book          把这些页面做成网站：build/book/index.html'
	@echo 'make results       测量这台机器的 GPU：写出 results/ 的一个文件夹，可以提交'
	@echo 'make install       安装 GPU 上的函数库：PREFIX=/usr/local；example 和 example_rows 用到它'
	@echo 'make clean         删除编译出来的东西'
	@echo
	@echo 'BACKEND=cuda 或 BACKEND=sim 选择在哪里运行；不写的话，这里是 $(BACKEND)。'
	@echo 'make help-all 列出其余的命令。LANG 以 zh 开头时输出中文。'
else
	@echo 'make step05 && ./step05   builds and runs one step (step00 to step$(lastword $(PROGRAMS:step%=%)))'
	@echo 'make scan && ./scan       one topic of the toolbox: $(TOOLS)'
	@echo './run_all.sh              builds and runs everything, then draws the plots'
	@echo
	@echo 'make practice      the next exercise that is not solved, and what is wrong with it still'
	@echo 'make practice05    the exercises of a lesson; make practice05-2 one of them, practice-masks a topic'\''s'
	@echo 'make hint          for the next one; make solution shows it, make reset begins it again'
	@echo 'make test          the tests that each change needs first, in two minutes, without a GPU'
	@echo 'make book          makes a site of these pages: build/book/index.html'
	@echo 'make results       measures this GPU: a folder of results/, checked, ready for a pull request'
	@echo 'make install       installs the library for the GPU: PREFIX=/usr/local; make example and example_rows use it'
	@echo 'make clean         removes what was built'
	@echo
	@echo 'BACKEND=cuda or BACKEND=sim chooses where it runs: $(BACKEND) here, if you say nothing.'
	@echo 'make help-all lists everything else. LANG=zh: 中文'
endif

help-all: help
	@echo
ifneq ($(CHINESE),)
	@echo 'make all           编译所有课程和主题；make unrolled 编译 steps/experiments/ 中的一个实验'
	@echo 'make practice-masks-1                 工具箱一个主题的一道习题'
	@echo 'make practice-list, practice-watch    哪些已经做对；每次保存文件都再检查一遍'
	@echo 'make hint, solution, reset            也可以加 EXERCISE=05-2'
	@echo 'make practice05-2 BACKEND=cuda        在 GPU 上的用时，与本课的变体比较'
	@echo 'V=1 显示所执行的命令。其余的供教师、测量者和参与开发的人使用，说明是英文：'
	@echo
else
	@echo 'make all           builds every step and topic'
	@echo 'make unrolled      builds one question of steps/experiments/; make experiments asks all of docs/experiments.md'
	@echo 'make practice-masks-1                 one exercise of a topic of the toolbox'
	@echo 'make practice-list, practice-watch    which are solved; checks again whenever a file is saved'
	@echo 'make hint, solution, reset            also of EXERCISE=05-2'
	@echo 'make practice05-2 BACKEND=cuda        its time on a GPU, beside the lesson'\''s variant'
endif
	@echo 'make course COURSE=practice/courses/kernels    exercises of a teacher: docs/courses.md'
	@echo
	@echo 'make test-more     what else each change must pass; make test-all has every test, whole'
	@echo 'make test-gpu      the checks again, on a GPU, and with compute-sanitizer'
	@echo 'make test-book     the book, in a browser that shows no window'
	@echo 'make lint          what shellcheck, pyflakes, codespell, rumdl and clang-format say of the files'
	@echo 'make notes         brings the pages up to date: tables and numbers from results/, quoted code, stale Chinese'
	@echo 'make book-serve    the book at localhost (PORT=8000)'
	@echo 'make book-pdf      the book as build/book.pdf, and in Chinese (chromium)'
	@echo 'make plots         draws the pictures of results/: plots/NAME from results/NAME'
	@echo 'make traces        traces variants on the simulator, and draws what threads touch: plots/trace'
	@echo 'make player        the same for the player: build/player/index.html, to be opened in a browser'
	@echo
	@echo 'make counters      asks a GPU for its own counters of every kernel (Nsight Compute)'
	@echo 'make counters-sim  the counts of the simulator that the pages put beside them'
	@echo 'make machine       what the model of time must know of this GPU, measured, into FILE=build/gpu.toml (needs a GPU)'
	@echo 'make model         what the model of time predicts where results/ has measurements (docs/time.md)'
	@echo 'make compare       times the library against CUB, size by size (needs a GPU)'
	@echo 'make compare-exact  times the exact sum against others (needs a GPU)'
	@echo 'make compare-gpus   times sums over several GPUs against NCCL (needs two GPUs)'
	@echo 'make compare-types  the same for half, bfloat16, float, int32 and double, and against PyTorch'
	@echo 'make compare-rows      times rows, columns and segments against CUB and PyTorch (needs a GPU)'
	@echo 'make compare-row-types  the same of half and bfloat16 (needs a GPU)'
	@echo 'make compare-softmax   times the softmax of the toolbox against PyTorch, row by row (needs a GPU)'
	@echo 'make sum_mpi       one sum over the GPUs of many machines: mpirun -n 2 ./sum_mpi (needs GPUs, MPI and NCCL)'
	@echo 'make format        lays out C and CUDA files'
	@echo
	@echo 'V=1 shows the commands.'
	@echo 'SANITIZE=address,undefined adds the checks of the compiler, with BACKEND=sim.'
	@echo 'ARCH=sm_80 compiles for one kind of GPU: here it is $(or $(ARCH),a list) with BACKEND=cuda.'
