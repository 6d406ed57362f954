// Runs the scenes of the stage natively and prints a line for each: id, steps, hash. As
// run_stage.mjs does with the WebAssembly build.
//
//     stage_hashes [STEPS]
#include "scene/stage/stage.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int32_t steps = argc > 1 ? atoi(argv[1]) : 300;
    int32_t failed = 0;
    for (int32_t scene = 0; scene < kerb_stage_scene_count(); scene++) {
        kerb_error error = {0};
        kerb_stage* stage = kerb_stage_make(scene, 1, NULL, 0, NULL, &error);
        if (stage == NULL) {
            printf("%s: %s %s\n", kerb_stage_scene_id(scene), error.field, error.message);
            failed++;
            continue;
        }
        for (int32_t i = 0; i < steps; i++)
            kerb_stage_step(stage);
        uint32_t hash[2];
        kerb_stage_hash(stage, hash);
        printf("%s %d %08x%08x\n", kerb_stage_scene_id(scene), (int)steps, (unsigned)hash[1],
               (unsigned)hash[0]);
        kerb_stage_free(stage);
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
