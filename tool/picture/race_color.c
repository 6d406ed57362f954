// Purpose: colours for up to 64 drivers that distinguish them and show how good each is.
// Idea:    even steps of hue at nearly one lightness and chroma in OKLCH, so that no driver's line
//          is more prominent than another's; neighbours differ slightly in lightness.
// Source:  Ottosson, "A perceptual color space for image processing", 2020, for OKLab.
#include "tool/picture/picture_race.h"

#include <math.h>

#define HUE_BEST 25.0   // degrees: red
#define HUE_LEAST 300.0 // violet
#define LIGHTNESS 0.62
#define LIGHTNESS_STEP 0.07
#define CHROMA 0.17

static int32_t race_color_rank_of(const kerb_scene_race* race, int32_t car) {
    int32_t rank = 0;
    for (int32_t i = 0; i < race->count; i++)
        rank += race->cars[i].skill > race->cars[car].skill ||
                (race->cars[i].skill == race->cars[car].skill && i < car);
    return rank;
}

static uint32_t channel(double linear) {
    double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
    return (uint32_t)(255.0 * fmin(fmax(value, 0.0), 1.0) + 0.5);
}

static uint32_t race_color_color_of(double lightness, double chroma, double hue) {
    double a = chroma * cos(hue), b = chroma * sin(hue);
    double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3.0);
    double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3.0);
    double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3.0);
    double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    return channel(red) << 16 | channel(green) << 8 | channel(blue);
}

uint32_t tool_race_color(const tool_race* race, int32_t car) {
    int32_t count = race->race.count, rank = race_color_rank_of(&race->race, car);
    double part = count > 1 ? (double)rank / (double)(count - 1) : 0.0;
    double hue = (HUE_BEST + (HUE_LEAST - HUE_BEST) * part) * 3.14159265358979 / 180.0;
    double lightness = LIGHTNESS + (rank % 2 == 0 ? -0.5 : 0.5) * LIGHTNESS_STEP;
    return race_color_color_of(lightness, CHROMA, hue);
}
