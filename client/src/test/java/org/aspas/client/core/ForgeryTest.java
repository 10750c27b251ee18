package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.client.ScriptedServer;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lying server; every lie fails the call concerned with the check that found it, and is counted. */
class ForgeryTest {
    private static final Hash OTHER = Hash.sha256(new byte[] {9});
    /** The first entry of incarnation 1. */
    private static final long LATER = SequenceNumbers.PER_INCARNATION + 1;

    private static Response change(Response r, ClientId client, Dot dot, Hash leaf, long certificate) {
        return new Response(
                r.server(),
                r.sequence(),
                client,
                r.reference(),
                r.result(),
                dot,
                leaf,
                r.version(),
                r.roots(),
                new CertificateNumber(certificate),
                r.certificateDigest());
    }

    private static ScriptedSession lying(UnaryOperator<Response> lie) {
        ScriptedSession session = ScriptedSession.connected(0);
        session.liar = message -> {
            if (message instanceof Answer answer) {
                Response lied = lie.apply(answer.response().message());
                return new Answer(session.server.seal(lied), answer.certificate(), answer.proof());
            }
            return message;
        };
        return session;
    }

    private static void assertUpdateFails(ScriptedSession session, Check check) {
        CallId update = session.increment("a");
        session.serve();
        session.assertNotVerified(update, check);
        assertThat(session.answered()).isEmpty();
    }

    @Test
    void answerUnderAnotherKey() {
        ScriptedSession session = ScriptedSession.connected(0);
        Sealer thief = new Sealer(ScriptedServer.key(55), ScriptedSession.DEPLOYMENT);
        session.liar = message -> message instanceof Answer answer
                ? new Answer(thief.seal(answer.response().message()), null, null)
                : message;
        assertUpdateFails(session, Check.SIGNATURE);
    }

    @Test
    void answerForAnotherClient() {
        ClientId stranger = new ClientId(ScriptedServer.key(2).publicKey());
        assertUpdateFails(
                lying(r ->
                        change(r, stranger, r.dot(), r.leaf(), r.certificate().value())),
                Check.ADDRESS);
    }

    @Test
    void answerToARequestNeverMade() {
        ScriptedSession session = lying(r -> new Response(
                r.server(),
                r.sequence(),
                r.client(),
                99,
                r.result(),
                r.dot(),
                r.leaf(),
                r.version(),
                r.roots(),
                CertificateNumber.NONE,
                r.certificateDigest()));
        session.increment("a");
        session.serve();
        assertThat(session.core.verificationFailures()).isEqualTo(1);
        assertThat(session.answered()).isEmpty();
    }

    @Test
    void dotOfAnotherOrigin() {
        assertUpdateFails(lying(r -> change(r, r.client(), new Dot(1, 1), r.leaf(), 0)), Check.DOT);
    }

    @Test
    void dotThatDoesNotEndTheVersion() {
        assertUpdateFails(lying(r -> change(r, r.client(), new Dot(0, 9), r.leaf(), 0)), Check.DOT);
    }

    private static Response at(Response r, @Nullable Dot dot, Hash leaf, VersionVector version, long certificate) {
        return new Response(
                r.server(),
                r.sequence(),
                r.client(),
                r.reference(),
                r.result(),
                dot,
                leaf,
                version,
                r.roots(),
                new CertificateNumber(certificate),
                r.certificateDigest());
    }

    /** All else fits: the version ends with the dot, and the leaf is that of the client's own request there. */
    @Test
    void dotOfALaterIncarnation() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId update = session.increment("a");
        Frame.Sealed sent = (Frame.Sealed) session.toServer.element();
        @SuppressWarnings("unchecked") // A Request is a ClientSigned, and Signed only hands it out.
        Signed<ClientSigned> body = (Signed<ClientSigned>) (Signed<?>) sent.signed();
        Dot dot = new Dot(0, LATER);
        session.liar = message -> {
            Response r = ((Answer) message).response().message();
            VersionVector dependencies = r.version().with(0, LATER - 1);
            Hash leaf = MerkleTree.leafHash(Codec.encode(new Entry(dot, dependencies, body)));
            return new Answer(session.server.seal(at(r, dot, leaf, r.version().with(0, LATER), 0)), null, null);
        };
        session.serve();
        session.assertNotVerified(update, Check.DOT);
        assertThat(session.answered()).isEmpty();
    }

    @Test
    void versionWithALaterIncarnationOfAnotherServer() {
        ScriptedSession session =
                lying(r -> at(r, r.dot(), r.leaf(), r.version().with(2, LATER), 0));
        CallId read = session.read("a", false);
        session.serve();
        session.assertNotVerified(read, Check.DOT);
    }

    /** A certificate number that goes back is evidence; not so in an answer that names a later incarnation. */
    @Test
    void aLaterIncarnationIsNoEvidence() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.serve();
        session.certify();
        session.increment("a");
        session.serve();
        session.liar = message -> {
            Response r = ((Answer) message).response().message();
            return new Answer(
                    session.server.seal(at(r, r.dot(), r.leaf(), r.version().with(2, LATER), 0)), null, null);
        };
        CallId update = session.increment("a");
        session.serve();
        session.assertNotVerified(update, Check.DOT);
        assertThat(session.seen(Effect.Happened.class))
                .noneMatch(happened -> happened.event() instanceof ClientEvent.Complained);
    }

    /** The certificate has the leaf there, and is signed by the bftservers. */
    @Test
    void confirmationInALaterIncarnation() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.serve();
        session.server.certify();
        CertificateContent genuine = session.server.confirmation().certificate().content();
        Dot dot = new Dot(0, LATER);
        Certificate certificate = session.server.sign(new CertificateContent(
                genuine.deployment(),
                genuine.number(),
                genuine.previous(),
                genuine.version().with(0, LATER),
                List.of(
                        MerkleTree.nodeHash(OTHER, OTHER),
                        genuine.roots().get(1),
                        genuine.roots().get(2),
                        genuine.roots().get(3)),
                genuine.state(),
                genuine.exclusions()));
        Response answer = new Response(
                0,
                1,
                ScriptedSession.CLIENT,
                1,
                Value.of(1),
                dot,
                OTHER,
                VersionVector.zero(4).with(0, LATER),
                OTHER,
                CertificateNumber.NONE,
                Hash.ZERO);
        InclusionProof proof = new InclusionProof(LATER - 1, LATER, List.of(OTHER));
        assertThat(proof.verifies(OTHER, certificate.content().roots().get(0))).isTrue();
        assertThat(InclusionCheck.check(certificate, new Confirmation.Covered(1, dot, proof), answer))
                .isPresent();
    }

    @Test
    void leafOfAnotherEntry() {
        assertUpdateFails(lying(r -> change(r, r.client(), r.dot(), OTHER, 0)), Check.LEAF);
    }

    @Test
    void certificateNumberThatGoesBack() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.serve();
        session.certify();
        session.increment("a");
        session.serve();
        session.liar = message -> {
            Response r = ((Answer) message).response().message();
            return new Answer(session.server.seal(change(r, r.client(), r.dot(), r.leaf(), 0)), null, null);
        };
        CallId update = session.increment("a");
        session.serve();
        session.assertNotVerified(update, Check.CERTIFICATE_WENT_BACK);
    }

    private static ScriptedSession confirming(UnaryOperator<Confirmation> lie) {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId update = session.increment("a");
        session.increment("b");
        session.serve();
        session.liar = message -> message instanceof Confirmation confirmation ? lie.apply(confirmation) : message;
        session.server.certify();
        Confirmation honest = session.server.confirmation();
        session.push(lie.apply(new Confirmation(
                honest.client(), honest.certificate(), honest.covered().subList(0, 1))));
        assertThat(session.confirmed()).isEmpty();
        assertThat(session.core.unconfirmed()).isEqualTo(2);
        assertThat(update).isEqualTo(new CallId(1));
        return session;
    }

    @Test
    void certificateWithTooFewSignatures() {
        ScriptedSession session = confirming(honest -> {
            Certificate c = honest.certificate();
            Certificate poor =
                    new Certificate(c.content(), c.payload(), c.signatures().subList(0, 2));
            return new Confirmation(honest.client(), poor, honest.covered());
        });
        session.assertNotVerified(new CallId(1), Check.CERTIFICATE);
        assertThat(session.core.newestCertificate()).isEmpty();
    }

    @Test
    void certificateWithAForgedSignature() {
        ScriptedSession session = confirming(honest -> {
            Certificate c = honest.certificate();
            List<Certificate.ReplicaSignature> signatures = List.of(
                    c.signatures().get(0),
                    c.signatures().get(1),
                    new Certificate.ReplicaSignature(2, c.signatures().get(1).signature()));
            return new Confirmation(
                    honest.client(), new Certificate(c.content(), c.payload(), signatures), honest.covered());
        });
        session.assertNotVerified(new CallId(1), Check.CERTIFICATE);
    }

    @Test
    void proofOfAnotherLeaf() {
        ScriptedSession session = confirming(honest -> {
            Confirmation.Covered item = honest.covered().get(0);
            InclusionProof proof =
                    new InclusionProof(item.proof().leafIndex(), item.proof().treeSize(), List.of(OTHER, OTHER));
            return new Confirmation(
                    honest.client(),
                    honest.certificate(),
                    List.of(new Confirmation.Covered(item.number(), item.dot(), proof)));
        });
        session.assertNotVerified(new CallId(1), Check.INCLUSION);
    }

    /** The session is at 0:1, the update at 0:2, the next one at 0:3, and no more is certified. */
    @ParameterizedTest
    @ValueSource(longs = {1, 4})
    void proofAtAnotherDot(long sequence) {
        ScriptedSession session = confirmingAt(new Dot(0, sequence));
        session.assertNotVerified(new CallId(1), Check.INCLUSION);
    }

    /** A server that has forgotten a certified place may have entered the number again: the place proves nothing without its answer. */
    @Test
    void proofAtALaterCertifiedDotConfirmsNothing() {
        ScriptedSession session = confirmingAt(new Dot(0, 3));
        assertThat(session.core.verificationFailures()).isZero();
        assertThat(session.confirmed()).isEmpty();
    }

    private static ScriptedSession confirmingAt(Dot dot) {
        return confirming(honest -> {
            Confirmation.Covered item = honest.covered().get(0);
            return new Confirmation(
                    honest.client(),
                    honest.certificate(),
                    List.of(new Confirmation.Covered(item.number(), dot, item.proof())));
        });
    }

    @Test
    void genuineCertificateOfAnotherHistory() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId update = session.increment("a");
        session.serve();
        session.server.certify();
        Confirmation honest = session.server.confirmation();
        CertificateContent content = honest.certificate().content();
        Certificate other = session.server.sign(new CertificateContent(
                content.deployment(),
                CertificateNumber.FIRST,
                content.previous(),
                content.version(),
                List.of(
                        OTHER,
                        content.roots().get(1),
                        content.roots().get(2),
                        content.roots().get(3)),
                content.state(),
                List.of()));
        session.push(new Confirmation(honest.client(), other, honest.covered()));
        session.assertNotVerified(update, Check.INCLUSION);
    }

    @Test
    void twoCertificatesWithOneNumber() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.serve();
        session.certify();
        CertificateContent content = session.server.certificates.get(1L).content();
        Certificate other = session.server.sign(new CertificateContent(
                content.deployment(),
                CertificateNumber.FIRST,
                content.previous(),
                content.version(),
                content.roots(),
                OTHER,
                List.of()));
        session.push(new Confirmation(ScriptedSession.CLIENT, other, List.of()));
        assertThat(session.seen(Effect.Noticed.class))
                .anyMatch(n -> n.notice() instanceof Notice.VerificationFailed failed
                        && failed.check() == Check.CERTIFICATE_FORK);
    }

    /** Only more than b liars can sign such certificates: then a client says so, whichever of the two it saw first. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCertifiedVersionThatGoesBack(boolean olderFirst) {
        ScriptedSession session = certifiedRead();
        CertificateContent first = session.server.certificates.get(1L).content();
        VersionVector more = first.version().with(0, first.version().get(0) + 1);
        VersionVector less = first.version().with(0, first.version().get(0) - 1);
        Certificate third = session.server.sign(of(first, 3, more));
        Certificate backThird = session.server.sign(of(first, 3, less));
        Certificate backFifth = session.server.sign(of(first, 5, first.version()));
        if (olderFirst) {
            assertFork(session, backThird, true);
            assertFork(session, third, false);
            assertFork(session, backFifth, true);
        } else {
            Certificate fifth = session.server.sign(of(first, 5, more));
            VersionVector most = more.with(1, more.get(1) + 1);
            assertFork(session, fifth, false);
            assertFork(session, session.server.sign(of(first, 3, most)), true);
            assertFork(session, session.server.sign(of(first, 3, first.version())), false);
        }
    }

    /** A certificate that follows the first one, with gaps between. */
    private static CertificateContent of(CertificateContent first, long number, VersionVector version) {
        return new CertificateContent(
                first.deployment(),
                new CertificateNumber(number),
                OTHER,
                version,
                first.roots(),
                first.state(),
                List.of());
    }

    private static void assertFork(ScriptedSession session, Certificate certificate, boolean fork) {
        long before = forks(session);
        session.push(new Confirmation(ScriptedSession.CLIENT, certificate, List.of()));
        assertThat(forks(session) - before).isEqualTo(fork ? 1 : 0);
    }

    private static long forks(ScriptedSession session) {
        return session.seen(Effect.Noticed.class).stream()
                .filter(noticed -> noticed.notice() instanceof Notice.VerificationFailed failed
                        && failed.check() == Check.CERTIFICATE_FORK)
                .count();
    }

    private static ScriptedSession certifiedRead() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.serve();
        session.certify();
        return session;
    }

    @Test
    void honestCertifiedReadsOfPresenceAndAbsence() {
        ScriptedSession session = certifiedRead();
        CallId present = session.read("a", true);
        CallId absent = session.read("nowhere", true);
        CallId local = session.read("a", false);
        session.serve();
        assertThat(session.seen(Effect.ReadDone.class))
                .extracting(Effect.ReadDone::call, Effect.ReadDone::value, Effect.ReadDone::certificateNumber)
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple(present, Value.of(1), CertificateNumber.FIRST),
                        org.assertj.core.api.Assertions.tuple(absent, Value.of(0), CertificateNumber.FIRST),
                        org.assertj.core.api.Assertions.tuple(local, Value.of(1), CertificateNumber.FIRST));
        assertThat(session.core.verificationFailures()).isZero();
    }

    @Test
    void whatProvesACertifiedReadProvesItToOthers() {
        ScriptedSession session = certifiedRead();
        session.read("a", true);
        session.read("nowhere", true);
        session.read("a", false);
        session.serve();
        List<ReadProof> proofs = session.seen(Effect.ReadDone.class).stream()
                .map(Effect.ReadDone::proof)
                .toList();
        assertThat(proofs.get(2)).as("a local read").isNull();
        for (ReadProof proof : proofs.subList(0, 2)) {
            ReadProof kept = ReadProof.of(proof.toBytes()).orElseThrow();
            assertThat(kept.toBytes()).isEqualTo(proof.toBytes());
            assertThat(ReadProofCheck.check(kept, session.server.certificateCheck()))
                    .isEmpty();
            assertThat(ReadProofCheck.check(kept, ScriptedServer.certificateCheck(Hash.ZERO)))
                    .as("another deployment")
                    .isPresent();
            Answer answer = kept.answer();
            assertThat(ReadProofCheck.check(
                            new ReadProof(kept.read(), new Answer(answer.response(), null, answer.proof())),
                            session.server.certificateCheck()))
                    .isPresent();
        }
        ReadProof swapped = new ReadProof(proofs.get(0).read(), proofs.get(1).answer());
        assertThat(ReadProofCheck.check(swapped, session.server.certificateCheck()))
                .hasValueSatisfying(wrong -> assertThat(wrong).contains("not proved"));
        assertThat(ReadProof.of(new byte[] {1, 2, 3})).isEmpty();
    }

    @Test
    void certifiedReadOfAnotherValue() {
        ScriptedSession session = certifiedRead();
        session.liar = message -> {
            Answer answer = (Answer) message;
            Response r = answer.response().message();
            Response lied = new Response(
                    r.server(),
                    r.sequence(),
                    r.client(),
                    r.reference(),
                    Value.of(2),
                    null,
                    r.leaf(),
                    r.version(),
                    r.roots(),
                    r.certificate(),
                    r.certificateDigest());
            return new Answer(session.server.seal(lied), answer.certificate(), answer.proof());
        };
        CallId read = session.read("a", true);
        session.serve();
        session.assertNotVerified(read, Check.STATE_PROOF);
    }

    @Test
    void certifiedReadWithoutProof() {
        ScriptedSession session = certifiedRead();
        session.liar = message -> new Answer(((Answer) message).response(), null, null);
        CallId read = session.read("a", true);
        session.serve();
        session.assertNotVerified(read, Check.READ_CERTIFICATE);
    }

    @Test
    void certifiedReadOfAnOldCertificate() {
        ScriptedSession session = certifiedRead();
        Answer[] old = new Answer[1];
        session.liar = message -> old[0] = (Answer) message;
        session.read("a", true);
        session.serve();
        session.liar = message -> message;
        session.increment("a");
        session.serve();
        session.certify();
        session.liar = message -> {
            Response r = ((Answer) message).response().message();
            Response lied = new Response(
                    r.server(),
                    r.sequence(),
                    r.client(),
                    r.reference(),
                    Value.of(1),
                    null,
                    r.leaf(),
                    r.version(),
                    r.roots(),
                    r.certificate(),
                    r.certificateDigest());
            return new Answer(session.server.seal(lied), session.server.certificates.get(1L), old[0].proof());
        };
        CallId read = session.read("a", true);
        session.serve();
        session.assertNotVerified(read, Check.CERTIFICATE);
    }

    @Test
    void readsTimeOut() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId read = session.read("a", false);
        session.step(new Event.Tick(1000));
        assertThat(session.failure(read)).isEqualTo(new Failure.TimedOut(1000));
    }
}
