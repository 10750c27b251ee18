package org.aspas.certify.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** The worked example of docs/formats.md §12 and §22, by the names that the page has. */
public final class WorkedExample {
    private static final Hash DEPLOYMENT = Hash.sha256("example".getBytes(StandardCharsets.UTF_8));
    private static final VersionVector NOTHING = VersionVector.zero(4);

    private static SigningKey key(int seed) {
        byte[] bytes = new byte[Ed25519.SEED_LENGTH];
        Arrays.fill(bytes, (byte) seed);
        return SigningKey.of(bytes);
    }

    private static Sealer sealer(int seed) {
        return new Sealer(key(seed), DEPLOYMENT);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Client 01…01 opens a session at appserver 0 (key 10…10) and increments counter "c" by 5; bftservers 20…23. */
    public static Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        ClientId client = new ClientId(key(0x01).publicKey(), 1_700_000_000_000_000L, 0x0102030405060708L);
        Signed<ClientSigned> session = sealer(0x01).seal(new OpenSession(client, 1, 8));
        Signed<ClientSigned> request =
                sealer(0x01).seal(new Request(client, 1, "c", "pn-counter", Operation.of("increment", Value.of(5))));
        byte[] first = Codec.encode(new Entry(new Dot(0, 1), NOTHING, session));
        byte[] second = Codec.encode(new Entry(new Dot(0, 2), NOTHING.with(0, 1), request));
        MerkleLog log = new MerkleLog();
        log.append(MerkleTree.leafHash(first));
        log.append(MerkleTree.leafHash(second));
        List<Hash> roots = List.of(log.root(), MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT);
        lines.put("deployment id", DEPLOYMENT.toString());
        lines.put("client key", client.key().toString());
        lines.put("client", hex(client.toBytes()));
        lines.put("appserver key", key(0x10).publicKey().toString());
        lines.put("session payload", hex(session.payload()));
        lines.put("request payload", hex(request.payload()));
        lines.put("request signature", hex(request.signature()));
        lines.put("request frame", hex(Codec.encode(request)));
        lines.put("entry 1", hex(first));
        lines.put("entry 2", hex(second));
        lines.put("leaf 1", MerkleTree.leafHash(first).toString());
        lines.put("leaf 2", MerkleTree.leafHash(second).toString());
        lines.put("log root", log.root().toString());
        lines.put("log roots digest", LogRoots.digest(roots).toString());
        lines.put("head frame", hex(Codec.encode(sealer(0x10).seal(new Head(0, 2, log.root())))));
        Response response = new Response(
                0,
                2,
                client,
                1,
                Value.of(5),
                new Dot(0, 2),
                MerkleTree.leafHash(second),
                NOTHING.with(0, 2),
                LogRoots.digest(roots),
                CertificateNumber.NONE,
                Hash.ZERO);
        lines.put("response frame", hex(Codec.encode(sealer(0x10).seal(response))));
        state(lines, client, request.identity(), roots);
        tags(lines, client, request.as(Request.class).orElseThrow(), second, log.root());
        return lines;
    }

    /** The client opens session 2 at appserver 0 with a share, and gives the request with tags. */
    private static void tags(
            Map<String, String> lines, ClientId client, Signed<Request> request, byte[] entry, Hash root) {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) 0x77);
        AgreementKey own = AgreementKey.of(secret);
        List<AgreementShare> servers = IntStream.range(0, 4)
                .mapToObj(i -> AgreementKey.ofServer(key(0x10 + i)).share())
                .toList();
        Signed<OpenSession> session =
                sealer(0x01).seal(new OpenSession(client, 2, 8, new OpenSession.Share(own.share(), 0)));
        byte[] info = Arrays.copyOf("aspas/v1/tags".getBytes(StandardCharsets.US_ASCII), 14 + 32 + 1);
        System.arraycopy(session.identity().toBytes(), 0, info, 14, 32);
        info[info.length - 1] = 1;
        byte[] tags =
                RequestTags.of(own, servers, DEPLOYMENT, session.identity()).of(request);
        Batch batch = new Batch(sealer(0x10).seal(new Head(0, 2, root)), List.of(entry));
        lines.put("agreement key of appserver 0", servers.get(0).toString());
        lines.put("agreement key of appserver 1", servers.get(1).toString());
        lines.put("share", own.share().toString());
        lines.put("session payload with a share", hex(session.payload()));
        lines.put("identity of that session", session.identity().toString());
        lines.put(
                "key with appserver 1",
                hex(own.agree(servers.get(1), DEPLOYMENT, info).orElseThrow()));
        lines.put("tags of the request", hex(tags));
        lines.put("tagged request frame", hex(Codec.encode(new TaggedRequest(request, tags))));
        lines.put("batch for appserver 1", hex(Codec.encode(batch.tagged(Arrays.copyOfRange(tags, 16, 32)))));
    }

    private static void state(Map<String, String> lines, ClientId client, Hash identity, List<Hash> roots) {
        Hash object = StateLeaves.object("c", "pn-counter", Value.of(5));
        Hash block = StateLeaves.countedBlock(List.of(new Counted(1, new Dot(0, 2), identity)));
        Hash clientLeaf = StateLeaves.client(client, 1, 8, 0, new byte[] {1}, List.of(block));
        Hash objectPath = StateTree.objectPath("c");
        Hash clientPath = StateTree.clientPath(client.toBytes());
        StateTree tree = StateTree.empty().put(objectPath, object).put(clientPath, clientLeaf);
        lines.put("object path", objectPath.toString());
        lines.put("object leaf", object.toString());
        lines.put("client path", clientPath.toString());
        lines.put("counted block", block.toString());
        lines.put("client leaf", clientLeaf.toString());
        lines.put("state root", tree.root().toString());
        assertTrue(tree.prove(objectPath).provesPresence(tree.root(), objectPath, object));
        CertificateContent content = new CertificateContent(
                DEPLOYMENT, CertificateNumber.FIRST, Hash.ZERO, NOTHING.with(0, 2), roots, tree.root(), List.of());
        lines.put("certificate", hex(Codec.encode(certificate(content))));
        lines.put("certificate hash", certificate(content).hash().toString());
        set(lines);
    }

    /** A set with an element of one addition and one of many. */
    private static void set(Map<String, String> lines) {
        Value once = Value.sequence(List.of(Value.sequence(List.of(Value.of(0), Value.of(7)))));
        List<Value> additions = new ArrayList<>();
        for (int origin = 0; origin < 12; origin++) {
            additions.add(Value.sequence(List.of(Value.of(origin), Value.of(1))));
        }
        Value often = StateLeaves.shortForm(Value.sequence(additions));
        assertEquals(once, StateLeaves.shortForm(once));
        Hash first = StateLeaves.elementPath(Value.of("a"));
        Hash second = StateLeaves.elementPath(Value.of(1));
        Hash firstLeaf = StateLeaves.element(Value.of("a"), once);
        Hash secondLeaf = StateLeaves.element(Value.of(1), often);
        StateTree tree = StateTree.empty().put(first, firstLeaf).put(second, secondLeaf);
        lines.put("path of element a", first.toString());
        lines.put("element leaf of a", firstLeaf.toString());
        lines.put("path of element 1", second.toString());
        lines.put("short state of 1", hex(Codec.encodeValue(often)));
        lines.put("element leaf of 1", secondLeaf.toString());
        lines.put("root of the elements", tree.root().toString());
        lines.put(
                "object leaf of the set",
                StateLeaves.object("s", "aw-set", 2, tree.root()).toString());
        lines.put(
                "object leaf of the empty set",
                StateLeaves.object("s", "aw-set", 0, Hash.ZERO).toString());
    }

    private static Certificate certificate(CertificateContent content) {
        byte[] payload = Codec.encode(content);
        List<Certificate.ReplicaSignature> signatures = new ArrayList<>();
        for (int replica = 0; replica < 3; replica++) {
            byte[] signature = key(0x20 + replica).sign(Domain.CERTIFICATE, DEPLOYMENT, payload);
            assertTrue(new Verifier(DEPLOYMENT)
                    .verify(key(0x20 + replica).publicKey(), Domain.CERTIFICATE, payload, signature));
            signatures.add(new Certificate.ReplicaSignature(replica, signature));
        }
        return new Certificate(content, payload, signatures);
    }
}
