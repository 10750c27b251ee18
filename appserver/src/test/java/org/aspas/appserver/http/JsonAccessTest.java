package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may use the JSON API of objects. */
class JsonAccessTest {
    private static Optional<InetAddress> address(String text) throws Exception {
        return Optional.of(InetAddress.getByName(text));
    }

    @Test
    void loopbackIsThisMachineInBothFamilies() throws Exception {
        for (String near : new String[] {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"}) {
            assertThat(JsonAccess.LOOPBACK.admits(address(near))).as(near).isTrue();
        }
        for (String far : new String[] {"10.0.0.1", "192.168.1.7", "2001:db8::1", "0.0.0.0", "::ffff:10.0.0.1"}) {
            assertThat(JsonAccess.LOOPBACK.admits(address(far))).as(far).isFalse();
            assertThat(JsonAccess.ON.admits(address(far))).as(far).isTrue();
            assertThat(JsonAccess.OFF.admits(address(far))).as(far).isFalse();
        }
        assertThat(JsonAccess.LOOPBACK.admits(Optional.empty())).isFalse();
        assertThat(JsonAccess.OFF.admits(address("127.0.0.1"))).isFalse();
    }
}
