// The racing driver among others that drive as they are told: placing them on the line, following,
// passing, letting by, giving in before bends, defending.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/racer/racer_show.h"
#include "test/seed.h"

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
        assert_true(kerb_in_traffic_foot_of(&stage.line, from + (double)guess, place, &foot));
        double force = nearest_by_force(&stage.line, from + (double)along, 5.0, place);
        assert_near((double)(guess + foot.along), (double)along + force, 0.3);
        assert_near((double)foot.offset, (double)offset, 0.1);
    }
}

// Straight on, at 40 m/s.
static void of_those_far_away_only_who_can_matter_is_looked_at(void** state) {
    (void)state;
    const struct {
        float ahead, speed;
        int32_t laps, looked_at;
    } others[9] = {{-12.0f, 40.0f, 0, 1}, {-35.0f, 40.0f, 0, 0},  {-35.0f, 40.0f, 1, 1},
                   {-35.0f, 55.0f, 0, 1}, {60.0f, 40.0f, 0, 1},   {120.0f, 40.0f, 0, 0},
                   {120.0f, 20.0f, 0, 1}, {120.0f, -15.0f, 0, 1}, {120.0f, 32.0f, 0, 1}};
    for (int32_t i = 0; i < 9; i++) {
        show w;
        begin_show(&w, &stage, 300.0, 0.0f, 40.0f);
        w.racer.settings.aggression = 0.5f;
        add_puppet(&w, 300.0 + (double)others[i].ahead, 0.0f, others[i].speed);
        w.puppets[0].now = others[i].speed;
        w.puppets[0].laps = others[i].laps;
        run_show(&w, 0.1);
        if (w.racer.memory.traffic.known_count != others[i].looked_at)
            fail_msg("%.0f m ahead, %.0f m/s: looked at %d", (double)others[i].ahead,
                     (double)others[i].speed, w.racer.memory.traffic.known_count);
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
static float gap_after_braking(const kerb_scene_race_stage* narrow, float share) {
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
    kerb_scene_race_stage narrow;
    oval(&narrow, 400.0, 60.0, 2.0);
    float equal = gap_after_braking(&narrow, 0.9f), stronger = gap_after_braking(&narrow, 1.8f);
    float unseen = gap_after_braking(&narrow, 0.0f);
    if (!(equal > 1.0f && unseen > equal + 0.7f && stronger > unseen + 0.7f))
        fail_msg(
            "%.2f m behind an equal one, %.2f m behind one unseen, %.2f m behind a stronger one",
            (double)equal, (double)unseen, (double)stronger);
    kerb_scene_race_stage_free(&narrow);
}

static void where_there_is_no_room_to_pass_it_follows(void** state) {
    (void)state;
    kerb_scene_race_stage narrow;
    oval(&narrow, 400.0, 60.0, 2.0);
    show w;
    begin_show(&w, &narrow, 20.0, 0.0f, 25.0f);
    run_show(&w, 0.1);
    assert_true(w.racer.decision.overtake_request == 0.0f);
    add_puppet(&w, 60.0, 0.0f, 20.0f);
    run_show(&w, 40.0);
    assert_false(w.touched);
    assert_true(lead_of(&w, 0) < 0.0);
    // Held up all the way it would like to be let by.
    assert_true(w.racer.decision.overtake_request == 1.0f);
    // Near enough to be a race, and never too near.
    assert_true(-lead_of(&w, 0) < 20.0);
    assert_true(w.nearest > 0.5f);
    kerb_scene_race_stage_free(&narrow);
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
            fail_msg("%.2f m outside, now at %.0f m", (double)w.outside, w.racer.decision.distance);
        run_show(&w, 8.0);
        assert_true(kerb_abs(w.racer.memory.traffic.way_offset) < 0.1f);
        assert_true(kerb_abs(w.racer.decision.cross_track_error) < 1.5f);
    }
}

// Of the thoughts of the next seconds on a way beside the line those that leave it as it was.
static int32_t thoughts_that_keep(show* w, double seconds, int32_t* thoughts, bool* twice) {
    int32_t kept = 0;
    bool last = w->racer.memory.traffic.kept;
    *thoughts = 0;
    *twice = false;
    for (double time = 0.0; time < seconds; time += (double)DRIVE_STEP) {
        run_show(w, (double)DRIVE_STEP);
        if (w->racer.memory.traffic.since > 0.0f || !w->racer.memory.traffic.active)
            continue;
        bool now = w->racer.memory.traffic.kept;
        *twice |= now && last;
        kept += now;
        *thoughts += 1;
        last = now;
    }
    return kept;
}

static void a_way_is_kept_for_one_thought_and_never_beside_another(void** state) {
    (void)state;
    for (int32_t beside = 0; beside < 2; beside++) {
        show w;
        begin_show(&w, &stage, 100.0, 0.0f, 40.0f);
        add_puppet(&w, beside ? 100.0 : 170.0, beside ? -3.0f : 0.0f, beside ? 40.0f : 32.0f);
        int32_t thoughts, kept;
        bool twice;
        run_show(&w, 0.2);
        kept = thoughts_that_keep(&w, beside ? 0.6 : 3.0, &thoughts, &twice);
        assert_false(twice);
        if (!(thoughts >= 4 && (beside ? kept == 0 : 3 * kept >= thoughts)))
            fail_msg("beside %d: %d of %d thoughts", beside, kept, thoughts);
    }
}

// A thought and its way in one frame would make that much dearer than others; where frames are long
// the way would come late.
static void the_way_of_a_thought_is_laid_in_the_frame_after_it(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 40.0f);
    add_puppet(&w, 160.0, 0.0f, 30.0f);
    int32_t waited = 0;
    run_show(&w, 0.2); // new bins are for whole thoughts
    bool due = w.racer.memory.traffic.way_due;
    for (int32_t i = 0; i < 180; i++) {
        int32_t taken = w.racer.memory.ahead.taken;
        run_show(&w, 0.5 * (double)DRIVE_STEP);
        bool laid = w.racer.memory.ahead.taken != taken &&
                    w.racer.memory.ahead.taken > w.racer.memory.ahead.first;
        assert_true(due || !laid);
        assert_false(due && w.racer.memory.traffic.way_due);
        due = w.racer.memory.traffic.way_due;
        assert_true(!due || w.racer.memory.traffic.since == 0.0f);
        waited += due;
    }
    assert_true(waited >= 5);
}

// Between two looks he goes on: what it knows of him never jumps.
static void in_frames_without_a_look_others_go_on_at_their_speeds(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 40.0f);
    add_puppet(&w, 180.0, 0.0f, 20.0f);
    run_show(&w, 0.2);
    int32_t skipped = 0;
    double last = (double)w.racer.memory.traffic.known[0].ahead + lead_of(&w, 0);
    for (int32_t i = 0; i < 60; i++) {
        run_show(&w, 0.5 * (double)DRIVE_STEP);
        double now = (double)w.racer.memory.traffic.known[0].ahead + lead_of(&w, 0);
        if (!(now - last < 0.1 && last - now < 0.1))
            fail_msg("frame %d: %.2f m", i, now - last);
        skipped += w.racer.memory.traffic.known[0].age > 0.0f;
        last = now;
    }
    assert_true(skipped > 30);
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

// Faster, and on another part of the track, than the last of a queue that brakes: how near to him
// across the track it comes while it is faster and all but at his bumper; 0: it touched him. [m]
static float nearest_behind_braking(float speed, float faster, float gap) {
    show w;
    begin_show(&w, &stage, 100.0, 2.9f, speed + faster);
    float length = stage.model.vehicle.length, nearest = 1.0e6f;
    for (int32_t i = 0; i < 4; i++) {
        double at = 100.0 + (double)(gap + length) + (double)i * (double)(length + 4.0f);
        add_puppet(&w, at, 0.0f, speed)->braking = 0.95f * stage.limits.performance.braking;
    }
    for (int32_t i = 0; i < 150; i++) {
        run_show(&w, (double)DRIVE_STEP);
        float closing = w.vehicle.car.forward - w.puppets[0].now;
        if (closing > 0.5f && -lead_of(&w, 0) < (double)(length + 2.0f) && lead_of(&w, 0) < 0.0)
            nearest = kerb_min(nearest, kerb_abs(w.racer.decision.cross_track_error +
                                                 w.racer.memory.traffic.way_offset));
    }
    return w.touched ? 0.0f : nearest;
}

static void it_does_not_move_over_behind_whom_it_is_too_fast_to_follow(void** state) {
    (void)state;
    for (int32_t i = 0; i < 12; i++) {
        float speed = 30.0f + 4.0f * (float)(i % 3), faster = 3.0f + 1.0f * (float)(i / 3);
        float nearest = nearest_behind_braking(speed, faster, 1.6f * faster);
        if (!(nearest > 2.6f))
            fail_msg("%.0f m/s, %.0f m/s faster: %.2f m aside", (double)speed, (double)faster,
                     (double)nearest);
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
        if (!(w.racer.decision.total_distance > stage.line.length))
            fail_msg("it only came to %.0f m; the car is at %.0f m",
                     w.racer.decision.total_distance, at);
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

// One who is hardly faster comes past all the same: it lifts for him, who could else not pass.
static void it_lifts_for_who_laps_it(void** state) {
    (void)state;
    double lead[2];
    for (int32_t laps = 0; laps < 2; laps++) {
        show w;
        begin_show(&w, &stage, 150.0, 0.0f, 40.0f);
        add_puppet(&w, 135.0, 0.0f, 41.0f)->laps = laps;
        run_show(&w, 8.0);
        assert_false(w.touched);
        lead[laps] = lead_of(&w, 0);
    }
    if (!(lead[0] > 15.0 && lead[1] < -5.0))
        fail_msg("%.1f m ahead of a rival, %.1f m of who laps it", lead[0], lead[1]);
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
        w.racer.memory.traffic.held = 0.03f; // it asks, too
        add_puppet(&w, at - 15.0, 0.0f, 45.0f)->asks = 1.0f;
        bool asked = false, made_way = false;
        for (int32_t i = 0; i < 10; i++) {
            run_show(&w, 0.1);
            made_way |= w.racer.memory.traffic.yields != 0;
            asked |= w.racer.memory.traffic.yields != 0 && w.racer.decision.overtake_request > 0.0f;
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

// ------------------------------------------------------------------- beside others

// Another, level with it, comes over towards its line at so many metres a second: how far it is
// from its way meanwhile, at most.
static float strayed_when_one_comes_over(float aside, float rate) {
    show w;
    begin_show(&w, &stage, 250.0, 0.0f, 45.0f);
    puppet* other = add_puppet(&w, 250.0, aside, 45.0f);
    float side = aside > 0.0f ? 1.0f : -1.0f, strayed = 0.0f;
    for (int32_t i = 0; i < 120; i++) {
        other->offset = side * kerb_max(side * other->offset - rate * DRIVE_STEP, 1.0f);
        other->at = w.racer.decision.distance;
        other->speed = other->now = kerb_sim_vehicle_motion(&w.vehicle).velocity.x;
        run_show(&w, (double)DRIVE_STEP);
        strayed = kerb_max(strayed, kerb_abs(w.racer.decision.cross_track_error));
    }
    return strayed;
}

// Were its way to go on from the last one alone, it would always be behind it: 0.4 m here.
static void its_way_does_not_run_away_from_it_when_another_comes_over(void** state) {
    (void)state;
    for (int32_t i = 0; i < 12; i++) {
        float rate = 1.0f + 0.25f * (float)(i % 6), aside = i < 6 ? 4.0f : -4.0f;
        float strayed = strayed_when_one_comes_over(aside, rate);
        if (!(strayed < 0.32f))
            fail_msg("%.2f m/s from %.1f m: %.2f m from its way", (double)rate, (double)aside,
                     (double)strayed);
    }
}

// How far the way that it has planned leads beyond where its side touches an edge, at most; less
// than 0: nowhere. Between its places, some 5 m apart, a way bows outwards by some of the margin.
// [m]
static float way_beyond_edges(const kerb_racer* racer) {
    float most = -1.0e6f, half = 0.5f * stage.model.vehicle.width;
    int32_t bin = racer_bin_at(racer, racer->decision.total_distance);
    for (; bin < racer->memory.ahead.taken; bin++) {
        float left, right, way = racer_offset_in(racer, bin);
        racer_edges_at(racer, bin, &left, &right);
        most = kerb_max(most, half + kerb_max(way - left, -way - right));
    }
    return most;
}

// Inside of another that keeps so much of the track's width to himself, through a hairpin and out
// of it, where the inner edge leads away from the line faster than a car can go.
static float way_beyond_the_inner_edge(const kerb_scene_race_stage* tight, float share, float ahead,
                                       float speed) {
    show w;
    double from = 120.0;
    kerb_line_point p = kerb_racing_line_at(&tight->line, from);
    begin_show(&w, tight, from, p.left - 2.0f, speed);
    puppet* other = add_puppet(&w, from + (double)ahead, 0.0f, speed);
    float most = -1.0e6f;
    for (int32_t i = 0; i < 600 && w.racer.decision.distance < 300.0; i++) {
        p = kerb_racing_line_at(&tight->line, other->at);
        other->offset = share * (p.left + p.right) - p.right;
        other->at = fmax(w.racer.decision.distance, from) + (double)ahead;
        other->speed = other->now = kerb_max(w.vehicle.car.forward, 1.0f);
        run_show(&w, (double)DRIVE_STEP);
        most = kerb_max(most, way_beyond_edges(&w.racer));
    }
    assert_true(w.racer.decision.distance > 280.0);
    return most;
}

static void beside_another_its_way_leads_over_no_edge_of_a_hairpin(void** state) {
    (void)state;
    kerb_scene_race_stage tight;
    oval(&tight, 300.0, 12.0, 6.0);
    for (int32_t i = 0; i < 12; i++) {
        float share = 0.2f + 0.1f * (float)(i % 4), ahead = -2.0f + 2.0f * (float)(i / 4);
        float most = way_beyond_the_inner_edge(&tight, share, ahead, 20.0f);
        if (!(most < 0.3f))
            fail_msg("beside one at %.1f of the width, %.0f m before it: %.2f m over an edge",
                     (double)share, (double)ahead, (double)most);
    }
    kerb_scene_race_stage_free(&tight);
}

// The least speed that it wants in a bend that it enters inside of its line, alone or with another
// far behind it.
static float slowest_wanted(double at, bool alone) {
    show w;
    begin_show(&w, &stage, at, 0.6f, kerb_racing_line_at(&stage.line, at).speed);
    if (!alone)
        add_puppet(&w, at - 40.0, 0.0f, 20.0f);
    float slowest = 1.0e6f;
    for (int32_t i = 0; i < 120; i++) {
        run_show(&w, (double)DRIVE_STEP);
        if (i > 6)
            slowest = kerb_min(slowest, w.racer.decision.target_speed);
    }
    return slowest;
}

// It comes back to its line as it would alone: a way that keeps that much clear of the edge where
// the line comes near to it is slower.
static void with_nobody_to_keep_clear_of_it_is_as_fast_beside_its_line_as_alone(void** state) {
    (void)state;
    for (double at = 640.0; at < 900.0; at += 20.0) {
        float alone = slowest_wanted(at, true), wanted = slowest_wanted(at, false);
        if (!(wanted > alone - 0.5f))
            fail_msg("from %.0f m: %.2f m/s, alone %.2f", at, (double)wanted, (double)alone);
    }
}

// Where one who is on the line, keeps his share of the track and is so fast will be, so far on.
static float kept_offset(double at, float speed, float on) {
    show w;
    begin_show(&w, &stage, at - 20.0, 0.0f, 20.0f);
    run_show(&w, 0.05);
    racer_frame frame = {.total = w.racer.decision.total_distance,
                         .grip_aside = w.racer.performance.lateral};
    float ahead = (float)(at - frame.total);
    traffic_other other = {.ahead = ahead, .scale = 1.0f, .speed = speed, .pace = 1.0f};
    return kerb_in_traffic_offset_at(&w.racer, &frame, &other, ahead + on, true);
}

// Out of a bend the line leads across the track, and one at the limit cannot but go with it.
static void who_is_at_his_limit_in_a_bend_is_not_taken_to_keep_inside_of_his_line(void** state) {
    (void)state;
    const float on = 25.0f;
    int32_t places = 0;
    for (double at = 700.0; at < 900.0; at += 10.0) {
        kerb_line_point here = kerb_racing_line_at(&stage.line, at);
        kerb_line_point then = kerb_racing_line_at(&stage.line, at + (double)on);
        float share = here.right / (here.left + here.right);
        float kept = share * (then.left + then.right) - then.right;
        if (here.curvature < 0.01f || kept < 1.0f)
            continue;
        places++;
        float fast = kept_offset(at, here.speed, on), slow = kept_offset(at, 6.0f, on);
        if (!(fast > -0.1f && fast < 0.6f && slow > 0.9f * kept))
            fail_msg("%.0f m: kept %.2f m, fast %.2f m, slow %.2f m", at, (double)kept,
                     (double)fast, (double)slow);
    }
    assert_true(places >= 3);
}

// ------------------------------------------------------------------- into bends

// Level with another down a straight: who has the outside gives in before the bend.
static void side_by_side_before_a_bend_the_outer_one_gives_in(void** state) {
    (void)state;
    for (int32_t inside = 0; inside < 2; inside++) {
        show w;
        // The bend turns left. The line keeps to the right edge, where there is no room beside it.
        float inner = 3.1f, outer = -0.5f;
        begin_show(&w, &stage, 480.0, inside ? inner : outer, 45.0f);
        add_puppet(&w, 480.5, inside ? outer : inner, 45.0f);
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
    racer.memory.traffic.bend = 1;
    racer.memory.traffic.bend_brakes = frame.total + (double)before;
    racer.memory.traffic.bend_apex = racer.memory.traffic.bend_brakes + 60.0;
    traffic_view view = {.half_length = 2.4f, .half_width = 1.0f};
    traffic_other other = {
        .ahead = ahead, .offset = aside, .scale = 1.0f, .speed = 40.0f, .half_length = 2.4f};
    return kerb_in_traffic_gives_in(&racer, &frame, &view, &other);
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
    for (int32_t i = 0; i < 90 && w.racer.decision.distance < 600.0; i++) {
        p->at = fmax(w.racer.decision.distance, 400.0) - 10.0;
        p->speed = p->now = w.vehicle.car.forward + 1.0f;
        p->offset = i / 5 % 2 == 0 ? weave : -weave;
        run_show(&w, 0.05);
        float at = w.racer.memory.traffic.way_offset, gone = at - from;
        if (kerb_abs(gone) > 0.5f) {
            d.moves += gone * way <= 0.0f;
            way = gone;
            from = at;
        }
        if (w.racer.memory.traffic.defends != 0)
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

// Down the same straight, closely followed by one so far beside its line, and with another level
// with it there, or not: does it ever move over?
static bool defends_when_followed(float offset, bool beside) {
    show w;
    begin_show(&w, &stage, 400.0, 0.0f, 36.0f);
    w.racer.settings.aggression = 1.0f;
    add_puppet(&w, 388.0, offset, 37.0f);
    if (beside)
        add_puppet(&w, 400.0, 3.0f, 36.0f);
    bool defends = false;
    for (int32_t i = 0; i < 180 && w.racer.decision.distance < 600.0; i++) {
        double at = fmax(w.racer.decision.distance, 400.0);
        w.puppets[0].at = at - 10.0;
        w.puppets[0].speed = w.puppets[0].now = w.vehicle.car.forward + 1.0f;
        w.puppets[1].at = at;
        w.puppets[1].speed = w.puppets[1].now = w.vehicle.car.forward;
        run_show(&w, 0.025);
        defends |= w.racer.memory.traffic.defends != 0;
    }
    assert_false(w.touched);
    return defends;
}

// The bend turns left.
static void it_does_not_move_over_to_where_another_has_pulled_out_already(void** state) {
    (void)state;
    assert_true(defends_when_followed(0.0f, false));
    assert_true(defends_when_followed(-1.0f, false));
    assert_false(defends_when_followed(1.2f, false));
    assert_false(defends_when_followed(2.5f, false));
    assert_false(defends_when_followed(0.0f, true)); // nor to who is beside it
}

// ------------------------------------------------------------------- interface

#define NEIGHBOURS_MOST 61 // as all others that are told, no multiple of 7

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

// Also where there are more than it minds.
static void the_order_of_neighbours_does_not_matter(void** state) {
    (void)state;
    static const int32_t counts[4] = {KERB_RACER_NEIGHBOURS_MAX, 32, 40, NEIGHBOURS_MOST};
    kerb_random random = test_random("order");
    for (int32_t round = 0; round < 40; round++) {
        kerb_motion motion;
        kerb_racer a = racer_at_start(&motion), b = a;
        int32_t count = counts[round % 4];
        for (int32_t frame = 0; frame < 8; frame++) {
            kerb_neighbour seen[NEIGHBOURS_MOST], turned[NEIGHBOURS_MOST];
            for (int32_t i = 0; i < count; i++)
                seen[i] = any_neighbour(&random, (uint32_t)i, motion.position);
            for (int32_t i = 0; i < count; i++)
                turned[i] = seen[(i * 7 + frame) % count];
            kerb_controls first = drive_once(&a, &motion, seen, count);
            kerb_controls second = drive_once(&b, &motion, turned, count);
            assert_memory_equal(&first.throttle, &second.throttle, sizeof(float));
            assert_memory_equal(&first.brake, &second.brake, sizeof(float));
            assert_memory_equal(&first.steering, &second.steering, sizeof(float));
            assert_true(kerb_is_finite(first.throttle + first.brake + first.steering));
        }
    }
}

// Forty are far ahead, one is right before it: wherever in the row he is told, it brakes for him.
static void of_more_than_it_minds_the_nearest_count(void** state) {
    (void)state;
    for (int32_t place = 0; place <= 40; place += 5) {
        kerb_motion motion;
        kerb_racer racer = racer_at_start(&motion);
        kerb_neighbour seen[41];
        for (int32_t i = 0; i < 41; i++) {
            kerb_neighbour* n = &seen[i];
            *n = (kerb_neighbour){.id = (uint32_t)i,
                                  .position = motion.position,
                                  .forward = {1.0f, 0.0f},
                                  .length = 4.5f,
                                  .width = 1.9f};
            n->position.x += i == place ? 16.0f : 40.0f + 1.0f * (float)i;
            n->velocity.x = i == place ? 15.0f : 20.0f;
        }
        for (int32_t frame = 0; frame < 10; frame++)
            drive_once(&racer, &motion, seen, 41);
        assert_true(racer.controls.brake > 0.3f);
        assert_int_equal(racer.decision.neighbour.id, place);
        assert_true(racer.memory.traffic.known_count <= KERB_RACER_NEIGHBOURS_MAX);
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

int racer_traffic_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_placed_where_the_line_is_nearest),
        cmocka_unit_test(of_those_far_away_only_who_can_matter_is_looked_at),
        cmocka_unit_test(behind_one_that_brakes_with_all_it_has_it_stops_without_touching),
        cmocka_unit_test(it_keeps_farther_behind_who_was_seen_to_brake_harder_than_it_can),
        cmocka_unit_test(where_there_is_no_room_to_pass_it_follows),
        cmocka_unit_test(it_passes_a_slower_car_on_a_straight_and_comes_back_to_the_line),
        cmocka_unit_test(a_way_is_kept_for_one_thought_and_never_beside_another),
        cmocka_unit_test(the_way_of_a_thought_is_laid_in_the_frame_after_it),
        cmocka_unit_test(in_frames_without_a_look_others_go_on_at_their_speeds),
        cmocka_unit_test(who_brakes_in_a_queue_is_not_passed_but_who_brakes_alone_is),
        cmocka_unit_test(it_does_not_move_over_behind_whom_it_is_too_fast_to_follow),
        cmocka_unit_test(it_goes_round_cars_that_stand_on_its_line),
        cmocka_unit_test(it_keeps_clear_of_one_that_comes_towards_it),
        cmocka_unit_test(it_lets_by_who_laps_it_but_not_a_rival),
        cmocka_unit_test(it_lifts_for_who_laps_it),
        cmocka_unit_test(it_lets_by_on_a_straight_who_asks_and_is_better),
        cmocka_unit_test(who_makes_way_does_so_on_straights_and_does_not_ask_meanwhile),
        cmocka_unit_test(only_who_is_directly_behind_is_let_by),
        cmocka_unit_test(its_way_does_not_run_away_from_it_when_another_comes_over),
        cmocka_unit_test(beside_another_its_way_leads_over_no_edge_of_a_hairpin),
        cmocka_unit_test(with_nobody_to_keep_clear_of_it_is_as_fast_beside_its_line_as_alone),
        cmocka_unit_test(who_is_at_his_limit_in_a_bend_is_not_taken_to_keep_inside_of_his_line),
        cmocka_unit_test(side_by_side_before_a_bend_the_outer_one_gives_in),
        cmocka_unit_test(of_two_side_by_side_before_a_bend_exactly_one_gives_in),
        cmocka_unit_test(it_defends_by_one_move_on_a_straight_and_only_with_a_temper),
        cmocka_unit_test(it_does_not_move_over_to_where_another_has_pulled_out_already),
        cmocka_unit_test(the_order_of_neighbours_does_not_matter),
        cmocka_unit_test(of_more_than_it_minds_the_nearest_count),
        cmocka_unit_test(neighbours_that_are_no_bodies_or_the_racer_itself_change_nothing),
        cmocka_unit_test(a_copy_among_others_drives_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
