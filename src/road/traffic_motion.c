// Purpose: where vehicles are in the world, and vehicles whose place the host's physics tells.
// Idea:    A vehicle that the host drives is put where its front is along its lane and the turns
//          that it has claimed. It keeps its place in the lists between the vehicles ahead and
//          behind, so that all that is known of lists holds.
// Cost:    O(points of its segments).
#include "traffic_parts.h"

// A body moves its vehicle along by at most this, and by this time at its speed: more is a mistake
// of the projection. [m, s]
static const float body_jump = 2.0f, body_jump_time = 1.5f;
// A yaw rate is the change of heading over this time. [s]
static const float yaw_time = 0.1f;

// --------------------------------------------------------------------------- out

static float lateral_offset(const city_view* t, const city_car* c) {
    float r = kerb_abs(c->shift), whole = r > 1 ? 1.0f : 0.0f;
    float share = whole + change_rest_share(r - whole);
    float wide = t->net.segments[c->segment].width;
    if (c->shadow >= 0)
        wide = 0.5f * (wide + t->net.segments[c->shadow].width);
    return c->shift > 0 ? share * wide : -share * wide;
}

// A place on its way: ahead along the turns that it has claimed, or back along the segments that it
// has passed. [s: m from the start of its segment]
static kerb_vec3 car_place_on_way(const city_view* t, const city_car* c, float s, float left) {
    int32_t segment = c->segment, held = c->passed - 1, next = c->passed;
    while (s < 0 && held >= -1) {
        if (segment < t->head->lane_count) {
            if (held < 0)
                break;
            segment = t->head->lane_count + claim_turn(&c->claims[claim_place(c, held--)]);
        } else
            segment = t->net.turns[segment - t->head->lane_count].from;
        s += t->net.segments[segment].length;
    }
    while (s > t->net.segments[segment].length) {
        float length = t->net.segments[segment].length;
        if (segment >= t->head->lane_count) {
            segment = t->net.turns[segment - t->head->lane_count].to;
            next++;
        } else if (next < c->claim_count)
            segment = t->head->lane_count + claim_turn(&c->claims[claim_place(c, next)]);
        else
            break;
        s -= length;
    }
    left += kerb_in_network_aside(&t->net, segment, s, car_is_wide(t, c));
    return kerb_in_network_at(&t->net, segment, s, left).position;
}

// A place beside its way: on another lane of its edge.
static kerb_vec3 car_place_beside(const city_view* t, const city_car* c, float ahead,
                                  int32_t lane) {
    float s = car_station_beside(t, c, lane) + ahead;
    float left = kerb_in_network_aside(&t->net, lane, s, car_is_wide(t, c));
    return kerb_in_network_beyond(&t->net, lane, s, left).position;
}

// A place so far ahead of its front, or behind it. While it changes lanes, it is between the places
// on both: lanes side by side differ in length, so that it would jump when it counts on the other.
static kerb_vec3 car_place(const city_view* t, const city_car* c, float ahead) {
    float r = kerb_abs(c->shift);
    int32_t near = c->segment, far = -1;
    if (r > 0 && car_on_lane(t, c))
        far = c->shift > 0 ? t->net.lanes[near].left : t->net.lanes[near].right;
    if (far < 0)
        return car_place_on_way(t, c, c->s + ahead, lateral_offset(t, c));
    kerb_vec3 from = car_place_on_way(t, c, c->s + ahead, 0);
    int32_t farther = c->shift > 0 ? t->net.lanes[far].left : t->net.lanes[far].right;
    if (r > 1 && farther >= 0) {
        r -= 1;
        from = car_place_beside(t, c, ahead, far);
        far = farther;
    }
    kerb_vec3 to = car_place_beside(t, c, ahead, far);
    return kerb_vec3_along(from, kerb_vec3_sub(to, from), change_rest_share(kerb_min(r, 1)));
}

static const kerb_traffic_body* body_of(const city_view* t, const city_car* c) {
    return c->body > 0 ? &t->bodies[c->body - 1] : NULL;
}

static kerb_vec3 end_of_body(const kerb_traffic_body* body, float along) {
    float sine, cosine;
    kerb_sin_cos(body->heading, &sine, &cosine);
    return kerb_vec3_along(body->position, kerb_vec3_make(cosine, sine, 0), along);
}

kerb_traffic_vehicle kerb_traffic_vehicle_of(const kerb_traffic* traffic,
                                             const kerb_network* network, int32_t vehicle) {
    city_view t = kerb_in_traffic_view(traffic->memory, network->memory);
    const city_car* c = &t.cars[vehicle];
    const kerb_traffic_type* type = &t.head->types[c->type];
    kerb_traffic_vehicle v = {.stage = (kerb_traffic_stage)c->stage,
                              .wait = (kerb_traffic_wait)c->wait,
                              .type = c->type,
                              .user = c->user,
                              .segment = c->segment,
                              .next_turn = c->next_turn,
                              .length = type->length,
                              .width = type->width,
                              .acceleration = c->a,
                              .claims = c->claim_count,
                              .waited = c->waited};
    if (c->segment < 0)
        return v;
    const kerb_traffic_body* body = body_of(&t, c);
    v.station = c->s;
    v.speed = car_way_back(&t, c) > 0 ? -c->v_next : c->v;
    v.left = lateral_offset(&t, c);
    v.position = body ? end_of_body(body, 0.5f * body->length) : car_place(&t, c, 0);
    v.rear = body ? end_of_body(body, -0.5f * body->length) : car_place(&t, c, -type->length);
    v.joint = body || type->trailer <= 0 ? v.rear : car_place(&t, c, type->trailer - type->length);
    v.heading = kerb_atan2(v.position.y - v.joint.y, v.position.x - v.joint.x);
    return v;
}

// Its way with the acceleration that the last step decided, which does not end in driving back.
static float way_within(const city_view* t, const city_car* c, float time) {
    float back = car_way_back(t, c);
    if (back > 0)
        return -kerb_min(c->v_next * time, back);
    if (c->v + c->a * time < 0)
        time = c->v / -c->a;
    return (c->v + 0.5f * c->a * time) * time;
}

static float wanted_heading(const city_view* t, const city_car* c, float way, kerb_vec3* middle,
                            float* slope) {
    kerb_vec3 front = car_place(t, c, way);
    const kerb_traffic_type* type = &t->head->types[c->type];
    kerb_vec3 rear = car_place(t, c, way - type->length + type->trailer);
    kerb_vec3 d = kerb_vec3_sub(front, rear);
    *middle = kerb_vec3_along(rear, d, 0.5f);
    *slope = kerb_atan2(d.z, kerb_sqrt(d.x * d.x + d.y * d.y));
    return kerb_atan2(d.y, d.x);
}

kerb_motion kerb_traffic_motion_of(const kerb_traffic* traffic, const kerb_network* network,
                                   int32_t vehicle, float ahead) {
    city_view t = kerb_in_traffic_view(traffic->memory, network->memory);
    const city_car* c = &t.cars[vehicle];
    kerb_motion motion = kerb_motion_default();
    KERB_ASSERT(ahead >= 0 && ahead <= 1);
    if (c->segment < 0)
        return motion;
    kerb_vec3 later;
    float slope, later_slope;
    float heading = wanted_heading(&t, c, way_within(&t, c, ahead), &motion.position, &slope);
    float next = wanted_heading(&t, c, way_within(&t, c, ahead + yaw_time), &later, &later_slope);
    motion.rotation = kerb_quat_from_angles(heading, -slope, 0);
    float speed = car_way_back(&t, c) > 0 ? -c->v_next : kerb_max(c->v + c->a * ahead, 0);
    motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), speed);
    motion.angular_velocity.z = kerb_wrap_angle(next - heading) / yaw_time;
    return motion;
}

// --------------------------------------------------------------------------- in

// Station of a place on its way, from the start of its segment.
static float station_of(const city_view* t, const city_car* c, kerb_vec3 place) {
    float station, left, length = t->net.segments[c->segment].length;
    int32_t next = -1;
    kerb_in_network_nearest(&t->net, c->segment, place, &station, &left);
    if (station < length)
        return station;
    if (!car_on_lane(t, c))
        next = t->net.turns[c->segment - t->head->lane_count].to;
    else if (car_goes_on(c))
        next = t->head->lane_count + claim_turn(&c->claims[claim_place(c, c->passed)]);
    if (next < 0)
        return length;
    kerb_in_network_nearest(&t->net, next, place, &station, &left);
    return length + station;
}

// It would stand between the same vehicles as now.
static bool keeps_place(const city_view* t, int32_t index) {
    const city_car* c = &t->cars[index];
    for (int32_t k = 0; k < (c->shadow >= 0 ? 2 : 1); k++) {
        float s = node_station(t, 2 * index + k);
        if ((c->ahead[k] >= 0 && s > node_station(t, c->ahead[k])) ||
            (c->behind[k] >= 0 && s < node_station(t, c->behind[k])))
            return false;
    }
    return true;
}

void kerb_in_car_follow_body(city_view* t, int32_t index, const kerb_traffic_body* body) {
    city_car* c = &t->cars[index];
    car_stop_back(t, c);
    float speed = kerb_vec2_length(body->velocity), before = c->s, sine, cosine;
    float most = kerb_max(body_jump, speed * body_jump_time);
    float s = station_of(t, c, end_of_body(body, 0.5f * body->length));
    c->s = kerb_max(before + kerb_clamp(s - before, -most, most), 0);
    if (!keeps_place(t, index))
        c->s = before;
    if (c->claim_count > 0)
        c->way += c->s - before;
    c->distance += kerb_max(c->s - before, 0);
    kerb_sin_cos(body->heading, &sine, &cosine);
    c->v = kerb_max(body->velocity.x * cosine + body->velocity.y * sine, 0);
}
