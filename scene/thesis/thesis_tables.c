// Purpose: the tables and figures of the AIPATH thesis, from the searches of thesis.c, beside the
//          thesis's numbers.
// Idea:    Rows by distance are compared one by one. The thesis's "All" rows are unweighted means
//          of the others and are left out; ours count every goal once.
// Source:  AIPATH tables 5.1 to 5.8, figures 4.6, 5.14 to 5.16.
#include "scene/thesis/thesis_parts.h"

#include <math.h>
#include <stddef.h>

#define BUCKETS 7
#define ABSENT ((double)NAN)

static const char* const bucket_labels[BUCKETS + 1] = {"0 - 10",  "10 - 20", "20 - 30", "30 - 40",
                                                       "40 - 50", "50 - 60", "60 - 70", "all"};

typedef struct thesis_tables_mean {
    double sum, squares;
    int64_t count;
} thesis_tables_mean;

static void thesis_tables_add(thesis_tables_mean* m, double value) {
    m->sum += value;
    m->squares += value * value;
    m->count++;
}

static double value_of(const thesis_tables_mean* m) {
    return m->count > 0 ? m->sum / (double)m->count : ABSENT;
}

static double deviation_of(const thesis_tables_mean* m) {
    if (m->count < 1)
        return ABSENT;
    double average = value_of(m);
    return sqrt(fmax(m->squares / (double)m->count - average * average, 0.0));
}

static double share(int64_t part, int64_t all) {
    return all > 0 ? 100.0 * (double)part / (double)all : ABSENT;
}

static double less(double from, double to) {
    return 100.0 * (from - to) / from;
}

static bool is_in(const kerb_scene_thesis_result* r, int32_t bucket) {
    double distance = (double)r->distance;
    return bucket == BUCKETS || (distance >= 10.0 * bucket && distance < 10.0 * (bucket + 1));
}

static kerb_scene_thesis_table thesis_tables_begin(const char* name, const char* title,
                                                   const char* remark, const char* label) {
    kerb_scene_thesis_table t = {.name = name, .title = title, .note = remark, .label = label};
    for (int32_t i = 0; i < KERB_SCENE_THESIS_ROWS; i++)
        for (int32_t k = 0; k < KERB_SCENE_THESIS_COLUMNS; k++)
            t.cells[i][k] = ABSENT;
    return t;
}

static void add_column(kerb_scene_thesis_table* t, const char* key, const char* head,
                       int32_t digits) {
    t->column[t->columns++] = (kerb_scene_thesis_column){key, head, digits};
}

static void label_buckets(kerb_scene_thesis_table* t) {
    t->rows = BUCKETS + 1;
    for (int32_t i = 0; i < t->rows; i++)
        t->labels[i] = bucket_labels[i];
}

// --------------------------------------------------------------------------- 5.1 and 5.2

static kerb_scene_thesis_table curve_widths(const kerb_scene_thesis* thesis) {
    // Length and time; the first row is the ideal line.
    static const double theirs[KERB_SCENE_THESIS_WIDTHS + 1][2] = {
        {12.56, 0.89}, {12.68, 0.73}, {13.38, 0.78}, {13.62, 0.73}, {12.39, 0.65}, {12.39, 0.72},
        {12.32, 0.67}, {12.24, 0.64}, {12.16, 0.71}, {11.69, 0.64}, {11.59, 0.61}};
    kerb_scene_thesis_table t = thesis_tables_begin(
        "5.1", "A right angle of 8 m radius, by usable road width",
        "12.56 m in 0.89 s is 14.1 m/s, above the thesis's own top speed: no target. Ours: "
        "lateral 20 m/s2, from 10 m/s to 10 m/s",
        NULL);
    add_column(&t, "width_m", "width m", 1);
    add_column(&t, "length_m", "length m", 2);
    add_column(&t, "time_s", "takes s", 3);
    add_column(&t, "less_percent", "less %", 2);
    add_column(&t, "thesis_length_m", "thesis m", 2);
    add_column(&t, "thesis_time_s", "thesis s", 2);
    add_column(&t, "thesis_less_percent", "thesis %", 2);
    t.rows = KERB_SCENE_THESIS_WIDTHS + 1;
    double ideal = 0.5 * (double)(KERB_PI * KERB_SCENE_THESIS_RADIUS);
    double time = (double)kerb_scene_thesis_ideal_time((float)ideal);
    for (int32_t i = 0; i < t.rows; i++) {
        double* row = t.cells[i];
        const kerb_scene_thesis_result* r =
            i > 0 ? kerb_scene_thesis_of_width(thesis, i - 1) : NULL;
        row[0] = 0.6 * i;
        if (!r || r->found) {
            row[1] = r ? (double)r->length : ideal;
            row[2] = r ? (double)r->cost : time;
            row[3] = less(time, row[2]);
        }
        row[4] = theirs[i][0];
        row[5] = theirs[i][1];
        row[6] = less(theirs[0][1], theirs[i][1]);
    }
    return t;
}

static kerb_scene_thesis_table curve_kinds(const kerb_scene_thesis* thesis) {
    static const double theirs[KERB_SCENE_THESIS_CURVES] = {230.0, 1161.0, 678.0, 2323.0};
    kerb_scene_thesis_table t =
        thesis_tables_begin("5.2", "Expansions for the curves of the game",
                            "Their shapes are in pictures that are lost: 90 and 135 degrees, "
                            "3 m usable. Not found are speeds and turning radii that the bend "
                            "does not allow. Ours need most for the tight bends, not for "
                            "the long wide one",
                            "curve");
    add_column(&t, "radius_m", "radius m", 0);
    add_column(&t, "angle_deg", "angle deg", 0);
    add_column(&t, "found_percent", "found %", 1);
    add_column(&t, "expansions_mean", "expansions", 0);
    add_column(&t, "cost_mean_s", "takes s", 2);
    add_column(&t, "thesis_expansions_mean", "thesis", 0);
    t.rows = KERB_SCENE_THESIS_CURVES;
    for (int32_t i = 0; i < t.rows; i++) {
        const kerb_scene_thesis_curve* c = &kerb_scene_thesis_curves[i];
        const kerb_scene_thesis_result* r = kerb_scene_thesis_of_curve(thesis, i);
        thesis_tables_mean expansions = {0}, cost = {0};
        for (int32_t k = 0; k < thesis->goals; k++) {
            if (r[k].found) {
                thesis_tables_add(&expansions, r[k].expansions);
                thesis_tables_add(&cost, (double)r[k].cost);
            }
        }
        const double row[] = {
            (double)c->radius,     fabs((double)c->degrees), share(expansions.count, thesis->goals),
            value_of(&expansions), value_of(&cost),          theirs[i]};
        t.labels[i] = c->name;
        for (int32_t k = 0; k < t.columns; k++)
            t.cells[i][k] = row[k];
    }
    return t;
}

// --------------------------------------------------------------------------- 5.3 and 5.4

// Goals that both variants have reached, of a bucket.
typedef struct pairing {
    thesis_tables_mean first, second;
    int64_t goals, first_found, second_found;
} pairing;

static pairing thesis_tables_pair_up(const kerb_scene_thesis* thesis, int32_t first, int32_t second,
                                     int32_t bucket, bool by_cost) {
    const kerb_scene_thesis_result* a = kerb_scene_thesis_of_variant(thesis, first);
    const kerb_scene_thesis_result* b = kerb_scene_thesis_of_variant(thesis, second);
    pairing p = {0};
    for (int32_t i = 0; i < thesis->goals; i++) {
        if (!is_in(&a[i], bucket))
            continue;
        p.goals++;
        p.first_found += a[i].found;
        p.second_found += b[i].found;
        if (!a[i].found || !b[i].found)
            continue;
        thesis_tables_add(&p.first, by_cost ? (double)a[i].cost : a[i].expansions);
        thesis_tables_add(&p.second, by_cost ? (double)b[i].cost : b[i].expansions);
    }
    return p;
}

static kerb_scene_thesis_table by_heuristic(const kerb_scene_thesis* thesis, bool by_cost) {
    static const double theirs[2][BUCKETS][2] = {{{13651, 842},
                                                  {18961, 705},
                                                  {21393, 868},
                                                  {35344, 585},
                                                  {48894, 732},
                                                  {49854, 1051},
                                                  {51566, 1160}},
                                                 {{12.53, 11.89},
                                                  {12.19, 11.60},
                                                  {11.94, 11.66},
                                                  {12.47, 12.32},
                                                  {14.29, 14.07},
                                                  {16.32, 16.04},
                                                  {17.98, 17.69}}};
    kerb_scene_thesis_table t =
        by_cost ? thesis_tables_begin(
                      "5.4", "Time of the plans, by heuristic",
                      "Goals that both have found. The thesis's plans are 1 to 5 % faster with the "
                      "estimate of time, ours as fast: raised by half, it is content with plans "
                      "that the lower estimate still improves",
                      "distance_m")
                : thesis_tables_begin(
                      "5.3", "Expansions, by heuristic",
                      "Goals that both have found; \"0 - 50\" in the thesis's 5.3 is 40 - 50. The "
                      "same sign, and more on long ways; less than there on short ones, where ends "
                      "at speed need manoeuvres that neither estimate knows",
                      "distance_m");
    int32_t digits = by_cost ? 2 : 0;
    add_column(&t, "count", "goals", 0);
    add_column(&t, by_cost ? "distance_cost_mean_s" : "distance_expansions_mean", "distance",
               digits);
    add_column(&t, by_cost ? "time_cost_mean_s" : "time_expansions_mean", "time", digits);
    add_column(&t, "less_percent", "less %", 2);
    add_column(&t, "distance_found_percent", "found %", 1);
    add_column(&t, "time_found_percent", "found %", 1);
    add_column(&t, by_cost ? "thesis_distance_cost_mean_s" : "thesis_distance_expansions_mean",
               "thesis d.", digits);
    add_column(&t, by_cost ? "thesis_time_cost_mean_s" : "thesis_time_expansions_mean", "thesis t.",
               digits);
    add_column(&t, "thesis_less_percent", "thesis %", 2);
    label_buckets(&t);
    for (int32_t i = 0; i < t.rows; i++) {
        pairing p = thesis_tables_pair_up(thesis, KERB_SCENE_THESIS_BY_DISTANCE,
                                          KERB_SCENE_THESIS_BY_TIME, i, by_cost);
        double* row = t.cells[i];
        row[0] = (double)p.first.count;
        row[1] = value_of(&p.first);
        row[2] = value_of(&p.second);
        row[3] = less(row[1], row[2]);
        row[4] = share(p.first_found, p.goals);
        row[5] = share(p.second_found, p.goals);
        if (i < BUCKETS) {
            row[6] = theirs[by_cost][i][0];
            row[7] = theirs[by_cost][i][1];
            row[8] = less(row[6], row[7]);
        }
    }
    return t;
}

// --------------------------------------------------------------------------- 5.5, 5.6, 5.14

typedef struct cell_sums {
    thesis_tables_mean expansions, cost;
    int64_t found;
} cell_sums;

// Of goals that are found with this size, as in the thesis.
static cell_sums sums_of_cell(const kerb_scene_thesis* thesis, int32_t variant) {
    const kerb_scene_thesis_result* r = kerb_scene_thesis_of_variant(thesis, variant);
    cell_sums s = {0};
    for (int32_t i = 0; i < thesis->goals; i++) {
        if (!r[i].found)
            continue;
        s.found++;
        thesis_tables_add(&s.expansions, r[i].expansions);
        thesis_tables_add(&s.cost, (double)r[i].cost);
    }
    return s;
}

static kerb_scene_thesis_table by_cell(const kerb_scene_thesis* thesis, bool by_cost) {
    static const double theirs[2][KERB_SCENE_THESIS_CELLS][2] = {{{2036, 2241},
                                                                  {1279, 1602},
                                                                  {1085, 1383},
                                                                  {1047, 1353},
                                                                  {1083, 1386},
                                                                  {1024, 1180},
                                                                  {978, 1295},
                                                                  {1076, 1560},
                                                                  {843, 1252},
                                                                  {879, 1340},
                                                                  {933, 1366},
                                                                  {1020, 1457},
                                                                  {1002, 1318},
                                                                  {1133, 1363}},
                                                                 {{19.46, 7.56},
                                                                  {19.45, 7.57},
                                                                  {19.45, 7.54},
                                                                  {19.48, 7.53},
                                                                  {19.51, 7.47},
                                                                  {19.49, 7.38},
                                                                  {19.35, 7.39},
                                                                  {19.38, 7.58},
                                                                  {19.06, 7.50},
                                                                  {18.97, 7.47},
                                                                  {19.03, 7.63},
                                                                  {19.06, 7.85},
                                                                  {19.16, 8.22},
                                                                  {19.24, 8.38}}};
    const char* remark =
        "Goals that were found with this size; figures 5.12 and 5.13 plot them. "
        "Ours are faster plans, of goals at speed, and fail with fine cells, where "
        "the test for the goal is fine, too";
    kerb_scene_thesis_table t =
        by_cost ? thesis_tables_begin("5.6", "Time of the plans, by size of cells", remark, NULL)
                : thesis_tables_begin("5.5", "Expansions, by size of cells", remark, NULL);
    int32_t digits = by_cost ? 2 : 0;
    add_column(&t, "cell_m", "cell m", 1);
    add_column(&t, by_cost ? "cost_mean_s" : "expansions_mean", "mean", digits);
    add_column(&t, by_cost ? "cost_sigma_s" : "expansions_sigma", "sigma", digits);
    add_column(&t, "found_percent", "found %", 1);
    add_column(&t, by_cost ? "thesis_cost_mean_s" : "thesis_expansions_mean", "thesis", digits);
    add_column(&t, by_cost ? "thesis_cost_sigma_s" : "thesis_expansions_sigma", "sigma", digits);
    t.rows = KERB_SCENE_THESIS_CELLS;
    for (int32_t i = 0; i < t.rows; i++) {
        cell_sums s = sums_of_cell(thesis, KERB_SCENE_THESIS_CELL_0 + i);
        const thesis_tables_mean* m = by_cost ? &s.cost : &s.expansions;
        const double row[] = {
            kerb_scene_thesis_cells[i],    value_of(m),           deviation_of(m),
            share(s.found, thesis->goals), theirs[by_cost][i][0], theirs[by_cost][i][1]};
        for (int32_t k = 0; k < t.columns; k++)
            t.cells[i][k] = row[k];
    }
    return t;
}

static kerb_scene_thesis_table failures_by_cell(const kerb_scene_thesis* thesis) {
    kerb_scene_thesis_table t =
        thesis_tables_begin("5.14", "Failed searches, by size of cells",
                            "The thesis plots it without numbers: more with larger cells", NULL);
    add_column(&t, "cell_m", "cell m", 1);
    add_column(&t, "failed_percent", "failed %", 1);
    t.rows = KERB_SCENE_THESIS_CELLS;
    for (int32_t i = 0; i < t.rows; i++) {
        cell_sums s = sums_of_cell(thesis, KERB_SCENE_THESIS_CELL_0 + i);
        t.cells[i][0] = kerb_scene_thesis_cells[i];
        t.cells[i][1] = 100.0 - share(s.found, thesis->goals);
    }
    return t;
}

// --------------------------------------------------------------------------- 5.7, 5.8, 5.16

static const char* const slow_remark =
    "Goals as in 5.7 and 5.8, with a top speed of 2 m/s: so fast are the thesis's plans of 5.8, "
    "31.7 s for 60 to 70 m. At this speed nothing is overshot";

static const kerb_scene_thesis_result* probing_search(const kerb_scene_thesis* t, bool is_slow) {
    return kerb_scene_thesis_of_variant(t, is_slow ? KERB_SCENE_THESIS_SLOW
                                                   : KERB_SCENE_THESIS_BY_TIME);
}

static const kerb_scene_thesis_result* probing_probe(const kerb_scene_thesis* t, bool is_slow) {
    return kerb_scene_thesis_of_variant(t, is_slow ? KERB_SCENE_THESIS_SLOW_PROBE
                                                   : KERB_SCENE_THESIS_PROBE);
}

static kerb_scene_thesis_table probing_work(const kerb_scene_thesis* thesis, bool is_slow) {
    static const double theirs[BUCKETS][2] = {{1442, 25}, {3961, 34},  {6770, 39}, {7653, 44},
                                              {9141, 49}, {15140, 56}, {11152, 73}};
    kerb_scene_thesis_table t =
        is_slow ? thesis_tables_begin("5.7-slow", "Expansions of A* and of the probe at 2 m/s",
                                      slow_remark, "distance_m")
                : thesis_tables_begin("5.7", "Expansions of A* and of the probe",
                                      "Goals that A* has found. The same order; most probes "
                                      "stop short of the goal (5.16)",
                                      "distance_m");
    add_column(&t, "count", "goals", 0);
    add_column(&t, "expansions_mean", "A*", 0);
    add_column(&t, "probe_expansions_mean", "probe", 1);
    add_column(&t, "less_percent", "less %", 2);
    add_column(&t, "seeded_expansions_mean", "A* after it", 0);
    add_column(&t, "thesis_expansions_mean", "thesis A*", 0);
    add_column(&t, "thesis_probe_expansions_mean", "probe", 0);
    add_column(&t, "thesis_less_percent", "thesis %", 2);
    label_buckets(&t);
    const kerb_scene_thesis_result* a = probing_search(thesis, is_slow);
    const kerb_scene_thesis_result* p = probing_probe(thesis, is_slow);
    const kerb_scene_thesis_result* b =
        kerb_scene_thesis_of_variant(thesis, KERB_SCENE_THESIS_PROBE_FIRST);
    for (int32_t i = 0; i < t.rows; i++) {
        thesis_tables_mean search = {0}, probe = {0}, seeded = {0};
        for (int32_t k = 0; k < thesis->goals; k++) {
            if (!is_in(&a[k], i) || !a[k].found)
                continue;
            thesis_tables_add(&search, a[k].expansions);
            thesis_tables_add(&probe, p[k].expansions);
            if (!is_slow && b[k].found)
                thesis_tables_add(&seeded, b[k].expansions);
        }
        double* row = t.cells[i];
        row[0] = (double)search.count;
        row[1] = value_of(&search);
        row[2] = value_of(&probe);
        row[3] = less(row[1], row[2]);
        row[4] = value_of(&seeded);
        if (i < BUCKETS) {
            row[5] = theirs[i][0];
            row[6] = theirs[i][1];
            row[7] = less(row[5], row[6]);
        }
    }
    return t;
}

static kerb_scene_thesis_table probing_cost(const kerb_scene_thesis* thesis, bool is_slow) {
    static const double theirs[BUCKETS][2] = {{2.46, 15.37},  {7.22, 11.04},  {12.00, 14.50},
                                              {16.82, 19.11}, {21.29, 23.31}, {25.62, 27.41},
                                              {31.70, 33.21}};
    kerb_scene_thesis_table t =
        is_slow
            ? thesis_tables_begin("5.8-slow", "Time of the plans of A* and of the probe at 2 m/s",
                                  slow_remark, "distance_m")
            : thesis_tables_begin(
                  "5.8", "Time of the plans of A* and of the probe",
                  "Goals that A* has found and for which the probe has come to the cell beside; "
                  "the thesis divides its overhead by the probe's time, here it is by A*'s",
                  "distance_m");
    add_column(&t, "count", "goals", 0);
    add_column(&t, "cost_mean_s", "A* s", 2);
    add_column(&t, "probe_cost_mean_s", "probe s", 2);
    add_column(&t, "overhead_percent", "more %", 2);
    add_column(&t, "overhead_sigma_percent", "sigma %", 2);
    add_column(&t, "thesis_cost_mean_s", "thesis A*", 2);
    add_column(&t, "thesis_probe_cost_mean_s", "probe", 2);
    add_column(&t, "thesis_overhead_percent", "thesis %", 2);
    label_buckets(&t);
    const kerb_scene_thesis_result* a = probing_search(thesis, is_slow);
    const kerb_scene_thesis_result* p = probing_probe(thesis, is_slow);
    for (int32_t i = 0; i < t.rows; i++) {
        thesis_tables_mean search = {0}, probe = {0}, more = {0};
        for (int32_t k = 0; k < thesis->goals; k++) {
            if (!is_in(&a[k], i) || !a[k].found || !kerb_scene_thesis_comes_beside(&p[k]))
                continue;
            thesis_tables_add(&search, (double)a[k].cost);
            thesis_tables_add(&probe, (double)p[k].cost);
            if (a[k].cost > 0.0f)
                thesis_tables_add(&more, 100.0 * (double)((p[k].cost - a[k].cost) / a[k].cost));
        }
        double* row = t.cells[i];
        row[0] = (double)search.count;
        row[1] = value_of(&search);
        row[2] = value_of(&probe);
        row[3] = -less(row[1], row[2]);
        row[4] = deviation_of(&more);
        if (i < BUCKETS) {
            row[5] = theirs[i][0];
            row[6] = theirs[i][1];
            row[7] = -less(row[5], row[6]);
        }
    }
    return t;
}

// The same question for Kerb's own settings, which end exactly at the goal.
static kerb_scene_thesis_table probing_by_kerb(const kerb_scene_thesis* thesis) {
    kerb_scene_thesis_table t = thesis_tables_begin(
        "5.8-kerb", "Time of the plans of Kerb's search after 100 expansions and after 20,000",
        "With a probe, analytic paths to the goal and falling weights; goals that both have found",
        "distance_m");
    add_column(&t, "count", "goals", 0);
    add_column(&t, "cost_mean_s", "long s", 3);
    add_column(&t, "quick_cost_mean_s", "quick s", 3);
    add_column(&t, "overhead_percent", "more %", 2);
    add_column(&t, "quick_expansions_mean", "quick exp.", 1);
    add_column(&t, "quick_found_percent", "found %", 1);
    label_buckets(&t);
    const kerb_scene_thesis_result* quick =
        kerb_scene_thesis_of_variant(thesis, KERB_SCENE_THESIS_QUICK);
    for (int32_t i = 0; i < t.rows; i++) {
        pairing p =
            thesis_tables_pair_up(thesis, KERB_SCENE_THESIS_LONG, KERB_SCENE_THESIS_QUICK, i, true);
        thesis_tables_mean work = {0};
        for (int32_t k = 0; k < thesis->goals; k++)
            if (is_in(&quick[k], i))
                thesis_tables_add(&work, quick[k].expansions);
        const double row[] = {(double)p.first.count, value_of(&p.first),
                              value_of(&p.second),   -less(value_of(&p.first), value_of(&p.second)),
                              value_of(&work),       share(p.second_found, p.goals)};
        for (int32_t k = 0; k < t.columns; k++)
            t.cells[i][k] = row[k];
    }
    return t;
}

static kerb_scene_thesis_table probing_ends(const kerb_scene_thesis* thesis) {
    kerb_scene_thesis_table t =
        thesis_tables_begin("5.16", "Where probes end",
                            "The thesis: always in the goal's cell or one beside it. Not "
                            "so here: behind the last place to begin the final turn nothing "
                            "looks better, and the estimate knows no lateral limit",
                            "distance_m");
    add_column(&t, "count", "goals", 0);
    add_column(&t, "short_mean_m", "short m", 2);
    add_column(&t, "beside_percent", "beside %", 1);
    add_column(&t, "found_percent", "at goal %", 1);
    label_buckets(&t);
    const kerb_scene_thesis_result* p =
        kerb_scene_thesis_of_variant(thesis, KERB_SCENE_THESIS_PROBE);
    for (int32_t i = 0; i < t.rows; i++) {
        thesis_tables_mean short_of = {0};
        int64_t beside = 0, found = 0;
        for (int32_t k = 0; k < thesis->goals; k++) {
            if (!is_in(&p[k], i))
                continue;
            thesis_tables_add(&short_of, (double)p[k].short_of);
            beside += kerb_scene_thesis_comes_beside(&p[k]);
            found += p[k].found;
        }
        t.cells[i][0] = (double)short_of.count;
        t.cells[i][1] = value_of(&short_of);
        t.cells[i][2] = share(beside, short_of.count);
        t.cells[i][3] = share(found, short_of.count);
    }
    return t;
}

// --------------------------------------------------------------------------- variants beside

static void add_variant(kerb_scene_thesis_table* t, const kerb_scene_thesis* thesis,
                        const char* label, int32_t variant) {
    pairing expansions =
        thesis_tables_pair_up(thesis, KERB_SCENE_THESIS_BY_TIME, variant, BUCKETS, false);
    pairing cost = thesis_tables_pair_up(thesis, KERB_SCENE_THESIS_BY_TIME, variant, BUCKETS, true);
    double* row = t->cells[t->rows];
    t->labels[t->rows++] = label;
    row[0] = share(expansions.second_found, expansions.goals);
    row[1] = (double)expansions.first.count;
    row[2] = value_of(&expansions.first);
    row[3] = value_of(&expansions.second);
    row[4] = value_of(&cost.first);
    row[5] = value_of(&cost.second);
}

static kerb_scene_thesis_table begin_variants(const char* name, const char* title,
                                              const char* remark) {
    kerb_scene_thesis_table t = thesis_tables_begin(name, title, remark, "variant");
    add_column(&t, "found_percent", "found %", 1);
    add_column(&t, "both_count", "both", 0);
    add_column(&t, "base_expansions_mean", "first's exp.", 0);
    add_column(&t, "expansions_mean", "its exp.", 0);
    add_column(&t, "base_cost_mean_s", "first's s", 3);
    add_column(&t, "cost_mean_s", "its s", 3);
    return t;
}

static kerb_scene_thesis_table by_direction(const kerb_scene_thesis* thesis) {
    kerb_scene_thesis_table t =
        begin_variants("5.15", "Directional discretization",
                       "Over goals that the first has found as well. The thesis: 22868 expansions "
                       "with 1 degree, 5307 with 2");
    add_variant(&t, thesis, "1 degree", KERB_SCENE_THESIS_BY_TIME);
    add_variant(&t, thesis, "2 degrees", KERB_SCENE_THESIS_2_DEGREES);
    add_variant(&t, thesis, "10 degrees", KERB_SCENE_THESIS_10_DEGREES);
    return t;
}

static kerb_scene_thesis_table by_time_use(const kerb_scene_thesis* thesis) {
    kerb_scene_thesis_table t = begin_variants("4.3.6", "Temporal discretization, 0.1 s",
                                               "Over goals that the first has found as well");
    add_variant(&t, thesis, "exact", KERB_SCENE_THESIS_BY_TIME);
    add_variant(&t, thesis, "rounded", KERB_SCENE_THESIS_ROUNDED);
    add_variant(&t, thesis, "in the state", KERB_SCENE_THESIS_TIMED);
    return t;
}

static kerb_scene_thesis_table by_choice(const kerb_scene_thesis* thesis) {
    kerb_scene_thesis_table t = begin_variants(
        "choices", "What the thesis leaves open, and what goes beyond it",
        "Over goals that the first has found as well; the last ends exactly at the goal, the "
        "others within 0.36 m, 1 degree and 0.1 m/s");
    add_variant(&t, thesis, "the thesis", KERB_SCENE_THESIS_BY_TIME);
    add_variant(&t, thesis, "admissible bound", KERB_SCENE_THESIS_ADMISSIBLE);
    add_variant(&t, thesis, "ranked by cost", KERB_SCENE_THESIS_RANK_COST);
    add_variant(&t, thesis, "not raised", KERB_SCENE_THESIS_WEIGHT_1);
    add_variant(&t, thesis, "analytic, weights", KERB_SCENE_THESIS_SHOTS);
    return t;
}

// --------------------------------------------------------------------------- 4.6

// Of the shortest way of two turns over the straight line, over all bearings and headings, radius
// 1. (eq. 4.2, in steps of 10 degrees)
static double offset_at(float distance) {
    const kerb_pose from = kerb_pose_make(0.0f, 0.0f, 0.0f);
    double sum = 0.0;
    for (int32_t a = 0; a < 36; a++) {
        float bearing = ((float)a + 0.5f) * KERB_PI / 18.0f, sine, cosine;
        kerb_sin_cos(bearing, &sine, &cosine);
        for (int32_t b = 0; b < 36; b++) {
            kerb_pose to = kerb_pose_make(distance * cosine, distance * sine,
                                          ((float)b + 0.5f) * KERB_PI / 18.0f);
            sum += (double)kerb_dubins_length_csc(from, to, 1.0f);
        }
    }
    return sum / (36.0 * 36.0) - (double)distance;
}

static kerb_scene_thesis_table offsets(void) {
    kerb_scene_thesis_table t = thesis_tables_begin(
        "4.6", "Mean path over the straight line, by distance",
        "In smallest radii. The thesis: about 2 beyond 4 radii, by eye from its figure", NULL);
    add_column(&t, "distance_radii", "distance", 0);
    add_column(&t, "offset_radii", "longer by", 3);
    t.rows = 13;
    for (int32_t i = 0; i < t.rows; i++) {
        t.cells[i][0] = i;
        t.cells[i][1] = offset_at((float)i);
    }
    return t;
}

kerb_scene_thesis_table kerb_scene_thesis_tabulate(const kerb_scene_thesis* thesis,
                                                   int32_t number) {
    switch (number) {
    case 0:
        return curve_widths(thesis);
    case 1:
        return curve_kinds(thesis);
    case 2:
        return by_heuristic(thesis, false);
    case 3:
        return by_heuristic(thesis, true);
    case 4:
        return by_cell(thesis, false);
    case 5:
        return by_cell(thesis, true);
    case 6:
        return probing_work(thesis, false);
    case 7:
        return probing_cost(thesis, false);
    case 8:
        return offsets();
    case 9:
        return failures_by_cell(thesis);
    case 10:
        return by_direction(thesis);
    case 11:
        return probing_ends(thesis);
    case 12:
        return by_time_use(thesis);
    case 13:
        return probing_work(thesis, true);
    case 14:
        return probing_cost(thesis, true);
    case 15:
        return probing_by_kerb(thesis);
    default:
        return by_choice(thesis);
    }
}
