// Kerb neighbour: who is near, for every room that looks at others.
//
// A uniform grid over the plane, built anew in every frame from the positions: a counting sort, so
// that the order of what it finds depends only on places and indices. Memory is given once.
#ifndef KERB_NEIGHBOUR_H
#define KERB_NEIGHBOUR_H

#include "math.h"

#endif
