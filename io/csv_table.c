// Purpose: reads the rows of a table into waypoints, and reports what cannot be read.
// Idea:    The first of two passes counts the lines, so that the waypoints are allocated once, the
//          second reads them. Places are doubles until the offset of the first row is subtracted:
//          coordinates of a survey have more digits than a float.
// Cost:    O(length).
#include "io/csv_table.h"

#include "io/number.h"
#include "io/quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct csv_table_reader {
    kerb_io_csv_table* table;
    kerb_io_csv_head* head;
    const kerb_io_csv_format* format;
    kerb_error error;
    // Of the row that is being read:
    double place[2]; // x and y, or longitude and latitude
    float exact[2];  // x and y rounded once, where their unit is the metre
    bool has_exact[2];
    kerb_io_csv_cell cell[2]; // where they stand
    bool given_offset;        // by a comment
    kerb_io_projection projection;
    int32_t decimal_commas;
} csv_table_reader;

// --------------------------------------------------------------------------- refusing

static kerb_result csv_table_refuse(csv_table_reader* in, kerb_result result,
                                    const kerb_io_csv_line* line, const char* field,
                                    const char* message) {
    bool in_row = line && in->head->columns > 0 && line->number != in->head->line;
    return kerb_error_set(&in->error, result, field, line ? line->number : 0,
                          in_row ? in->table->count : -1, message);
}

static kerb_result csv_table_refuse_cell(csv_table_reader* in, kerb_result result,
                                         const kerb_io_csv_line* line, const char* field,
                                         const char* message, const kerb_io_csv_cell* cell) {
    char quoted[KERB_IO_QUOTE_MAX], whole[192];
    kerb_io_quote(quoted, cell->text, cell->length);
    snprintf(whole, sizeof whole, "%s: \"%s\"", message, quoted);
    return csv_table_refuse(in, result, line, field, whole);
}

static bool csv_table_is_word(const char* text, size_t length, const char* word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

// The name by which messages call a column.
static const char* name_of(const csv_table_reader* in, kerb_io_csv_role role) {
    if (role == CSV_WIDTH || role == CSV_LONGITUDE || role == CSV_LATITUDE)
        return role == CSV_WIDTH ? "width" : role == CSV_LONGITUDE ? "longitude" : "latitude";
    return in->format->setting[role]->name;
}

// --------------------------------------------------------------------------- columns

static bool is_geographic(const csv_table_reader* in) {
    return !kerb_io_csv_head_has(in->head, CSV_X) && !kerb_io_csv_head_has(in->head, CSV_Y) &&
           kerb_io_csv_head_has(in->head, CSV_LONGITUDE) &&
           kerb_io_csv_head_has(in->head, CSV_LATITUDE);
}

static bool takes(const csv_table_reader* in, kerb_io_csv_role role) {
    if (role == CSV_LONGITUDE || role == CSV_LATITUDE)
        return is_geographic(in);
    if (role == CSV_WIDTH)
        return !kerb_io_csv_head_has(in->head, CSV_LEFT) &&
               !kerb_io_csv_head_has(in->head, CSV_RIGHT);
    return role != CSV_OTHER && in->format->setting[role];
}

// A place or a width that is named twice is refused; of other columns the one with the more usual
// name counts.
static int32_t settle_columns(kerb_io_csv_head* head, const csv_table_reader* in) {
    for (int32_t i = 0; i < head->columns && i < KERB_IO_CSV_COLUMNS_MAX; i++) {
        kerb_io_csv_name* column = &head->column[i];
        if (!takes(in, column->role))
            column->role = CSV_OTHER;
        for (int32_t k = 0; k < i && column->role != CSV_OTHER; k++) {
            kerb_io_csv_name* other = &head->column[k];
            if (other->role != column->role)
                continue;
            if (other->rank == column->rank || column->role <= CSV_LEFT)
                return i;
            (other->rank < column->rank ? column : other)->role = CSV_OTHER;
        }
    }
    return -1;
}

// Calls the names again, for messages. False after the last.
typedef struct csv_names_walk {
    kerb_io_csv csv;
    kerb_io_csv_line line;
    int32_t index;
} csv_names_walk;

static csv_names_walk walk_names(const kerb_io_csv_head* head, const char* text, size_t length) {
    csv_names_walk walk = {.csv = kerb_io_csv_make(text, length), .index = -1};
    while (kerb_io_csv_next_line(&walk.csv, &walk.line) && walk.line.number < head->line)
        ;
    walk.line.separator = head->names_separator;
    return walk;
}

static bool next_name(csv_names_walk* walk, const kerb_io_csv_head* head, kerb_io_csv_cell* cell) {
    walk->index++;
    if (walk->index >= head->columns || !kerb_io_csv_next_cell(&walk->line, cell))
        return false;
    // A remark behind the last name of a comment.
    for (size_t i = 0; head->comment && i < cell->length; i++)
        if (cell->text[i] == ' ' && kerb_io_csv_name_read(cell).role == CSV_OTHER)
            cell->length = i;
    return true;
}

// Of names of few letters every other is near.
static const char* nearest_name(const csv_table_reader* in, const kerb_io_csv_cell* cell) {
    kerb_io_nearest nearest = kerb_io_nearest_make(cell->text, cell->length);
    for (int32_t role = 0; role < CSV_WIDTH && cell->length > 4; role++)
        if (in->format->setting[role] && !kerb_io_csv_head_has(in->head, (kerb_io_csv_role)role))
            kerb_io_nearest_consider(&nearest, in->format->setting[role]->name);
    return nearest.name;
}

// A column that must be there: perhaps one that is there has its name misspelt.
static kerb_result refuse_missing(csv_table_reader* in, kerb_io_csv_role role, const char* text,
                                  size_t length) {
    csv_names_walk walk = walk_names(in->head, text, length);
    const char* wanted = name_of(in, role);
    kerb_io_csv_cell cell;
    char name[KERB_IO_QUOTE_MAX], message[96];
    kerb_io_csv_line line = walk.line;
    line.number = in->head->line;
    while (next_name(&walk, in->head, &cell)) {
        if (walk.index < KERB_IO_CSV_COLUMNS_MAX && in->head->column[walk.index].role != CSV_OTHER)
            continue;
        kerb_io_nearest nearest = kerb_io_nearest_make(cell.text, cell.length);
        kerb_io_nearest_consider(&nearest, wanted);
        if (role == CSV_RIGHT || role == CSV_LEFT)
            kerb_io_nearest_consider(&nearest, role == CSV_RIGHT ? "w_tr_right_m" : "w_tr_left_m");
        if (!nearest.name)
            continue;
        kerb_io_quote(name, cell.text, cell.length);
        snprintf(message, sizeof message, "is no column of a %s; did you mean %s?",
                 in->format->what, nearest.name);
        return csv_table_refuse(in, KERB_ERROR_UNKNOWN_FIELD, &line, name, message);
    }
    return csv_table_refuse(in, KERB_ERROR_MISSING_FIELD, &line, wanted,
                            "the header must name this column");
}

static kerb_result check_bytes(csv_table_reader* in, const kerb_io_csv_line* line) {
    kerb_io_csv_line copy = *line;
    kerb_io_csv_cell cell;
    if (memchr(line->at, '\0', (size_t)(line->end - line->at)))
        return csv_table_refuse(in, KERB_ERROR_SYNTAX, line, "",
                                "is not UTF-8 text: it holds zero bytes");
    while (kerb_io_csv_next_cell(&copy, &cell))
        if (cell.fault && !in->head->comment)
            return csv_table_refuse(in, KERB_ERROR_SYNTAX, line, "", cell.fault);
    return KERB_OK;
}

static kerb_result check_names(csv_table_reader* in, const char* text, size_t length) {
    kerb_io_csv_head* head = in->head;
    csv_names_walk walk = walk_names(head, text, length);
    kerb_io_csv_line line = walk.line;
    kerb_io_csv_cell cell;
    kerb_result result = check_bytes(in, &line);
    if (result != KERB_OK)
        return result;
    int32_t twice = settle_columns(head, in);
    while (twice >= 0 && next_name(&walk, head, &cell))
        if (walk.index == twice)
            return csv_table_refuse_cell(in, KERB_ERROR_CONTRADICTION, &line,
                                         name_of(in, head->column[twice].role),
                                         "the column is named twice", &cell);
    bool placed = is_geographic(in),
         sided = kerb_io_csv_head_has(head, CSV_RIGHT) || kerb_io_csv_head_has(head, CSV_LEFT);
    for (int32_t role = CSV_X; role <= CSV_LEFT; role++) {
        bool needed = role <= CSV_Y ? !placed : role >= CSV_RIGHT && sided && !in->format->gaps;
        if (needed && !kerb_io_csv_head_has(head, (kerb_io_csv_role)role))
            return refuse_missing(in, (kerb_io_csv_role)role, text, length);
    }
    return KERB_OK;
}

// --------------------------------------------------------------------------- notes on columns

// Appends to a list in a note; what does not fit ends in dots.
static void add_word(char* list, size_t size, const char* word) {
    size_t used = strlen(list), more = strlen(word);
    if (used + more + 6 < size)
        snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
    else if (used >= 3 && strcmp(list + used - 3, "...") != 0)
        snprintf(list + used, size - used, ", ...");
}

static void note_columns(csv_table_reader* in, const char* text, size_t length) {
    csv_names_walk walk = walk_names(in->head, text, length);
    kerb_io_csv_cell cell;
    char ignored[120] = "", renamed[120] = "", name[KERB_IO_QUOTE_MAX], word[96], message[160];
    while (in->head->line > 0 && next_name(&walk, in->head, &cell)) {
        kerb_io_csv_role role =
            walk.index < KERB_IO_CSV_COLUMNS_MAX ? in->head->column[walk.index].role : CSV_OTHER;
        kerb_io_quote(name, cell.text, cell.length);
        const char* near = role == CSV_OTHER ? nearest_name(in, &cell) : NULL;
        // The slope follows from the heights; Kerb writes it itself.
        if (csv_table_is_word(cell.text, cell.length, "slope_mu_rad"))
            continue;
        if (role == CSV_OTHER && cell.length > 0) {
            snprintf(word, sizeof word, near ? "%s (did you mean %s?)" : "%s", name, near);
            add_word(ignored, sizeof ignored, word);
        } else if (role < CSV_WIDTH && !in->head->column[walk.index].usual) {
            snprintf(word, sizeof word, "%s as %s", name, name_of(in, role));
            add_word(renamed, sizeof renamed, word);
        }
    }
    snprintf(message, sizeof message, "took %s", renamed);
    if (renamed[0])
        kerb_io_notes_add(&in->table->notes, "", 0, message);
    snprintf(message, sizeof message, "ignored the columns: %s", ignored);
    if (ignored[0])
        kerb_io_notes_add(&in->table->notes, "", 0, message);
}

static void note_separator(csv_table_reader* in) {
    char separator = in->head->separator, message[64];
    if (separator == ',')
        return;
    snprintf(message, sizeof message, "assumed %s between columns%s",
             separator == ';'   ? "semicolons"
             : separator == ' ' ? "spaces"
                                : "tabs",
             in->decimal_commas > 0 ? " and decimal commas" : "");
    kerb_io_notes_add(&in->table->notes, "", 0, message);
}

// --------------------------------------------------------------------------- comments

static bool read_pair(const char* at, const char* end, double pair[2]) {
    kerb_io_csv_line line = {.at = at, .end = end, .separator = ','};
    kerb_io_csv_cell cell;
    for (int32_t i = 0; i < 2; i++)
        if (!kerb_io_csv_next_cell(&line, &cell) ||
            kerb_io_number_read_double(cell.text, cell.length, &pair[i]) != KERB_OK)
            return false;
    return line.done;
}

// Only whole numbers are taken, because they are exact in whatever program reads the file.
static bool is_offset(double value) {
    return fabs(value) <= KERB_IO_CSV_PLACE_MAX && value == floor(value);
}

static void csv_table_read_origin(csv_table_reader* in, const char* at, const char* end) {
    double pair[2];
    size_t length = (size_t)(end - at);
    if (length > 7 && memcmp(at, "offset ", 7) == 0 && read_pair(at + 7, end, pair) &&
        is_offset(pair[0]) && is_offset(pair[1])) {
        memcpy(in->table->offset, pair, sizeof pair);
        in->given_offset = true;
    }
    if (length > 7 && memcmp(at, "anchor ", 7) == 0 && read_pair(at + 7, end, pair) &&
        kerb_io_projection_takes(pair[0], pair[1])) {
        memcpy(in->table->anchor, pair, sizeof pair);
        in->table->anchored = true;
    }
}

static kerb_result csv_table_read_comment(csv_table_reader* in, const kerb_io_csv_line* line) {
    const char* end = line->end;
    while (end > line->at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    size_t length = (size_t)(end - line->at);
    bool closed = csv_table_is_word(line->at, length, "closed");
    if (in->table->count > 0)
        return !closed ? KERB_OK
                       : csv_table_refuse(in, KERB_ERROR_SYNTAX, line, "closed",
                                          "must stand above the first row");
    in->table->closed |= closed;
    in->table->open |= csv_table_is_word(line->at, length, "open");
    csv_table_read_origin(in, line->at, end);
    return KERB_OK;
}

// --------------------------------------------------------------------------- cells

static bool is_gap(const kerb_io_csv_cell* cell) {
    float value;
    return cell->length == 0 ||
           kerb_io_number_read_float(cell->text, cell->length, &value) == KERB_ERROR_NOT_FINITE;
}

static kerb_result read_number(csv_table_reader* in, const kerb_io_csv_line* line,
                               const kerb_io_csv_cell* cell, kerb_io_csv_role role, double* value) {
    const char* name = name_of(in, role);
    if (cell->length == 0)
        return csv_table_refuse(in, KERB_ERROR_MISSING_FIELD, line, name, "the cell is empty");
    kerb_result result = kerb_io_csv_cell_double(cell, line->separator, value);
    if (result == KERB_OK) {
        in->decimal_commas += line->separator != ',' && kerb_io_csv_cell_has_comma(cell);
        return KERB_OK;
    }
    const char* message = result == KERB_ERROR_WRONG_TYPE   ? "must be a number"
                          : result == KERB_ERROR_NOT_FINITE ? "must be a finite number"
                                                            : "is too great for a number";
    return csv_table_refuse_cell(in, result, line, name, message, cell);
}

static void take_place(csv_table_reader* in, const kerb_io_csv_line* line,
                       const kerb_io_csv_cell* cell, const kerb_io_csv_name* column, double value) {
    int32_t axis = column->role == CSV_Y || column->role == CSV_LATITUDE ? 1 : 0;
    in->place[axis] = value;
    in->cell[axis] = *cell;
    in->has_exact[axis] =
        column->factor == 1.0 &&
        kerb_io_csv_cell_float(cell, line->separator, &in->exact[axis]) == KERB_OK;
}

// Whole numbers come in floats, too, so everything goes through the setting's range.
static kerb_result set_value(csv_table_reader* in, const kerb_io_csv_line* line,
                             const kerb_io_csv_cell* cell, kerb_io_csv_role role, float value,
                             kerb_waypoint* waypoint) {
    const kerb_setting* setting = in->format->setting[role];
    if (role == CSV_DIRECTION && value != 1.0f && value != -1.0f)
        return csv_table_refuse_cell(in, KERB_ERROR_OUT_OF_RANGE, line, setting->name,
                                     "must be 1 (forwards) or -1 (in reverse)", cell);
    if ((role == CSV_RIGHT || role == CSV_LEFT) && value < 0.0f && !in->format->gaps)
        return csv_table_refuse_cell(in, KERB_ERROR_OUT_OF_RANGE, line, setting->name,
                                     "a width is negative: are the columns in another order?",
                                     cell);
    kerb_error error = {.index = -1};
    kerb_result result = kerb_settings_set(setting, waypoint, value, &error);
    if (result != KERB_OK)
        return csv_table_refuse_cell(in, result, line, setting->name, error.message, cell);
    return KERB_OK;
}

static kerb_result take_cell(csv_table_reader* in, const kerb_io_csv_line* line,
                             const kerb_io_csv_cell* cell, const kerb_io_csv_name* column,
                             kerb_waypoint* waypoint) {
    kerb_io_csv_role role = column->role;
    double value;
    float rounded;
    bool place = role <= CSV_Y || role == CSV_LONGITUDE || role == CSV_LATITUDE;
    if (role == CSV_Z && is_gap(cell)) {
        waypoint->position.z = NAN; // until kerb_io_csv_table_fill
        return KERB_OK;
    }
    if (cell->length == 0 && in->format->gaps && !place)
        return KERB_OK;
    kerb_result result = read_number(in, line, cell, role, &value);
    if (result != KERB_OK)
        return result;
    value *= column->factor;
    if (place) {
        take_place(in, line, cell, column, value);
        return KERB_OK;
    }
    if (column->planned && value == 0.0)
        return KERB_OK; // where it stands still: no limit
    if (column->factor != 1.0 || kerb_io_csv_cell_float(cell, line->separator, &rounded) != KERB_OK)
        rounded = (float)value;
    if (role != CSV_WIDTH)
        return set_value(in, line, cell, role, rounded, waypoint);
    result = set_value(in, line, cell, CSV_RIGHT, 0.5f * rounded, waypoint);
    return result == KERB_OK ? set_value(in, line, cell, CSV_LEFT, 0.5f * rounded, waypoint)
                             : result;
}

// --------------------------------------------------------------------------- places

static void note_offset(const double offset[2], const char* whence, kerb_io_notes* notes) {
    char message[144];
    snprintf(message, sizeof message, "subtracted the offset %.0f, %.0f%s%s", offset[0], offset[1],
             *whence ? ", taken from the first " : "", whence);
    kerb_io_notes_add(notes, "", 0, message);
}

void kerb_io_csv_take_offset(double x, double y, const char* whence, double offset[2],
                             kerb_io_notes* notes) {
    if (!(fabs(x) > KERB_IO_CSV_OFFSET_FROM || fabs(y) > KERB_IO_CSV_OFFSET_FROM))
        return;
    offset[0] = floor(x);
    offset[1] = floor(y);
    note_offset(offset, whence, notes);
}

static void take_offset(csv_table_reader* in) {
    kerb_io_csv_table* table = in->table;
    if (!in->given_offset)
        kerb_io_csv_take_offset(in->place[0], in->place[1], "row", table->offset, &table->notes);
    else if (table->offset[0] != 0.0 || table->offset[1] != 0.0)
        note_offset(table->offset, "", &table->notes);
}

static kerb_result place_metres(csv_table_reader* in, const kerb_io_csv_line* line,
                                kerb_waypoint* waypoint) {
    static const kerb_io_csv_role roles[] = {CSV_X, CSV_Y};
    for (int32_t i = 0; i < 2; i++)
        if (fabs(in->place[i]) > KERB_IO_CSV_PLACE_MAX)
            return csv_table_refuse_cell(in, KERB_ERROR_OUT_OF_RANGE, line, name_of(in, roles[i]),
                                         "must be from -1e9 to 1e9 m", &in->cell[i]);
    if (in->table->count == 0)
        take_offset(in);
    for (int32_t i = 0; i < 2; i++) {
        double offset = in->table->offset[i];
        float value =
            offset == 0.0 && in->has_exact[i] ? in->exact[i] : (float)(in->place[i] - offset);
        if (fabsf(value) > KERB_POSITION_MAX && offset != 0.0)
            return csv_table_refuse_cell(in, KERB_ERROR_OUT_OF_RANGE, line, name_of(in, roles[i]),
                                         "is over 1000000 m from the offset", &in->cell[i]);
        kerb_result result = set_value(in, line, &in->cell[i], roles[i], value, waypoint);
        if (result != KERB_OK)
            return result;
    }
    return KERB_OK;
}

static kerb_result place_degrees(csv_table_reader* in, const kerb_io_csv_line* line,
                                 kerb_waypoint* waypoint) {
    kerb_io_csv_table* table = in->table;
    double x, y;
    if (!kerb_io_projection_takes(in->place[0], in->place[1])) {
        bool longitude = in->place[0] < -180.0 || in->place[0] > 360.0;
        return csv_table_refuse_cell(
            in, KERB_ERROR_OUT_OF_RANGE, line, longitude ? "longitude" : "latitude",
            longitude ? "must be from -180 to 360 degrees" : "must be from -89 to 89 degrees",
            &in->cell[longitude ? 0 : 1]);
    }
    if (table->count == 0) {
        in->projection = kerb_io_projection_make(in->place[0], in->place[1]);
        table->anchored = true;
        memcpy(table->anchor, in->place, sizeof table->anchor);
        kerb_io_notes_add(&table->notes, "", 0,
                          "projected longitude and latitude about the first row");
    }
    if (!kerb_io_project(&in->projection, in->place[0], in->place[1], &x, &y))
        return csv_table_refuse_cell(in, KERB_ERROR_OUT_OF_RANGE, line, "longitude",
                                     "is over 500 km from the first row", &in->cell[0]);
    waypoint->position.x = (float)x;
    waypoint->position.y = (float)y;
    return KERB_OK;
}

// --------------------------------------------------------------------------- rows

// The last row of a file that was cut has no line end; elsewhere heights may be missing.
static bool may_end_early(const csv_table_reader* in, const kerb_io_csv_line* line, int32_t cells) {
    for (int32_t i = cells; i < in->head->columns && i < KERB_IO_CSV_COLUMNS_MAX; i++)
        if (in->head->column[i].role != CSV_Z && in->head->column[i].role != CSV_OTHER)
            return false;
    return line->ended && cells >= 2;
}

static kerb_result refuse_cell_count(csv_table_reader* in, const kerb_io_csv_line* line,
                                     int32_t cells) {
    char message[96];
    bool more = cells > in->head->columns;
    snprintf(message, sizeof message, "the row has %s %d cells, there are %d columns",
             more ? "more than" : "only", (int)(more ? in->head->columns : cells),
             (int)in->head->columns);
    return csv_table_refuse(in, KERB_ERROR_SYNTAX, line, "", message);
}

static kerb_result csv_table_read_row(csv_table_reader* in, kerb_io_csv_line* line) {
    kerb_io_csv_table* table = in->table;
    kerb_waypoint waypoint = kerb_waypoint_at(0.0f, 0.0f, 0.0f);
    int32_t cells = 0;
    kerb_io_csv_cell cell;
    if (kerb_io_csv_head_has(in->head, CSV_Z))
        waypoint.position.z = NAN;
    for (; kerb_io_csv_next_cell(line, &cell); cells++) {
        if (cell.fault)
            return csv_table_refuse(in, KERB_ERROR_SYNTAX, line, "", cell.fault);
        if (cells >= in->head->columns && cell.length > 0)
            return refuse_cell_count(in, line, cells + 1);
        if (cells >= in->head->columns || cells >= KERB_IO_CSV_COLUMNS_MAX ||
            in->head->column[cells].role == CSV_OTHER)
            continue;
        kerb_result result = take_cell(in, line, &cell, &in->head->column[cells], &waypoint);
        if (result != KERB_OK)
            return result;
    }
    if (cells < in->head->columns && !may_end_early(in, line, cells))
        return refuse_cell_count(in, line, cells);
    kerb_result result =
        is_geographic(in) ? place_degrees(in, line, &waypoint) : place_metres(in, line, &waypoint);
    if (result == KERB_OK)
        table->waypoints[table->count++] = waypoint;
    return result;
}

static kerb_result csv_table_read_lines(csv_table_reader* in, const char* text, size_t length) {
    kerb_io_csv csv = kerb_io_csv_make(text, length);
    kerb_io_csv_line line;
    kerb_result result = KERB_OK;
    csv.separator = in->head->separator;
    while (result == KERB_OK && kerb_io_csv_next_line(&csv, &line)) {
        if (line.comment)
            result = csv_table_read_comment(in, &line);
        else if (line.number >= in->head->first_line && line.number != in->head->line)
            result = csv_table_read_row(in, &line);
    }
    return result;
}

// --------------------------------------------------------------------------- the whole

// Lines that may be rows; one more than `most` stands for any number beyond.
static int32_t count_rows(const kerb_io_csv_head* head, int32_t most, const char* text,
                          size_t length) {
    kerb_io_csv csv = kerb_io_csv_make(text, length);
    kerb_io_csv_line line;
    int32_t count = 0;
    csv.separator = head->separator;
    while (count <= most && kerb_io_csv_next_line(&csv, &line))
        count += !line.comment && line.number >= head->first_line && line.number != head->line;
    return count;
}

static kerb_result check_head(csv_table_reader* in, const char* text, size_t length) {
    kerb_io_csv_head* head = in->head;
    if (head->first_line == 0 || (head->line == 0 && in->format->needs_names)) {
        kerb_io_csv_line line = {.number = head->first_line};
        head->line = head->first_line; // what is refused is no row
        return csv_table_refuse(in, KERB_ERROR_MISSING_FIELD, line.number > 0 ? &line : NULL,
                                in->format->setting[CSV_X]->name,
                                line.number > 0
                                    ? "the first line must name the columns, as in x_m,y_m"
                                    : "the file has no line that names the columns, as in x_m,y_m");
    }
    return head->line > 0 ? check_names(in, text, length) : KERB_OK;
}

static kerb_result read_all(csv_table_reader* in, int32_t most, const char* text, size_t length,
                            const kerb_allocator* allocator) {
    kerb_io_csv_table* table = in->table;
    kerb_result result = check_head(in, text, length);
    if (result != KERB_OK)
        return result;
    int32_t rows = count_rows(in->head, most, text, length);
    size_t size = (size_t)rows * sizeof(kerb_waypoint);
    if (rows > most)
        return csv_table_refuse(in, KERB_ERROR_TOO_MANY, NULL, "", "there may be 10 million rows");
    if (rows == 0)
        return csv_table_refuse(in, KERB_ERROR_TOO_FEW, NULL, "",
                                "there are no rows below the header");
    table->waypoints = allocator->allocate(allocator->context, size, _Alignof(kerb_waypoint));
    if (!table->waypoints)
        return csv_table_refuse(in, KERB_ERROR_OUT_OF_MEMORY, NULL, "",
                                "no memory for the waypoints");
    result = csv_table_read_lines(in, text, length);
    if (result != KERB_OK)
        allocator->release(allocator->context, table->waypoints, size);
    return result;
}

kerb_result kerb_io_csv_table_read(kerb_io_csv_table* table, kerb_io_csv_head* head,
                                   const kerb_io_csv_format* format, int32_t most, const char* text,
                                   size_t length, const kerb_allocator* allocator,
                                   kerb_error* error) {
    csv_table_reader in = {.table = table, .head = head, .format = format};
    kerb_result result = read_all(&in, most, text, length, allocator);
    if (result == KERB_OK) {
        note_separator(&in);
        note_columns(&in, text, length);
        return KERB_OK;
    }
    *table = (kerb_io_csv_table){.waypoints = NULL};
    if (error)
        *error = in.error;
    return result;
}

// --------------------------------------------------------------------------- heights left open

static double csv_table_step(const kerb_waypoint* a, const kerb_waypoint* b) {
    double x = (double)b->position.x - (double)a->position.x;
    double y = (double)b->position.y - (double)a->position.y;
    return sqrt(x * x + y * y);
}

bool kerb_io_csv_ends_meet(const kerb_waypoint* waypoints, int32_t count, double slack) {
    double length = 0.0, gap = csv_table_step(&waypoints[count - 1], &waypoints[0]);
    for (int32_t i = 1; i < count; i++)
        length += csv_table_step(&waypoints[i - 1], &waypoints[i]);
    double near = fmax(slack, 2.0 * length / (count > 1 ? count - 1 : 1));
    return count > 2 && gap <= near && gap <= 0.05 * length;
}

// Fills what lies between two waypoints with a height. [from < to; indices beyond the count wrap]
static void fill_between(kerb_waypoint* waypoints, int32_t count, int32_t from, int32_t to) {
    double length = 0.0, here = 0.0;
    float start = waypoints[from % count].position.z, end = waypoints[to % count].position.z;
    for (int32_t i = from; i < to; i++)
        length += csv_table_step(&waypoints[i % count], &waypoints[(i + 1) % count]);
    for (int32_t i = from + 1; i < to; i++) {
        here += csv_table_step(&waypoints[(i - 1) % count], &waypoints[i % count]);
        double part = length > 0.0 ? here / length : 0.5;
        waypoints[i % count].position.z =
            (float)((double)start + part * ((double)end - (double)start));
    }
}

void kerb_io_csv_table_fill(kerb_io_csv_table* table, bool closed) {
    kerb_waypoint* w = table->waypoints;
    int32_t count = table->count, first = -1, open = 0;
    char message[64];
    for (int32_t i = 0; i < count; i++) {
        open += isnan(w[i].position.z) != 0;
        if (first < 0 && !isnan(w[i].position.z))
            first = i;
    }
    if (open == 0)
        return;
    for (int32_t i = 0; i < count && first < 0; i++)
        w[i].position.z = 0.0f;
    if (first < 0)
        return;
    snprintf(message, sizeof message, "interpolated the heights that are missing: %d", (int)open);
    kerb_io_notes_add(&table->notes, "", 0, message);
    int32_t last = first;
    for (int32_t i = first + 1; i < count; i++)
        if (!isnan(w[i].position.z)) {
            fill_between(w, count, last, i);
            last = i;
        }
    if (closed) {
        fill_between(w, count, last, first + count);
        return;
    }
    for (int32_t i = last + 1; i < count; i++)
        w[i].position.z = w[last].position.z;
    for (int32_t i = 0; i < first; i++)
        w[i].position.z = w[first].position.z;
}

void kerb_io_csv_pass_notes(kerb_io_notes* notes, const kerb_io_notes* table) {
    for (int32_t i = 0; i < table->count; i++)
        kerb_io_notes_add(notes, table->rows[i].field, table->rows[i].line, table->rows[i].message);
}

// --------------------------------------------------------------------------- writing places

static void write_pair(kerb_io_text* text, const char* word, const double pair[2],
                       int32_t decimals) {
    kerb_io_text_add(text, word);
    kerb_io_text_add_fixed(text, pair[0], decimals);
    kerb_io_text_add(text, ",");
    kerb_io_text_add_fixed(text, pair[1], decimals);
    kerb_io_text_add(text, "\n");
}

void kerb_io_csv_write_origin(kerb_io_text* text, const kerb_waypoint* waypoints, int32_t count,
                              const double offset[2], const double* anchor) {
    bool far =
        count > 0 && (fabs(offset[0] + (double)waypoints[0].position.x) > KERB_IO_CSV_OFFSET_FROM ||
                      fabs(offset[1] + (double)waypoints[0].position.y) > KERB_IO_CSV_OFFSET_FROM);
    bool given = offset[0] != 0.0 || offset[1] != 0.0;
    if (given || far)
        write_pair(text, "# offset ", offset, 0);
    if (anchor) // 1e-9 degrees are a tenth of a millimetre
        write_pair(text, "# anchor ", anchor, 9);
}

void kerb_io_csv_write_place(kerb_io_text* text, double offset, float value) {
    char number[KERB_IO_NUMBER_TEXT_MAX];
    if (offset == 0.0) {
        kerb_io_text_add_float(text, value);
        return;
    }
    double sum = offset + (double)value, read;
    for (int32_t decimals = 0; decimals <= 17; decimals++) {
        size_t length = kerb_io_number_write_fixed(number, sum, decimals);
        bool same = kerb_io_number_read_double(number, length, &read) == KERB_OK &&
                    (float)(read - offset) == value;
        if (same || decimals == 17) {
            kerb_io_text_add_bytes(text, number, length);
            return;
        }
    }
}
