// Purpose: finds what the columns of a table are before its rows are read.
// Idea:    The names may be the first line, or a comment above it, or missing. A first line of
//          which at least half the cells are numbers is a row. A comment names the columns when
//          it names a place, and either has as many cells as the first row or consists of names
//          alone: that tells "# x_m,y_m,width" from "# x, y as measured in spring".
// Cost:    O(bytes above the first row).
#include "io/csv_table.h"

#include "io/number.h"

#include <string.h>

// Spreadsheets write "sep=;" as a line of its own.
static bool names_separator(const kerb_io_csv_line* line) {
    return line->end - line->at >= 4 && memcmp(line->at, "sep=", 4) == 0;
}

// Columns that are there, without those that only a separator at the end makes.
static int32_t used_cells(kerb_io_csv_line line) {
    kerb_io_csv_cell cell;
    int32_t cells = 0, used = 0;
    while (kerb_io_csv_next_cell(&line, &cell)) {
        cells++;
        if (cell.length > 0)
            used = cells;
    }
    return used;
}

static bool csv_head_is_row(kerb_io_csv_line line) {
    kerb_io_csv_cell cell;
    int32_t numbers = 0, words = 0;
    double value;
    while (kerb_io_csv_next_cell(&line, &cell)) {
        bool number = kerb_io_csv_cell_double(&cell, line.separator, &value) == KERB_OK;
        numbers += number;
        words += !number && cell.length > 0;
    }
    return numbers > 0 && numbers >= words;
}

// What stands behind a name, as in "slope_mu_rad (source)", is a remark; a unit is none.
static bool cut_remark(kerb_io_csv_cell* cell) {
    for (size_t i = 0; i < cell->length; i++)
        if (cell->text[i] == ' ' || cell->text[i] == '\t') {
            cell->length = i;
            return true;
        }
    return false;
}

// Takes the names of a line; what is not known is CSV_OTHER. With `remarks` the names end with the
// first that is followed by other words. [head: its line, comment and separator are set]
static void take_names(kerb_io_csv_head* head, kerb_io_csv_line line, bool remarks) {
    kerb_io_csv_cell cell;
    int32_t count = 0, used = 0;
    bool remark = false;
    while (!remark && kerb_io_csv_next_cell(&line, &cell)) {
        kerb_io_csv_name name = kerb_io_csv_name_read(&cell);
        if (name.role == CSV_OTHER && remarks && cut_remark(&cell)) {
            name = kerb_io_csv_name_read(&cell);
            remark = cell.text[cell.length + 1] != '[';
        }
        if (count < KERB_IO_CSV_COLUMNS_MAX)
            head->column[count] = name;
        count++;
        if (cell.length > 0)
            used = count;
    }
    head->columns = used;
    head->names_separator = line.separator;
    head->single = !remark;
}

static bool names_place(const kerb_io_csv_head* head) {
    return (kerb_io_csv_head_has(head, CSV_X) && kerb_io_csv_head_has(head, CSV_Y)) ||
           (kerb_io_csv_head_has(head, CSV_LONGITUDE) && kerb_io_csv_head_has(head, CSV_LATITUDE));
}

// A comment may separate its names in another way than the rows do: numpy does.
static bool take_comment(kerb_io_csv_head* head, kerb_io_csv_line line, int32_t cells) {
    const char separators[] = {head->separator, ';', '\t', ',', ' '};
    for (size_t i = 0; i < sizeof separators; i++) {
        kerb_io_csv_head tried = {.separator = head->separator, .first_line = head->first_line};
        line.separator = separators[i];
        take_names(&tried, line, true);
        if (!names_place(&tried) ||
            (tried.columns != cells && (!tried.single || separators[i] == ' ')))
            continue;
        tried.line = line.number;
        tried.comment = true;
        *head = tried;
        return true;
    }
    return false;
}

static bool csv_head_find_first(kerb_io_csv* csv, kerb_io_csv_line* line) {
    while (kerb_io_csv_next_line(csv, line))
        if (!line->comment && !names_separator(line))
            return true;
    return false;
}

void kerb_io_csv_head_find(kerb_io_csv_head* head, const char* text, size_t length) {
    kerb_io_csv_line line, first;
    kerb_io_csv csv = kerb_io_csv_make(text, length);
    *head = (kerb_io_csv_head){.separator = kerb_io_csv_find_separator(text, length)};
    csv.separator = head->separator;
    if (!csv_head_find_first(&csv, &first))
        return;
    head->first_line = first.number;
    if (!csv_head_is_row(first)) {
        head->line = first.number;
        take_names(head, first, false);
        return;
    }
    int32_t cells = used_cells(first);
    kerb_io_csv above = kerb_io_csv_make(text, length);
    above.separator = head->separator;
    while (kerb_io_csv_next_line(&above, &line) && line.number < first.number)
        if (line.comment)
            take_comment(head, line, cells);
    if (head->line == 0)
        head->columns = cells;
}

bool kerb_io_csv_head_has(const kerb_io_csv_head* head, kerb_io_csv_role role) {
    for (int32_t i = 0; i < head->columns && i < KERB_IO_CSV_COLUMNS_MAX; i++)
        if (head->column[i].role == role)
            return true;
    return false;
}

bool kerb_io_csv_head_is_track(const kerb_io_csv_head* head) {
    for (int32_t i = 0; i < head->columns && i < KERB_IO_CSV_COLUMNS_MAX; i++)
        if (head->column[i].track)
            return true;
    return head->comment &&
           (kerb_io_csv_head_has(head, CSV_RIGHT) || kerb_io_csv_head_has(head, CSV_LEFT) ||
            kerb_io_csv_head_has(head, CSV_WIDTH));
}

bool kerb_io_csv_head_is_usual(const kerb_io_csv_head* head) {
    for (int32_t i = 0; i < head->columns && i < KERB_IO_CSV_COLUMNS_MAX; i++)
        if (!head->column[i].usual)
            return false;
    return !head->comment && head->columns <= KERB_IO_CSV_COLUMNS_MAX;
}

void kerb_io_csv_head_assume(kerb_io_csv_head* head, const kerb_io_csv_role* roles, int32_t count) {
    head->columns = count;
    for (int32_t i = 0; i < count; i++)
        head->column[i] = (kerb_io_csv_name){.role = roles[i], .factor = 1.0};
}
