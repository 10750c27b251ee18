package org.aspas.appserver.core.object;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** A store of one origin with random, seeded certified updates, which other stores can follow. Signatures are no signatures. */
final class StoreHistory {
    final ObjectStore store = new ObjectStore();
    VersionVector certified = VersionVector.zero(4);
    CertificateNumber number = CertificateNumber.NONE;
    final Random random;
    private final List<ClientId> clients = new ArrayList<>();
    private final Map<ClientId, Long> numbers = new HashMap<>();
    private final List<Entry> waiting = new ArrayList<>();

    StoreHistory(long seed, int clients) {
        this.random = new Random(seed);
        for (int i = 0; i < clients; i++) {
            byte[] key = Hash.sha256(ByteBuffer.allocate(4).putInt(i).array()).toBytes();
            this.clients.add(new ClientId(SigningKey.of(key).publicKey()));
        }
    }

    ClientId client(int index) {
        return clients.get(index);
    }

    private void enter(ClientSigned body) {
        Signed<ClientSigned> signed = new Signed<>(body, Codec.encode(body), new byte[Ed25519.SIGNATURE_LENGTH]);
        long sequence = certified.get(0) + waiting.size() + 1;
        waiting.add(new Entry(new Dot(0, sequence), certified.with(0, sequence - 1), signed));
    }

    void session(int client, long session) {
        enter(new OpenSession(clients.get(client), session, 7));
    }

    /** An update with the next number of a client, or one that leaves a gap. */
    void update(int client, long skip, String key, String type, Operation operation) {
        ClientId id = clients.get(client);
        long next = numbers.merge(id, 1 + skip, Long::sum);
        enter(new Request(id, next, key, type, operation));
    }

    /** Random updates of many keys. */
    void updates(int count, int keys) {
        for (int i = 0; i < count; i++) {
            int client = random.nextInt(clients.size());
            int key = random.nextInt(keys);
            if (key % 3 == 0) {
                Value element = Value.of("e" + random.nextInt(20));
                update(
                        client,
                        0,
                        "set" + key,
                        "aw-set",
                        Operation.of(random.nextInt(4) == 0 ? "remove" : "add", element));
            } else {
                update(client, 0, "n" + key, "pn-counter", Operation.of("increment", Value.of(1 + key)));
            }
        }
    }

    /** What waits is certified; the entries, for other stores. */
    List<Entry> certify() {
        List<Entry> range = List.copyOf(waiting);
        waiting.clear();
        follow(store, certified, range);
        certified = certified.with(0, certified.get(0) + range.size());
        number = number.next();
        return range;
    }

    /** Certifies the same entries in another store. */
    static Hash follow(ObjectStore other, VersionVector certified, List<Entry> range) {
        Candidate candidate = other.candidate(certified, range);
        other.commit(candidate);
        return candidate.root();
    }

    Hash root() {
        return store.tree().root();
    }
}
