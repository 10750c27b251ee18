package org.aspas.certify.vectors;

import static org.aspas.certify.vectors.Offences.AT;
import static org.aspas.certify.vectors.Offences.OTHER;
import static org.aspas.certify.vectors.Offences.SIZE;
import static org.aspas.certify.vectors.Offences.WORLD;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.AnswerAgainstHead;
import org.aspas.certify.wire.AnswerAgainstLog;
import org.aspas.certify.wire.BadCertificate;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.certify.wire.WrongState;

/** What looks like evidence and proves nothing: of each kind something honest, and something that others made up. */
final class NoOffences {
    /** One piece, with why it proves nothing. */
    record Piece(String name, String reason, Evidence evidence) {}

    private final List<Piece> pieces = new ArrayList<>();
    private final Offences offences;

    NoOffences(Offences offences) {
        this.offences = offences;
    }

    List<Piece> all() {
        logs();
        answers();
        certificates();
        others();
        return pieces;
    }

    private void add(String name, String reason, Evidence evidence) {
        pieces.add(new Piece(name, reason, evidence));
    }

    private void logs() {
        Signed<Head> head = WORLD.head(SIZE);
        add("one head twice", "the roots are equal", new ForkedHeads(head, head));
        add("heads of two sizes", "the sizes are not equal", new ForkedHeads(head, WORLD.head(SIZE - 1)));
        Signed<Head> madeUp = WORLD.server(1).seal(new Head(0, SIZE, OTHER));
        add("a head that another server signed", "both heads are signed by the origin", new ForkedHeads(head, madeUp));
        ForkedEntries.Branch branch =
                new ForkedEntries.Branch(head, WORLD.log.leaf(AT), WORLD.log.proveInclusion(AT, SIZE));
        add(
                "one leaf under two heads",
                "the leaves are equal",
                new ForkedEntries(
                        branch,
                        new ForkedEntries.Branch(
                                WORLD.head(SIZE + 1), WORLD.log.leaf(AT), WORLD.log.proveInclusion(AT, SIZE + 1))));
        add(
                "a leaf that is not included",
                "both leaves are included",
                new ForkedEntries(branch, new ForkedEntries.Branch(head, OTHER, WORLD.log.proveInclusion(AT, SIZE))));
        add(
                "an entry that breaks no rule",
                "the entry breaks no rule",
                Offences.broken(WORLD.entries.get(SIZE - 1), null));
        add(
                "an entry with the one before, without fault",
                "the entry breaks no rule",
                Offences.broken(WORLD.entries.get(SIZE - 1), WORLD.entries.get(SIZE - 2)));
    }

    private void answers() {
        Certificate second = WORLD.certificates.get(1);
        Signed<Response> honest = Offences.answer(AT + 1, 0);
        Hash leaf = WORLD.log.leaf(AT);
        add(
                "an answer with the certified leaf",
                "the leaf is that of the answer",
                new AnswerAgainstLog(honest, second, leaf, WORLD.log.proveInclusion(AT, VectorWorld.ALL)));
        add(
                "an answer and the leaf of another place",
                "the leaf is included at the answer's dot",
                new AnswerAgainstLog(
                        honest, second, WORLD.log.leaf(AT + 1), WORLD.log.proveInclusion(AT + 1, VectorWorld.ALL)));
        Response lie = Offences.named(AT + 1, OTHER, 0, Hash.ZERO, 4).message();
        add(
                "an answer that its server did not sign",
                "the answer is signed by its server",
                new AnswerAgainstLog(
                        WORLD.server(1).seal(lie), second, leaf, WORLD.log.proveInclusion(AT, VectorWorld.ALL)));
        add(
                "an answer with the leaf under a head",
                "the leaf is that of the answer",
                new AnswerAgainstHead(honest, WORLD.head(SIZE), leaf, WORLD.log.proveInclusion(AT, SIZE)));
        Signed<Head> madeUp = WORLD.server(1).seal(new Head(0, SIZE, offences.fork.root()));
        add(
                "an answer against a head that another server signed",
                "the head is signed by the server",
                new AnswerAgainstHead(honest, madeUp, offences.fork.leaf(AT), offences.fork.proveInclusion(AT, SIZE)));
    }

    private void certificates() {
        Certificate second = WORLD.certificates.get(1);
        Hash leaf = WORLD.log.leaf(AT);
        add(
                "a certificate that verifies",
                "the certificate verifies and has the number",
                new BadCertificate(Offences.named(AT + 1, leaf, 2, Digests.certificate(second), 4), second));
        add(
                "a bad certificate that the answer does not name",
                "the digest is that of the certificate",
                new BadCertificate(
                        Offences.named(AT + 1, leaf, 2, Digests.certificate(second), 4),
                        WORLD.certified(second.content(), 0, 2)));
        add(
                "certificate numbers that rise",
                "the later answer does not name a lower one",
                new CertificateWentBack(
                        Offences.named(AT + 1, leaf, 1, OTHER, 4), Offences.named(AT + 2, leaf, 2, OTHER, 5)));
        add(
                "answers in the wrong order",
                "the later answer has the higher sequence",
                new CertificateWentBack(
                        Offences.named(AT + 1, leaf, 2, OTHER, 5), Offences.named(AT + 2, leaf, 1, OTHER, 4)));
    }

    private void others() {
        add("equal states", "the states are equal", Offences.state(Hash.ZERO));
        add(
                "one other server alone",
                "f+1 others are needed",
                new WrongState(Offences.stable(0, OTHER), List.of(Offences.stable(1, Hash.ZERO))));
        add(
                "others that do not agree",
                "the others' state roots are equal",
                new WrongState(
                        Offences.stable(0, OTHER), List.of(Offences.stable(1, Hash.ZERO), Offences.stable(2, OTHER))));
        Read read = new Read(77, "c", "pn-counter", false, CertificateNumber.NONE);
        Signed<Response> answer = Offences.read(read, 6);
        add(
                "one reply alone",
                "f+1 replies are needed",
                new WrongAnswer(answer, Question.of(read), List.of(Offences.differs(1, answer))));
        add(
                "a reply that does not differ",
                "each reply has outcome 1",
                new WrongAnswer(
                        answer,
                        Question.of(read),
                        List.of(Offences.differs(1, answer), Offences.reply(2, answer, InspectReply.Outcome.PRUNED))));
        Read other = new Read(78, "c", "pn-counter", false, CertificateNumber.NONE);
        add(
                "the answer to another question",
                "the answer is to this question",
                new WrongAnswer(
                        answer, Question.of(other), List.of(Offences.differs(1, answer), Offences.differs(2, answer))));
        add("one request twice", "the payloads are equal", new ClientEquivocation(WORLD.request(2), WORLD.request(2)));
        add(
                "two requests with two numbers",
                "the numbers are not equal",
                new ClientEquivocation(WORLD.request(2), WORLD.request(3)));
        add(
                "a request that the client did not sign",
                "both are signed by the client",
                new ClientEquivocation(WORLD.request(2), WORLD.server(0).seal(Offences.otherRequest(1))));
    }
}
