package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.Counters;
import org.aspas.appserver.core.state.DurableOutbox;
import org.aspas.appserver.core.state.Effect;
import org.aspas.certify.certificate.CertificateChain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Kind;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

class AlarmTest {
    private static final Hash HASH = Hash.ZERO;

    private final Counters counters = new Counters();
    private final DurableOutbox outbox = new DurableOutbox(counters);

    private static Alarm other(int number) {
        return new Alarm.LogTakenBack(1, 0, number, CertificateNumber.FIRST);
    }

    private List<Effect> raised(Alarm... alarms) {
        for (Alarm alarm : alarms) {
            outbox.alarm(alarm);
        }
        return outbox.take();
    }

    @Test
    void equalAlarmsAreRaisedOnceAndCountedEachTime() {
        Alarm alarm = new Alarm.OwnEntriesLost(7, 3);
        assertThat(raised(alarm, new Alarm.OwnEntriesLost(7, 3))).containsExactly(new Effect.Raise(alarm));
        assertThat(raised(new Alarm.OwnEntriesLost(8, 3))).hasSize(1);
        assertThat(counters.snapshot()).containsEntry("alarms", 3L);
    }

    @Test
    void aLiarCannotFillTheLogWithWhatItMakesUp() {
        Alarm first = new Alarm.ForkedLog(1, 5, HASH);
        for (int size = 5; size < 500; size++) {
            outbox.alarm(new Alarm.ForkedLog(1, size, HASH));
            outbox.alarm(new Alarm.ProvedFaulty(1, Kind.FORKED_HEADS, Hash.sha256(new byte[size])));
        }
        assertThat(outbox.take()).hasSize(2).contains(new Effect.Raise(first));
        assertThat(raised(new Alarm.ForkedLog(2, 5, HASH))).as("another one").hasSize(1);
        assertThat(raised(new Alarm.BrokenLog(1, 5, HASH))).as("another deed").hasSize(1);
        assertThat(raised(new Alarm.ProvedFaulty(1, Kind.BROKEN_ENTRY, HASH)))
                .as("another proof")
                .hasSize(1);
    }

    @Test
    void soManyTopicsAreRememberedAndNoMore() {
        for (int number = 0; number < 1024; number++) {
            assertThat(raised(other(number))).hasSize(1);
        }
        assertThat(raised(other(0))).as("still known").isEmpty();
        assertThat(raised(other(1024))).hasSize(1);
        assertThat(raised(other(1))).as("still known").isEmpty();
        assertThat(raised(other(0))).as("forgotten").hasSize(1);
    }

    @Test
    void whatIsRepeatedFromTheStoreIsNotRaised() {
        outbox.replaying(true);
        assertThat(raised(other(1))).isEmpty();
        outbox.replaying(false);
        assertThat(raised(other(1))).hasSize(1);
    }

    @Test
    void everyAlarmNamesItsFiguresInItsSentence() {
        assertThat(new Alarm.ForkedLog(2, 41, HASH).text()).contains("appserver 2", "forked", "41");
        assertThat(new Alarm.BrokenLog(2, 41, HASH).text()).contains("appserver 2", "broken", "41");
        assertThat(new Alarm.OwnEntriesLost(41, 17).text()).contains("41", "17");
        assertThat(new Alarm.ProvedFaulty(2, Kind.FORKED_HEADS, HASH).text())
                .contains("appserver 2", "FORKED_HEADS", HASH.toString());
        assertThat(new Alarm.Excluded(2, 17, new CertificateNumber(41), HASH).text())
                .contains("appserver 2", "17", "41", HASH.toString());
        assertThat(new Alarm.LogTakenBack(2, 17, 41, new CertificateNumber(99)).text())
                .contains("appserver 2", "17", "41", "99");
        assertThat(new Alarm.NotChained(
                                new CertificateNumber(41),
                                new CertificateNumber(17),
                                CertificateChain.Break.ROOT_CHANGED)
                        .text())
                .contains("41", "17", "ROOT_CHANGED");
        assertThat(new Alarm.LogsDiverged(new CertificateNumber(41), List.of(2, 3)).text())
                .contains("41", "2, 3");
        assertThat(new Alarm.StateDiverged(new CertificateNumber(41), VersionVector.zero(4), HASH, HASH).text())
                .contains("41", VersionVector.zero(4).toString(), HASH.toString());
    }
}
