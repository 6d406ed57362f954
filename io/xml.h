// XML by expat, for formats whose meaning is in elements and attributes: GPX, OpenDRIVE and TORCS.
//
//     kerb_io_xml xml = {.context = &mine, .start = on_start, .end = on_end};
//     if (kerb_io_xml_parse(&xml, text, length, &error) == KERB_OK) …
//
// No other file is opened. Names come without their prefix. After a refusal no call is made.
#ifndef KERB_IO_XML_H
#define KERB_IO_XML_H

#include "kerb/base.h"

typedef struct kerb_io_xml kerb_io_xml;
struct kerb_io_xml {
    void* context; ///< for the calls below, each of which may be NULL
    void (*start)(kerb_io_xml* xml, const char* element, const char** attributes);
    void (*end)(kerb_io_xml* xml, const char* element);
    void (*text)(kerb_io_xml* xml, const char* text, size_t length);
    /// What is passed over, with the name of a file that the document wants to include, or of an
    /// entity that it does not declare. With either of these calls declarations may be elsewhere;
    /// without them an undeclared entity is refused.
    void (*other_file)(kerb_io_xml* xml, const char* file);
    void (*undeclared)(kerb_io_xml* xml, const char* entity);
    void* parser;       ///< expat's
    kerb_result result; ///< of the first refusal
    kerb_error error;
};

/// Errors: SYNTAX, with the line, OUT_OF_MEMORY, TOO_MANY (bytes); UNKNOWN_FIELD of "xml" where
/// this build has no expat; and what a call refused.
kerb_result kerb_io_xml_parse(kerb_io_xml* xml, const char* text, size_t length, kerb_error* error);

/// Refuses the text at the line that is being read. Only the first refusal counts.
void kerb_io_xml_refuse(kerb_io_xml* xml, kerb_result result, const char* field,
                        const char* message);

/// Line that is being read, from 1.
int32_t kerb_io_xml_line(const kerb_io_xml* xml);

/// An attribute's text, or NULL.
const char* kerb_io_xml_attribute(const char** attributes, const char* name);

/// Reads a number. False, with a refusal, when the text is none or not finite.
bool kerb_io_xml_read_number(kerb_io_xml* xml, const char* field, const char* text, size_t length,
                             double* value);

/// The number of an attribute; `standard` where there is none, which is refused when that is NAN.
double kerb_io_xml_number(kerb_io_xml* xml, const char** attributes, const char* name,
                          double standard);

#endif
