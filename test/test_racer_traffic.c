// The racing driver among others: placing them on the line, following, passing, letting by, the
// start; with cars that drive as told, and in sim/ against one another.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race.h"
#include "scene/race_stage.h"
#include "sim/world.h"
#include "src/race/racer_traffic.h"
#include "test/line_rig.h"
#include "test/seed.h"

#define DRIVE_STEP (1.0f / 60.0f)
#define OTHERS_MOST 24

static scene_race_stage stage; // an oval, wide enough for three cars
static kerb_host host;
static line_rig rig;

// Two straights and two half turns, counter-clockwise.
static void oval(scene_race_stage* made, double straight, double radius, double half_width) {
    const double pi = 3.14159265358979323846;
    rig_begin(&rig, true);
    int32_t steps = (int32_t)(straight / 5.0), turns = (int32_t)(pi * radius / 4.0);
    for (int32_t side = 0; side < 2; side++) {
        double sign = side == 0 ? 1.0 : -1.0;
        for (int32_t i = 0; i < steps; i++)
            rig_add(&rig, sign * (5.0 * (double)i - 0.5 * straight), -sign * radius, 0.0,
                    half_width);
        for (int32_t i = 0; i < turns; i++) {
            double a = pi * ((double)i / (double)turns - 0.5);
            rig_add(&rig, sign * (0.5 * straight + radius * cos(a)), sign * radius * sin(a), 0.0,
                    half_width);
        }
    }
    sim_model model;
    kerb_error error;
    assert_true(sim_model_named("gt", &model));
    scene_race_stage_settings settings = scene_race_stage_settings_default();
    settings.method = KERB_LINE_CURVATURE;
    if (scene_race_stage_build(made, rig.waypoints, rig.count, &model, &settings, &host, &error) !=
        KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
}

static int open_stage(void** state) {
    (void)state;
    host = kerb_host_default();
    oval(&stage, 700.0, 60.0, 7.0);
    return 0;
}

static int close_stage(void** state) {
    (void)state;
    scene_race_stage_free(&stage);
    return 0;
}

// ------------------------------------------------------------------- one racer, others as told

// One that drives as it is told, along the line and beside it.
typedef struct puppet {
    double at;        // along the line [m]
    float offset;     // [m]
    float speed;      // most, held by what the line allows; negative: against the traffic [m/s]
    float braking;    // from `brakes_at` on [m/s²]
    double brakes_at; // [s]
    float now;        // its speed [m/s]
    int32_t laps;
    float asks; // to be let by
} puppet;

typedef struct show {
    const scene_race_stage* stage;
    kerb_racer racer;
    sim_vehicle vehicle;
    scene_race_place on;
    puppet puppets[OTHERS_MOST];
    int32_t count;
    int32_t laps; // that the racer has done, as it is told
    double time;
    bool touched, gave_way;
    float outside, nearest; // greatest; least gap to one ahead in the same lane [m]
    float aside_most;       // farthest from the line [m]
} show;

static kerb_line_point pose_of(const scene_race_stage* s, double at, float offset,
                               kerb_vec3* place) {
    kerb_line_point p = kerb_racing_line_at(&s->line, at);
    float sine, cosine;
    kerb_sin_cos(p.heading, &sine, &cosine);
    *place = kerb_vec3_make((float)p.x - offset * sine, (float)p.y + offset * cosine, (float)p.z);
    return p;
}

static void begin_show(show* w, const scene_race_stage* s, double at, float offset, float speed) {
    memset(w, 0, sizeof *w);
    w->stage = s;
    kerb_vec3 place;
    kerb_line_point p = pose_of(s, at, offset, &place);
    w->vehicle = sim_vehicle_make(&s->model, place, p.heading);
    w->vehicle.car.forward = speed;
    w->vehicle.car.wheel_front = w->vehicle.car.wheel_rear = speed / s->model.car.wheel_radius;
    w->vehicle.car.gear = 4;
    w->racer = kerb_racer_make(&s->model.vehicle);
    w->racer.performance = s->limits.performance;
    w->outside = -1.0e6f;
    w->nearest = 1.0e6f;
}

static puppet* add_puppet(show* w, double at, float offset, float speed) {
    puppet* p = &w->puppets[w->count++];
    *p = (puppet){at, offset, speed, 0.0f, 0.0, speed, 0, 0.0f};
    return p;
}

// As fast as told, but no faster than a slower car takes the bends.
static void move_puppet(const show* w, puppet* p) {
    float most = 0.85f * kerb_racing_line_at(&w->stage->line, p->at).speed;
    p->now = kerb_min(p->now + 6.0f * DRIVE_STEP, kerb_min(p->speed, most));
    if (p->braking > 0.0f && w->time >= p->brakes_at) {
        p->speed = kerb_max(p->speed - p->braking * DRIVE_STEP, 0.0f);
        p->now = kerb_min(p->now, p->speed);
    }
    p->at += (double)(p->now * DRIVE_STEP);
}

static kerb_neighbour see_puppet(const show* w, int32_t index) {
    const puppet* p = &w->puppets[index];
    kerb_vec3 place;
    kerb_line_point line = pose_of(w->stage, p->at, p->offset, &place);
    float sine, cosine, facing = p->speed < 0.0f ? -1.0f : 1.0f;
    kerb_sin_cos(line.heading, &sine, &cosine);
    const kerb_vehicle* v = &w->stage->model.vehicle;
    return (kerb_neighbour){.id = (uint32_t)index + 1u,
                            .position = place,
                            .velocity = {p->now * cosine, p->now * sine, 0.0f},
                            .forward = {facing * cosine, facing * sine},
                            .length = v->length,
                            .width = v->width,
                            .laps = p->laps,
                            .asks = p->asks};
}

static sim_body body_of(const kerb_neighbour* n) {
    float half = 0.5f * n->length;
    return (sim_body){.position = n->position,
                      .heading = kerb_atan2(n->forward.y, n->forward.x),
                      .mass = 1000.0f,
                      .yaw_inertia = 1000.0f,
                      .front = half,
                      .back = half,
                      .half_width = 0.5f * n->width};
}

static void watch_show(show* w, const kerb_neighbour* seen) {
    const scene_race_stage* s = w->stage;
    float offset = w->racer.thoughts.cross_track_error + w->racer.traffic.way_offset;
    w->aside_most = kerb_max(w->aside_most, kerb_abs(offset));
    w->outside = kerb_max(w->outside, scene_race_ground_outside(&w->on));
    for (int32_t i = 0; i < w->count; i++) {
        sim_body mine = sim_vehicle_body(&w->vehicle), his = body_of(&seen[i]);
        w->touched |= sim_bodies_push(&mine, &his, NULL);
        double ahead = w->puppets[i].at - w->racer.thoughts.distance;
        ahead -= s->line.length * floor(ahead / s->line.length + 0.5);
        if (ahead > 0.0 && kerb_abs(offset - w->puppets[i].offset) < s->model.vehicle.width)
            w->nearest = kerb_min(w->nearest, (float)ahead - s->model.vehicle.length);
    }
}

static void run_show(show* w, double seconds) {
    const scene_race_stage* s = w->stage;
    for (double end = w->time + seconds; w->time < end; w->time += (double)DRIVE_STEP) {
        kerb_neighbour seen[OTHERS_MOST];
        for (int32_t i = 0; i < w->count; i++) {
            move_puppet(w, &w->puppets[i]);
            seen[i] = see_puppet(w, i);
        }
        kerb_surroundings around = kerb_surroundings_default();
        around.neighbours = seen;
        around.neighbour_count = w->count;
        around.laps = w->laps;
        kerb_motion motion = sim_vehicle_motion(&w->vehicle);
        kerb_controls controls =
            kerb_racer_drive(&w->racer, &s->line, &motion, &around, DRIVE_STEP);
        for (int32_t k = 0; k < 4; k++) {
            sim_ground under = scene_race_ground_at(&s->ground, &w->on, w->vehicle.car.position);
            sim_vehicle_step(&w->vehicle, &controls, &under, 0.25f * DRIVE_STEP);
        }
        w->gave_way |= controls.reason == KERB_REASON_GIVE_WAY;
        watch_show(w, seen);
    }
}

// Ahead of a puppet, shorter way round. [m]
static double lead_of(const show* w, int32_t index) {
    double lead = w->racer.thoughts.distance - w->puppets[index].at;
    return lead - w->stage->line.length * floor(lead / w->stage->line.length + 0.5);
}

// ------------------------------------------------------------------- placing

// The nearest place of a finely sampled line within reach of a distance.
static double nearest_by_force(const kerb_racing_line* line, double from, double reach,
                               kerb_vec3 place) {
    double best = 0.0, least = 1.0e18;
    for (double along = -reach; along <= reach; along += 0.05) {
        kerb_line_point p = kerb_racing_line_at(line, from + along);
        double x = (double)place.x - p.x, y = (double)place.y - p.y;
        if (x * x + y * y < least) {
            least = x * x + y * y;
            best = along;
        }
    }
    return best;
}

static void neighbours_are_placed_where_the_line_is_nearest(void** state) {
    (void)state;
    kerb_random random = test_random("foot");
    for (int32_t i = 0; i < 200; i++) {
        double from = (double)kerb_random_between(&random, 0.0f, (float)stage.line.length);
        float along = kerb_random_between(&random, -30.0f, 60.0f);
        float offset = kerb_random_between(&random, -6.0f, 6.0f);
        kerb_vec3 place;
        pose_of(&stage, from + (double)along, offset, &place);
        traffic_foot foot;
        // From a place some metres off, as when it was seen a moment ago.
        float guess = along + kerb_random_between(&random, -8.0f, 8.0f);
        assert_true(traffic_foot_of(&stage.line, from + (double)guess, place, &foot));
        double force = nearest_by_force(&stage.line, from + (double)along, 5.0, place);
        assert_near((double)(guess + foot.along), (double)along + force, 0.3);
        assert_near((double)foot.offset, (double)offset, 0.1);
    }
}

// ------------------------------------------------------------------- following

static void behind_one_that_brakes_with_all_it_has_it_stops_without_touching(void** state) {
    (void)state;
    kerb_random random = test_random("brakes");
    for (int32_t i = 0; i < 12; i++) {
        show w;
        float speed = kerb_random_between(&random, 15.0f, 50.0f);
        float gap = 8.0f + kerb_random_between(&random, 0.2f, 0.6f) * speed;
        begin_show(&w, &stage, 200.0, 0.0f, speed);
        kerb_line_point p = kerb_racing_line_at(&stage.line, 200.0);
        for (int32_t k = 0; k < 6; k++) { // a wall of cars: there is no way round
            add_puppet(&w, 200.0 + (double)gap, 1.0f - p.right + 2.4f * (float)k, speed);
            w.puppets[k].brakes_at = 1.0;
            w.puppets[k].braking = stage.limits.performance.braking;
        }
        run_show(&w, 12.0);
        if (w.touched)
            fail_msg("%.1f m/s, %.1f m behind", (double)speed, (double)gap);
        if (w.racer.controls.reason != KERB_REASON_FOLLOWING)
            fail_msg("%s", kerb_reason_text(w.racer.controls.reason));
    }
}

// Behind one that has braked at so much of what the racer can, for half a second, long ago. [m]
static float gap_after_braking(const scene_race_stage* narrow, float share) {
    show w;
    begin_show(&w, narrow, 20.0, 0.0f, 25.0f);
    add_puppet(&w, 60.0, 0.0f, 25.0f);
    run_show(&w, 4.0);
    w.puppets[0].braking = share * narrow->limits.performance.braking;
    run_show(&w, 0.5);
    w.puppets[0].braking = 0.0f;
    w.puppets[0].speed = 25.0f;
    run_show(&w, 20.0);
    assert_false(w.touched);
    return (float)-lead_of(&w, 0) - narrow->model.vehicle.length;
}

// What nobody has shown yet counts for something between.
static void it_keeps_farther_behind_who_was_seen_to_brake_harder_than_it_can(void** state) {
    (void)state;
    scene_race_stage narrow;
    oval(&narrow, 400.0, 60.0, 2.0);
    float equal = gap_after_braking(&narrow, 0.9f), stronger = gap_after_braking(&narrow, 1.8f);
    float unseen = gap_after_braking(&narrow, 0.0f);
    if (!(equal > 1.0f && unseen > equal + 0.7f && stronger > unseen + 0.7f))
        fail_msg(
            "%.2f m behind an equal one, %.2f m behind one unseen, %.2f m behind a stronger one",
            (double)equal, (double)unseen, (double)stronger);
    scene_race_stage_free(&narrow);
}

static void where_there_is_no_room_to_pass_it_follows(void** state) {
    (void)state;
    scene_race_stage narrow;
    oval(&narrow, 400.0, 60.0, 2.0);
    show w;
    begin_show(&w, &narrow, 20.0, 0.0f, 25.0f);
    run_show(&w, 0.1);
    assert_true(w.racer.thoughts.asks == 0.0f);
    add_puppet(&w, 60.0, 0.0f, 20.0f);
    run_show(&w, 40.0);
    assert_false(w.touched);
    assert_true(lead_of(&w, 0) < 0.0);
    // Held up all the way it would like to be let by.
    assert_true(w.racer.thoughts.asks == 1.0f);
    // Near enough to be a race, and never too near.
    assert_true(-lead_of(&w, 0) < 20.0);
    assert_true(w.nearest > 0.5f);
    scene_race_stage_free(&narrow);
}

// ------------------------------------------------------------------- passing

static void it_passes_a_slower_car_on_a_straight_and_comes_back_to_the_line(void** state) {
    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        show w;
        begin_show(&w, &stage, 100.0, 0.0f, 40.0f);
        add_puppet(&w, 160.0, -1.5f + 1.5f * (float)i, 30.0f);
        run_show(&w, 12.0);
        assert_false(w.touched);
        if (!(lead_of(&w, 0) > 10.0))
            fail_msg("offset %d: %.1f m ahead of it", i - 1, lead_of(&w, 0));
        if (!(w.outside < 0.0f))
            fail_msg("%.2f m outside, now at %.0f m", (double)w.outside, w.racer.thoughts.distance);
        run_show(&w, 8.0);
        assert_true(kerb_abs(w.racer.traffic.way_offset) < 0.1f);
        assert_true(kerb_abs(w.racer.thoughts.cross_track_error) < 1.5f);
    }
}

// How far it moves aside behind so many, one behind the other, that brake on a straight.
static float aside_behind_braking(int32_t count, float speed) {
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, speed);
    for (int32_t i = 0; i < count; i++) {
        add_puppet(&w, 100.0 + (6.0 + 0.3 * (double)speed) * (double)(i + 1), 0.0f, speed);
        w.puppets[i].brakes_at = 0.5;
        w.puppets[i].braking = 9.0f;
    }
    run_show(&w, 2.0);
    assert_false(w.touched);
    return w.aside_most;
}

static void who_brakes_in_a_queue_is_not_passed_but_who_brakes_alone_is(void** state) {
    (void)state;
    kerb_random random = test_random("queue");
    for (int32_t i = 0; i < 6; i++) {
        float speed = kerb_random_between(&random, 32.0f, 42.0f);
        float alone = aside_behind_braking(1, speed), queue = aside_behind_braking(4, speed);
        if (!(alone > 2.0f && queue < 0.5f * alone))
            fail_msg("%.1f m/s: %.2f m aside of one, %.2f m of four", (double)speed, (double)alone,
                     (double)queue);
    }
}

static void it_goes_round_cars_that_stand_on_its_line(void** state) {
    (void)state;
    kerb_random random = test_random("stands");
    for (int32_t i = 0; i < 8; i++) {
        show w;
        begin_show(&w, &stage, 100.0, 0.0f, 30.0f);
        double at = (double)kerb_random_between(&random, 250.0f, (float)stage.line.length - 60.0f);
        add_puppet(&w, at, kerb_random_between(&random, -1.0f, 1.0f), 0.0f);
        run_show(&w, 60.0);
        if (w.touched)
            fail_msg("it touched the car at %.0f m", at);
        if (!(w.racer.thoughts.total > stage.line.length))
            fail_msg("it only came to %.0f m; the car is at %.0f m", w.racer.thoughts.total, at);
    }
}

static void it_keeps_clear_of_one_that_comes_towards_it(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 30.0f);
    add_puppet(&w, 600.0, 0.0f, -15.0f);
    w.puppets[0].now = -15.0f;
    run_show(&w, 15.0);
    assert_false(w.touched);
    assert_true(lead_of(&w, 0) > 0.0);
}

// ------------------------------------------------------------------- letting by

static void it_lets_by_who_laps_it_but_not_a_rival(void** state) {
    (void)state;
    for (int32_t laps = 0; laps < 2; laps++) {
        show w;
        begin_show(&w, &stage, 300.0, 0.0f, 40.0f);
        add_puppet(&w, 270.0, 0.0f, 45.0f)->laps = laps;
        run_show(&w, 2.5);
        // For a rival behind it stays on its line.
        if (laps == 0)
            assert_true(w.aside_most < 0.5f);
        else
            assert_true(w.aside_most > stage.model.vehicle.width);
        assert_true(w.gave_way == (laps == 1));
    }
}

static void it_lets_by_on_a_straight_who_asks_and_is_better(void** state) {
    (void)state;
    const float asks[4] = {0.0f, 0.8f, 1.0f, 1.0f}, aggressions[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int32_t i = 0; i < 4; i++) {
        show w;
        begin_show(&w, &stage, 300.0, 0.0f, 40.0f);
        w.racer.settings.skill = 0.8f;
        w.racer.settings.aggression = aggressions[i];
        add_puppet(&w, 270.0, 0.0f, 45.0f)->asks = asks[i];
        run_show(&w, 2.5);
        assert_true(w.gave_way == (i == 2));
        assert_true((w.aside_most > stage.model.vehicle.width) == (i == 2));
        assert_false(w.touched);
    }
}

// Lets by in a bend nobody: all behind would have to slow down with it. And who makes way does not
// ask meanwhile: else the one before it would make way for it, too.
static void who_makes_way_does_so_on_straights_and_does_not_ask_meanwhile(void** state) {
    (void)state;
    for (int32_t bend = 0; bend < 2; bend++) {
        show w;
        double at = bend ? 720.0 : 300.0;
        begin_show(&w, &stage, at, 0.0f, bend ? 26.0f : 40.0f);
        w.racer.settings.skill = 0.8f;
        w.racer.settings.aggression = 0.0f;
        w.racer.traffic.held = 0.03f; // it asks, too
        add_puppet(&w, at - 15.0, 0.0f, 45.0f)->asks = 1.0f;
        bool asked = false, made_way = false;
        for (int32_t i = 0; i < 10; i++) {
            run_show(&w, 0.1);
            made_way |= w.racer.traffic.yields != 0;
            asked |= w.racer.traffic.yields != 0 && w.racer.thoughts.asks > 0.0f;
        }
        assert_false(asked);
        assert_true(made_way == (bend == 0));
    }
}

// In a queue who is behind another one does not slow down for the last: only for the next behind.
static void only_who_is_directly_behind_is_let_by(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 300.0, 0.0f, 40.0f);
    w.racer.settings.skill = 0.8f;
    w.racer.settings.aggression = 0.0f;
    add_puppet(&w, 285.0, 0.0f, 40.0f);
    add_puppet(&w, 275.0, 0.0f, 40.0f)->asks = 1.0f;
    run_show(&w, 2.0);
    assert_false(w.gave_way);
    w.puppets[0].asks = 1.0f;
    run_show(&w, 2.0);
    assert_true(w.gave_way);
}

// ------------------------------------------------------------------- into bends

// Level with another down a straight: who has the outside gives in before the bend.
static void side_by_side_before_a_bend_the_outer_one_gives_in(void** state) {
    (void)state;
    for (int32_t inside = 0; inside < 2; inside++) {
        show w;
        float offset = inside ? 1.8f : -1.8f; // the bend turns left
        begin_show(&w, &stage, 480.0, offset, 45.0f);
        add_puppet(&w, 480.5, -offset, 45.0f);
        double lead = 0.0; // where the puppet, which brakes early, does
        for (int32_t i = 0; i < 300 && w.puppets[0].now > 44.0f; i++) {
            lead = lead_of(&w, 0);
            run_show(&w, 0.02);
        }
        if (inside ? lead < -1.0 : lead > -2.0)
            fail_msg("%s: %.1f m ahead", inside ? "inside" : "outside", lead);
        assert_false(w.touched);
    }
}

// One of two before a bend to the left that begins `before` metres on: does it give in to another
// that is so far ahead and to its left?
static bool gives_in(float before, float ahead, float aside) {
    kerb_racer racer = kerb_racer_make(&stage.model.vehicle);
    racer_frame frame = {.total = 1000.0, .along = 40.0f};
    racer.traffic.bend = 1;
    racer.traffic.bend_brakes = frame.total + (double)before;
    racer.traffic.bend_apex = racer.traffic.bend_brakes + 60.0;
    traffic_view view = {.half_length = 2.4f, .half_width = 1.0f};
    traffic_other other = {
        .ahead = ahead, .offset = aside, .scale = 1.0f, .speed = 40.0f, .half_length = 2.4f};
    return traffic_gives_in(&racer, &frame, &view, &other);
}

static void of_two_side_by_side_before_a_bend_exactly_one_gives_in(void** state) {
    (void)state;
    kerb_random random = test_random("gives in");
    for (int32_t i = 0; i < 200; i++) {
        float before = kerb_random_between(&random, 1.0f, 75.0f);
        float ahead = kerb_random_between(&random, -4.7f, 4.7f);
        float aside = kerb_random_between(&random, 0.5f, 4.0f);
        bool outer = gives_in(before, ahead, aside), inner = gives_in(before, -ahead, -aside);
        if (outer == inner)
            fail_msg("%.2f m ahead: %s", (double)ahead, outer ? "both give in" : "none gives in");
        // Inside and beside the other's middle it has the bend.
        assert_true(outer == (ahead > -2.4f));
    }
    // Not long before it, and not to who is not beside it.
    assert_false(gives_in(200.0f, 1.0f, 2.0f));
    assert_false(gives_in(40.0f, 8.0f, 2.0f));
}

// ------------------------------------------------------------------- free speeds

// What the others make it do must not change what it believes that it would do without them.
static void speeds_as_if_nobody_were_there_are_those_of_a_racer_alone(void** state) {
    (void)state;
    kerb_random random = test_random("free speeds");
    for (int32_t round = 0; round < 6; round++) {
        show w;
        begin_show(&w, &stage, 100.0, 0.0f, 35.0f);
        for (int32_t i = 0; i < 6; i++)
            add_puppet(&w, 125.0 + 25.0 * (double)i, kerb_random_between(&random, -4.0f, 4.0f),
                       kerb_random_between(&random, 15.0f, 35.0f));
        run_show(&w, (double)kerb_random_between(&random, 2.0f, 12.0f));
        kerb_racer alone = kerb_racer_make(&stage.model.vehicle);
        alone.performance = stage.limits.performance;
        kerb_motion motion = sim_vehicle_motion(&w.vehicle);
        kerb_racer_drive(&alone, &stage.line, &motion, NULL, DRIVE_STEP);
        int32_t end = alone.ahead.end < w.racer.ahead.end ? alone.ahead.end : w.racer.ahead.end;
        // In the last bins, as far as braking takes, they do not see equally far.
        for (int32_t bin = alone.ahead.first + 8; bin < end - 72; bin++) {
            int32_t slot = (int32_t)((uint32_t)bin % KERB_RACER_BINS);
            double his = (double)alone.ahead.squared[slot];
            assert_near((double)w.racer.ahead.free_squared[slot], his, 0.03 * his + 0.1);
        }
    }
}

// A racer on a straight, and one before it as fast; then with the speeds of its way, or those as if
// nobody were there, set to a crawl.
typedef struct thinker {
    kerb_racer racer;
    racer_frame frame;
    traffic_view view;
    traffic_other other;
    traffic_run own, his;
} thinker;

static void think_again(thinker* t) {
    traffic_run_own(&t->racer, &t->frame, 0.0f, &t->own);
    traffic_other* others[1] = {&t->other};
    traffic_run_others(&t->racer, &t->frame, others, 1, &t->his);
}

static void begin_thinking(thinker* t) {
    memset(t, 0, sizeof *t);
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 40.0f);
    run_show(&w, 0.1);
    t->racer = w.racer;
    t->frame.total = w.racer.thoughts.total;
    t->frame.along = 40.0f;
    t->frame.limits = stage.limits.performance;
    t->view.half_length = t->other.half_length = 2.4f;
    t->other.ahead = 8.0f;
    t->other.scale = t->other.pace = 1.0f;
    t->other.speed = 38.0f;
    t->other.catch = 3.0f;
    think_again(t);
}

static void crawl(float* squares) {
    for (int32_t i = 0; i < KERB_RACER_BINS; i++)
        squares[i] = 4.0f;
}

// Slowed by others it must not believe that the road is slow: it would never pass them.
static void what_all_would_do_alone_does_not_depend_on_the_way_that_others_make_it_take(void** s) {
    (void)s;
    thinker t, usual;
    begin_thinking(&usual);
    assert_true(traffic_pulls_out(&usual.racer, &usual.frame, &usual.view, &usual.other));
    t = usual;
    crawl(t.racer.ahead.squared);
    crawl(t.racer.ahead.corner);
    think_again(&t);
    assert_memory_equal(&t.own, &usual.own, sizeof t.own);
    assert_memory_equal(&t.his, &usual.his, sizeof t.his);
    assert_true(traffic_pulls_out(&t.racer, &t.frame, &t.view, &t.other));
    t = usual;
    crawl(t.racer.ahead.free_squared);
    think_again(&t);
    assert_true(t.own.speed[4] < 3.0f && t.his.speed[4] < 3.0f);
    assert_false(traffic_pulls_out(&t.racer, &t.frame, &t.view, &t.other));
}

static void several_run_side_by_side_as_each_would_alone(void** state) {
    (void)state;
    kerb_random random = test_random("side by side");
    thinker t;
    begin_thinking(&t);
    for (int32_t round = 0; round < 50; round++) {
        traffic_other others[TRAFFIC_RUNS];
        traffic_other* all[TRAFFIC_RUNS];
        for (int32_t i = 0; i < TRAFFIC_RUNS; i++) {
            others[i] = t.other;
            others[i].ahead = kerb_random_between(&random, 5.0f, 120.0f);
            others[i].speed = kerb_random_between(&random, -2.0f, 60.0f);
            others[i].acceleration = kerb_random_between(&random, -20.0f, 10.0f);
            others[i].pace = kerb_random_between(&random, 0.5f, 1.1f);
            all[i] = &others[i];
        }
        traffic_run runs[TRAFFIC_RUNS], alone;
        traffic_run_others(&t.racer, &t.frame, all, TRAFFIC_RUNS, runs);
        for (int32_t i = 0; i < TRAFFIC_RUNS; i++) {
            traffic_run_others(&t.racer, &t.frame, &all[i], 1, &alone);
            assert_memory_equal(&runs[i], &alone, sizeof alone);
        }
    }
}

// Also where that is far from the line's own speeds.
static void a_way_laid_anew_is_as_fast_as_braking_through_it_bin_by_bin(void** state) {
    (void)state;
    kerb_random random = test_random("braking through a way");
    for (int32_t round = 0; round < 40; round++) {
        show w;
        begin_show(&w, &stage, 700.0 * (double)kerb_random_unit(&random), 0.0f, 30.0f);
        run_show(&w, 0.1);
        kerb_racer* racer = &w.racer;
        racer_frame frame = {.total = racer->thoughts.total, .limits = stage.limits.performance};
        int32_t first = racer_bin_at(racer, frame.total), count = 25;
        float offsets[25], swing = kerb_random_between(&random, -1.5f, 1.5f);
        for (int32_t i = 0; i < count; i++)
            offsets[i] = swing * (1.0f - kerb_cos(6.2831853f * (float)i / (float)(count - 1)));
        racer_brake_back(racer, &frame, racer->ahead.first, true); // of the line, by these limits
        racer_take_way(racer, first, 3, count, offsets);
        int32_t taken = racer->ahead.taken;
        kerb_racer slowly = *racer;
        racer_brake_way(racer, &frame);
        racer_brake_back(&slowly, &frame, slowly.ahead.first, true);
        for (int32_t bin = first; bin < taken; bin++) {
            double told = (double)racer->ahead.squared[racer_slot_of(bin)];
            double right = (double)slowly.ahead.squared[racer_slot_of(bin)];
            assert_near(told, right, 0.04 * right + 0.1);
        }
    }
}

static void beyond_a_way_that_grew_shorter_there_is_the_line(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 45.0f);
    for (int32_t k = 0; k < 6; k++) { // a wall of cars that stops
        add_puppet(&w, 150.0, -6.0f + 2.4f * (float)k, 40.0f);
        w.puppets[k].brakes_at = 0.5;
        w.puppets[k].braking = 9.0f;
    }
    for (int32_t i = 0; i < 60; i++) {
        run_show(&w, 0.1);
        float reach = kerb_max(4.0f * kerb_max(w.vehicle.car.forward, 0.0f), 60.0f) + 20.0f;
        int32_t first = (int32_t)(w.racer.thoughts.total / (double)w.racer.ahead.spacing);
        first += (int32_t)(reach / w.racer.ahead.spacing);
        for (int32_t bin = first; bin < w.racer.ahead.end; bin++)
            assert_true(w.racer.ahead.offset[(uint32_t)bin % KERB_RACER_BINS] == 0.0f);
    }
}

// ------------------------------------------------------------------- in sim/, among its like

static scene_race_settings race_of(int32_t cars, int32_t laps) {
    scene_race_settings settings =
        scene_race_settings_default(&stage.line, &stage.ground, &stage.model);
    settings.performances = &stage.limits.performance;
    settings.cars = cars;
    settings.laps = laps;
    settings.time_most = 300.0;
    return settings;
}

static void slower(void* context, int32_t car, kerb_racer* racer) {
    (void)context;
    racer->settings.grip_used *= 1.0f - 0.15f * (float)car;
    racer->settings.braking_used *= 1.0f - 0.15f * (float)car;
}

static void equal_cars_race_cleanly_from_the_grid_on(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        scene_race race;
        kerb_error error;
        scene_race_settings settings = race_of(8, 2);
        settings.seed = seed;
        assert_int_equal(scene_race_create(&race, &settings, &host, &error), KERB_OK);
        while (scene_race_step(&race)) {
        }
        assert_int_equal(race.finished, 8);
        for (int32_t i = 0; i < 8; i++)
            assert_true(race.cars[i].outside_most < 0.0f);
        assert_int_equal(race.contacts->hard_contacts, 0);
        scene_race_destroy(&race);
    }
}

// A car that is behind another loses some time where that one brakes before it does, but it takes
// the bends as fast as he does.
static void following_an_equal_car_costs_little(void** state) {
    (void)state;
    scene_race race;
    kerb_error error;
    scene_race_settings settings = race_of(4, 6);
    assert_int_equal(scene_race_create(&race, &settings, &host, &error), KERB_OK);
    while (scene_race_step(&race)) {
    }
    for (int32_t car = 0; car < 4; car++)
        for (int32_t lap = 3; lap < 6; lap++)
            if (scene_race_lap_time(&race, car, lap) > 1.015 * race.cars[race.order[0]].best_lap)
                fail_msg("car %d, lap %d: %.2f s, the fastest %.2f s", (int)car, (int)lap,
                         scene_race_lap_time(&race, car, lap), race.cars[race.order[0]].best_lap);
    scene_race_destroy(&race);
}

// Of finish with skill: 1 the best is first, -1 last.
static double rank_correlation(const scene_race* race) {
    int32_t square = 0, cars = race->count;
    for (int32_t place = 1; place <= cars; place++) {
        int32_t wrong = place - (cars - scene_race_result_at(race, place).driver);
        square += wrong * wrong;
    }
    return 1.0 - 6.0 * (double)square / ((double)cars * (double)(cars * cars - 1));
}

// A queue whose fastest is last: they come through. Single races differ.
static void a_field_that_starts_in_the_wrong_order_sorts_itself(void** state) {
    (void)state;
    double sum = 0.0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        scene_race race;
        kerb_error error;
        scene_race_settings settings = race_of(8, 14);
        float skills[8];
        for (int32_t i = 0; i < 8; i++)
            skills[i] = 0.6f + 0.4f * (float)i / 7.0f;
        settings.skills = skills;
        settings.seed = seed;
        settings.order = SCENE_RACE_ORDER_REVERSE;
        settings.time_most = 900.0;
        assert_int_equal(scene_race_create(&race, &settings, &host, &error), KERB_OK);
        while (scene_race_step(&race)) {
        }
        sum += rank_correlation(&race);
        assert_in_range(race.contacts->hard_contacts, 0, 1);
        scene_race_destroy(&race);
    }
    if (!(sum / 3.0 > 0.5))
        fail_msg("rank correlation %.2f", sum / 3.0);
}

// Two cars fit side by side into the hairpin at its end, twenty come.
static void a_full_grid_sorts_itself_out_before_a_hairpin(void** state) {
    (void)state;
    scene_race_stage tight;
    oval(&tight, 400.0, 22.0, 6.0);
    int32_t hard = 0, off = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        scene_race race;
        kerb_error error;
        scene_race_settings settings =
            scene_race_settings_default(&tight.line, &tight.ground, &tight.model);
        settings.performances = &tight.limits.performance;
        settings.cars = 20;
        settings.seed = seed;
        settings.time_most = 30.0;
        assert_int_equal(scene_race_create(&race, &settings, &host, &error), KERB_OK);
        while (scene_race_step(&race)) {
        }
        // The last of them is round it, too: they are no queue that stands.
        assert_true(race.cars[race.order[19]].progress > 300.0);
        hard += race.contacts->hard_contacts > 0;
        for (int32_t i = 0; i < 20; i++)
            off += race.cars[i].outside_most > 0.0f;
        scene_race_destroy(&race);
    }
    assert_in_range(hard, 0, 1);
    assert_int_equal(off, 0);
    scene_race_stage_free(&tight);
}

static void faster_cars_come_through_from_behind_cleanly(void** state) {
    (void)state;
    scene_race race;
    kerb_error error;
    scene_race_settings settings = race_of(3, 8);
    settings.prepare = slower;
    float skills[3] = {1.0f, 0.9f, 0.8f};
    settings.skills = skills;
    settings.order = SCENE_RACE_ORDER_REVERSE;
    assert_int_equal(scene_race_create(&race, &settings, &host, &error), KERB_OK);
    while (scene_race_step(&race)) {
    }
    for (int32_t place = 1; place <= 3; place++)
        assert_int_equal(scene_race_result_at(&race, place).driver, place - 1);
    assert_int_equal(race.contacts->hard_contacts, 0);
    scene_race_destroy(&race);
}

// Watches how two that started side by side go through the bend.
typedef struct duel {
    int32_t side_by_side, touching; // steps
} duel;

static void watch_duel(void* context, const scene_race* race) {
    duel* d = context;
    const scene_race_car *a = &race->cars[0], *b = &race->cars[1];
    bool bend = kerb_abs(a->racer.thoughts.line_curvature) > 0.005f;
    bool beside = fabs(a->progress - b->progress) < (double)stage.model.vehicle.length;
    d->side_by_side += bend && beside;
    d->touching += scene_race_contacts_touching(race->contacts, 0, 1);
}

static void two_side_by_side_go_through_bends_without_touching(void** state) {
    (void)state;
    scene_race race;
    kerb_error error;
    duel d = {0, 0};
    scene_race_settings settings = race_of(2, 3);
    settings.grid_spacing = 0.5f;
    settings.watch = watch_duel;
    settings.context = &d;
    assert_int_equal(scene_race_create(&race, &settings, &host, &error), KERB_OK);
    while (scene_race_step(&race)) {
    }
    assert_true(d.side_by_side > 60);
    assert_int_equal(d.touching, 0);
    assert_true(race.cars[0].outside_most < 0.0f && race.cars[1].outside_most < 0.0f);
    scene_race_destroy(&race);
}

// ------------------------------------------------------------------- slipstream

static void a_slipstream_halves_in_its_length_and_ends_a_width_aside(void** state) {
    (void)state;
    assert_near((double)kerb_slipstream(0.4f, 20.0f, 0.0f, 0.0f), 0.4, 1e-6);
    assert_near((double)kerb_slipstream(0.4f, 20.0f, 20.0f, 0.0f), 0.2, 1e-6);
    assert_near((double)kerb_slipstream(0.4f, 20.0f, 60.0f, 0.0f), 0.1, 1e-6);
    assert_near((double)kerb_slipstream(0.4f, 20.0f, 20.0f, -0.5f), 0.1, 1e-6);
    assert_true(kerb_slipstream(0.4f, 20.0f, 5.0f, 1.0f) == 0.0f);
    // Beside and before him there is none, nor for numbers that are none.
    assert_true(kerb_slipstream(0.4f, 20.0f, -1.0f, 0.0f) == 0.0f);
    assert_true(kerb_slipstream(0.4f, 20.0f, NAN, 0.0f) == 0.0f);
    assert_true(kerb_slipstream(0.4f, 0.0f, 5.0f, 0.0f) == 0.0f);
}

// The strongest tow of the one behind while the one before it has none.
static void watch_tow(void* context, const scene_race* race) {
    float* tow = context;
    const scene_race_car *a = &race->cars[0], *b = &race->cars[1];
    if (a->progress < b->progress)
        return;
    *tow = kerb_max(*tow, b->tow);
    if (a->progress > b->progress + (double)stage.model.vehicle.length)
        assert_true(a->tow == 0.0f);
}

static float strongest_tow(float slipstream) {
    scene_race race;
    kerb_error error;
    float tow = 0.0f;
    scene_race_settings settings = race_of(2, 2);
    settings.slipstream = slipstream;
    settings.watch = watch_tow;
    settings.context = &tow;
    assert_int_equal(scene_race_create(&race, &settings, &host, &error), KERB_OK);
    while (scene_race_step(&race)) {
    }
    assert_int_equal(race.contacts->hard_contacts, 0);
    scene_race_destroy(&race);
    return tow;
}

static void there_is_a_slipstream_only_where_it_is_asked_for(void** state) {
    (void)state;
    assert_true(strongest_tow(0.0f) == 0.0f);
    float tow = strongest_tow(0.4f);
    assert_true(tow > 0.1f && tow <= 0.4f);
}

// ------------------------------------------------------------------- defending

typedef struct defence {
    int32_t moves; // across the track, half a metre at least
    float aside;   // farthest while it defended [m]
} defence;

// Down a straight before one that follows closely, somewhat faster, and weaves by so much.
static defence defend_with(float aggression, float weave, int32_t laps) {
    show w;
    defence d = {0, 0.0f};
    begin_show(&w, &stage, 400.0, 0.0f, 36.0f);
    w.racer.settings.aggression = aggression;
    puppet* p = add_puppet(&w, 388.0, 0.0f, 37.0f);
    p->laps = laps;
    float from = 0.0f, way = 0.0f; // where the last move ended, and which way it went
    for (int32_t i = 0; i < 90 && w.racer.thoughts.distance < 600.0; i++) {
        p->at = fmax(w.racer.thoughts.distance, 400.0) - 10.0;
        p->speed = p->now = w.vehicle.car.forward + 1.0f;
        p->offset = i / 5 % 2 == 0 ? weave : -weave;
        run_show(&w, 0.05);
        float at = w.racer.traffic.way_offset, gone = at - from;
        if (kerb_abs(gone) > 0.5f) {
            d.moves += gone * way <= 0.0f;
            way = gone;
            from = at;
        }
        if (w.racer.traffic.defends != 0)
            d.aside = kerb_max(d.aside, kerb_abs(at));
    }
    return d;
}

static void it_defends_by_one_move_on_a_straight_and_only_with_a_temper(void** state) {
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        float weave = 0.2f * (float)i;
        defence d = defend_with(1.0f, weave, 0);
        if (d.moves != 1 || d.aside < 1.0f)
            fail_msg("weave %.1f m: %d moves, to %.1f m", (double)weave, (int)d.moves,
                     (double)d.aside);
        // Not at the usual temper, and not against who laps it.
        assert_true(defend_with(0.5f, weave, 0).aside == 0.0f);
        assert_true(defend_with(1.0f, weave, 1).aside == 0.0f);
    }
}

// ------------------------------------------------------------------- interface

static kerb_controls drive_once(kerb_racer* racer, const kerb_motion* motion,
                                const kerb_neighbour* seen, int32_t count) {
    kerb_surroundings around = kerb_surroundings_default();
    around.neighbours = seen;
    around.neighbour_count = count;
    around.id = 77u;
    return kerb_racer_drive(racer, &stage.line, motion, &around, DRIVE_STEP);
}

// A racer on the line's start, and neighbours anywhere near.
static kerb_racer racer_at_start(kerb_motion* motion) {
    kerb_racer racer = kerb_racer_make(&stage.model.vehicle);
    kerb_vec3 place;
    kerb_line_point p = pose_of(&stage, 30.0, 0.0f, &place);
    *motion = kerb_motion_default();
    motion->position = place;
    motion->rotation = kerb_quat_from_heading(p.heading);
    motion->velocity = kerb_vec3_scale(kerb_quat_forward(motion->rotation), 30.0f);
    motion->gear = 3;
    return racer;
}

static kerb_neighbour any_neighbour(kerb_random* random, uint32_t id, kerb_vec3 from) {
    float angle = kerb_random_between(random, -3.0f, 3.0f), sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    return (kerb_neighbour){.id = id,
                            .position = {from.x + kerb_random_between(random, -20.0f, 90.0f),
                                         from.y + kerb_random_between(random, -7.0f, 7.0f), from.z},
                            .velocity = {kerb_random_between(random, -5.0f, 40.0f),
                                         kerb_random_between(random, -3.0f, 3.0f), 0.0f},
                            .forward = {cosine, sine},
                            .length = 4.5f,
                            .width = 1.9f};
}

static void the_order_of_neighbours_does_not_matter(void** state) {
    (void)state;
    kerb_random random = test_random("order");
    for (int32_t round = 0; round < 40; round++) {
        kerb_motion motion;
        kerb_racer a = racer_at_start(&motion), b = a;
        for (int32_t frame = 0; frame < 8; frame++) {
            kerb_neighbour seen[OTHERS_MOST], turned[OTHERS_MOST];
            for (int32_t i = 0; i < OTHERS_MOST; i++)
                seen[i] = any_neighbour(&random, (uint32_t)i, motion.position);
            for (int32_t i = 0; i < OTHERS_MOST; i++)
                turned[i] = seen[(i * 7 + frame) % OTHERS_MOST];
            kerb_controls first = drive_once(&a, &motion, seen, OTHERS_MOST);
            kerb_controls second = drive_once(&b, &motion, turned, OTHERS_MOST);
            assert_memory_equal(&first.throttle, &second.throttle, sizeof(float));
            assert_memory_equal(&first.brake, &second.brake, sizeof(float));
            assert_memory_equal(&first.steering, &second.steering, sizeof(float));
            assert_true(kerb_is_finite(first.throttle + first.brake + first.steering));
        }
    }
}

static void neighbours_that_are_no_bodies_or_the_racer_itself_change_nothing(void** state) {
    (void)state;
    kerb_motion motion;
    kerb_racer alone = racer_at_start(&motion), among = alone;
    kerb_neighbour good = {.id = 1u,
                           .position = motion.position,
                           .forward = {1.0f, 0.0f},
                           .length = 4.5f,
                           .width = 1.9f};
    good.position.x += 15.0f;
    kerb_neighbour bad[7] = {good, good, good, good, good, good, good};
    bad[0].position.x = NAN;
    bad[1].velocity.y = INFINITY;
    bad[2].length = 0.0f;
    bad[3].width = -1.0f;
    bad[4].length = 5000.0f;
    bad[5].id = 77u;            // its own
    bad[6].position.z += 20.0f; // on a bridge
    for (int32_t frame = 0; frame < 20; frame++) {
        kerb_controls a = drive_once(&alone, &motion, NULL, 0);
        kerb_controls b = drive_once(&among, &motion, bad, 7);
        assert_memory_equal(&a.throttle, &b.throttle, sizeof(float));
        assert_memory_equal(&a.brake, &b.brake, sizeof(float));
        assert_memory_equal(&a.steering, &b.steering, sizeof(float));
    }
    kerb_controls brakes = among.controls; // but that one is real
    for (int32_t frame = 0; frame < 20; frame++)
        brakes = drive_once(&among, &motion, &good, 1);
    assert_true(brakes.brake > 0.5f);
}

static void a_copy_among_others_drives_on_with_the_same_bits(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 40.0f);
    for (int32_t i = 0; i < 8; i++)
        add_puppet(&w, 130.0 + 25.0 * (double)i, -2.0f + 1.0f * (float)(i % 4), 30.0f);
    run_show(&w, 3.0);
    show copy = w;
    run_show(&w, 6.0);
    run_show(&copy, 6.0);
    assert_memory_equal(&w.racer, &copy.racer, sizeof w.racer);
    assert_memory_equal(&w.vehicle.car.position, &copy.vehicle.car.position, sizeof(kerb_vec3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_placed_where_the_line_is_nearest),
        cmocka_unit_test(behind_one_that_brakes_with_all_it_has_it_stops_without_touching),
        cmocka_unit_test(it_keeps_farther_behind_who_was_seen_to_brake_harder_than_it_can),
        cmocka_unit_test(where_there_is_no_room_to_pass_it_follows),
        cmocka_unit_test(it_passes_a_slower_car_on_a_straight_and_comes_back_to_the_line),
        cmocka_unit_test(who_brakes_in_a_queue_is_not_passed_but_who_brakes_alone_is),
        cmocka_unit_test(it_goes_round_cars_that_stand_on_its_line),
        cmocka_unit_test(it_keeps_clear_of_one_that_comes_towards_it),
        cmocka_unit_test(it_lets_by_who_laps_it_but_not_a_rival),
        cmocka_unit_test(it_lets_by_on_a_straight_who_asks_and_is_better),
        cmocka_unit_test(who_makes_way_does_so_on_straights_and_does_not_ask_meanwhile),
        cmocka_unit_test(only_who_is_directly_behind_is_let_by),
        cmocka_unit_test(side_by_side_before_a_bend_the_outer_one_gives_in),
        cmocka_unit_test(of_two_side_by_side_before_a_bend_exactly_one_gives_in),
        cmocka_unit_test(speeds_as_if_nobody_were_there_are_those_of_a_racer_alone),
        cmocka_unit_test(
            what_all_would_do_alone_does_not_depend_on_the_way_that_others_make_it_take),
        cmocka_unit_test(several_run_side_by_side_as_each_would_alone),
        cmocka_unit_test(a_way_laid_anew_is_as_fast_as_braking_through_it_bin_by_bin),
        cmocka_unit_test(beyond_a_way_that_grew_shorter_there_is_the_line),
        cmocka_unit_test(following_an_equal_car_costs_little),
        cmocka_unit_test(a_field_that_starts_in_the_wrong_order_sorts_itself),
        cmocka_unit_test(equal_cars_race_cleanly_from_the_grid_on),
        cmocka_unit_test(a_full_grid_sorts_itself_out_before_a_hairpin),
        cmocka_unit_test(faster_cars_come_through_from_behind_cleanly),
        cmocka_unit_test(two_side_by_side_go_through_bends_without_touching),
        cmocka_unit_test(a_slipstream_halves_in_its_length_and_ends_a_width_aside),
        cmocka_unit_test(there_is_a_slipstream_only_where_it_is_asked_for),
        cmocka_unit_test(it_defends_by_one_move_on_a_straight_and_only_with_a_temper),
        cmocka_unit_test(the_order_of_neighbours_does_not_matter),
        cmocka_unit_test(neighbours_that_are_no_bodies_or_the_racer_itself_change_nothing),
        cmocka_unit_test(a_copy_among_others_drives_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
