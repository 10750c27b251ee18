package org.aspas.certify.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** One log of appserver 0 with all that a correct server signs about it; f = b = 1. */
final class History {
    static final Hash DEPLOYMENT = Hash.sha256("history".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    static final Quorums QUORUMS = new Quorums(1, 1);
    static final Verifier VERIFIER = new Verifier(DEPLOYMENT);
    static final EvidenceJudge JUDGE = new EvidenceJudge(
            QUORUMS,
            List.of(
                    server(0).publicKey(),
                    server(1).publicKey(),
                    server(2).publicKey(),
                    server(3).publicKey()),
            List.of(key(40).publicKey(), key(41).publicKey(), key(42).publicKey(), key(43).publicKey()),
            VERIFIER);

    final Random random;
    final Sealer client = sealer(1);
    final ClientId clientId = new ClientId(client.publicKey());
    final List<Signed<Request>> requests = new ArrayList<>();
    final List<byte[]> entries = new ArrayList<>();
    final MerkleLog log = new MerkleLog();
    final List<Signed<Head>> heads = new ArrayList<>();
    final List<Signed<Response>> responses = new ArrayList<>();
    final List<Certificate> certificates = new ArrayList<>();
    private VersionVector dependencies = VersionVector.zero(4);

    History(long seed, int size) {
        this.random = new Random(seed);
        for (int i = 0; i < size; i++) {
            update();
            if (random.nextInt(3) == 0) {
                certify();
            }
        }
        certify();
    }

    static SigningKey key(int seed) {
        byte[] bytes = new byte[Ed25519.SEED_LENGTH];
        Arrays.fill(bytes, (byte) seed);
        return SigningKey.of(bytes);
    }

    static Sealer sealer(int seed) {
        return new Sealer(key(seed), DEPLOYMENT);
    }

    static Sealer server(int index) {
        return sealer(20 + index);
    }

    Signed<Request> request(long number, long amount) {
        return client.seal(
                new Request(clientId, number, "k", "pn-counter", Operation.of("increment", Value.of(amount))));
    }

    @SuppressWarnings("unchecked") // A Request is a ClientSigned.
    static byte[] entry(Dot dot, VersionVector dependencies, Signed<? extends ClientSigned> body) {
        return Codec.encode(new Entry(dot, dependencies, (Signed<ClientSigned>) body));
    }

    VersionVector dependencies() {
        return dependencies;
    }

    private void update() {
        long sequence = log.size() + 1;
        Signed<Request> request = request(sequence, 1 + random.nextInt(5));
        requests.add(request);
        if (random.nextBoolean()) {
            int other = 1 + random.nextInt(3);
            dependencies = dependencies.with(other, dependencies.get(other) + random.nextInt(4));
        }
        byte[] bytes = entry(new Dot(0, sequence), dependencies, request);
        entries.add(bytes);
        log.append(bytes);
        dependencies = dependencies.with(0, sequence);
        heads.add(server(0).seal(new Head(0, sequence, log.root())));
        responses.add(server(0).seal(response(request, sequence, bytes, dependencies)));
    }

    private Response response(Signed<Request> request, long sequence, byte[] bytes, VersionVector version) {
        return new Response(
                0,
                sequence * 2,
                clientId,
                request.message().number(),
                Value.of(sequence),
                new Dot(0, sequence),
                MerkleTree.leafHash(bytes),
                version,
                LogRoots.digest(roots()),
                new CertificateNumber(certificates.size()),
                certificates.isEmpty() ? Hash.ZERO : Digests.certificate(certificates.get(certificates.size() - 1)));
    }

    /** The answer to a read, with the next free sequence. */
    Signed<Response> answer(Read read, Value value) {
        return server(0)
                .seal(new Response(
                        0,
                        log.size() * 2 + 1,
                        clientId,
                        read.nonce(),
                        value,
                        null,
                        Digests.read(read),
                        dependencies,
                        LogRoots.digest(roots()),
                        new CertificateNumber(certificates.size()),
                        Digests.certificate(certificates.get(certificates.size() - 1))));
    }

    List<Hash> roots() {
        return List.of(log.root(), MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT);
    }

    private void certify() {
        Hash previous = certificates.isEmpty()
                ? Hash.ZERO
                : certificates.get(certificates.size() - 1).hash();
        CertificateContent content = new CertificateContent(
                DEPLOYMENT,
                new CertificateNumber(certificates.size() + 1),
                previous,
                VersionVector.zero(4).with(0, log.size()),
                roots(),
                Hash.sha256(new byte[] {(byte) log.size()}),
                List.of());
        certificates.add(signed(content, 40, 41, 43));
    }

    static Certificate signed(CertificateContent content, int... keys) {
        byte[] payload = Codec.encode(content);
        List<Certificate.ReplicaSignature> signatures = new ArrayList<>();
        for (int key : keys) {
            signatures.add(
                    new Certificate.ReplicaSignature(key % 10, key(key).sign(Domain.CERTIFICATE, DEPLOYMENT, payload)));
        }
        return new Certificate(content, payload, signatures);
    }

    static Signed<Stable> stable(int server, Hash state) {
        VersionVector version = VersionVector.zero(4).with(0, 3);
        List<Hash> fixed = List.of(Hash.sha256(new byte[1]), Hash.ZERO, Hash.ZERO, Hash.ZERO);
        return server(server)
                .seal(new Stable(server, new Epoch(4), 1, Hash.ZERO, version, fixed, version, fixed, state));
    }

    Signed<InspectReply> reply(int server, Signed<Response> answer, InspectReply.Outcome outcome) {
        return server(server)
                .seal(new InspectReply(
                        server, clientId, 7, answer.identity(), answer.message().roots(), outcome));
    }
}
