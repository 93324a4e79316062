# tools/mk/pages.mk: the pages: their pictures, players, numbers, and the book made of them.

.PHONY: plots traces player notes book book-serve book-pdf
PICTURES ?= plots
plots:
	@tools/setup.sh --check gnuplot python3
	@for folder in results/*/; do \
	    name=$$(basename "$$folder"); \
	    [ -e "results/$$name/machine.json" ] || continue; \
	    tools/draw/plots.py "results/$$name" "$(PICTURES)/$$name" || [ $$? = 77 ] || exit; \
	done

# The pictures of threads and elements, from traces taken on the simulator.
traces: player
	@$(MAKE) -s BACKEND=sim all
	tools/draw/traces.py

# The player, with the traces that the pages ask for: a folder that opens from disk.
player:
	@tools/setup.sh --check python3
	@$(MAKE) -s BACKEND=sim $$(tools/book/player/traces.py --programs | sed 's,^,build/sim/,')
	@mkdir -p build/player
	@cp tools/book/player/index.html tools/book/player/player.js tools/book/player/player.css build/player/
	@tools/book/player/traces.py build/player/traces

# The pages as a site, build/book. PYTHON is a python3 that has the packages of tools/book/requirements.txt.
BOOK_PYTHON = $(or $(PYTHON),$(wildcard .venv/bin/python),python3)
BOOK = $(BOOK_PYTHON) tools/book/build.py
PORT ?= 8000
book:
	@tools/setup.sh --check $(sort python3 $(BOOK_PYTHON)) && $(BOOK) --check
	@$(MAKE) -s player
	@$(BOOK)
book-serve:
	@tools/setup.sh --check $(sort python3 $(BOOK_PYTHON)) && $(BOOK) --check --serve '$(PORT)'
	@$(MAKE) -s player
	@$(BOOK) --serve '$(PORT)'
# The same as a PDF for each language, build/book.pdf and build/book.zh-CN.pdf.
book-pdf:
	@tools/setup.sh --check $(sort python3 $(BOOK_PYTHON)) && $(BOOK_PYTHON) tools/book/pdf.py --check
	@$(MAKE) -s book
	@$(BOOK_PYTHON) tools/book/pdf.py
	@$(BOOK_PYTHON) tools/book/pdf.py --chinese

notes:
	@tools/setup.sh --check python3
	@tools/pages/notes.py
