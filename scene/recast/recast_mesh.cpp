// Builds a navigation mesh in the steps of Recast's own sample: heightfield, filters, compact
// heightfield, regions, contours, polygons. Recast has y up: its (x, y, z) are (z, x, y) here.
#include "scene/recast/recast_mesh.h"

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace {

constexpr int SIDE_MOST = 16000; // cells along a side, which Recast counts in 16 bits
constexpr int CORNERS = DT_VERTS_PER_POLYGON;
constexpr int WAY_MOST = 4096; // polygons and corners of Detour's ways
constexpr float REACH[3] = {1.0f, 2.0f, 1.0f};

template <auto release> struct freed {
    template <class T> void operator()(T* x) const {
        release(x);
    }
};
using heightfield = std::unique_ptr<rcHeightfield, freed<rcFreeHeightField>>;
using compact = std::unique_ptr<rcCompactHeightfield, freed<rcFreeCompactHeightfield>>;
using contours = std::unique_ptr<rcContourSet, freed<rcFreeContourSet>>;
using polygons = std::unique_ptr<rcPolyMesh, freed<rcFreePolyMesh>>;

void to_theirs(const kerb_vec3& v, float* out) {
    out[0] = v.y;
    out[1] = v.z;
    out[2] = v.x;
}

kerb_vec3 to_ours(const float* v) {
    return {v[2], v[0], v[1]};
}

// All triangles in their axes.
struct soup {
    std::vector<float> vertices;
    std::vector<int> triangles;
    float least[3], most[3];
};

soup soup_of(const kerb_scene_recast_ground& ground) {
    soup s;
    s.vertices.resize(3 * static_cast<size_t>(ground.vertex_count));
    for (int32_t i = 0; i < ground.vertex_count; i++)
        to_theirs(ground.vertices[i], &s.vertices[3 * static_cast<size_t>(i)]);
    s.triangles.assign(ground.triangles,
                       ground.triangles + 3 * static_cast<size_t>(ground.triangle_count));
    rcCalcBounds(s.vertices.data(), ground.vertex_count, s.least, s.most);
    return s;
}

rcConfig config_of(const soup& s, const kerb_scene_recast_walker& w) {
    rcConfig c = {};
    c.cs = w.cell;
    c.ch = 0.5f * w.cell;
    c.walkableSlopeAngle = w.slope * 180.0f / KERB_PI;
    c.walkableHeight = static_cast<int>(std::ceil(w.height / c.ch));
    c.walkableClimb = static_cast<int>(std::ceil(w.climb / c.ch));
    c.walkableRadius = static_cast<int>(std::ceil(w.radius / c.cs));
    c.maxEdgeLen = static_cast<int>(24.0f / c.cs);
    c.maxSimplificationError = 1.0f;
    c.minRegionArea = 64;
    c.mergeRegionArea = 400;
    c.maxVertsPerPoly = CORNERS;
    rcVcopy(c.bmin, s.least);
    rcVcopy(c.bmax, s.most);
    rcCalcGridSize(c.bmin, c.bmax, c.cs, &c.width, &c.height);
    return c;
}

compact open_ground(rcContext& context, soup& s, const rcConfig& c) {
    heightfield solid(rcAllocHeightfield());
    compact open(rcAllocCompactHeightfield());
    const int count = static_cast<int>(s.triangles.size() / 3);
    std::vector<unsigned char> areas(static_cast<size_t>(count), 0);
    const int vertices = static_cast<int>(s.vertices.size() / 3);
    rcMarkWalkableTriangles(&context, c.walkableSlopeAngle, s.vertices.data(), vertices,
                            s.triangles.data(), count, areas.data());
    if (!solid || !open ||
        !rcCreateHeightfield(&context, *solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch) ||
        !rcRasterizeTriangles(&context, s.vertices.data(), vertices, s.triangles.data(),
                              areas.data(), count, *solid, c.walkableClimb))
        return nullptr;
    rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *solid);
    rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *solid);
    rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *solid);
    if (!rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *solid, *open) ||
        (c.walkableRadius > 0 && !rcErodeWalkableArea(&context, c.walkableRadius, *open)) ||
        !rcBuildDistanceField(&context, *open) ||
        !rcBuildRegions(&context, *open, 0, c.minRegionArea, c.mergeRegionArea))
        return nullptr;
    return open;
}

polygons polygons_of(rcContext& context, soup& s, const rcConfig& c) {
    const compact open = open_ground(context, s, c);
    contours outline(rcAllocContourSet());
    polygons mesh(rcAllocPolyMesh());
    if (!open || !outline || !mesh ||
        !rcBuildContours(&context, *open, c.maxSimplificationError, c.maxEdgeLen, *outline) ||
        !rcBuildPolyMesh(&context, *outline, c.maxVertsPerPoly, *mesh))
        return nullptr;
    for (int i = 0; i < mesh->npolys; i++)
        mesh->flags[i] = 1;
    return mesh;
}

template <class T> T* array_of(size_t count) {
    return static_cast<T*>(std::calloc(count + 1, sizeof(T)));
}

// Recast's polygons are clockwise seen from above with y up; in our axes they are anticlockwise.
bool take(const rcPolyMesh& m, kerb_scene_recast* out) {
    const size_t corners = static_cast<size_t>(m.npolys) * static_cast<size_t>(m.nvp);
    out->vertices = array_of<kerb_vec3>(static_cast<size_t>(m.nverts));
    out->corner_counts = array_of<int32_t>(static_cast<size_t>(m.npolys));
    out->corners = array_of<int32_t>(corners);
    out->neighbours = array_of<int32_t>(corners);
    if (!out->vertices || !out->corner_counts || !out->corners || !out->neighbours)
        return false;
    for (int i = 0; i < m.nverts; i++) {
        const unsigned short* v = &m.verts[3 * i];
        const float at[3] = {m.bmin[0] + m.cs * static_cast<float>(v[0]),
                             m.bmin[1] + m.ch * static_cast<float>(v[1]),
                             m.bmin[2] + m.cs * static_cast<float>(v[2])};
        out->vertices[i] = to_ours(at);
    }
    int32_t next = 0;
    for (int i = 0; i < m.npolys; i++) {
        const unsigned short* p = &m.polys[2 * i * m.nvp];
        int32_t count = 0;
        while (count < m.nvp && p[count] != RC_MESH_NULL_IDX)
            count++;
        out->corner_counts[i] = count;
        for (int32_t k = 0; k < count; k++) {
            out->corners[next + k] = p[k];
            const unsigned short n = p[m.nvp + k];
            out->neighbours[next + k] = n == RC_MESH_NULL_IDX || (n & 0x8000) ? -1 : n;
        }
        next += count;
    }
    out->data.vertices = out->vertices;
    out->data.vertex_count = m.nverts;
    out->data.corner_counts = out->corner_counts;
    out->data.corners = out->corners;
    out->data.neighbours = out->neighbours;
    out->data.polygon_count = m.npolys;
    return true;
}

dtNavMesh* detour_of(const rcPolyMesh& m, const kerb_scene_recast_walker& w) {
    dtNavMeshCreateParams p = {};
    p.verts = m.verts;
    p.vertCount = m.nverts;
    p.polys = m.polys;
    p.polyAreas = m.areas;
    p.polyFlags = m.flags;
    p.polyCount = m.npolys;
    p.nvp = m.nvp;
    p.walkableHeight = w.height;
    p.walkableRadius = w.radius;
    p.walkableClimb = w.climb;
    rcVcopy(p.bmin, m.bmin);
    rcVcopy(p.bmax, m.bmax);
    p.cs = m.cs;
    p.ch = m.ch;
    p.buildBvTree = true;
    unsigned char* data = nullptr;
    int size = 0;
    if (m.nverts >= 0xffff || !dtCreateNavMeshData(&p, &data, &size))
        return nullptr;
    dtNavMesh* mesh = dtAllocNavMesh();
    if (mesh != nullptr && dtStatusSucceed(mesh->init(data, size, DT_TILE_FREE_DATA)))
        return mesh;
    dtFreeNavMesh(mesh);
    dtFree(data);
    return nullptr;
}

} // namespace

bool kerb_scene_recast_build(kerb_scene_recast* recast, const kerb_scene_recast_ground* ground,
                             const kerb_scene_recast_walker* walker) {
    std::memset(recast, 0, sizeof *recast);
    soup s = soup_of(*ground);
    const rcConfig c = config_of(s, *walker);
    if (ground->triangle_count < 1 || c.width < 1 || c.height < 1 || c.width > SIDE_MOST ||
        c.height > SIDE_MOST)
        return false;
    rcContext context(false);
    const polygons mesh = polygons_of(context, s, c);
    if (!mesh || mesh->npolys == 0)
        return false;
    recast->detour = detour_of(*mesh, *walker);
    if (take(*mesh, recast))
        return true;
    kerb_scene_recast_free(recast);
    return false;
}

void kerb_scene_recast_free(kerb_scene_recast* recast) {
    dtFreeNavMesh(static_cast<dtNavMesh*>(recast->detour));
    std::free(recast->vertices);
    std::free(recast->corner_counts);
    std::free(recast->corners);
    std::free(recast->neighbours);
    std::memset(recast, 0, sizeof *recast);
}

float kerb_scene_recast_way(const kerb_scene_recast* recast, kerb_vec3 from, kerb_vec3 to) {
    std::unique_ptr<dtNavMeshQuery, freed<dtFreeNavMeshQuery>> query(dtAllocNavMeshQuery());
    const dtQueryFilter filter;
    float a[3], b[3], on_a[3], on_b[3];
    dtPolyRef start = 0, end = 0;
    to_theirs(from, a);
    to_theirs(to, b);
    if (recast->detour == nullptr || !query ||
        dtStatusFailed(query->init(static_cast<dtNavMesh*>(recast->detour), WAY_MOST)) ||
        dtStatusFailed(query->findNearestPoly(a, REACH, &filter, &start, on_a)) ||
        dtStatusFailed(query->findNearestPoly(b, REACH, &filter, &end, on_b)) || !start || !end)
        return -1.0f;
    std::vector<dtPolyRef> way(WAY_MOST), at(WAY_MOST);
    std::vector<float> corners(3 * WAY_MOST);
    std::vector<unsigned char> flags(WAY_MOST);
    int count = 0, points = 0;
    if (dtStatusFailed(
            query->findPath(start, end, on_a, on_b, &filter, way.data(), &count, WAY_MOST)) ||
        count < 1 || way[static_cast<size_t>(count) - 1] != end ||
        dtStatusFailed(query->findStraightPath(on_a, on_b, way.data(), count, corners.data(),
                                               flags.data(), at.data(), &points, WAY_MOST)))
        return -1.0f;
    float length = 0.0f;
    for (int i = 1; i < points; i++)
        length += std::hypot(corners[3 * i] - corners[3 * i - 3],
                             corners[3 * i + 2] - corners[3 * i - 1]);
    return length;
}
