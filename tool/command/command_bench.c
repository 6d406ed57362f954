// `kerb bench`: runs the requested rows, one after another on this thread, and prints the results.
#include "tool/command/command_bench.h"

#include "tool/bench/bench_rows.h"
#include "tool/command/outputs.h"
#include "tool/report/json_report.h"

#include <cjson/cJSON.h>
#include <string.h>

typedef struct bench_options {
    tool_words names;
    bool json, quiet, list;
    int64_t seed;
} bench_options;

static const tool_option command_bench_options[] = {
    TOOL_FLAG(bench_options, list, "list", "lists the rows and what each times"),
    TOOL_FLAG(bench_options, json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_FLAG(bench_options, quiet, "quiet", "no table; errors are still printed"),
    TOOL_WHOLE(bench_options, seed, "seed", "N", 0, TOOL_SEED_MAX,
               "seed of all random numbers (default 0)"),
};

static const tool_example command_bench_examples[] = {
    {"bench", "every row; takes some minutes"},
    {"bench follower_drive racer_drive", "two of them"},
    {"bench --list", "what each row times"},
    {0},
};

const tool_command tool_command_bench = {
    .name = "bench",
    .summary = "times kernels and drivers, in nanoseconds per call or item",
    TOOL_COMMAND_OPTIONS(command_bench),
    .operands = "[NAME...]",
    .operands_offset = offsetof(bench_options, names),
    .words = &tool_words_rows,
    .explanation = "Without names it runs every row. Times are wall times of this machine: close "
                   "other programs, "
                   "and compare only what ran on the same machine.",
};

typedef struct command_bench_measured {
    const tool_bench_row* row;
    tool_bench_figure figure;
} command_bench_measured;

static const char* row_name(const void* context, int32_t i) {
    return ((const tool_bench_row*)context)[i].name;
}

static tool_status check_names(const tool_words* names) {
    for (int32_t i = 0; i < names->count; i++) {
        bool known = false;
        for (int32_t k = 0; k < tool_bench_row_count; k++)
            known = known || strcmp(tool_bench_rows[k].name, names->word[i]) == 0;
        if (known)
            continue;
        const char* nearest =
            tool_nearest_word(names->word[i], row_name, tool_bench_rows, tool_bench_row_count);
        return tool_complain("bench: unknown row '%s' (%s%s%s)", names->word[i],
                             nearest ? "did you mean " : "kerb bench --list lists them",
                             nearest ? nearest : "", nearest ? "?" : "");
    }
    return TOOL_DONE;
}

static bool is_asked(const tool_words* names, const char* name) {
    for (int32_t i = 0; i < names->count; i++) {
        if (strcmp(names->word[i], name) == 0)
            return true;
    }
    return names->count == 0;
}

static bool command_bench_add_result(cJSON* results, const command_bench_measured* m) {
    cJSON* object = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(results, object)) {
        cJSON_Delete(object);
        return false;
    }
    const tool_bench_figure* f = &m->figure;
    bool added = cJSON_AddStringToObject(object, "name", m->row->name) &&
                 cJSON_AddNumberToObject(object, "ns", f->ns);
    if (f->most_ns > 0.0)
        added = added && cJSON_AddNumberToObject(object, "max_ns", f->most_ns);
    if (f->peer_ns <= 0.0)
        return added && cJSON_AddNullToObject(object, "peer") &&
               cJSON_AddNullToObject(object, "peer_ns") && cJSON_AddNullToObject(object, "ratio");
    return added && cJSON_AddStringToObject(object, "peer", f->peer) &&
           cJSON_AddNumberToObject(object, "peer_ns", f->peer_ns) &&
           cJSON_AddNumberToObject(object, "ratio", f->ns > 0.0 ? f->peer_ns / f->ns : 0.0);
}

static bool command_bench_print_json(const bench_options* o, const command_bench_measured* all,
                                     int32_t count) {
    cJSON* root = tool_json_begin("bench", o->seed);
    bool made = root != NULL;
    cJSON* results = cJSON_AddArrayToObject(root, "results");
    for (int32_t i = 0; i < count && made; i++)
        made = command_bench_add_result(results, &all[i]);
    return tool_json_end(root, made, stdout);
}

static void command_bench_print_table(const command_bench_measured* all, int32_t count) {
    printf("%-28s %10s %10s  %s\n", "row", "mean ns", "max ns", "peer");
    for (int32_t i = 0; i < count; i++) {
        const tool_bench_figure* f = &all[i].figure;
        printf("%-28s %10.1f ", all[i].row->name, f->ns);
        if (f->most_ns > 0.0)
            printf("%10.0f", f->most_ns);
        else
            printf("%10s", "");
        if (f->peer && f->peer_ns > 0.0)
            printf("  %s %.1f ns, %.2f x", f->peer, f->peer_ns, f->peer_ns / f->ns);
        else if (f->peer)
            printf("  %s: this build was made without it", f->peer);
        printf("\n");
    }
}

static void print_list(void) {
    for (int32_t i = 0; i < tool_bench_row_count; i++)
        printf("%-28s %s\n", tool_bench_rows[i].name, tool_bench_rows[i].meaning);
}

tool_status tool_bench_run(int argc, char** argv) {
    bench_options o = {0};
    if (tool_arguments_read(&tool_command_bench, argc, argv, &o) != TOOL_DONE ||
        check_names(&o.names) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.list) {
        print_list();
        return TOOL_DONE;
    }
    command_bench_measured all[64];
    int32_t count = 0;
    for (int32_t i = 0; i < tool_bench_row_count && count < 64; i++) {
        if (!is_asked(&o.names, tool_bench_rows[i].name))
            continue;
        command_bench_measured m = {.row = &tool_bench_rows[i]};
        if (!m.row->measure(&m.figure)) {
            tool_complain("bench: %s could not be measured", m.row->name);
            return TOOL_FAILED;
        }
        all[count++] = m;
    }
    if (o.json)
        return command_bench_print_json(&o, all, count) ? TOOL_DONE
                                                        : tool_complain("bench: no memory");
    if (!o.quiet)
        command_bench_print_table(all, count);
    return TOOL_DONE;
}
