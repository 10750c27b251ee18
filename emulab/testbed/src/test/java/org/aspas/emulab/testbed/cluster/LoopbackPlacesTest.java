package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.testbed.deployment.Deployment.Place;
import org.junit.jupiter.api.Test;

class LoopbackPlacesTest {
    @Test
    void noPortIsGivenTwiceAndABftserverHasOne() throws Exception {
        List<Place> places = LoopbackPlaces.choose(new Quorums(2, 2));
        Set<Integer> ports = new HashSet<>();
        for (int at = 0; at < places.size(); at++) {
            Place place = places.get(at);
            assertThat(ports.add(place.linkPort())).isTrue();
            if (at < 7) {
                assertThat(ports.add(place.servicePort())).isTrue();
            } else {
                assertThat(place.servicePort()).isZero();
            }
        }
        assertThat(places).hasSize(14);
        assertThat(ports).allSatisfy(port -> assertThat(port).isBetween(20_000, 32_767));
    }
}
