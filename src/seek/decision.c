// The decision of directed seek, written for drawing and measuring.
#include "kerb/seek.h"

#include "directed_seek.h"

static float metres_of(const seek_view* view, const seek_way* way) {
    return view->first_radius * kerb_abs(way->first);
}

static int32_t thoughts_stage_of(const seek_task* task, const seek_view* view,
                                 const seek_way* way) {
    float step = kerb_abs(task->agent->speed) * task->time_step;
    float first = metres_of(view, way);
    if (way->length <= step)
        return KERB_DIRECTED_AT_GOAL;
    if (first > 0.0f && first >= 0.5f * step)
        return KERB_DIRECTED_FIRST_TURN;
    if (way->middle != 0.0f)
        return KERB_DIRECTED_FIRST_TURN;
    return way->straight > 0.0f ? KERB_DIRECTED_STRAIGHT : KERB_DIRECTED_LAST_TURN;
}

static char thoughts_letter(float turn, char straight) {
    if (turn == 0.0f)
        return straight;
    return turn > 0.0f ? 'L' : 'R';
}

// A piece without length has the letter of its word.
static void write_word(const seek_way* way, char* word) {
    word[0] = thoughts_letter(way->first != 0.0f ? way->first : way->side[0], 'S');
    word[1] = thoughts_letter(way->middle, 'S');
    word[2] = thoughts_letter(way->last != 0.0f ? way->last : way->side[1], 'S');
    word[3] = '\0';
}

static kerb_vec3 in_plane(kerb_vec3 origin, kerb_vec3 forward, kerb_vec3 left, float x, float y) {
    return kerb_vec3_along(kerb_vec3_along(origin, forward, x), left, y);
}

static void write_circles(const seek_task* task, const seek_view* view, const seek_way* way,
                          kerb_vec3 forward, kerb_vec3 left, kerb_directed_decision* thoughts) {
    kerb_vec3 origin = task->agent->position;
    float side = way->first < 0.0f ? -1.0f : way->first > 0.0f ? 1.0f : way->side[0];
    float last = way->last < 0.0f ? -1.0f : way->last > 0.0f ? 1.0f : way->side[1];
    float first_y = side * view->first_radius, last_radius = last * view->last_radius;
    float last_x = view->x - last_radius * view->sine,
          last_y = view->y + last_radius * view->cosine;
    float sine, cosine, last_sine, last_cosine;
    kerb_sin_cos(way->first, &sine, &cosine);
    kerb_sin_cos(view->heading - way->last, &last_sine, &last_cosine);
    thoughts->first_centre = in_plane(origin, forward, left, 0.0f, first_y);
    thoughts->last_centre = in_plane(origin, forward, left, last_x, last_y);
    thoughts->straight_from =
        in_plane(origin, forward, left, first_y * sine, first_y - first_y * cosine);
    thoughts->straight_to = in_plane(origin, forward, left, last_x + last_radius * last_sine,
                                     last_y - last_radius * last_cosine);
    thoughts->first_radius = view->first_radius;
    thoughts->last_radius = view->last_radius;
}

void kerb_in_seek_think(const seek_task* task, const seek_view* view, const seek_way* way,
                        kerb_vec3 forward, kerb_vec3 left, kerb_directed_decision* thoughts) {
    thoughts->stage = thoughts_stage_of(task, view, way);
    thoughts->turning = way->turning;
    thoughts->distance = way->length;
    write_word(way, thoughts->word);
    write_circles(task, view, way, forward, left, thoughts);
}
