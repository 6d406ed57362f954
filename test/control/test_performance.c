// The table of a performance, and what its validator refuses.
#include "test/control/profile_rig.h"
#include "test/seed.h"

#include <string.h>

static void the_default_is_the_performance_of_the_default_vehicle(void** state) {
    (void)state;
    const kerb_vehicle vehicle = kerb_vehicle_default();
    const kerb_performance a = kerb_performance_default(), b = kerb_performance_of(&vehicle);
    for (int32_t i = 0; i < kerb_performance_table.count; i++) {
        const kerb_setting* row = &kerb_performance_table.settings[i];
        double of_b = (double)kerb_settings_get(row, &b);
        assert_near((double)kerb_settings_get(row, &a), of_b, 2e-7 * (1.0 + of_b));
    }
    assert_int_equal(kerb_performance_validate(&a, NULL), KERB_OK);
}

static void the_table_has_every_number_once(void** state) {
    (void)state;
    bool seen[sizeof(kerb_performance)] = {false};
    assert_int_equal(kerb_performance_table.size, sizeof(kerb_performance));
    assert_int_equal(kerb_performance_table.count * (int32_t)sizeof(float),
                     sizeof(kerb_performance));
    for (int32_t i = 0; i < kerb_performance_table.count; i++) {
        assert_false(seen[kerb_performance_table.settings[i].offset]);
        seen[kerb_performance_table.settings[i].offset] = true;
    }
}

static void expect_bad(const kerb_performance* p, kerb_result result, const char* field,
                       int32_t index) {
    kerb_error error;
    assert_int_equal(kerb_performance_validate(p, &error), result);
    assert_int_equal(kerb_performance_validate(p, NULL), result);
    assert_int_equal(error.result, result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
    assert_true(error.message[0] != '\0');
}

static void every_number_is_refused_by_field_and_index(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_performance_table.count; i++) {
        const kerb_setting* row = &kerb_performance_table.settings[i];
        size_t first = offsetof(kerb_performance, drive);
        bool is_drive = strncmp(row->name, "drive[", 6) == 0;
        const char* field = is_drive ? "drive" : row->name;
        int32_t index = is_drive ? (int32_t)((row->offset - first) / sizeof(float)) : -1;
        const float values[] = {NAN, INFINITY, -0.1f, nextafterf(row->min, -1.0f)};
        for (int k = 0; k < 4; k++) {
            kerb_performance p = road_car();
            if (row->type == KERB_SETTING_CHOICE)
                p.budget = k < 2 ? -1 : 2;
            else
                memcpy((char*)&p + row->offset, &values[k], sizeof(float));
            bool is_number = row->type == KERB_SETTING_CHOICE || k >= 2;
            expect_bad(&p, is_number ? KERB_ERROR_OUT_OF_RANGE : KERB_ERROR_NOT_FINITE, field,
                       index);
        }
    }
}

static void what_valid_vehicles_can_do_is_valid(void** state) {
    (void)state;
    kerb_random random = test_random("performances");
    int32_t tried = 0;
    for (int n = 0; n < 20000; n++) {
        kerb_vehicle vehicle = kerb_vehicle_default();
        for (int32_t i = 0; i < kerb_vehicle_table.count; i++) {
            const kerb_setting* row = &kerb_vehicle_table.settings[i];
            float share = kerb_random_unit(&random);
            if (row->type == KERB_SETTING_FLOAT && kerb_random_below(&random, 3) == 0)
                kerb_settings_set(row, &vehicle,
                                  share < 0.3f   ? row->min
                                  : share > 0.7f ? row->max
                                                 : row->min + share * (row->max - row->min),
                                  NULL);
        }
        vehicle.speed_max = kerb_max(vehicle.speed_max, 0.1f); // see the table
        if (kerb_vehicle_validate(&vehicle, NULL) != KERB_OK)
            continue;
        kerb_performance p = kerb_performance_of(&vehicle);
        kerb_error error;
        if (kerb_performance_validate(&p, &error) != KERB_OK)
            fail_msg("%s[%d] %s", error.field, (int)error.index, error.message);
        tried++;
    }
    assert_true(tried > 200);
    const kerb_performance point = mass(), wings = winged_car();
    assert_int_equal(kerb_performance_validate(&point, NULL), KERB_OK);
    assert_int_equal(kerb_performance_validate(&wings, NULL), KERB_OK);
}

int performance_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_the_performance_of_the_default_vehicle),
        cmocka_unit_test(the_table_has_every_number_once),
        cmocka_unit_test(every_number_is_refused_by_field_and_index),
        cmocka_unit_test(what_valid_vehicles_can_do_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
