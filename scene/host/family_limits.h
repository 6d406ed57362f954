// What a host of the family can do at its limit, by its own equations.
#ifndef KERB_SCENE_HOST_FAMILY_LIMITS_H
#define KERB_SCENE_HOST_FAMILY_LIMITS_H

#include "scene/host/family.h"

/// Lateral grip as described. Brakes, drive and the losses of the ellipse as the host's two axles
/// give them in steady driving with pedals that neither lock nor spin a wheel. Without tyres
/// nothing but the description sets a limit.
kerb_performance kerb_family_limits(const kerb_family_host* host);

/// Time that its automatic stands without drive while it speeds up along these speeds. [m/s] [s]
double kerb_family_shift_time(const kerb_family_host* host, const float* speed, int32_t count);

#endif
