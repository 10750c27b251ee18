package org.aspas.appserver.core;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.port.Event;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Head;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** A log of appserver 3 that only the test knows, by which it lies to some servers. */
final class ForgedLog {
    static final int LIAR = 3;
    private static final VersionVector NOTHING = VersionVector.zero(4);

    final List<byte[]> entries = new ArrayList<>();
    final MerkleLog log = new MerkleLog();
    final Sealer client;
    private final Deployment world;

    ForgedLog(Deployment world) {
        this.world = world;
        this.client = world.sealer(3, 90);
    }

    void session() {
        session(NOTHING);
    }

    void session(VersionVector dependencies) {
        add(dependencies, client.seal(new OpenSession(new ClientId(client.publicKey()), 1, 1)));
    }

    void increment(long number, long amount) {
        increment(NOTHING, number, amount);
    }

    /** An entry that depends on what never was, and is never delivered. */
    void incrementThatWaits(long number, long amount) {
        increment(NOTHING.with(1, 99), number, amount);
    }

    private void increment(VersionVector dependencies, long number, long amount) {
        add(
                dependencies,
                client.seal(new Request(
                        new ClientId(client.publicKey()),
                        number,
                        "c",
                        "pn-counter",
                        Operation.of("increment", Value.of(amount)))));
    }

    /** Enters a request that another server has too. */
    void copy(Signed<Request> request) {
        add(NOTHING, new Signed<>(request.message(), request.payload(), request.signature()));
    }

    private void add(VersionVector dependencies, Signed<ClientSigned> body) {
        long sequence = log.size() + 1;
        raw(Codec.encode(new Entry(new Dot(LIAR, sequence), dependencies.with(LIAR, sequence - 1), body)));
    }

    void raw(byte[] entry) {
        entries.add(entry);
        log.append(entry);
    }

    void sendTo(int server) {
        sendTo(server, 0, entries.size());
    }

    /** Sends the entries after one place up to another, under a head that ends there. */
    void sendTo(int server, int after, int end) {
        send(server, new Batch(head(end), entries.subList(after, end)));
    }

    Signed<Head> head(long size) {
        return world.sealer(1, LIAR).seal(new Head(LIAR, size, log.rootAt(size)));
    }

    void send(int server, Batch batch) {
        world.step(
                server,
                new Event.NodeFrame(
                        NodeId.appserver(LIAR),
                        new Frame.Plain(Codec.decode(Codec.encode(batch), Batch.class)
                                .accepted()
                                .orElseThrow())));
    }
}
