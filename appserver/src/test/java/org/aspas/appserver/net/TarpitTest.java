package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.aspas.appserver.net.Conversation.Tarpit;
import org.junit.jupiter.api.Test;

/** How long offences make a connection wait. */
class TarpitTest {
    private long now = Long.MAX_VALUE - 10;
    private final Tarpit tarpit = new Tarpit(() -> now);

    @Test
    void isFreeAtFirst() {
        assertThat(tarpit.waitNanos()).isZero();
    }

    @Test
    void holdsFollowEachOther() {
        tarpit.hold(Duration.ofNanos(50));
        tarpit.hold(Duration.ofNanos(50));
        assertThat(tarpit.waitNanos()).isEqualTo(100);
        now += 70;
        assertThat(tarpit.waitNanos()).isEqualTo(30);
        tarpit.hold(Duration.ofNanos(50));
        assertThat(tarpit.waitNanos()).isEqualTo(80);
    }

    @Test
    void timeWithoutOffencesIsNotSaved() {
        now += 1_000_000;
        tarpit.hold(Duration.ofNanos(50));
        assertThat(tarpit.waitNanos()).isEqualTo(50);
        now += 50;
        assertThat(tarpit.waitNanos()).isZero();
    }
}
