// Purpose: what happened to vehicles, kept until the host takes it.
// Idea:    A ring of events_max places. Where it is full, the oldest event is dropped and counted.
// Cost:    O(1) an event.
#include "traffic_parts.h"

void kerb_in_traffic_record(city_view* t, int32_t index, kerb_traffic_happening what) {
    traffic_block* h = t->head;
    const city_car* c = &t->cars[index];
    if (h->event_count == h->event_max) {
        h->event_first = (h->event_first + 1) % h->event_max;
        h->event_count--;
        h->counts.events_lost++;
    }
    t->events[(h->event_first + h->event_count++) % h->event_max] =
        (kerb_traffic_event){.what = what,
                             .vehicle = index,
                             .user = c->user,
                             .time = h->time,
                             .depart_delay = c->started - c->depart,
                             .duration = (float)h->time - c->started,
                             .distance = c->distance,
                             .time_loss = c->time_loss,
                             .waiting = c->waiting};
}

int32_t kerb_traffic_take_events(kerb_traffic* traffic, kerb_traffic_event* events,
                                 int32_t capacity) {
    city_view t = kerb_in_traffic_view(traffic->memory, NULL);
    int32_t count = 0;
    for (; count < capacity && t.head->event_count > 0; count++) {
        events[count] = t.events[t.head->event_first];
        t.head->event_first = (t.head->event_first + 1) % t.head->event_max;
        t.head->event_count--;
    }
    return count;
}
