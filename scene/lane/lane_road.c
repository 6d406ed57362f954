// Edges are at right angles to the mean of two segments, so that they meet at corners. A ray is
// tested only against the segments near its vehicle, because edges hide what is farther; and of
// those only against the ones in blocks whose circle it enters. O(blocks), and O(segments) of a few
// blocks.
#include "scene/lane/lane_road.h"

#include <string.h>

#define LANE_ROAD_REACH 250.0f // of rays along the road [m]
#define LANE_ROAD_NEAR 60.0f   // in which the nearest edge is looked for [m]
#define NOWHERE 1.0e9f
#define BLOCK 16  // segments
#define LOOP 4.0f // of the road's width: longer loops of an edge are meant [1]

// Roads on a bridge are at least so much higher, and slopes are no steeper. [m], [1]
#define HEADROOM 3.0f
#define SLOPE 0.15f

typedef struct kerb_scene_lane_block {
    kerb_vec2 centre;
    float radius; ///< of a circle that both edges of BLOCK segments lie in, KERB_SCENE_LANE_MOVED
                  ///< spare
} kerb_scene_lane_block;

static kerb_vec2 lane_road_unit(kerb_vec2 a) {
    float length = kerb_vec2_length(a);
    return length > 0.0f ? kerb_vec2_scale(a, 1.0f / length) : kerb_vec2_make(1.0f, 0.0f);
}

// Where the edge beside point i is, `aside` to the left of it.
static kerb_vec2 edge_at(const kerb_path* path, int32_t i, float aside) {
    int32_t before = i > 0 ? i - 1 : path->closed ? path->count - 1 : 0;
    int32_t after = i < path->segment_count ? i : path->segment_count - 1;
    kerb_vec2 a = lane_road_unit(
        kerb_vec2_make(path->points[before].direction.x, path->points[before].direction.y));
    kerb_vec2 b = lane_road_unit(
        kerb_vec2_make(path->points[after].direction.x, path->points[after].direction.y));
    kerb_vec2 mean = lane_road_unit(kerb_vec2_add(a, b));
    float stretch = kerb_max(kerb_vec2_dot(mean, a), 0.5f);
    kerb_vec3 at = path->points[i].position;
    return kerb_vec2_make(at.x - mean.y * aside / stretch, at.y + mean.x * aside / stretch);
}

static kerb_scene_lane_segment segment_of(const kerb_path* path, int32_t i, bool left) {
    int32_t next = (i + 1) % path->count;
    const kerb_path_point* a = &path->points[i];
    const kerb_path_point* b = &path->points[next];
    kerb_scene_lane_segment segment = {edge_at(path, i, left ? a->left : -a->right),
                                       edge_at(path, next, left ? b->left : -b->right),
                                       KERB_LANE_HIT_EDGE};
    return segment;
}

static void* lane_road_allocate(const kerb_host* host, size_t bytes) {
    return host->allocator.allocate(host->allocator.context, bytes, 16);
}

static int32_t blocks_of(int32_t segments) {
    return (segments + BLOCK - 1) / BLOCK;
}

static kerb_scene_lane_block block_round(const kerb_scene_lane_road* road, int32_t first) {
    int32_t end =
        first + BLOCK < road->path.segment_count ? first + BLOCK : road->path.segment_count;
    kerb_scene_lane_block block = {{0.0f, 0.0f}, 0.0f};
    for (int32_t i = first; i < end; i++) {
        kerb_vec3 at = road->path.points[i].position;
        block.centre.x += at.x / (float)(end - first);
        block.centre.y += at.y / (float)(end - first);
    }
    for (int32_t i = first; i < end; i++) {
        const kerb_vec2 ends[4] = {road->left[i].from, road->left[i].to, road->right[i].from,
                                   road->right[i].to};
        for (int32_t k = 0; k < 4; k++)
            block.radius =
                kerb_max(block.radius, kerb_vec2_length(kerb_vec2_sub(ends[k], block.centre)));
    }
    block.radius += KERB_SCENE_LANE_MOVED;
    return block;
}

// One allocation: edges, blocks, heights.
static size_t bytes_of(const kerb_scene_lane_road* road) {
    size_t segments = (size_t)road->path.segment_count;
    return 2 * segments * sizeof *road->left +
           (size_t)blocks_of(road->path.segment_count) * sizeof *road->blocks +
           (size_t)road->path.count * sizeof *road->heights;
}

// Where two pieces of an edge cross.
static bool cross(const kerb_scene_lane_segment* a, const kerb_scene_lane_segment* b,
                  kerb_vec2* at) {
    kerb_vec2 u = kerb_vec2_sub(a->to, a->from), v = kerb_vec2_sub(b->to, b->from);
    kerb_vec2 off = kerb_vec2_sub(b->from, a->from);
    float det = kerb_vec2_cross(u, v);
    if (det == 0.0f)
        return false;
    float along = kerb_vec2_cross(off, v) / det, across = kerb_vec2_cross(off, u) / det;
    *at = kerb_vec2_add(a->from, kerb_vec2_scale(u, along));
    return along >= 0.0f && along <= 1.0f && across >= 0.0f && across <= 1.0f;
}

// Inside a bend that is tighter than the road is wide the edge would cross itself in a loop that
// lies on the road: what lies between the crossing pieces is none.
static void cut_loops(const kerb_path* path, kerb_scene_lane_segment* edge) {
    const int32_t count = path->segment_count;
    for (int32_t i = 0; i < count; i++) {
        const float reach = LOOP * (path->points[i].left + path->points[i].right);
        float way = 0.0f;
        for (int32_t n = 1; n < count - 1 && way < reach; n++) {
            if (!path->closed && i + n >= count)
                break;
            kerb_scene_lane_segment* last = &edge[(i + n) % count];
            way += kerb_vec2_length(kerb_vec2_sub(last->to, last->from));
            kerb_vec2 at;
            if (n < 2 || edge[i].what == KERB_LANE_HIT_NOTHING ||
                last->what == KERB_LANE_HIT_NOTHING || !cross(&edge[i], last, &at))
                continue;
            const kerb_scene_lane_segment none = {at, at, KERB_LANE_HIT_NOTHING};
            for (int32_t k = 1; k < n; k++)
                edge[(i + k) % count] = none;
            edge[i].to = at;
            last->from = at;
        }
    }
}

static void lay_edges(kerb_scene_lane_road* road) {
    int32_t segments = road->path.segment_count;
    road->right = road->left + segments;
    road->blocks = (kerb_scene_lane_block*)(void*)(road->right + segments);
    road->heights = (float*)(void*)(road->blocks + blocks_of(segments));
    for (int32_t i = 0; i < segments; i++) {
        road->left[i] = segment_of(&road->path, i, true);
        road->right[i] = segment_of(&road->path, i, false);
    }
    cut_loops(&road->path, road->left);
    cut_loops(&road->path, road->right);
    for (int32_t i = 0; i < blocks_of(segments); i++)
        road->blocks[i] = block_round(road, i * BLOCK);
}

// Before it was laid flat: from the waypoint nearest to each point of the path, in their order.
static void note_heights(kerb_scene_lane_road* road, const kerb_waypoint* waypoints,
                         int32_t count) {
    int32_t next = 0;
    for (int32_t i = 0; i < road->path.count; i++) {
        kerb_vec3 at = road->path.points[i].position;
        for (; next + 1 < count; next++) {
            kerb_vec3 here = waypoints[next].position, then = waypoints[next + 1].position;
            float a = (here.x - at.x) * (here.x - at.x) + (here.y - at.y) * (here.y - at.y);
            float b = (then.x - at.x) * (then.x - at.x) + (then.y - at.y) * (then.y - at.y);
            if (a < b)
                break;
        }
        road->heights[i] = waypoints[next].position.z;
    }
}

float kerb_scene_lane_road_height(const kerb_scene_lane_road* road, int32_t segment) {
    return road->heights[segment];
}

kerb_result kerb_scene_lane_road_create(kerb_scene_lane_road* road, const kerb_waypoint* waypoints,
                                        int32_t count, bool closed, const kerb_host* host,
                                        kerb_error* error) {
    memset(road, 0, sizeof *road);
    road->host = *host;
    if (count < 2)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "waypoints", 0, -1, "too few waypoints");
    kerb_waypoint* flat = lane_road_allocate(host, (size_t)count * sizeof *flat);
    if (!flat)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory");
    for (int32_t i = 0; i < count; i++) {
        flat[i] = waypoints[i];
        flat[i].position.z = 0.0f;
    }
    kerb_result result = kerb_path_create(&road->path, flat, count, closed, host, error);
    host->allocator.release(host->allocator.context, flat, (size_t)count * sizeof *flat);
    if (result != KERB_OK)
        return result;
    road->left = lane_road_allocate(host, bytes_of(road));
    if (!road->left) {
        kerb_scene_lane_road_destroy(road);
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory");
    }
    lay_edges(road);
    note_heights(road, waypoints, count);
    return KERB_OK;
}

void kerb_scene_lane_road_destroy(kerb_scene_lane_road* road) {
    if (road->left)
        road->host.allocator.release(road->host.allocator.context, road->left, bytes_of(road));
    kerb_path_destroy(&road->path);
    memset(road, 0, sizeof *road);
}

// Distance along a ray to a segment, or `most`.
static float lane_road_meet(kerb_vec2 origin, kerb_vec2 direction, kerb_vec2 from, kerb_vec2 to,
                            float most) {
    kerb_vec2 along = kerb_vec2_sub(to, from), off = kerb_vec2_sub(from, origin);
    float det = kerb_vec2_cross(direction, along);
    if (det == 0.0f)
        return most;
    float distance = kerb_vec2_cross(off, along) / det;
    float share = kerb_vec2_cross(off, direction) / det;
    bool hit = distance >= 0.0f && distance < most && share >= 0.0f && share <= 1.0f;
    return hit ? distance : most;
}

static void meet_edge(const kerb_scene_lane_segment* s, kerb_vec2 origin, kerb_vec2 direction,
                      kerb_lane_hit* hit) {
    if (s->what == KERB_LANE_HIT_NOTHING)
        return;
    float distance = lane_road_meet(origin, direction, s->from, s->to, hit->distance);
    if (distance >= hit->distance)
        return;
    kerb_vec2 along = lane_road_unit(kerb_vec2_sub(s->to, s->from));
    kerb_vec2 normal = kerb_vec2_make(-along.y, along.x);
    float sign = kerb_vec2_dot(normal, direction) > 0.0f ? -1.0f : 1.0f;
    hit->kind = s->what;
    hit->distance = distance;
    hit->normal = kerb_vec3_make(normal.x * sign, normal.y * sign, 0.0f);
}

static void meet_box(const kerb_scene_lane_box* box, kerb_vec2 origin, kerb_vec2 direction,
                     kerb_lane_hit* hit) {
    kerb_vec2 left = kerb_vec2_make(-box->forward.y, box->forward.x);
    kerb_vec2 ahead = kerb_vec2_scale(box->forward, 0.5f * box->length);
    kerb_vec2 aside = kerb_vec2_scale(left, 0.5f * box->width);
    kerb_vec2 front = kerb_vec2_add(box->centre, ahead), back = kerb_vec2_sub(box->centre, ahead);
    kerb_vec2 corner[4] = {kerb_vec2_add(front, aside), kerb_vec2_sub(front, aside),
                           kerb_vec2_sub(back, aside), kerb_vec2_add(back, aside)};
    for (int32_t i = 0; i < 4; i++) {
        float distance =
            lane_road_meet(origin, direction, corner[i], corner[(i + 1) % 4], hit->distance);
        if (distance >= hit->distance)
            continue;
        hit->kind = KERB_LANE_HIT_VEHICLE;
        hit->distance = distance;
        hit->normal = kerb_vec3_make(-direction.x, -direction.y, 0.0f);
        hit->velocity = kerb_vec3_make(box->velocity.x, box->velocity.y, 0.0f);
    }
}

// Every segment within a reach along the road, both ways.
typedef struct lane_road_window {
    int32_t first, count;
} lane_road_window;

static lane_road_window window_of(const kerb_scene_lane_road* road, int32_t near_segment,
                                  float reach) {
    const kerb_path* path = &road->path;
    kerb_path_location here = {.segment = near_segment};
    int32_t from = kerb_path_advance(path, here, -reach).segment;
    int32_t to = kerb_path_advance(path, here, reach).segment;
    if (2.0 * (double)reach >= path->length) {
        lane_road_window all = {0, path->segment_count};
        return all;
    }
    lane_road_window w = {from, to - from + 1};
    if (w.count <= 0)
        w.count += path->segment_count;
    return w;
}

// Whether a ray of this length comes within `radius` of a point.
static bool comes_near(kerb_vec2 origin, kerb_vec2 direction, float length, kerb_vec2 centre,
                       float radius) {
    kerb_vec2 off = kerb_vec2_sub(centre, origin);
    float along = kerb_clamp(kerb_vec2_dot(off, direction), 0.0f, length);
    kerb_vec2 gap = kerb_vec2_sub(off, kerb_vec2_scale(direction, along));
    return kerb_vec2_dot(gap, gap) <= radius * radius;
}

// Not on a bridge over the road at `height`, nor below one.
static bool is_on_level(float height, float other, float distance) {
    return kerb_abs(other - height) <= HEADROOM + SLOPE * distance;
}

static void meet_edges(const kerb_scene_lane_road* road, int32_t near_segment, kerb_vec2 origin,
                       kerb_vec2 direction, kerb_lane_hit* hit) {
    const float height = road->heights[near_segment];
    lane_road_window w =
        window_of(road, near_segment, kerb_min(LANE_ROAD_REACH, hit->distance + 50.0f));
    for (int32_t i = 0; i < w.count;) {
        int32_t segment = (w.first + i) % road->path.segment_count;
        int32_t end = (segment / BLOCK + 1) * BLOCK;
        end = end < road->path.segment_count ? end : road->path.segment_count;
        int32_t stop = segment + w.count - i;
        end = end < stop ? end : stop;
        i += end - segment;
        const kerb_scene_lane_block* block = &road->blocks[segment / BLOCK];
        if (!comes_near(origin, direction, hit->distance, block->centre, block->radius))
            continue;
        for (; segment < end; segment++) {
            kerb_lane_hit before = *hit;
            meet_edge(&road->left[segment], origin, direction, hit);
            meet_edge(&road->right[segment], origin, direction, hit);
            if (hit->distance < before.distance &&
                !is_on_level(height, road->heights[segment], hit->distance))
                *hit = before;
        }
    }
}

kerb_lane_hit kerb_scene_lane_road_cast(const kerb_scene_lane_road* road, int32_t near_segment,
                                        const kerb_scene_lane_box* boxes, int32_t count,
                                        int32_t self, const kerb_lane_ray* ray) {
    kerb_lane_hit hit = {.kind = KERB_LANE_HIT_NOTHING, .distance = ray->length};
    kerb_vec2 origin = kerb_vec2_make(ray->origin.x, ray->origin.y);
    kerb_vec2 direction = kerb_vec2_make(ray->direction.x, ray->direction.y);
    meet_edges(road, near_segment, origin, direction, &hit);
    for (int32_t i = 0; i < count; i++) {
        const kerb_scene_lane_box* box = &boxes[i];
        if (i == self ||
            !comes_near(origin, direction, hit.distance, box->centre, box->length + box->width))
            continue;
        kerb_vec2 off = kerb_vec2_sub(box->centre, origin);
        if (is_on_level(road->heights[near_segment], box->height, kerb_vec2_length(off)))
            meet_box(box, origin, direction, &hit);
    }
    return hit;
}

static float distance_from(const kerb_scene_lane_segment* s, kerb_vec2 point, float* sign) {
    kerb_vec2 along = kerb_vec2_sub(s->to, s->from), off = kerb_vec2_sub(point, s->from);
    float square = kerb_vec2_dot(along, along);
    *sign = 1.0f;
    if (square == 0.0f)
        return NOWHERE;
    float share = kerb_clamp(kerb_vec2_dot(off, along) / square, 0.0f, 1.0f);
    *sign = kerb_vec2_cross(along, off) >= 0.0f ? 1.0f : -1.0f;
    return kerb_vec2_length(kerb_vec2_sub(off, kerb_vec2_scale(along, share)));
}

float kerb_scene_lane_road_distance(const kerb_scene_lane_road* road, int32_t near_segment,
                                    bool left, kerb_vec2 point) {
    float best = NOWHERE, side = 1.0f;
    lane_road_window w = window_of(road, near_segment, LANE_ROAD_NEAR);
    for (int32_t i = 0; i < w.count; i++) {
        int32_t segment = (w.first + i) % road->path.segment_count;
        float sign;
        float d = distance_from(left ? &road->left[segment] : &road->right[segment], point, &sign);
        if (d >= best)
            continue;
        best = d;
        side = left ? -sign : sign;
    }
    return best * side;
}

bool kerb_scene_lane_road_is_over(const kerb_scene_lane_road* road, int32_t near_segment,
                                  const kerb_scene_lane_box* box, bool oncoming) {
    kerb_vec2 left = kerb_vec2_make(-box->forward.y, box->forward.x);
    for (int32_t i = 0; i < 6; i++) { // corners, and the middles of the sides
        int32_t place = i / 2 - 1;
        float ahead = 0.5f * box->length * (float)place;
        float aside = i % 2 == 0 ? 0.5f * box->width : -0.5f * box->width;
        kerb_vec2 point = kerb_vec2_add(box->centre, kerb_vec2_scale(box->forward, ahead));
        point = kerb_vec2_add(point, kerb_vec2_scale(left, aside));
        if (kerb_scene_lane_road_distance(road, near_segment, (aside > 0.0f) != oncoming, point) <
            0.0f)
            return true;
    }
    return false;
}

float kerb_scene_lane_road_width(const kerb_scene_lane_road* road) {
    float least = NOWHERE;
    for (int32_t i = 0; i < road->path.count; i++)
        least = kerb_min(least, road->path.points[i].left + road->path.points[i].right);
    return least;
}
