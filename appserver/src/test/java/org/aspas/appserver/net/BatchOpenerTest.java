package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.appserver.net.PeerLinks.BatchOpener;
import org.aspas.appserver.net.PeerLinks.VerifiedHeads;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
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
import org.junit.jupiter.api.Test;

/** What is verified before the core takes a batch, and what is left to the core. */
class BatchOpenerTest {
    /** Under this deployment nothing verifies, so that a signature that is right here was remembered. */
    private static final Verifier ELSEWHERE = new Verifier(Hash.ZERO);

    private final Descriptor descriptor = descriptor();
    private final BatchOpener opener =
            new BatchOpener(descriptor, new VerifiedHeads(descriptor), SessionTags.none(descriptor.id(), 0));
    private final Sealer origin = new Sealer(key(2), descriptor.id());
    private final Sealer client = new Sealer(key(50), descriptor.id());

    static SigningKey key(int seed) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) seed;
        return SigningKey.of(bytes);
    }

    static Descriptor descriptor() {
        Quorums quorums = new Quorums(1, 1);
        List<NodeDescription> nodes = new ArrayList<>();
        for (int index = 0; index < 4; index++) {
            nodes.add(new NodeDescription(
                    NodeId.appserver(index), key(1 + index).publicKey(), "127.0.0.1", 0, 0, new byte[0]));
            nodes.add(new NodeDescription(
                    NodeId.bftserver(index), key(11 + index).publicKey(), "127.0.0.1", 0, 0, new byte[] {1}));
        }
        try {
            return DescriptorFile.sign(key(30), "test", quorums, nodes, Set.of(), Limits.DEFAULT)
                    .open(key(30).publicKey());
        } catch (DescriptorFile.InvalidDescriptor wrong) {
            throw new AssertionError(wrong);
        }
    }

    private byte[] entry(long sequence, Sealer signer) {
        Request request = new Request(
                new ClientId(client.publicKey()), sequence, "c", "pn-counter", Operation.of("increment", Value.of(1)));
        return Codec.encode(new Entry(
                new Dot(1, sequence), VersionVector.of(0, sequence - 1, 0, 0), signer.seal((ClientSigned) request)));
    }

    private static Batch batch(Sealer signer, int from, byte[]... all) {
        MerkleLog log = new MerkleLog();
        for (byte[] one : all) {
            log.append(one);
        }
        return new Batch(
                signer.seal(new Head(1, all.length, log.root())), List.of(all).subList(from, all.length));
    }

    private boolean verified(OpenBatch open, int place) {
        return open.entry(place).orElseThrow().body().verify(ELSEWHERE, client.publicKey(), Domain.REQUEST);
    }

    @Test
    void entriesUnderASignedHeadAreVerifiedOnce() {
        OpenBatch first = opener.open(batch(origin, 0, entry(1, client), entry(2, client)));
        assertThat(verified(first, 0)).isTrue();
        assertThat(verified(first, 1)).isTrue();
        OpenBatch again = opener.open(batch(origin, 0, entry(1, client), entry(2, client), entry(3, client)));
        assertThat(verified(again, 1)).isFalse();
        assertThat(verified(again, 2)).isTrue();
    }

    /** Whoever relays or signs a later batch, or one that the core refuses, must not make the core verify what comes then. */
    @Test
    void whatTheCoreRefusedIsLookedAtAgainAndWhatFollowsAGapIsNot() {
        Head far = new Head(1, 1L << 62, Hash.ZERO);
        OpenBatch gap = opener.open(new Batch(origin.seal(far), List.of(entry(1, client))));
        assertThat(verified(gap, 0)).isFalse();
        gap.judged(BatchOutcome.GAP, 0);
        OpenBatch refused = opener.open(batch(origin, 0, entry(1, client), new byte[] {1}));
        assertThat(verified(refused, 0)).isTrue();
        refused.judged(BatchOutcome.BROKEN_ENTRY, 0);
        OpenBatch added = opener.open(batch(origin, 0, entry(1, client), entry(2, client)));
        assertThat(verified(added, 0)).isTrue();
        assertThat(verified(added, 1)).isTrue();
        added.judged(BatchOutcome.ADDED, 2);
        assertThat(verified(opener.open(batch(origin, 0, entry(1, client), entry(2, client))), 1))
                .isFalse();
        // Certified entries came another way.
        opener.open(batch(origin, 1, entry(1, client), entry(2, client))).judged(BatchOutcome.KNOWN, 3);
        OpenBatch next =
                opener.open(batch(origin, 3, entry(1, client), entry(2, client), entry(3, client), entry(4, client)));
        assertThat(verified(next, 0)).isTrue();
        next.judged(BatchOutcome.CUT, 3);
        assertThat(verified(opener.open(batch(origin, 0, entry(1, client))), 0)).isFalse();
    }

    @Test
    void aWrongSignatureIsNeverRemembered() {
        OpenBatch open = opener.open(batch(origin, 0, entry(1, origin), entry(2, client)));
        assertThat(verified(open, 0)).isFalse();
        assertThat(verified(open, 1)).isTrue();
    }

    @Test
    void underAHeadOfAnotherSignerNothingIsDone() {
        assertThat(verified(opener.open(batch(client, 0, entry(1, client))), 0)).isFalse();
        assertThat(verified(opener.open(batch(origin, 0, entry(1, client))), 0)).isTrue();
    }

    @Test
    void whatIsNoEntryIsLeftToTheCore() {
        OpenBatch open = opener.open(batch(origin, 0, new byte[] {1, 2}, entry(2, client)));
        assertThat(open.entry(0)).isEmpty();
        assertThat(verified(open, 1)).isTrue();
        Head strange = new Head(77, 1, Hash.ZERO);
        Batch unknown = new Batch(origin.seal(strange), List.of(entry(1, client)));
        assertThat(verified(opener.open(unknown), 0)).isFalse();
        Batch shorter = new Batch(origin.seal(new Head(1, 1, Hash.ZERO)), List.of(entry(1, client), entry(2, client)));
        assertThat(opener.open(shorter).entry(0)).isPresent();
    }

    // ---- Tags ----

    private final AgreementKey own = AgreementKey.of(
            new byte[] {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7
            });
    private final Signed<ClientSigned> session =
            client.seal(new OpenSession(new ClientId(client.publicKey()), 1, 0, new OpenSession.Share(own.share(), 1)));

    private SessionTags sessions() {
        AgreementKey server = AgreementKey.ofServer(key(1));
        return new SessionTags(descriptor.id(), 0, server, () -> 0, () -> false, new SessionTags.Bounds(9, 9, 1));
    }

    private static byte[] entry(long sequence, Signed<ClientSigned> body) {
        return Codec.encode(new Entry(new Dot(1, sequence), VersionVector.of(0, sequence - 1, 0, 0), body));
    }

    private Signed<ClientSigned> request(int number) {
        return client.seal(new Request(
                new ClientId(client.publicKey()), number, "c", "pn-counter", Operation.of("increment", Value.of(1))));
    }

    private static Signed<ClientSigned> forged(Signed<ClientSigned> right) {
        byte[] signature = right.signature().clone();
        signature[0] ^= 1;
        return new Signed<>(right.message(), right.payload(), signature);
    }

    /** A batch of these, with right tags for server 0. */
    private Batch tagged(List<Signed<ClientSigned>> bodies) {
        List<AgreementShare> servers = List.of(AgreementKey.ofServer(key(1)).share());
        RequestTags tags = RequestTags.of(own, servers, descriptor.id(), session.identity());
        byte[][] entries = new byte[bodies.size()][];
        byte[] each = new byte[bodies.size() * TaggedRequest.TAG_BYTES];
        for (int place = 0; place < entries.length; place++) {
            entries[place] = entry(place + 1, bodies.get(place));
            System.arraycopy(tags.of(bodies.get(place)), 0, each, place * TaggedRequest.TAG_BYTES, 16);
        }
        return batch(origin, 0, entries).tagged(each);
    }

    /** The session record is known before the core has it, so that the next entries of the same batch are spared. */
    @Test
    void aRightTagSparesTheSignature() {
        BatchOpener tagging = new BatchOpener(descriptor, new VerifiedHeads(descriptor), sessions());
        OpenBatch open = tagging.open(tagged(List.of(session, request(1), forged(request(2)))));
        assertThat(open.convincing(0)).as("a session").isFalse();
        assertThat(open.entry(0).orElseThrow().body().verify(ELSEWHERE, client.publicKey(), Domain.SESSION))
                .isTrue();
        for (int place = 1; place < 3; place++) {
            assertThat(open.convincing(place)).isTrue();
            assertThat(open.seen(place)).isTrue();
            assertThat(verified(open, place)).isFalse();
        }
    }

    @Test
    void withoutARightTagTheSignatureIsVerified() {
        BatchOpener tagging = new BatchOpener(descriptor, new VerifiedHeads(descriptor), sessions());
        Batch right = tagged(List.of(session, request(1), forged(request(2))));
        byte[] wrong = right.tags().clone();
        wrong[TaggedRequest.TAG_BYTES] ^= 1;
        wrong[2 * TaggedRequest.TAG_BYTES] ^= 1;
        OpenBatch open = tagging.open(right.tagged(wrong));
        assertThat(open.convincing(1) || open.convincing(2)).isFalse();
        assertThat(verified(open, 1)).isTrue();
        assertThat(verified(open, 2)).isFalse();
    }

    /** A session that its client did not sign gives no tags. */
    @Test
    void aForgedSessionGivesNoTags() {
        BatchOpener tagging = new BatchOpener(descriptor, new VerifiedHeads(descriptor), sessions());
        OpenBatch open = tagging.open(tagged(List.of(forged(session), request(1))));
        assertThat(open.convincing(0) || open.convincing(1)).isFalse();
        assertThat(verified(open, 1)).isTrue();
    }

    @Test
    void whatWasNotLookedAtIsLeftToTheCore() {
        BatchOpener tagging = new BatchOpener(descriptor, new VerifiedHeads(descriptor), sessions());
        Batch batch = tagged(List.of(session, request(1)));
        tagging.open(batch);
        OpenBatch again = tagging.open(batch);
        assertThat(again.seen(1) || again.convincing(1)).isFalse();
    }
}
