// Several cars in one world of Bullet's, which run into one another there.
//
// Each stands on a plane of its own, moved under it before each step, that only its own wheels and
// body meet; bodies meet one another by Bullet's contacts. The same controls give the same bits on
// one machine. Steps should be of 1/240 s; touching, bodies ask Bullet for memory.
#ifndef SIM_BULLET_GROUP_H
#define SIM_BULLET_GROUP_H

#include "sim/group.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const sim_group_physics sim_bullet_group;

#ifdef __cplusplus
}
#endif

#endif
