package org.aspas.bftcluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who has to go when there are too many connections of strangers. */
class ConnectionPlacesTest {
    private final ConnectionPlaces strangers = new ConnectionPlaces(4);
    private final List<String> ended = new ArrayList<>();

    private ConnectionPlaces.Place enter(String name, String from) {
        return strangers.enter(Optional.of(address(from)), () -> ended.add(name));
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void theIdlestGoes() {
        ConnectionPlaces.Place first = enter("1", "10.0.0.1");
        enter("2", "10.0.0.1");
        enter("3", "10.0.0.1");
        enter("4", "10.0.0.1");
        first.heard();
        enter("5", "10.0.0.1");
        enter("6", "10.0.0.1");
        assertThat(ended).containsExactly("2", "3");
        assertThat(strangers.count()).isEqualTo(4);
    }

    @Test
    void whoHasASessionOrIsGoneTakesNoPlace() {
        ConnectionPlaces.Place first = enter("1", "10.0.0.1");
        for (int i = 2; i <= 4; i++) {
            enter(String.valueOf(i), "10.0.0.1");
        }
        first.leave();
        first.leave();
        first.heard();
        enter("5", "10.0.0.1");
        assertThat(ended).isEmpty();
        assertThat(strangers.count()).isEqualTo(4);
    }

    @Test
    void theAddressWithTheMostGivesUpItsIdlest() {
        enter("other", "10.0.0.2");
        for (int i = 1; i <= 10; i++) {
            enter("many " + i, "10.0.0.1");
        }
        enter("third", "10.0.0.3");
        assertThat(ended).hasSize(8).allMatch(name -> name.startsWith("many"));
        assertThat(ended.get(7)).isEqualTo("many 8");
    }

    /** Whoever has one address of IPv6 has the whole network. */
    @Test
    void aNetworkOfIpv6IsOneAddress() {
        enter("other", "2001:db8:0:1::1");
        for (int i = 1; i <= 10; i++) {
            enter("many " + i, "2001:db8:0:2::" + i);
        }
        assertThat(ended).hasSize(7).doesNotContain("other");
    }

    @Test
    void unknownAddressesAreOne() {
        for (int i = 1; i <= 6; i++) {
            int name = i;
            strangers.enter(Optional.empty(), () -> ended.add("unknown " + name));
        }
        assertThat(ended).containsExactly("unknown 1", "unknown 2");
    }
}
