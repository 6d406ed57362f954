// What the columns of a table of places are called, and what they mean.
#ifndef KERB_IO_CSV_NAMES_H
#define KERB_IO_CSV_NAMES_H

#include "io/csv.h"

/// What a column can be.
typedef enum kerb_io_csv_role {
    CSV_X,
    CSV_Y,
    CSV_Z,
    CSV_RIGHT,
    CSV_LEFT,
    CSV_BANK,
    CSV_GRIP,
    CSV_DIRECTION,
    CSV_SPEED,
    CSV_STOP,
    CSV_WIDTH,     ///< of both sides together
    CSV_LONGITUDE, ///< [degrees]
    CSV_LATITUDE,  ///< [degrees]
    CSV_ROLE_COUNT,
    CSV_OTHER = CSV_ROLE_COUNT ///< a column that is ignored
} kerb_io_csv_role;

/// What the name of a column says.
typedef struct kerb_io_csv_name {
    kerb_io_csv_role role;
    double factor; ///< from the unit in the name to SI
    int32_t rank;  ///< of several names for one role the least counts
    bool planned;  ///< the speed is one that something plans to drive, not a limit
    bool usual;    ///< one of the names of Kerb's own formats, in SI units
    bool track;    ///< a name of a width that only tracks use
} kerb_io_csv_name;

/// The meaning of a column's name, by this rule: case does not matter, nor does what separates
/// words. A unit may be the last word, or stand in brackets. What is left is one of the names that
/// docs/formats.md lists. Anything else is CSV_OTHER.
kerb_io_csv_name kerb_io_csv_name_read(const kerb_io_csv_cell* cell);

#endif
