// Purpose: calls expat, and reports what cannot be read with its line.
// Cost:    O(length).
#include "io/xml.h"

#include "io/number.h"
#include "io/quote.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char* kerb_io_xml_attribute(const char** attributes, const char* name) {
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

bool kerb_io_xml_read_number(kerb_io_xml* xml, const char* field, const char* text, size_t length,
                             double* value) {
    char quoted[KERB_IO_QUOTE_MAX], message[96];
    while (length > 0 && strchr(" \t\r\n", *text))
        text++, length--;
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    kerb_result result = kerb_io_number_read_double(text, length, value);
    if (result == KERB_OK)
        return true;
    kerb_io_quote(quoted, text, length);
    snprintf(message, sizeof message, "%s: \"%s\"",
             result == KERB_ERROR_WRONG_TYPE ? "must be a number" : "must be a finite number",
             quoted);
    kerb_io_xml_refuse(xml, result, field, message);
    return false;
}

double kerb_io_xml_number(kerb_io_xml* xml, const char** attributes, const char* name,
                          double standard) {
    const char* text = kerb_io_xml_attribute(attributes, name);
    double value = 0.0;
    if (!text && !isnan(standard))
        return standard;
    if (!text)
        kerb_io_xml_refuse(xml, KERB_ERROR_MISSING_FIELD, name, "the element needs it");
    else if (!kerb_io_xml_read_number(xml, name, text, strlen(text), &value))
        return 0.0;
    return value;
}

#if !defined(KERB_HAVE_EXPAT)

int32_t kerb_io_xml_line(const kerb_io_xml* xml) {
    (void)xml;
    return 0;
}

void kerb_io_xml_refuse(kerb_io_xml* xml, kerb_result result, const char* field,
                        const char* message) {
    xml->result = kerb_error_set(&xml->error, result, field, 0, -1, message);
}

kerb_result kerb_io_xml_parse(kerb_io_xml* xml, const char* text, size_t length,
                              kerb_error* error) {
    (void)xml;
    (void)text;
    (void)length;
    return kerb_error_set(error, KERB_ERROR_UNKNOWN_FIELD, "xml", 0, -1,
                          "this build of Kerb reads no XML: it was built without expat");
}

#else

#include <expat.h>

int32_t kerb_io_xml_line(const kerb_io_xml* xml) {
    XML_Size line = XML_GetCurrentLineNumber(xml->parser);
    return line < INT_MAX ? (int32_t)line : INT_MAX;
}

void kerb_io_xml_refuse(kerb_io_xml* xml, kerb_result result, const char* field,
                        const char* message) {
    if (xml->result != KERB_OK)
        return;
    xml->result = kerb_error_set(&xml->error, result, field, kerb_io_xml_line(xml), -1, message);
    XML_StopParser(xml->parser, XML_FALSE);
}

static const char* without_prefix(const char* name) {
    const char* colon = strchr(name, ':');
    return colon ? colon + 1 : name;
}

static void xml_on_start(void* context, const char* element, const char** attributes) {
    kerb_io_xml* xml = context;
    if (xml->result == KERB_OK && xml->start)
        xml->start(xml, without_prefix(element), attributes);
}

static void xml_on_end(void* context, const char* element) {
    kerb_io_xml* xml = context;
    if (xml->result == KERB_OK && xml->end)
        xml->end(xml, without_prefix(element));
}

static void xml_on_text(void* context, const char* text, int length) {
    kerb_io_xml* xml = context;
    if (xml->result == KERB_OK && xml->text)
        xml->text(xml, text, (size_t)length);
}

// Nothing is opened: expat goes on as if the file were empty.
static int xml_on_other_file(XML_Parser parser, const char* context, const char* base,
                             const char* system, const char* public) {
    kerb_io_xml* xml = XML_GetUserData(parser);
    (void)context;
    (void)base;
    (void)public;
    if (xml->result == KERB_OK && xml->other_file && system)
        xml->other_file(xml, system);
    return XML_STATUS_OK;
}

static void xml_on_undeclared(void* context, const char* entity, int is_parameter) {
    kerb_io_xml* xml = context;
    if (xml->result == KERB_OK && xml->undeclared && !is_parameter)
        xml->undeclared(xml, entity);
}

static void xml_pass_over(const kerb_io_xml* xml) {
    if (!xml->other_file && !xml->undeclared)
        return;
    // As if declarations were elsewhere: then an undeclared entity is passed over.
    XML_UseForeignDTD(xml->parser, XML_TRUE);
    XML_SetExternalEntityRefHandler(xml->parser, xml_on_other_file);
    XML_SetSkippedEntityHandler(xml->parser, xml_on_undeclared);
}

kerb_result kerb_io_xml_parse(kerb_io_xml* xml, const char* text, size_t length,
                              kerb_error* error) {
    if (length > INT_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "", 0, -1, "the file is over 2 GB long");
    xml->parser = XML_ParserCreate(NULL);
    if (!xml->parser)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the XML");
    XML_SetUserData(xml->parser, xml);
    XML_SetElementHandler(xml->parser, xml_on_start, xml_on_end);
    XML_SetCharacterDataHandler(xml->parser, xml_on_text);
    xml_pass_over(xml);
    if (XML_Parse(xml->parser, text, (int)length, 1) != XML_STATUS_OK)
        kerb_io_xml_refuse(xml,
                           XML_GetErrorCode(xml->parser) == XML_ERROR_NO_MEMORY
                               ? KERB_ERROR_OUT_OF_MEMORY
                               : KERB_ERROR_SYNTAX,
                           "", XML_ErrorString(XML_GetErrorCode(xml->parser)));
    XML_ParserFree(xml->parser);
    xml->parser = NULL;
    if (xml->result != KERB_OK && error)
        *error = xml->error;
    return xml->result;
}

#endif
