// Purpose: JSON with line numbers.
// Idea:    One pass checks the bytes, another copies them for cJSON. The cursor can be simple,
//          because it only walks over text that cJSON has accepted.
// Cost:    O(length).
#include "io/json_text.h"

#include "io/quote.h"

#include <stdio.h>
#include <string.h>

static bool json_text_is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char* without_mark(const char* text, size_t length) {
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
}

static int32_t json_text_line_of(const char* text, const char* at) {
    int32_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

// --------------------------------------------------------------------------- bytes

// Bytes of the UTF-8 character at `at`, or 0 when it is none (RFC 3629: shortest form only, no
// surrogates, at most U+10FFFF).
static size_t character_length(const char* at, const char* end) {
    static const struct {
        unsigned char least, most, second_least, second_most;
        size_t length;
    } forms[] = {
        {0x00, 0x7F, 0x00, 0xFF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    const unsigned char* byte = (const unsigned char*)at;
    size_t form = 0, forms_count = sizeof forms / sizeof *forms;
    while (form < forms_count && (*byte < forms[form].least || *byte > forms[form].most))
        form++;
    size_t length = form < forms_count ? forms[form].length : 0;
    if (length > (size_t)(end - at))
        return 0;
    if (length > 1 && (byte[1] < forms[form].second_least || byte[1] > forms[form].second_most))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (byte[i] < 0x80 || byte[i] > 0xBF)
            return 0;
    return length;
}

// What is wrong with the character at `at`, or NULL. cJSON takes control characters for spaces,
// and \u0000 for the end of a string.
static const char* fault_at(const char* at, const char* end, bool in_string) {
    unsigned char byte = (unsigned char)*at;
    if (byte == 0)
        return "is not text: it holds a zero byte";
    if (in_string && (byte == '\n' || byte == '\r'))
        return "a string does not end on its line";
    if (byte < ' ' && (in_string || !json_text_is_space(*at)))
        return "holds a control character";
    if (in_string && end - at >= 6 && memcmp(at, "\\u0000", 6) == 0)
        return "holds a zero byte in a string";
    if (character_length(at, end) == 0)
        return "is not UTF-8 text";
    return NULL;
}

// Where text that cJSON should not see begins, or NULL.
static const char* find_fault(const char* text, const char* end, const char** message) {
    bool in_string = false;
    for (const char* at = text; at < end;) {
        *message = fault_at(at, end, in_string);
        if (*message)
            return at;
        bool escape = in_string && *at == '\\' && end - at >= 2 && (at[1] == '"' || at[1] == '\\');
        if (*at == '"')
            in_string = !in_string;
        at += escape ? 2 : character_length(at, end);
    }
    return NULL;
}

static bool starts_number(char c) {
    return c == '-' || (c >= '0' && c <= '9');
}

static bool continues_number(char c) {
    return starts_number(c) || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Copies the text with each number as 0 and spaces, and an ending zero.
static void copy_masked(char* copy, const char* text, const char* end) {
    bool in_string = false;
    while (text < end) {
        if (!in_string && starts_number(*text)) {
            *copy++ = '0';
            for (text++; text < end && continues_number(*text); text++)
                *copy++ = ' ';
            continue;
        }
        if (in_string && *text == '\\' && end - text >= 2)
            *copy++ = *text++;
        else if (*text == '"')
            in_string = !in_string;
        *copy++ = *text++;
    }
    *copy = '\0';
}

// --------------------------------------------------------------------------- parsing

static kerb_result json_text_refuse(kerb_error* error, const char* text, const char* at,
                                    const char* message) {
    return kerb_error_set(error, KERB_ERROR_SYNTAX, "", json_text_line_of(text, at), -1, message);
}

// Whether brackets are still open at the end, or nothing was ever opened.
static bool ends_early(const char* copy) {
    int32_t depth = 0;
    bool in_string = false, any = false;
    for (; *copy; copy++) {
        any |= !json_text_is_space(*copy);
        if (in_string && *copy == '\\' && copy[1])
            copy++;
        else if (*copy == '"')
            in_string = !in_string;
        else if (!in_string && (*copy == '{' || *copy == '['))
            depth++;
        else if (!in_string && (*copy == '}' || *copy == ']'))
            depth--;
    }
    return depth > 0 || in_string || !any;
}

// cJSON stopped at `at`, which is where the mistake is or a byte too far.
static kerb_result refuse_near(kerb_error* error, const char* copy, const char* text,
                               const char* at, const char* end) {
    char quoted[KERB_IO_QUOTE_MAX], message[96];
    while (at < end && json_text_is_space(*at))
        at++;
    if (at == end && ends_early(copy))
        return json_text_refuse(error, text, at, "the text ends before its JSON does");
    while (at > text && (at == end || json_text_is_space(*at)))
        at--;
    const char *start = at, *stop = at;
    while (start > text && at - start < 12 && start[-1] != '\n')
        start--;
    while (stop < end && stop - at < 12 && *stop != '\n' && *stop != '\r')
        stop++;
    kerb_io_quote(quoted, start, (size_t)(stop - start));
    snprintf(message, sizeof message, "is not JSON near: %s", quoted);
    return json_text_refuse(error, text, at, message);
}

// Parses a masked copy, of so many bytes without the ending zero.
static kerb_result parse_copy(const char* copy, const char* text, size_t length, cJSON** root,
                              kerb_error* error) {
    const char* stop = copy;
    *root = cJSON_ParseWithLengthOpts(copy, length + 1, &stop, 0);
    size_t offset = (size_t)(stop - copy);
    if (!*root)
        return refuse_near(error, copy, text, text + (offset < length ? offset : length),
                           text + length);
    while (offset < length && json_text_is_space(copy[offset]))
        offset++;
    if (offset >= length)
        return KERB_OK;
    cJSON_Delete(*root);
    *root = NULL;
    return json_text_refuse(error, text, text + offset, "there is text after the end of the JSON");
}

kerb_result kerb_io_json_parse(const char* text, size_t length, const kerb_allocator* allocator,
                               cJSON** root, kerb_error* error) {
    const char* end = text + length;
    const char* message = NULL;
    *root = NULL;
    if (length > KERB_IO_JSON_BYTES_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "", 0, -1, "the text is over 1 MiB long");
    text = without_mark(text, length);
    const char* fault = find_fault(text, end, &message);
    if (fault)
        return json_text_refuse(error, text, fault, message);
    size_t size = (size_t)(end - text) + 1;
    char* copy = allocator->allocate(allocator->context, size, 1);
    if (!copy)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the text");
    copy_masked(copy, text, end);
    kerb_result result = parse_copy(copy, text, size - 1, root, error);
    allocator->release(allocator->context, copy, size);
    return result;
}

// --------------------------------------------------------------------------- cursor

kerb_io_json_cursor kerb_io_json_cursor_make(const char* text, size_t length) {
    kerb_io_json_cursor cursor = {without_mark(text, length), text + length, 1};
    kerb_io_json_next(&cursor);
    return cursor;
}

void kerb_io_json_next(kerb_io_json_cursor* cursor) {
    for (; cursor->at < cursor->end; cursor->at++) {
        if (!json_text_is_space(*cursor->at) && *cursor->at != ',' && *cursor->at != ':')
            return;
        cursor->line += *cursor->at == '\n';
    }
}

void kerb_io_json_enter(kerb_io_json_cursor* cursor) {
    if (cursor->at < cursor->end)
        cursor->at++;
}

static void pass_string(kerb_io_json_cursor* cursor) {
    for (cursor->at++; cursor->at < cursor->end && *cursor->at != '"'; cursor->at++)
        if (*cursor->at == '\\')
            cursor->at++;
    if (cursor->at < cursor->end)
        cursor->at++;
}

size_t kerb_io_json_word(const kerb_io_json_cursor* cursor, const char** word) {
    const char* at = cursor->at;
    *word = at;
    while (at < cursor->end && !json_text_is_space(*at) && !strchr(",:]}[{\"", *at))
        at++;
    return (size_t)(at - *word);
}

// Values in between are passed as if the brackets were not there, so depth costs no stack.
void kerb_io_json_pass(kerb_io_json_cursor* cursor) {
    const char* word;
    int32_t depth = 0;
    do {
        kerb_io_json_next(cursor);
        if (cursor->at >= cursor->end)
            return;
        char c = *cursor->at;
        if (c == '"') {
            pass_string(cursor);
        } else if (strchr("{[]}", c)) {
            depth += c == '{' || c == '[' ? 1 : -1;
            cursor->at++;
        } else {
            cursor->at += kerb_io_json_word(cursor, &word);
        }
    } while (depth > 0);
}

// --------------------------------------------------------------------------- writing

static void add_character(kerb_io_text* text, char c) {
    char escape[8];
    int length = 0;
    if (c == '"' || c == '\\')
        length = snprintf(escape, sizeof escape, "\\%c", c);
    else if ((unsigned char)c < ' ')
        length = snprintf(escape, sizeof escape, "\\u%04x", (unsigned)c);
    kerb_io_text_add_bytes(text, length > 0 ? escape : &c, length > 0 ? (size_t)length : 1);
}

void kerb_io_json_add_string(kerb_io_text* text, const char* string) {
    kerb_io_text_add(text, "\"");
    for (; *string; string++)
        add_character(text, *string);
    kerb_io_text_add(text, "\"");
}
