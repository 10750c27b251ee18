package org.aspas.certify.vectors;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * One deployment with f = b = 1 and fixed keys, its descriptor, and what a client does there: it opens a session at appserver 0, increments
 * a counter, adds twenty elements to a set and clears another one. Two certificates cover that, and a third one excludes appserver 3.
 */
final class VectorWorld {
    static final int SERVERS = 4;
    static final int ELEMENTS = 20;
    /** Sequences: the session has 1, the increment 2, the additions follow, and the clear is last. */
    static final int COUNTED = 2;

    static final int ALL = COUNTED + ELEMENTS + 1;

    private static final int OPERATOR = 0x40;
    private static final int APPSERVER = 0x10;
    private static final int BFTSERVER = 0x20;
    private static final int FIRST_PORT = 7100;

    /** The only one; it is never changed. */
    static final VectorWorld WORLD = new VectorWorld();

    final DescriptorFile file = descriptorFile("vectors");
    final Descriptor descriptor = opened(file);
    final Hash deployment = descriptor.id();
    final Sealer client = sealer(key(0x01));
    final ClientId clientId = new ClientId(client.publicKey(), 1_700_000_000_000_000L, 0x0102030405060708L);
    final List<Signed<ClientSigned>> bodies = new ArrayList<>();
    final List<byte[]> entries = new ArrayList<>();
    final MerkleLog log = new MerkleLog();
    final VectorState state;
    final List<Certificate> certificates = new ArrayList<>();

    private VectorWorld() {
        append(client.seal(new OpenSession(clientId, 1, 8)));
        append(client.seal(request(1, "c", "pn-counter", Operation.of("increment", Value.of(5)))));
        for (int i = 0; i < ELEMENTS; i++) {
            append(client.seal(request(2 + i, "s", "aw-set", Operation.of("add", element(i)))));
        }
        append(client.seal(request(ALL - 1, "t", "aw-set", Operation.of("clear"))));
        state = new VectorState(clientId, bodies);
        certificates.add(certified(content(1, Hash.ZERO, COUNTED, state.first.root(), List.of())));
        certificates.add(certified(content(2, certificates.get(0).hash(), ALL, state.tree.root(), List.of())));
        certificates.add(certified(content(
                3,
                certificates.get(1).hash(),
                ALL,
                state.tree.root(),
                List.of(new CertificateContent.Exclusion(3, 0, Hash.sha256(new byte[] {3}))))));
    }

    static SigningKey key(int seed) {
        byte[] bytes = new byte[Ed25519.SEED_LENGTH];
        Arrays.fill(bytes, (byte) seed);
        return SigningKey.of(bytes);
    }

    static SigningKey operator() {
        return key(OPERATOR);
    }

    static SigningKey appserverKey(int index) {
        return key(APPSERVER + index);
    }

    static SigningKey bftserverKey(int index) {
        return key(BFTSERVER + index);
    }

    static DescriptorFile descriptorFile(String name) {
        List<NodeDescription> nodes = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            int port = FIRST_PORT + 10 * i;
            nodes.add(new NodeDescription(
                    NodeId.appserver(i),
                    appserverKey(i).publicKey(),
                    "127.0.0.1",
                    port,
                    port + 1,
                    port + 2,
                    false,
                    AgreementKey.ofServer(appserverKey(i)).share(),
                    new byte[0]));
        }
        for (int i = 0; i < SERVERS; i++) {
            // No client reads the keys of the ordering library; these are none.
            byte[] ordering = {(byte) i};
            nodes.add(new NodeDescription(
                    NodeId.bftserver(i), bftserverKey(i).publicKey(), "127.0.0.1", FIRST_PORT + 100 + i, 0, ordering));
        }
        return DescriptorFile.sign(operator(), name, new Quorums(1, 1), nodes, Set.of(), Limits.DEFAULT);
    }

    private static Descriptor opened(DescriptorFile file) {
        try {
            return file.open(operator().publicKey());
        } catch (DescriptorFile.InvalidDescriptor broken) {
            throw new IllegalStateException("the descriptor of the vectors", broken);
        }
    }

    /** The first ten elements are numbers, the others texts. */
    static Value element(int index) {
        return index < ELEMENTS / 2 ? Value.of(index) : Value.of("e" + index);
    }

    Sealer sealer(SigningKey key) {
        return new Sealer(key, deployment);
    }

    Sealer server(int index) {
        return sealer(appserverKey(index));
    }

    Sealer replica(int index) {
        return sealer(bftserverKey(index));
    }

    Request request(long number, String key, String type, Operation operation) {
        return new Request(clientId, number, key, type, operation);
    }

    /** The client's words in the entry with this sequence. */
    Signed<Request> request(int sequence) {
        return bodies.get(sequence - 1).as(Request.class).orElseThrow();
    }

    private <M extends ClientSigned> void append(Signed<M> body) {
        int sequence = entries.size() + 1;
        @SuppressWarnings("unchecked") // Signed only hands it out.
        Signed<ClientSigned> signed = (Signed<ClientSigned>) body;
        byte[] entry = Codec.encode(new Entry(new Dot(0, sequence), version(sequence - 1), signed));
        bodies.add(signed);
        entries.add(entry);
        log.append(entry);
    }

    static VersionVector version(long first) {
        return VersionVector.zero(SERVERS).with(0, first);
    }

    List<Hash> roots(int size) {
        return List.of(log.rootAt(size), MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT);
    }

    CertificateContent content(
            long number, Hash previous, int size, Hash root, List<CertificateContent.Exclusion> exclusions) {
        return new CertificateContent(
                deployment, new CertificateNumber(number), previous, version(size), roots(size), root, exclusions);
    }

    Certificate certified(CertificateContent content) {
        return certified(content, 0, 1, 2);
    }

    Certificate certified(CertificateContent content, int... replicas) {
        byte[] payload = Codec.encode(content);
        List<Certificate.ReplicaSignature> signatures = Arrays.stream(replicas)
                .mapToObj(replica -> new Certificate.ReplicaSignature(
                        replica, bftserverKey(replica).sign(Domain.CERTIFICATE, deployment, payload)))
                .toList();
        return new Certificate(content, payload, signatures);
    }

    Signed<Head> head(int size) {
        return server(0).seal(new Head(0, size, log.rootAt(size)));
    }

    /** The honest answer to the session or update in the entry with this sequence, given when the server held so many certificates. */
    Response response(int sequence, int held) {
        boolean session = sequence == 1;
        return new Response(
                0,
                sequence,
                clientId,
                session ? 0 : request(sequence).message().number(),
                sequence == COUNTED ? Value.of(5) : Value.sequence(List.of()),
                new Dot(0, sequence),
                MerkleTree.leafHash(entries.get(sequence - 1)),
                version(sequence),
                LogRoots.digest(roots(sequence)),
                new CertificateNumber(held),
                held == 0 ? Hash.ZERO : Digests.certificate(certificates.get(held - 1)));
    }
}
