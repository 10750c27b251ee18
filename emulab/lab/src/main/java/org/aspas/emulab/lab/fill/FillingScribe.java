package org.aspas.emulab.lab.fill;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.OpenBatch;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.lab.deployment.Deployment;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for an appserver whose core does not run: goes on with its log in batches under its heads, and tells the bftservers in its
 * name what another appserver tells them. All that leaves is rightly signed. For one thread at a time.
 */
final class FillingScribe {
    private final NodeId self;
    private final Sealer sealer;
    private final Verifier made;
    private final List<FillingClient> clients;
    private final int batchEntries;
    private final int batchBytes;
    private MerkleLog log = new MerkleLog();
    private @Nullable Message repeated;
    private byte[] repetition = {};

    /**
     * A stand-in with the key of an appserver.
     *
     * @param clients those of that appserver
     */
    FillingScribe(Deployment deployment, NodeId self, List<FillingClient> clients) {
        this.self = self;
        this.sealer = new Sealer(deployment.key(self), deployment.descriptor().id());
        this.made = new Verifier(deployment.descriptor().id(), new MadeHere());
        this.clients = List.copyOf(clients);
        this.batchEntries = deployment.descriptor().limits().batchEntries();
        this.batchBytes = deployment.descriptor().limits().batchBytes();
    }

    /** Finds right what this process has just signed. */
    private static final class MadeHere implements SignatureScheme {
        @Override
        public Signer signer(byte[] seed) {
            throw new IllegalStateException("this scheme signs nothing");
        }

        @Override
        public boolean verify(PublicKey key, byte[] text, byte[] signature) {
            return signature.length == Ed25519.SIGNATURE_LENGTH;
        }
    }

    NodeId self() {
        return self;
    }

    int clients() {
        return clients.size();
    }

    /** How long the log is. */
    long size() {
        return log.size();
    }

    /** The core, which still runs, has sent this batch of its log; one that was sent again says nothing new. */
    void follow(Batch batch) {
        long first = batch.head().message().size() - batch.entries().size();
        for (int place = 0; place < batch.entries().size(); place++) {
            if (first + place == log.size()) {
                log.append(batch.entries().get(place));
            }
        }
    }

    /**
     * Enters the next updates of all clients.
     *
     * @param from the place of the first update
     * @param upTo the place behind the last update there is
     * @param each how many each client makes, at most
     * @param delivered what the appserver has delivered by now
     * @return what happens to another appserver that is sent all of them
     */
    List<Event> write(FillPlan plan, long from, long upTo, long each, VersionVector delivered) {
        List<Event> sent = new ArrayList<>();
        List<byte[]> open = new ArrayList<>();
        long bytes = 0;
        long first = from;
        for (FillingClient client : clients) {
            for (long place = first; place < Math.min(first + each, upTo); place++) {
                byte[] entry = entry(client.signed(plan.update(place)), delivered);
                if (open.size() == batchEntries || (!open.isEmpty() && bytes + entry.length > batchBytes)) {
                    sent.add(batch(open));
                    open.clear();
                    bytes = 0;
                }
                log.append(entry);
                open.add(entry);
                bytes += entry.length;
            }
            first += each;
        }
        if (!open.isEmpty()) {
            sent.add(batch(open));
        }
        log = MerkleLog.after(log.size(), log.peaks(log.size()));
        return sent;
    }

    private byte[] entry(Signed<ClientSigned> body, VersionVector delivered) {
        long before = log.size();
        return Codec.encode(new Entry(new Dot(self.index(), before + 1), delivered.with(self.index(), before), body));
    }

    private Event batch(List<byte[]> entries) {
        OpenBatch batch = OpenBatch.openedFrom(
                new Batch(sealer.seal(new Head(self.index(), log.size(), log.root())), entries),
                0,
                (outcome, size) -> {});
        for (int place = 0; place < entries.size(); place++) {
            Entry entry = batch.entry(place).orElseThrow(() -> new IllegalStateException("an entry is unreadable"));
            ClientSigned request = entry.body().message();
            entry.body().verify(made, request.client().key(), Domain.REQUEST);
        }
        return new Event.NodeBatch(self, batch);
    }

    /** What this appserver tells the bftservers when another one tells them this. */
    byte[] says(Message other) {
        if (!other.equals(repeated)) {
            repetition = Codec.encode(sealer.seal(own(other)));
            repeated = other;
        }
        return repetition;
    }

    private Message own(Message other) {
        if (other instanceof VertObft report) {
            return new VertObft(self.index(), report.version(), report.heads());
        } else if (other instanceof Stable state) {
            return new Stable(
                    self.index(),
                    state.epoch(),
                    state.round(),
                    state.previous(),
                    state.version(),
                    state.roots(),
                    state.closed(),
                    state.closedRoots(),
                    state.state());
        }
        throw new IllegalStateException("an appserver tells the bftservers what only it can tell: " + other);
    }
}
