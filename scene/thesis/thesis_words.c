// Purpose: what the captions of the AIPATH thesis say, in our words, and what our figures show.
// Source:  AIPATH chapters 4 and 5, appendix A.
#include "scene/thesis/thesis_figure.h"

static const struct thesis_words {
    const char *name, *title, *claim, *ours;
} words[KERB_SCENE_THESIS_FIGURES] = {
    {"4.2", "The estimate of distance, beside the straight line",
     "Places inside of the turning circles are far, with a jump along the circles; straight ahead "
     "the estimate is the straight line.",
     "Both ends face up; lengths are in turning radii. The jump is on circles of twice the "
     "radius, because two turning circles have to fit beside each other."},
    {"4.3", "From where a place is reached best",
     "Each place has a heading of least distance. Headings and distances jump along the turning "
     "circles.",
     "The same, in the plane: colours in place of heights."},
    {"4.4", "A circle to gain speed",
     "A vehicle that cannot gain its goal's speed on the straight plans a circle on purpose.",
     "From standstill to 10 m/s over 10 m, where 33 m are needed. The circle is no whole one, "
     "because a plan may begin to turn at once."},
    {"4.5", "Backing up to gain speed",
     "A vehicle may instead brake, back up, and accelerate from farther away.",
     "From 3 to 10 m/s over 10 m, with a turning radius of 40 m, so that a circle takes longer, "
     "and 5 m/s in reverse: the place on the line and the speed, over time."},
    {"4.6", "The estimate over the straight line, by distance",
     "Beyond four radii the estimate is the straight line and a constant, about two radii.",
     "The constant is what table 4.6 has, over all bearings and headings; it depends on them."},
    {"4.10", "A* goes on from the states of the probe",
     "When the probe fails, all of its states are starts of A*.",
     "A wall stops the probe; A* goes on from its states and finds a way round."},
    {"5.1", "One bend, turning radii from small to large",
     "When the turning radius is above that of the bend, a circle is planned, and no limit is "
     "broken.",
     "Between the ends of a right angle of 6 m radius. Above it, the plan leaves the bend for a "
     "loop. The search may also take two loops in place of one."},
    {"5.2", "Circles to gain speed, by lateral limit",
     "Without a lateral limit circles are tight; the lower the limit, the more the circle grows "
     "with the speed.",
     "The same order. The vehicle starts from rest 12 m before a goal of 12 m/s."},
    {"5.3", "Ours beside the directional search",
     "Both plan like movements, but the next 8, 24 or 48 neighbours leave some straight lines out, "
     "so that the directional search swings aside without a reason.",
     "A turn by one of eight headings between neighbours needs a loop with 8 of them, a radius of "
     "at most 2.4 cells with 24, and 3.4 with 48; here it is 2.33. Ours has none of it."},
    {"5.4", "A bend of the game and what may be used of it",
     "A right angle of radius r, road width w_r; the middle of the vehicle may be w_u / 2 off the "
     "centre.",
     "A drawing, no result: cells are blocked where their middle is off the usable band."},
    {"5.5", "What a start beside the centre costs",
     "The longer straight before the bend, at top speed, is added to the cost of the start.",
     "As a curve: 0.6 ms at 0.7 m and 11 ms at 3 m beside, over 30 m."},
    {"5.6", "Cutting a bend, by usable width",
     "More usable width makes a shorter path; ours are drawn for 0.6 to 6 m.",
     "The same. With the usable width the plans leave the ideal line for the inside."},
    {"5.7", "How long a search of 1,000 expansions takes",
     "Most of 5,000 searches take about 8 ms, some 27 ms, perhaps because of the open list.",
     "On this machine, the least of four rounds of each search, because other programs interrupt "
     "some. There is one group: the open list is one block of memory."},
    {"5.8", "Vehicles in bends",
     "Vehicles plan their way through the bends of the game as physics lets them.",
     "Outlines of a car of 4.5 m, one each half second, on plans of table 5.2, whose rear axle "
     "keeps to the band; a drawing, not the game."},
    {"5.10", "The estimate of time to every place",
     "From rest to rest, both ends facing up, the estimate looks like the costs of figure 5.11.",
     "Here too: 2.3 to 9.6 s, where the search finds 2.7 to 11.1 s. Each map has its own scale of "
     "colours."},
    {"5.11", "The cost that a search finds to every place",
     "Steps of one length show: a path of a whole number of steps is cheaper than its neighbours; "
     "no place costs nothing.",
     "The same, with 3,000 expansions for each place; white ones are not found with so many."},
    {"5.12", "Expansions and path, by size of cells",
     "Many expansions with fine cells, fewest near 1.2 to 1.5 m, then slowly more.",
     "Of goals that are found with each size, which are others for each. Ours are fewest where "
     "the test for the goal, 0.3 cells, is wide."},
    {"5.13", "Deviations of both, by size of cells",
     "The deviation of the path grows beyond 1.5 m.",
     "Not seen: plans of ours are shorter in time, 5 to 6 s, and their ends at speed."},
    {"5.14", "Searches that fail, by size of cells", "More fail with larger cells.",
     "The opposite: the test for the goal, 0.3 cells, grows with the cells, and 100,000 "
     "expansions are too few for small ones."},
    {"5.15", "One plan with headings of 1, 2 and 10 degrees",
     "Beyond 2 degrees cells of headings disturb the turning radius, and paths are worse; from 1 "
     "to 2 degrees there are 77 % fewer expansions.",
     "The same sign for the path. Expansions are in the labels."},
    {"5.16", "Where probes end",
     "Probes always end in the goal's cell or beside it; most deviation is at the rim of the "
     "turning circles.",
     "Not so here: few reach it. Behind the last place to begin the final turn no step looks "
     "better, and the probe ends there, some 12 m short. At 2 m/s it is the same."},
    {"A.1", "The estimate over the straight line, by bearing and distance",
     "Beyond four radii the turning radius matters little; ahead is nearer than behind.",
     "The same, as the mean over all headings of the goal."},
    {"A.2", "The estimate of time on a straight, by distance and speed at its start",
     "To 1 m/s with 1 m/s² each way. Where the speed is too high to brake, or too low and the way "
     "too short, there is no time: two white regions.",
     "The same. The small region near the origin has speeds below 1 m/s."},
    {"A.3", "The same, with backing up on the line",
     "Nothing is impossible any more; too much speed costs time.",
     "The same, with 2 m/s in reverse."},
    {"A.4", "The same, with a circle",
     "Too little speed costs a whole circle; the circle's radius by the lateral limit shows as "
     "jumps.",
     "The same sign: radius 1 m, lateral 2 m/s²."},
    {"A.5", "The same, by the faster of both", "The least of both, with smaller jumps.",
     "The same: nowhere above A.3 and A.4."},
    {"A.6", "The short right bend", "6 m of radius, the tightest of the game.",
     "90 degrees: the thesis's shape is lost. Plans at 5 m/s, of three turning radii; 8 m does not "
     "fit."},
    {"A.7", "The short left bend", "13 m of radius.", "90 degrees, the same."},
    {"A.8", "The long right bend", "About 8 m of radius at least, sharper and longer.",
     "135 degrees, the same."},
    {"A.9", "The long left bend", "About 15 m of radius at least.", "135 degrees, the same."},
    {"A.10", "Expansions for the short right bend",
     "Most searches are short; high speeds need manoeuvres, with more work.",
     "The same shape. The last bar has all that is beyond."},
    {"A.11", "Expansions for the short left bend",
     "The lateral limit is not reached, but cutting the longer bend has more ways.",
     "The same shape, but narrower: most take fewer than 200."},
    {"A.12", "Expansions for the long right bend",
     "A lower upper bound, and more long searches, because the path is longer.",
     "The same shape; the bound is not lower."},
    {"A.13", "Expansions for the long left bend", "Going back costs much: many far outliers.",
     "Not so here: the fewest of the four."},
    {"A.14", "Expansions that the estimate of time saves", "Most searches save over 90 %.",
     "Half of them save as much, over goals found with both estimates. Some need more: left bar."},
    {"A.15", "Time that the estimate of time saves", "Most plans are 0 to 20 % faster.",
     "Most gain less; some lose: cells keep one of several states."},
    {"A.16", "Expansions that the probe saves", "Nearly all save over 98 %.",
     "Most save over 90 %, over goals that A* has found, whether the probe comes there or not."},
    {"A.17", "Time that the probe loses", "Close goals cost up to twice and more, far ones little.",
     "Of probes that come to the goal's cell or beside it: of 100 goals one or two, so that "
     "there is little to see (figure 5.16). Kerb's own settings lose 1.4 % (table 5.8-kerb)."},
};

kerb_scene_thesis_figure kerb_scene_thesis_figure_words(int32_t number) {
    const struct thesis_words* w = &words[number];
    return (kerb_scene_thesis_figure){
        .name = w->name, .title = w->title, .claim = w->claim, .ours = w->ours};
}
