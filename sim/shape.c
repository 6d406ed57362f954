// Purpose: the contact points of a rotated rectangle with another rectangle or a disc.
// Idea:    Two rectangles are apart if they are apart along a side of one of them. Otherwise the
//          side with the smallest overlap gives the shortest direction out. The edge of the other
//          rectangle that faces this side, clipped to its length, gives the two contact points.
// Cost:    O(1): four dot products for rectangles that are apart.
// Source:  Gottschalk, Lin, Manocha, "OBBTree" (1996), section 5 (separating axes); Sutherland,
//          Hodgman, "Reentrant polygon clipping" (1974).
#include "sim/shape.h"

// A side of one rectangle, as the other one sees it.
typedef struct shape_side {
    const kerb_sim_shape* owner;
    const kerb_sim_shape* other;
    kerb_vec2 normal; // out of the owner, towards the other
    float height;     // of the side above the owner's centre
    float half;       // half the side's length
    float gap;        // from the side to the other's nearest corner
} shape_side;

static kerb_vec2 left_of(kerb_vec2 a) {
    return kerb_vec2_make(-a.y, a.x);
}

static kerb_vec2 along(kerb_vec2 from, kerb_vec2 direction, float distance) {
    return kerb_vec2_add(from, kerb_vec2_scale(direction, distance));
}

// The nearer one of the owner's two long sides, or of its two ends.
static shape_side side_towards(const kerb_sim_shape* owner, const kerb_sim_shape* other, bool end) {
    shape_side result = {owner, other, end ? owner->axis : left_of(owner->axis), 0.0f, 0.0f, 0.0f};
    result.height = end ? owner->half_length : owner->half_width;
    result.half = end ? owner->half_width : owner->half_length;
    float distance = kerb_vec2_dot(kerb_vec2_sub(other->centre, owner->centre), result.normal);
    float reach = other->half_length * kerb_abs(kerb_vec2_dot(other->axis, result.normal)) +
                  other->half_width * kerb_abs(kerb_vec2_cross(other->axis, result.normal));
    if (distance < 0.0f)
        result.normal = kerb_vec2_scale(result.normal, -1.0f);
    result.gap = kerb_abs(distance) - result.height - reach;
    return result;
}

// An edge as a middle point and half its length along a direction.
typedef struct edge {
    kerb_vec2 middle, direction;
    float half;
} edge;

// The other's edge that faces a side.
static edge edge_facing(const shape_side* face) {
    const kerb_sim_shape* other = face->other;
    kerb_vec2 left = left_of(other->axis);
    float ahead = kerb_vec2_dot(other->axis, face->normal);
    float aside = kerb_vec2_dot(left, face->normal);
    edge result;
    if (kerb_abs(ahead) > kerb_abs(aside)) {
        float height = ahead > 0.0f ? -other->half_length : other->half_length;
        result = (edge){along(other->centre, other->axis, height), left, other->half_width};
    } else {
        float height = aside > 0.0f ? -other->half_width : other->half_width;
        result = (edge){along(other->centre, left, height), other->axis, other->half_length};
    }
    return result;
}

// The part of an edge beside a face, as lengths along the edge from its middle. False: no part.
static bool clip(const shape_side* face, const edge* facing, float* from, float* to) {
    kerb_vec2 tangent = left_of(face->normal);
    float place = kerb_vec2_dot(kerb_vec2_sub(facing->middle, face->owner->centre), tangent);
    float slope =
        kerb_vec2_dot(facing->direction, tangent); // never near 0: the edge faces the side
    float a = (-face->half - place) / slope;
    float b = (face->half - place) / slope;
    *from = kerb_max(kerb_min(a, b), -facing->half);
    *to = kerb_min(kerb_max(a, b), facing->half);
    return *from <= *to;
}

static float gap_at(const shape_side* face, kerb_vec2 point) {
    kerb_vec2 from = kerb_vec2_sub(point, face->owner->centre);
    return kerb_vec2_dot(from, face->normal) - face->height;
}

static kerb_sim_touch touch_at(const shape_side* face, kerb_vec2 point, float gap,
                               const kerb_sim_shape* hit) {
    float sign = face->owner == hit ? 1.0f : -1.0f;
    kerb_sim_touch result = {point, kerb_vec2_scale(face->normal, sign), gap};
    return result;
}

static int32_t touches_of_side(const shape_side* face, const kerb_sim_shape* hit, float margin,
                               kerb_sim_touch touches[2]) {
    edge facing = edge_facing(face);
    float at[2];
    int32_t count = 0;
    if (!clip(face, &facing, &at[0], &at[1]))
        return 0;
    for (int i = 0; i < 2; i++) {
        kerb_vec2 point = along(facing.middle, facing.direction, at[i]);
        float gap = gap_at(face, point);
        if (gap <= margin)
            touches[count++] = touch_at(face, point, gap, hit);
    }
    return count;
}

// Where the other's edge passes by the side: its corner that is deepest.
static kerb_sim_touch touch_of_corner(const shape_side* face, const kerb_sim_shape* hit) {
    edge facing = edge_facing(face);
    kerb_vec2 a = along(facing.middle, facing.direction, -facing.half);
    kerb_vec2 b = along(facing.middle, facing.direction, facing.half);
    return touch_at(face, gap_at(face, a) < gap_at(face, b) ? a : b, face->gap, hit);
}

static int32_t touches_of_box(const kerb_sim_shape* hit, const kerb_sim_shape* box, float margin,
                              float side_preference, kerb_sim_touch touches[2]) {
    shape_side sides[4] = {side_towards(hit, box, false), side_towards(hit, box, true),
                           side_towards(box, hit, false), side_towards(box, hit, true)};
    int best = 0, preferred = 1;
    for (int i = 0; i < 4; i++) {
        if (!(sides[i].gap <= margin))
            return 0;
        if (sides[i].gap > sides[best].gap)
            best = i;
        if (i > 0 && sides[i].gap > sides[preferred].gap)
            preferred = i;
    }
    if (sides[preferred].gap <= sides[0].gap + side_preference)
        preferred = 0;
    int32_t count = touches_of_side(&sides[preferred], hit, margin, touches);
    if (count == 0 && sides[best].gap < 0.0f)
        touches[count++] = touch_of_corner(&sides[best], hit);
    return count;
}

// A disc whose centre lies in the box: out through the nearest side of the box.
static kerb_sim_touch touch_of_disc_inside(const kerb_sim_shape* disc, const kerb_sim_shape* box,
                                           kerb_vec2 place) {
    float ahead = box->half_length - kerb_abs(place.x);
    float aside = box->half_width - kerb_abs(place.y);
    kerb_vec2 normal = ahead < aside ? box->axis : left_of(box->axis);
    float way = ahead < aside ? place.x : place.y;
    kerb_sim_touch result = {disc->centre, kerb_vec2_scale(normal, way < 0.0f ? 1.0f : -1.0f),
                             -kerb_min(ahead, aside) - disc->radius};
    return result;
}

static int32_t touches_of_disc(const kerb_sim_shape* disc, const kerb_sim_shape* box, float margin,
                               kerb_sim_touch touches[2]) {
    kerb_vec2 from = kerb_vec2_sub(disc->centre, box->centre);
    kerb_vec2 left = left_of(box->axis);
    kerb_vec2 place = {kerb_vec2_dot(from, box->axis), kerb_vec2_dot(from, left)};
    kerb_vec2 nearest = {kerb_clamp(place.x, -box->half_length, box->half_length),
                         kerb_clamp(place.y, -box->half_width, box->half_width)};
    kerb_vec2 apart = kerb_vec2_sub(nearest, place);
    float distance = kerb_vec2_length(apart);
    if (!(distance <= disc->radius + margin))
        return 0;
    if (distance < 1e-5f) { // too short to have a direction
        touches[0] = touch_of_disc_inside(disc, box, place);
    } else {
        apart = kerb_vec2_scale(apart, 1.0f / distance);
        touches[0].normal = along(kerb_vec2_scale(box->axis, apart.x), left, apart.y);
        touches[0].point = along(along(box->centre, box->axis, nearest.x), left, nearest.y);
        touches[0].gap = distance - disc->radius;
    }
    return 1;
}

int32_t kerb_sim_shape_touches(const kerb_sim_shape* hit, const kerb_sim_shape* box, float margin,
                               float side_preference, kerb_sim_touch touches[2]) {
    if (hit->radius > 0.0f)
        return touches_of_disc(hit, box, margin, touches);
    return touches_of_box(hit, box, margin, side_preference, touches);
}
