package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** Appserver 3 is away for longer than certificates are kept, and comes back. */
abstract class LateServer {
    static final int LATE = 3;
    static final int RETAINED = 8;

    final Deployment world;
    int clients = 50;

    LateServer() {
        this(RetentionLimits.USUAL.keeping(RETAINED, 1));
    }

    LateServer(RetentionLimits kept) {
        world = new Deployment(3, client -> true, CoreLimits.USUAL.keeping(kept));
    }

    final void away() {
        world.open = (from, to) -> !from.equals(NodeId.appserver(LATE)) && !to.equals(NodeId.appserver(LATE));
        for (int other = 0; other < LATE; other++) {
            world.step(LATE, new Event.NodeGone(NodeId.appserver(other)));
            world.step(other, new Event.NodeGone(NodeId.appserver(LATE)));
        }
    }

    final void back() {
        world.open = (from, to) -> true;
        for (int other = 0; other < LATE; other++) {
            world.step(LATE, new Event.NodeConnected(NodeId.appserver(other)));
            world.step(other, new Event.NodeConnected(NodeId.appserver(LATE)));
        }
    }

    final TestClient writer(int server) {
        TestClient writer = world.client(clients++, server);
        writer.open();
        return writer;
    }

    /** More certificates than are kept, over counters and over a set that is larger than a chunk. */
    final void certify(TestClient writer, int certificates) {
        long until = number(0) + certificates;
        for (int i = 0; number(0) < until && i < 1000; i++) {
            writer.update("n" + i % 7, "pn-counter", Operation.of("increment", Value.of(1)));
            Value element = Value.of(new byte[4096 - 4 + (i % 5)]);
            writer.update("small", "aw-set", Operation.of("add", element));
            byte[] large = new byte[4096];
            large[0] = (byte) i;
            large[1] = (byte) (i >> 8);
            for (int j = 0; j < 8; j++) {
                large[2] = (byte) j;
                writer.update("large", "aw-set", Operation.of("add", Value.of(large)));
            }
            world.run(100);
        }
        assertThat(number(0)).isGreaterThanOrEqualTo(until);
    }

    final long number(int server) {
        return world.cores
                .get(server)
                .newestCertificate()
                .map(one -> one.number().value())
                .orElse(0L);
    }

    final long count(int server, String counter) {
        return world.cores.get(server).status().counters().getOrDefault(counter, 0L);
    }

    final void assertCaughtUp() {
        Certificate newest = world.cores.get(0).newestCertificate().orElseThrow();
        assertThat(number(LATE))
                .as(
                        "alarms %s, counters %s",
                        world.alarms, world.cores.get(LATE).status().counters())
                .isGreaterThanOrEqualTo(newest.number().value() - 1);
        assertThat(world.cores.get(LATE).status().state()).isNotEqualTo(ServerState.DIVERGED);
    }

    /** Nothing but a snapshot brings entries to the late server until it has one. */
    final void withholdEntries() {
        world.altered = (from, to, message) -> to.equals(NodeId.appserver(LATE))
                        && count(LATE, "snapshots_installed") == 0
                        && (message instanceof Batch || message instanceof CertifiedEntries)
                ? null
                : message;
    }

    final Value certified(int server, String key) {
        TestClient reader = world.client(clients++, server);
        long nonce = reader.read(key, "pn-counter", true, 0);
        world.run(100);
        return reader.answer(nonce, false)
                .map(Answer::response)
                .orElseThrow()
                .message()
                .result();
    }

    final List<Alarm> alarms() {
        List<Alarm> alarms = new ArrayList<>();
        world.alarms.forEach(raised -> alarms.add(raised.alarm()));
        return alarms;
    }

    final void comesBackLate() {
        TestClient writer = writer(0);
        certify(writer, 2);
        away();
        certify(writer, 3 * RETAINED);
    }

    /** The same content under another number, of another state. */
    static CertificateContent content(CertificateContent content, CertificateNumber number, Hash state) {
        return new CertificateContent(
                content.deployment(),
                number,
                content.previous(),
                content.version(),
                content.roots(),
                state,
                content.exclusions());
    }
}
