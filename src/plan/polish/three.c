// Purpose: three clothoids in a row between two poses with given curvatures.
// Idea:    With fixed shares of the length, the two curvatures between them and the whole length
//          are three unknowns for heading and both coordinates of the end. Newton's method finds
//          them, from the shape that has the moments of the curvature: for small angles it ends
//          there already.
// Cost:    Some rounds of twelve clothoids, a few µs.
// Source:  Bertolazzi and Frego, "On the G2 Hermite interpolation problem with clothoids" (2018),
//          here with moments as the first guess.
#include "three.h"

#include "../../curve/shared.h"

// Rounds of Newton's method; three or four suffice. [1]
#define THREE_ROUNDS 10

void kerb_in_plan_three_parts(const plan_three_task* t, const plan_three* s, double from[3],
                              double change[3], double length[3]) {
    const double k[4] = {t->before, s->k1, s->k2, t->after};
    const double share[3] = {t->share, 1.0 - 2.0 * t->share, t->share};
    for (int32_t i = 0; i < 3; i++) {
        from[i] = k[i];
        change[i] = k[i + 1] - k[i];
        length[i] = share[i] * s->length;
    }
}

// What is missing to the end: along it, aside of it, and the sine of the angle.
static void three_miss(const plan_three_task* t, const plan_three* s, double miss[3]) {
    double from[3], change[3], length[3];
    curve_drawn at = {0.0, 0.0, 1.0, 0.0};
    kerb_in_plan_three_parts(t, s, from, change, length);
    for (int32_t i = 0; i < 3; i++)
        curve_draw_clothoid(&at, from[i], change[i], length[i]);
    double x = at.x - t->x, y = at.y - t->y;
    miss[0] = x * t->forward_x + y * t->forward_y;
    miss[1] = y * t->forward_x - x * t->forward_y;
    miss[2] = at.forward_y * t->forward_x - at.forward_x * t->forward_y;
}

bool kerb_in_plan_three_solve(double a[3][3], const double b[3], double x[3]) {
    double minor[3], whole = 0.0;
    for (int32_t i = 0; i < 3; i++) {
        int32_t j = (i + 1) % 3, k = (i + 2) % 3;
        minor[i] = a[1][j] * a[2][k] - a[1][k] * a[2][j];
        whole += a[0][i] * minor[i];
    }
    if (!(whole > 1e-30 || whole < -1e-30))
        return false;
    for (int32_t c = 0; c < 3; c++) {
        double sum = 0.0;
        for (int32_t r = 0; r < 3; r++) {
            int32_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            sum += b[r] * (a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1]);
        }
        x[c] = sum / whole;
    }
    return true;
}

// One step of Newton's method, with slopes by differences. False where there is none.
static bool three_step(const plan_three_task* t, plan_three* s, const double miss[3]) {
    double size = curve_size_of(s->length), slope[3][3], by[3];
    const double tiny[3] = {1e-4 / size, 1e-4 / size, 1e-4 * s->length};
    for (int32_t c = 0; c < 3; c++) {
        plan_three other = *s;
        double there[3];
        other.k1 += c == 0 ? tiny[0] : 0.0;
        other.k2 += c == 1 ? tiny[1] : 0.0;
        other.length += c == 2 ? tiny[2] : 0.0;
        three_miss(t, &other, there);
        for (int32_t r = 0; r < 3; r++)
            slope[r][c] = (there[r] - miss[r]) / tiny[c];
    }
    if (!kerb_in_plan_three_solve(slope, miss, by))
        return false;
    s->k1 -= by[0];
    s->k2 -= by[1];
    s->length -= by[2];
    return s->length * (s->length + by[2]) > 0.0;
}

bool kerb_in_plan_three_fit(const plan_three_task* t, plan_three* s, double most) {
    double size = curve_size_of(s->length);
    for (int32_t i = 0; i < THREE_ROUNDS; i++) {
        double miss[3];
        if (curve_size_of(s->k1) + curve_size_of(s->k2) > most)
            return false;
        three_miss(t, s, miss);
        double off = curve_size_of(miss[0]) + curve_size_of(miss[1]);
        if (off < 1e-7 * size && curve_size_of(miss[2]) < 1e-7)
            return true;
        if (!three_step(t, s, miss) || curve_size_of(s->length) > 2.0 * size)
            return false;
    }
    return false;
}

void kerb_in_plan_three_moments(double from, double to, double k0, double k1, double moment[2]) {
    moment[0] += 0.5 * (to - from) * (k0 + k1);
    moment[1] += (to - from) * (k0 * (2.0 * from + to) + k1 * (from + 2.0 * to)) / 6.0;
}

plan_three kerb_in_plan_three_guess(const plan_three_task* t, double size, const double moment[2]) {
    double a = t->share * size, b = size - a, first[2] = {0.0, 0.0}, second[2] = {0.0, 0.0};
    double rest[2] = {moment[0], moment[1]}, ends[2] = {0.0, 0.0};
    kerb_in_plan_three_moments(0.0, a, t->before, 0.0, ends);
    kerb_in_plan_three_moments(b, size, 0.0, t->after, ends);
    kerb_in_plan_three_moments(0.0, a, 0.0, 1.0, first);
    kerb_in_plan_three_moments(a, b, 1.0, 0.0, first);
    kerb_in_plan_three_moments(a, b, 0.0, 1.0, second);
    kerb_in_plan_three_moments(b, size, 1.0, 0.0, second);
    rest[0] -= ends[0];
    rest[1] -= ends[1];
    double whole = first[0] * second[1] - first[1] * second[0];
    plan_three s = {.length = size};
    s.k1 = (rest[0] * second[1] - rest[1] * second[0]) / whole;
    s.k2 = (first[0] * rest[1] - first[1] * rest[0]) / whole;
    return s;
}
