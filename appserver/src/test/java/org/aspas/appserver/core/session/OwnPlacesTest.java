package org.aspas.appserver.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The ring of places does what a list would do. */
class OwnPlacesTest {
    @Test
    void itIsAListThatForgetsItsEldest() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int most = 2 + random.nextInt(40);
            OwnPlaces places = new OwnPlaces(most);
            List<OwnPlaces.Place> list = new ArrayList<>();
            for (int step = 1; step <= 300; step++) {
                if (random.nextInt(5) == 0) {
                    long number = 1 + random.nextInt(step);
                    places.remove(number);
                    list.removeIf(one -> one.number() == number);
                } else {
                    OwnPlaces.Place place = new OwnPlaces.Place(step, 10L + step);
                    places.add(place);
                    list.add(place);
                    if (list.size() > most) {
                        list.remove(0);
                    }
                }
                assertThat(places.all()).as("seed " + seed).isEqualTo(list);
            }
        }
    }
}
