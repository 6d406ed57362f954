// Conversion from and to four engines' axes: poses known from each engine's documentation, and
// properties that hold for every rotation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/math.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

static const float quarter_turn = 0.5f * KERB_PI;
static const float sixth = 0.52359878f; // 30°

static void assert_vector(kerb_vec3 v, float x, float y, float z, float tolerance) {
    if (!(kerb_abs(v.x - x) <= tolerance && kerb_abs(v.y - y) <= tolerance &&
          kerb_abs(v.z - z) <= tolerance))
        fail_msg("(%g, %g, %g) is not (%g, %g, %g)", (double)v.x, (double)v.y, (double)v.z,
                 (double)x, (double)y, (double)z);
}

static void assert_same(kerb_vec3 a, kerb_vec3 b, float tolerance) {
    assert_vector(a, b.x, b.y, b.z, tolerance);
}

// As rotations: q and -q are the same.
static void assert_rotation(kerb_quat a, kerb_quat b) {
    assert_same(kerb_quat_forward(a), kerb_quat_forward(b), 2e-6f);
    assert_same(kerb_quat_left(a), kerb_quat_left(b), 2e-6f);
}

// The quaternion as the engine writes it: the formula is the same in left-handed axes, where the
// same numbers turn the other way as seen from outside.
static kerb_quat about_axis(float x, float y, float z, float angle) {
    float sine, cosine;
    kerb_sin_cos(0.5f * angle, &sine, &cosine);
    kerb_quat q = {x * sine, y * sine, z * sine, cosine};
    return q;
}

// ------------------------------------------------------------------- known poses

static void unity_poses_are_understood(void** state) {
    (void)state;
    kerb_axes unity = kerb_axes_unity();
    // 3 m right, 1 m up, 10 m forward.
    assert_vector(kerb_position_from(&unity, kerb_vec3_make(3, 1, 10)), 10, -3, 1, 0.0f);
    // Euler y = 90° looks right.
    kerb_quat right = about_axis(0, 1, 0, quarter_turn);
    assert_rotation(kerb_rotation_from(&unity, right), kerb_quat_from_heading(-quarter_turn));
    // Euler x = 30° looks down.
    kerb_quat down = about_axis(1, 0, 0, sixth);
    assert_rotation(kerb_rotation_from(&unity, down), kerb_quat_from_angles(0, sixth, 0));
    // Euler z = 30° lifts the right side.
    kerb_quat lean = about_axis(0, 0, 1, sixth);
    assert_rotation(kerb_rotation_from(&unity, lean), kerb_quat_from_angles(0, 0, -sixth));
    // Positive angular velocity about y turns right.
    assert_vector(kerb_angular_velocity_from(&unity, kerb_vec3_make(0, 2, 0)), 0, 0, -2, 0.0f);
}

static void unreal_poses_are_understood(void** state) {
    (void)state;
    kerb_axes unreal = kerb_axes_unreal();
    // 10 m forward, 3 m right, 1 m up, in centimetres.
    assert_vector(kerb_position_from(&unreal, kerb_vec3_make(1000, 300, 100)), 10, -3, 1, 1e-6f);
    // Yaw 90° looks right.
    kerb_quat right = about_axis(0, 0, 1, quarter_turn);
    assert_rotation(kerb_rotation_from(&unreal, right), kerb_quat_from_heading(-quarter_turn));
    // FRotator's pitch 30° looks up; FRotator::Quaternion then has Y = -sin 15°.
    kerb_quat up = about_axis(0, -1, 0, sixth);
    assert_rotation(kerb_rotation_from(&unreal, up), kerb_quat_from_angles(0, -sixth, 0));
    // Roll 30° lowers the right side; the quaternion has X = -sin 15°.
    kerb_quat lean = about_axis(-1, 0, 0, sixth);
    assert_rotation(kerb_rotation_from(&unreal, lean), kerb_quat_from_angles(0, 0, sixth));
    assert_vector(kerb_angular_velocity_from(&unreal, kerb_vec3_make(0, 0, 2)), 0, 0, -2, 0.0f);
    // Directions and turning have no unit of length.
    assert_vector(kerb_direction_from(&unreal, kerb_vec3_make(0, 1, 0)), 0, -1, 0, 0.0f);
}

static void godot_poses_are_understood(void** state) {
    (void)state;
    kerb_axes godot = kerb_axes_godot();
    // 3 m right, 1 m up, 10 m forward, which is -z.
    assert_vector(kerb_position_from(&godot, kerb_vec3_make(3, 1, -10)), 10, -3, 1, 0.0f);
    // rotation.y = 90° looks left.
    kerb_quat left = about_axis(0, 1, 0, quarter_turn);
    assert_rotation(kerb_rotation_from(&godot, left), kerb_quat_from_heading(quarter_turn));
    // rotation.x = 30° looks up.
    kerb_quat up = about_axis(1, 0, 0, sixth);
    assert_rotation(kerb_rotation_from(&godot, up), kerb_quat_from_angles(0, -sixth, 0));
    assert_vector(kerb_angular_velocity_from(&godot, kerb_vec3_make(0, 2, 0)), 0, 0, 2, 0.0f);
}

static void gltf_poses_are_understood(void** state) {
    (void)state;
    kerb_axes gltf = kerb_axes_gltf();
    // 3 m left, 1 m up, 10 m forward: the front of a glTF asset faces +z, its right is -x.
    assert_vector(kerb_position_from(&gltf, kerb_vec3_make(3, 1, 10)), 10, 3, 1, 0.0f);
    kerb_quat left = about_axis(0, 1, 0, quarter_turn);
    assert_rotation(kerb_rotation_from(&gltf, left), kerb_quat_from_heading(quarter_turn));
    // About x, its left, by the right hand: looks down.
    kerb_quat down = about_axis(1, 0, 0, sixth);
    assert_rotation(kerb_rotation_from(&gltf, down), kerb_quat_from_angles(0, sixth, 0));
    assert_vector(kerb_angular_velocity_from(&gltf, kerb_vec3_make(0, 2, 0)), 0, 0, 2, 0.0f);
}

static void no_rotation_is_none_in_every_engine(void** state) {
    (void)state;
    const kerb_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    kerb_axes engines[] = {kerb_axes_unity(), kerb_axes_unreal(), kerb_axes_godot(),
                           kerb_axes_gltf()};
    for (int i = 0; i < 4; i++)
        assert_rotation(kerb_rotation_from(&engines[i], none), none);
}

// ------------------------------------------------------------------- every engine, any rotation

typedef void property(const kerb_axes* axes, kerb_quat theirs, kerb_vec3 a, kerb_vec3 b);

static float random_part(kerb_random* random) {
    return kerb_random_between(random, -1.0f, 1.0f);
}

static kerb_vec3 random_vector(kerb_random* random) {
    return kerb_vec3_make(random_part(random), random_part(random), random_part(random));
}

static void check_in_all_engines(const char* name, property* check) {
    kerb_axes engines[] = {kerb_axes_unity(), kerb_axes_unreal(), kerb_axes_godot(),
                           kerb_axes_gltf()};
    kerb_random random = test_random(name);
    for (int i = 0; i < 20000; i++) {
        kerb_vec3 axis = kerb_vec3_unit(random_vector(&random), kerb_vec3_make(1, 0, 0));
        float angle = kerb_random_between(&random, -KERB_PI, KERB_PI);
        kerb_quat theirs = about_axis(axis.x, axis.y, axis.z, angle);
        kerb_vec3 a = random_vector(&random), b = random_vector(&random);
        for (int e = 0; e < 4; e++)
            check(&engines[e], theirs, a, b);
    }
}

static void check_round_trips(const kerb_axes* axes, kerb_quat theirs, kerb_vec3 a, kerb_vec3 b) {
    (void)b;
    assert_same(kerb_position_to(axes, kerb_position_from(axes, a)), a, 2e-7f);
    assert_same(kerb_direction_to(axes, kerb_direction_from(axes, a)), a, 0.0f);
    assert_same(kerb_angular_velocity_to(axes, kerb_angular_velocity_from(axes, a)), a, 0.0f);
    kerb_quat back = kerb_rotation_to(axes, kerb_rotation_from(axes, theirs));
    assert_true(back.x == theirs.x && back.y == theirs.y && back.z == theirs.z &&
                back.w == theirs.w);
}

static void what_goes_there_and_back_is_the_same(void** state) {
    (void)state;
    check_in_all_engines("round trips", check_round_trips);
}

static void check_rotating(const kerb_axes* axes, kerb_quat theirs, kerb_vec3 a, kerb_vec3 b) {
    (void)b;
    kerb_vec3 rotated_then_converted = kerb_direction_from(axes, kerb_quat_rotate(theirs, a));
    kerb_vec3 converted_then_rotated =
        kerb_quat_rotate(kerb_rotation_from(axes, theirs), kerb_direction_from(axes, a));
    assert_same(rotated_then_converted, converted_then_rotated, 2e-6f);
}

static void rotating_before_or_after_converting_is_the_same(void** state) {
    (void)state;
    check_in_all_engines("rotating", check_rotating);
}

static void check_turning(const kerb_axes* axes, kerb_quat theirs, kerb_vec3 a, kerb_vec3 b) {
    (void)theirs;
    // The velocity of a point b of a body that turns by a: every engine computes a × b.
    kerb_vec3 velocity = kerb_direction_from(axes, kerb_vec3_cross(a, b));
    kerb_vec3 ours =
        kerb_vec3_cross(kerb_angular_velocity_from(axes, a), kerb_direction_from(axes, b));
    assert_same(velocity, ours, 1e-6f);
}

static void a_turning_body_moves_the_same_way_in_both(void** state) {
    (void)state;
    check_in_all_engines("turning", check_turning);
}

static void check_lengths(const kerb_axes* axes, kerb_quat theirs, kerb_vec3 a, kerb_vec3 b) {
    (void)theirs;
    kerb_vec3 from = kerb_position_from(axes, a), to = kerb_position_from(axes, b);
    float theirs_apart = kerb_vec3_length(kerb_vec3_sub(a, b));
    float ours_apart = kerb_vec3_length(kerb_vec3_sub(from, to));
    assert_true(kerb_abs(ours_apart - theirs_apart * axes->unit) <= 1e-6f);
}

static void distances_differ_by_the_unit_alone(void** state) {
    (void)state;
    check_in_all_engines("lengths", check_lengths);
}

int axes_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unity_poses_are_understood),
        cmocka_unit_test(unreal_poses_are_understood),
        cmocka_unit_test(godot_poses_are_understood),
        cmocka_unit_test(gltf_poses_are_understood),
        cmocka_unit_test(no_rotation_is_none_in_every_engine),
        cmocka_unit_test(what_goes_there_and_back_is_the_same),
        cmocka_unit_test(rotating_before_or_after_converting_is_the_same),
        cmocka_unit_test(a_turning_body_moves_the_same_way_in_both),
        cmocka_unit_test(distances_differ_by_the_unit_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
