// Kerb race: tracks, and the line and the speed that win on them.
//
// A track is a kerb_path: its centre line, the widths to the left and to the right, elevation,
// banking and grip. Open or closed; it may cross itself, by a bridge or level, and its hairpins
// may be tighter than half its width. `left` and `right` are measured along the surface, which is
// banked. To drive it the other way round: kerb_waypoints_reverse (kerb/path.h).
//
//     if (kerb_track_check(waypoints, count, true, &error) != KERB_OK) …   // says what is wrong
//     kerb_track_smooth(waypoints, count, true, 2.0f, &host, &error);      // only if it is noisy
//     kerb_path_create(&track, waypoints, count, true, &host, &error);
//
// Does not: read files; that is done outside the library (io/track.h).
#ifndef KERB_RACE_H
#define KERB_RACE_H

#include "control.h"
#include "path.h"

// --------------------------------------------------------------------------- tracks

/// A track must be so wide everywhere, left and right together. [m]
#define KERB_TRACK_WIDTH_MIN 0.1f

/// Says whether waypoints make a track that can be raced on, and if not, why. O(count), allocates
/// nothing.
///
/// Errors, with field and the waypoint's index: those of kerb_path_build; TOO_FEW (fewer than
/// three waypoints, or different places); OUT_OF_RANGE of `left` or `right` (negative: are the
/// columns in another order? or no width at all), of `direction` (in reverse); CONTRADICTION of
/// `closed` (the way from the last waypoint to the first is longer than the track is wide there
/// and than four times the longest between two others), of `position` (it turns back by more than
/// 170 degrees at one waypoint), of `left` or `right` (its edge crosses itself: see below).
///
/// On the inside of a bend tighter than its width, cross-sections cross and the edge runs
/// backwards. That is legal as in a hairpin: over up to 240 degrees of turn in one piece, and over
/// up to a quarter of all segments. Beyond that the widths are wrong or the centre line is noisy.
KERB_API kerb_result kerb_track_check(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                      kerb_error* error);

/// Smooths a noisy centre line in place: one with metre noise and a point every metre, say, as
/// from satellite positions. No waypoint moves by more than `tolerance` in space.
///
/// How much it smooths follows from the data: the amount that predicts left-out points best. For
/// noise of standard deviation σ a tolerance of 4 σ leaves it free to do so; with less, it is the
/// smoothest line that keeps within `tolerance`. What is smooth already hardly changes. An open
/// track keeps its ends within the tolerance, not exactly.
///
/// The edges stay where they are, smoothed alike: where the centre line moves to the left, `left`
/// gets smaller and `right` greater. So it makes no difference whether the noise was in the centre
/// line alone or in the edges too. All else stays. O(count), about 3 to 7 µs a waypoint; allocates
/// 176 bytes a waypoint meanwhile.
///
/// [tolerance: 0.001 … 1000 m] Fewer than 5 waypoints, or 8 of a closed track, stay as they are.
/// Errors: OUT_OF_RANGE or NOT_FINITE as kerb_path_build, or of `tolerance`; OUT_OF_MEMORY. On
/// error nothing has changed.
///
/// Source: a smoothing spline (Reinsch 1967) with the third derivative as the penalty, which a
/// clothoid hardly pays; its amount by generalized cross-validation (Craven and Wahba 1979).
KERB_API kerb_result kerb_track_smooth(kerb_waypoint* waypoints, int32_t count, bool closed,
                                       float tolerance, const kerb_host* host, kerb_error* error);

#endif
