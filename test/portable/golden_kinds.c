// Hashes of kinds of vehicles: plans, and where they are driven to.
#include "golden.h"

#include "scene/plan/kind_drive.h"

#define KINDS_GOALS 1

static void add_kind_plan(golden_hash* hash, const kerb_kind* kind, const kerb_kind_plan* plan) {
    golden_add_int(hash, plan->count);
    golden_add_float(hash, plan->time);
    golden_add_float(hash, plan->length);
    for (int32_t k = 0; k <= plan->count; k++)
        for (int32_t i = 0; i < kind->states; i++)
            golden_add_float(hash, plan->states[k * KERB_KIND_STATES_MAX + i]);
    for (int32_t k = 0; k < plan->count; k++)
        for (int32_t j = 0; j < kind->controls; j++)
            golden_add_float(hash, plan->controls[k * KERB_KIND_CONTROLS_MAX + j]);
}

static void golden_ends(const kerb_scene_kind* k, kerb_random* random, float* from, float* to) {
    if (k->kind.space) {
        kerb_scene_kind_ends(k, random, from, to);
        return;
    }
    to[0] = kerb_random_between(random, -k->radius, k->radius);
    to[1] = kerb_random_between(random, -k->radius, k->radius);
    to[2] = kerb_random_between(random, -KERB_PI, KERB_PI);
}

static void add_kind(golden_hash* hash, const kerb_scene_kind* k, kerb_random* random) {
    const kerb_host host = kerb_host_default();
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_kind_planner planner;
    kerb_kind_planner_create(&planner, &k->kind, &settings, &host, NULL);
    for (int32_t i = 0; i < KINDS_GOALS; i++) {
        float from[KERB_KIND_STATES_MAX] = {0.0f}, to[KERB_KIND_STATES_MAX] = {0.0f};
        golden_ends(k, random, from, to);
        kerb_kind_planner_begin(&planner, from, to, NULL);
        while (kerb_kind_planner_advance(&planner, 100) == KERB_PLAN_RUNNING)
            continue;
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        add_kind_plan(hash, &k->kind, &plan);
        if (plan.count < 1)
            continue;
        kerb_scene_kind_driven driven = kerb_scene_kind_drive(k, &plan);
        golden_add_float(hash, driven.time);
        golden_add_float(hash, driven.error);
    }
    kerb_kind_planner_destroy(&planner);
}

static uint64_t hash_kinds(int32_t first, int32_t end) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(35, 1);
    for (int32_t i = first; i < end; i++) {
        kerb_scene_kind kind;
        if (kerb_scene_kind_make(kerb_scene_kind_text((kerb_scene_kind_name)i), &kind))
            add_kind(&hash, &kind, &random);
    }
    return hash.value;
}

uint64_t kinds_of_vehicles(void) {
    return hash_kinds(0, KERB_SCENE_SPACECRAFT);
}

uint64_t kinds_in_space(void) {
    return hash_kinds(KERB_SCENE_SPACECRAFT, KERB_SCENE_KIND_COUNT);
}
