// Purpose: the list of scenes, and what is said of them without making one.
// Cost:    O(1), but O(scenes) and O(rows) to find a name.
#include "scene/stage/stage_rooms.h"

#include <string.h>

static const stage_scene* const stage_scenes[] = {
    &kerb_scene_stage_town,      &kerb_scene_stage_city,  &kerb_scene_stage_courses,
    &kerb_scene_stage_hosts,     &kerb_scene_stage_park,  &kerb_scene_stage_arrivals,
    &kerb_scene_stage_ring,      &kerb_scene_stage_chase, &kerb_scene_stage_convoy,
    &kerb_scene_stage_formation, &kerb_scene_stage_race,  &kerb_scene_stage_line,
    &kerb_scene_stage_plan,      &kerb_scene_stage_kinds, &kerb_scene_stage_kinds_in_space,
    &kerb_scene_stage_together,  &kerb_scene_stage_lane,  &kerb_scene_stage_gate,
    &kerb_scene_stage_crossing,  &kerb_scene_stage_flock, &kerb_scene_stage_airplanes,
    &kerb_scene_stage_dogfight,
};

int32_t kerb_stage_scene_count(void) {
    return (int32_t)(sizeof stage_scenes / sizeof stage_scenes[0]);
}

const stage_scene* kerb_scene_stage_at(int32_t index) {
    return index >= 0 && index < kerb_stage_scene_count() ? stage_scenes[index] : NULL;
}

const char* kerb_stage_scene_id(int32_t scene) {
    const stage_scene* s = kerb_scene_stage_at(scene);
    return s != NULL ? s->id : "";
}

const char* kerb_stage_scene_group(int32_t scene) {
    const stage_scene* s = kerb_scene_stage_at(scene);
    return s != NULL ? s->group : "";
}

const char* kerb_stage_scene_title(int32_t scene) {
    const stage_scene* s = kerb_scene_stage_at(scene);
    return s != NULL ? s->title : "";
}

const char* kerb_stage_scene_look(int32_t scene) {
    const stage_scene* s = kerb_scene_stage_at(scene);
    return s != NULL ? s->look : "";
}

const char* kerb_stage_scene_try(int32_t scene) {
    const stage_scene* s = kerb_scene_stage_at(scene);
    return s != NULL ? s->try_this : "";
}

int32_t kerb_stage_find(const char* id) {
    for (int32_t i = 0; id != NULL && i < kerb_stage_scene_count(); i++) {
        if (strcmp(stage_scenes[i]->id, id) == 0)
            return i;
    }
    return -1;
}

// --------------------------------------------------------------------------- choices

int32_t kerb_stage_choice_count(int32_t scene) {
    const stage_scene* s = kerb_scene_stage_at(scene);
    return s != NULL ? s->choice_count : 0;
}

static const stage_choice* stage_choice_at(int32_t scene, int32_t choice) {
    bool fits = choice >= 0 && choice < kerb_stage_choice_count(scene);
    return fits ? &kerb_scene_stage_at(scene)->choices[choice] : NULL;
}

const char* kerb_stage_choice_name(int32_t scene, int32_t choice) {
    const stage_choice* c = stage_choice_at(scene, choice);
    return c != NULL ? c->name : "";
}

const char* kerb_stage_choice_meaning(int32_t scene, int32_t choice) {
    const stage_choice* c = stage_choice_at(scene, choice);
    return c != NULL ? c->meaning : "";
}

int32_t kerb_stage_choice_min(int32_t scene, int32_t choice) {
    const stage_choice* c = stage_choice_at(scene, choice);
    return c != NULL ? c->min : 0;
}

int32_t kerb_stage_choice_max(int32_t scene, int32_t choice) {
    const stage_choice* c = stage_choice_at(scene, choice);
    return c == NULL ? 0 : c->count != NULL ? c->count() - 1 : c->max;
}

int32_t kerb_stage_choice_default(int32_t scene, int32_t choice) {
    const stage_choice* c = stage_choice_at(scene, choice);
    return c != NULL ? c->fallback : 0;
}

int32_t kerb_stage_choice_options(int32_t scene, int32_t choice) {
    const stage_choice* c = stage_choice_at(scene, choice);
    return c != NULL && c->count != NULL ? c->count() : 0;
}

const char* kerb_stage_choice_option(int32_t scene, int32_t choice, int32_t option) {
    bool fits = option >= 0 && option < kerb_stage_choice_options(scene, choice);
    return fits ? stage_choice_at(scene, choice)->option(option) : "";
}

// --------------------------------------------------------------------------- settings

int32_t kerb_stage_table_count(int32_t scene) {
    const stage_scene* s = kerb_scene_stage_at(scene);
    return s != NULL ? s->table_count : 0;
}

static const stage_table* stage_table_at(int32_t scene, int32_t table) {
    bool fits = table >= 0 && table < kerb_stage_table_count(scene);
    return fits ? &kerb_scene_stage_at(scene)->tables[table] : NULL;
}

const char* kerb_stage_table_name(int32_t scene, int32_t table) {
    const stage_table* t = stage_table_at(scene, table);
    return t != NULL ? t->name : "";
}

int32_t kerb_stage_row_count(int32_t scene, int32_t table) {
    const stage_table* t = stage_table_at(scene, table);
    return t != NULL ? t->table()->count : 0;
}

static const kerb_setting* stage_row_at(int32_t scene, int32_t table, int32_t row) {
    bool fits = row >= 0 && row < kerb_stage_row_count(scene, table);
    return fits ? &stage_table_at(scene, table)->table()->settings[row] : NULL;
}

const char* kerb_stage_row_name(int32_t scene, int32_t table, int32_t row) {
    const kerb_setting* r = stage_row_at(scene, table, row);
    return r != NULL ? r->name : "";
}

const char* kerb_stage_row_unit(int32_t scene, int32_t table, int32_t row) {
    const kerb_setting* r = stage_row_at(scene, table, row);
    return r != NULL ? r->unit : "";
}

const char* kerb_stage_row_meaning(int32_t scene, int32_t table, int32_t row) {
    const kerb_setting* r = stage_row_at(scene, table, row);
    return r != NULL ? r->meaning : "";
}

const char* kerb_stage_row_options(int32_t scene, int32_t table, int32_t row) {
    const kerb_setting* r = stage_row_at(scene, table, row);
    return r != NULL && r->choices != NULL ? r->choices : "";
}

int32_t kerb_stage_row_type(int32_t scene, int32_t table, int32_t row) {
    const kerb_setting* r = stage_row_at(scene, table, row);
    return r != NULL ? (int32_t)r->type : 0;
}

float kerb_stage_row_min(int32_t scene, int32_t table, int32_t row) {
    const kerb_setting* r = stage_row_at(scene, table, row);
    return r != NULL ? r->min : 0.0f;
}

float kerb_stage_row_max(int32_t scene, int32_t table, int32_t row) {
    const kerb_setting* r = stage_row_at(scene, table, row);
    return r != NULL ? r->max : 0.0f;
}

float kerb_stage_row_default(int32_t scene, int32_t table, int32_t row) {
    const kerb_setting* r = stage_row_at(scene, table, row);
    return r != NULL ? r->default_value : 0.0f;
}

int32_t kerb_stage_row_find(int32_t scene, int32_t table, const char* name) {
    for (int32_t i = 0; name != NULL && i < kerb_stage_row_count(scene, table); i++) {
        if (strcmp(kerb_stage_row_name(scene, table, i), name) == 0)
            return i;
    }
    return -1;
}
