// The skeleton of a page, and the writers of its data. Numbers are written from integers, because
// printf's decimal point depends on the locale.
#include "tool/page/page_writer.h"

#include "tool/page/replay_embedded.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- text

/// The code point at *text, which moves on; U+FFFD for what is not UTF-8. (RFC 3629)
static uint32_t next_code_point(const unsigned char** text) {
    static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
    uint32_t lead = *(*text)++;
    if (lead < 0x80)
        return lead;
    int32_t follow = lead >= 0xf8   ? -1
                     : lead >= 0xf0 ? 3
                     : lead >= 0xe0 ? 2
                     : lead >= 0xc0 ? 1
                                    : -1;
    if (follow < 0)
        return 0xfffd;
    uint32_t point = lead & (0x3fu >> follow);
    for (int32_t i = 0; i < follow; i++) {
        if ((**text & 0xc0) != 0x80)
            return 0xfffd;
        point = point << 6 | (*(*text)++ & 0x3fu);
    }
    bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return point < least[follow] || surrogate || point > 0x10ffff ? 0xfffd : point;
}

static void put_utf8(FILE* out, uint32_t point) {
    if (point < 0x80) {
        fputc((int)point, out);
        return;
    }
    int32_t follow = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const uint32_t mark[4] = {0, 0xc0, 0xe0, 0xf0};
    fputc((int)(mark[follow] | point >> (6 * follow)), out);
    while (follow-- > 0)
        fputc((int)(0x80 | (point >> (6 * follow) & 0x3f)), out);
}

void tool_page_html_text(FILE* out, const char* text) {
    const unsigned char* at = (const unsigned char*)text;
    while (*at) {
        uint32_t point = next_code_point(&at);
        if (point == '<' || point == '>' || point == '&' || point == '"' || point == '\'')
            fprintf(out, "&#%u;", (unsigned)point);
        else
            put_utf8(out, point < ' ' || point == 0x7f ? 0xfffd : point);
    }
}

/// A JSON string that may stand inside a script element: no `<`, so no `</script>` or `<!--`.
void tool_page_text(FILE* out, const char* text) {
    const unsigned char* at = (const unsigned char*)text;
    fputc('"', out);
    while (*at) {
        uint32_t point = next_code_point(&at);
        bool escaped = point < ' ' || point == 0x7f || point == '"' || point == '\\' ||
                       point == '<' || point == '>' || point == '&';
        if (escaped)
            fprintf(out, "\\u%04x", (unsigned)point);
        else
            put_utf8(out, point);
    }
    fputc('"', out);
}

/// `value` with so many decimals; null when it is not finite.
void tool_page_number(FILE* out, double value, int32_t decimals) {
    if (!isfinite(value)) {
        fputs("null", out);
        return;
    }
    long long unit = 1;
    for (int32_t i = 0; i < decimals; i++)
        unit *= 10;
    double most = 9.0e17;
    double scaled = floor(fabs(value) * (double)unit + 0.5);
    long long whole = (long long)(scaled < most ? scaled : most);
    fprintf(out, "%s%lld", value < 0.0 && whole > 0 ? "-" : "", whole / unit);
    if (decimals > 0)
        fprintf(out, ".%0*lld", (int)decimals, whole % unit);
}

void tool_page_field_text(FILE* out, const char* name, const char* text) {
    fprintf(out, "\"%s\":", name);
    tool_page_text(out, text);
    fputc(',', out);
}

void tool_page_field_number(FILE* out, const char* name, double value, int32_t decimals) {
    fprintf(out, "\"%s\":", name);
    tool_page_number(out, value, decimals);
    fputc(',', out);
}

// --------------------------------------------------------------------------- base64

static void base64_flush(tool_base64* stream, int32_t letters) {
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int32_t i = 0; i < 4; i++)
        fputc(i < letters ? alphabet[stream->bits >> (18 - 6 * i) & 63] : '=', stream->out);
    stream->bits = 0;
    stream->count = 0;
}

void tool_base64_byte(tool_base64* stream, uint32_t byte) {
    stream->bits |= (byte & 255u) << (16 - 8 * stream->count);
    if (++stream->count == 3)
        base64_flush(stream, 4);
}

void tool_base64_end(tool_base64* stream) {
    if (stream->count > 0)
        base64_flush(stream, stream->count + 1);
}

void tool_base64_int16(tool_base64* stream, int32_t value) {
    tool_base64_byte(stream, (uint32_t)value);
    tool_base64_byte(stream, (uint32_t)value >> 8);
}

void tool_base64_float(tool_base64* stream, float value) {
    uint32_t bits;
    float finite = kerb_is_finite(value) ? value : 0.0f;
    memcpy(&bits, &finite, sizeof bits);
    for (int32_t shift = 0; shift < 32; shift += 8)
        tool_base64_byte(stream, bits >> shift);
}

// --------------------------------------------------------------------------- steps

double tool_decimal_step_value(tool_decimal_step step) {
    static const double powers[6] = {1.0e-5, 1.0e-4, 1.0e-3, 1.0e-2, 1.0e-1, 1.0};
    return step.digit * powers[step.exponent + 5];
}

/// The finest step with which `greatest` fits into 16 bits.
tool_decimal_step tool_decimal_step_for(double greatest) {
    tool_decimal_step step = {1, -5};
    while (greatest > 32767.0 * tool_decimal_step_value(step) && step.exponent < 0) {
        step.exponent += step.digit == 5;
        step.digit = step.digit == 1 ? 2 : step.digit == 2 ? 5 : 1;
    }
    return step;
}

// --------------------------------------------------------------------------- the page

static void put_embedded(FILE* out, tool_embedded_file file) {
    fwrite(file.bytes, 1, file.size, out);
}

static void put_scripts(FILE* out) {
    for (int32_t i = 0; i < kerb_tool_replay_script_count; i++) {
        fputs("<script>\n", out);
        put_embedded(out, kerb_tool_replay_scripts[i]);
        fputs("</script>\n", out);
    }
}

/// Writes the template up to `mark`, skips the mark, and returns what is left.
static tool_embedded_file put_until(FILE* out, tool_embedded_file rest, const char* mark) {
    size_t length = strlen(mark);
    for (size_t i = 0; i + length <= rest.size; i++) {
        if (memcmp(rest.bytes + i, mark, length) != 0)
            continue;
        fwrite(rest.bytes, 1, i, out);
        return (tool_embedded_file){rest.bytes + i + length, rest.size - i - length};
    }
    return rest;
}

bool tool_page_write(FILE* out, const char* title, void (*put_data)(FILE* out, const void* context),
                     const void* context) {
    tool_embedded_file rest = put_until(out, kerb_tool_replay_html, "@TITLE@");
    tool_page_html_text(out, title);
    rest = put_until(out, rest, "@STYLE@");
    put_embedded(out, kerb_tool_replay_style);
    rest = put_until(out, rest, "@DATA@");
    put_data(out, context);
    rest = put_until(out, rest, "@SCRIPTS@");
    put_scripts(out);
    put_embedded(out, rest);
    return fflush(out) == 0 && ferror(out) == 0;
}
