# The golden program for one way to run it: `make -f test/portable/golden.mk FOLDER=… COMPILE=…`,
# called by run.sh from the root. COMPILE is the compiler with its flags, LINK those for the linker
# alone. What is made stays in FOLDER, and what has not changed is not compiled again.
# LIBRARY is where the library's sources are: src, or dist/kerb.c. DRIVEN is the folder of another
# golden program whose objects beside the library's are linked here, too, and not compiled again.
LIBRARY ?= src
library := $(sort $(shell find $(LIBRARY) -name '*.c'))
# Parts of scene/ that no golden hash comes from. Where one does, the linker misses it.
unused := scene/flow/% scene/host/family% scene/lane/lane_family% scene/stage/% scene/thesis/%
driven := $(sort $(shell find sim scene test/portable -name '*.c') test/flush_to_zero.c)
driven := $(filter-out $(unused),$(driven))
objects := $(library:%.c=$(FOLDER)/%.o) $(driven:%.c=$(or $(DRIVEN),$(FOLDER))/%.o)

# Linked each time, so that what was compiled from a file that is gone leaves the program.
.PHONY: golden
golden: $(objects)
	$(COMPILE) $(LINK) $(objects) -o $(FOLDER)/golden -lm

$(FOLDER)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c $< -o $@

-include $(objects:.o=.d)
