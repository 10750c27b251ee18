package org.aspas.appserver.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** A log of appserver 3 that only the test knows, by which it lies to some servers. */
final class ForgedLog {
    static final int LIAR = 3;
    private static final VersionVector NOTHING = VersionVector.zero(4);

    final List<byte[]> entries = new ArrayList<>();
    final MerkleLog log = new MerkleLog();
    /** What was entered that is a request or a session, in order. */
    final List<Signed<ClientSigned>> bodies = new ArrayList<>();

    @Nullable
    RequestTags tags;

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

    /** A session of the client here, by which {@link #sendTagged} makes tags. */
    void taggedSession() {
        AgreementKey own = AgreementKey.of(Hash.sha256(new byte[] {5}).toBytes());
        OpenSession.Share share = new OpenSession.Share(own.share(), LIAR);
        Signed<ClientSigned> record = client.seal(new OpenSession(new ClientId(client.publicKey()), 1, 1, share));
        tags = RequestTags.of(own, Deployment.agreements(), world.deployment, record.identity());
        add(NOTHING, record);
    }

    /** Enters a request that its client did not sign. */
    Signed<ClientSigned> forgedIncrement(long number, long amount) {
        Signed<ClientSigned> right = request(number, amount);
        byte[] signature = right.signature().clone();
        signature[40] ^= 1;
        Signed<ClientSigned> forged = new Signed<>(right.message(), right.payload(), signature);
        add(NOTHING, forged);
        return forged;
    }

    /** Enters anything. */
    void enter(Signed<ClientSigned> body) {
        add(NOTHING, body);
    }

    void increment(long number, long amount) {
        increment(NOTHING, number, amount);
    }

    /** An entry that depends on what never was, and is never delivered. */
    void incrementThatWaits(long number, long amount) {
        increment(NOTHING.with(1, 99), number, amount);
    }

    private void increment(VersionVector dependencies, long number, long amount) {
        add(dependencies, request(number, amount));
    }

    Signed<ClientSigned> request(long number, long amount) {
        return client.seal(new Request(
                new ClientId(client.publicKey()),
                number,
                "c",
                "pn-counter",
                Operation.of("increment", Value.of(amount))));
    }

    /** Enters a request that another server has too. */
    void copy(Signed<Request> request) {
        add(NOTHING, new Signed<>(request.message(), request.payload(), request.signature()));
    }

    private void add(VersionVector dependencies, Signed<ClientSigned> body) {
        long sequence = log.size() + 1;
        bodies.add(body);
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

    /** The same with the right tag beside each entry. */
    void sendTagged(int server, int after, int end) {
        RequestTags known = Objects.requireNonNull(tags);
        byte[] ofServer = new byte[(end - after) * TaggedRequest.TAG_BYTES];
        for (int place = 0; place < end - after; place++) {
            byte[] each = known.of(bodies.get(after + place));
            System.arraycopy(
                    each,
                    server * TaggedRequest.TAG_BYTES,
                    ofServer,
                    place * TaggedRequest.TAG_BYTES,
                    TaggedRequest.TAG_BYTES);
        }
        send(server, new Batch(head(end), entries.subList(after, end)).tagged(ofServer));
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
