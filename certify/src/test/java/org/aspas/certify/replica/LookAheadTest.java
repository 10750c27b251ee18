package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bftserver goes on with the answers in its hand, and tells the order of what came of them when the order does not decide it. */
class LookAheadTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {8});
    private static final Signers SIGNERS = Signers.of(DEPLOYMENT);
    private static final List<Sealer> APPSERVERS = SIGNERS.appservers();
    private static final List<Sealer> BFTSERVERS = SIGNERS.bftservers();
    private static final int ROUND_TICKS = 8;
    private static final Hash START = Hash.sha256(new byte[] {5});
    private static final Hash ROOT = Hash.sha256(new byte[] {9});

    private final BftServerCore core = new BftServerCore(settings(), knowing(), START);
    private final List<Message> said = new ArrayList<>();
    private final List<Effect> relayed = new ArrayList<>();
    /** What the next process would begin with. */
    private final RecordState disk = knowing();

    private BftReqStable question;

    private static ReplicaSettings settings() {
        return new ReplicaSettings(
                0, SIGNERS.members(), BFTSERVERS.get(0), new MachineSettings(2, ROUND_TICKS), 100, 10_000, 0);
    }

    private static RecordState knowing() {
        RecordState record = new RecordState();
        record.apply(new RecordItem.Taught(CertificateNumber.NONE));
        return record;
    }

    /** All that is persisted is durable at once. */
    private void step(Event event) {
        List<Effect> effects = core.step(event);
        for (Effect effect : effects) {
            if (effect instanceof Effect.Persist persist) {
                disk.apply(persist.item());
                step(new Event.Persisted(persist.ticket()));
            } else if (effect instanceof Effect.Submit submit) {
                said.add(Signers.message(submit.command()));
            } else if (effect instanceof Effect.Relay) {
                relayed.add(effect);
            } else if (effect instanceof Effect.ToAppservers sent
                    && Signers.message(sent.frame()) instanceof BftReqStable asked) {
                question = asked;
            }
        }
    }

    private void order(Sealer signer, Message message) {
        core.apply(Codec.encode(signer.seal(message)));
        step(new Event.Advanced());
    }

    private static VertObft report(int server, long size) {
        Signed<Head> head = APPSERVERS.get(0).seal(new Head(0, size, ROOT));
        return new VertObft(server, VersionVector.of(size, 0, 0, 0), List.of(head));
    }

    private Stable answer(int server) {
        return answer(server, ROOT);
    }

    private Stable answer(int server, Hash root) {
        List<Hash> roots = List.of(root, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT);
        VersionVector version = question.version();
        return new Stable(
                server,
                question.epoch(),
                question.round(),
                question.previous(),
                version,
                roots,
                version,
                roots,
                Hash.sha256(root.toBytes()));
    }

    private void gives(int server, Message message) {
        gives(server, APPSERVERS.get(server), message);
    }

    private void gives(int from, Sealer signer, Message message) {
        step(new Event.Received(NodeId.appserver(from), new Command(Codec.encode(signer.seal(message)))));
    }

    private List<Message> accepts() {
        return said.stream().filter(Accept.class::isInstance).toList();
    }

    private List<Message> statements() {
        return said.stream()
                .filter(one -> one instanceof Recover told && told.proven() != null)
                .toList();
    }

    /** Two others accept what this one foresaw, and it holds the proof. */
    private void proved() {
        for (int server = 0; server < 3; server++) {
            gives(server, answer(server));
        }
        Accept own = (Accept) accepts().get(0);
        for (int other = 1; other < 3; other++) {
            Accept word = new Accept(other, own.number(), own.attempt(), own.content());
            Command command = new Command(Codec.encode(BFTSERVERS.get(other).seal(word)));
            step(new Event.Heard(NodeId.bftserver(other), command));
        }
        assertThat(said).extracting(Message::kind).contains(Kind.COMMIT);
        said.clear();
    }

    /** Time steps until it is asked again: the second time after twice as long. */
    private void endRound() {
        long round = question.round();
        for (int step = 0; question.round() == round && step <= 2 * ROUND_TICKS; step++) {
            assertThat(statements()).isEmpty();
            long k = core.orderedTime() + 1;
            order(BFTSERVERS.get(1), new Tick(1, k));
            order(BFTSERVERS.get(2), new Tick(2, k));
        }
        assertThat(question.round()).isEqualTo(round + 1);
    }

    @BeforeEach
    void ask() {
        step(new Event.Tick(1, true, true));
        for (int replica = 0; replica < 3; replica++) {
            order(
                    BFTSERVERS.get(replica),
                    new Recover(replica, Hash.ZERO, Hash.ZERO, true, Epoch.NONE, CertificateNumber.NONE, 0, null));
        }
        for (int server = 0; server < 3; server++) {
            order(APPSERVERS.get(server), report(server, 1));
        }
        assertThat(question.version()).isEqualTo(VersionVector.of(1, 0, 0, 0));
        said.clear();
    }

    @Test
    void theThirdAnswerMakesItAcceptOnce() {
        gives(0, answer(0));
        gives(2, answer(2));
        assertThat(accepts()).isEmpty();
        gives(1, answer(1));
        gives(3, answer(3));
        step(new Event.Advanced());
        assertThat(accepts()).hasSize(1);
    }

    @Test
    void nothingLeavesBeforeItIsDurable() {
        gives(0, answer(0));
        gives(2, answer(2));
        byte[] third = Codec.encode(APPSERVERS.get(1).seal(answer(1)));
        List<Effect> effects = core.step(new Event.Received(NodeId.appserver(1), new Command(third)));
        assertThat(effects).noneMatch(Effect.Submit.class::isInstance);
        Ticket ticket = effects.stream()
                .filter(Effect.Persist.class::isInstance)
                .map(effect -> ((Effect.Persist) effect).ticket())
                .reduce((one, later) -> later)
                .orElseThrow();
        assertThat(core.step(new Event.Persisted(ticket))).anyMatch(Effect.Submit.class::isInstance);
    }

    @Test
    void answersThatComeBeforeTheQuestionCountWhenItIsAsked() {
        BftServerCore late = new BftServerCore(settings(), knowing(), Hash.sha256(new byte[] {6}));
        for (int server = 0; server < 3; server++) {
            byte[] given = Codec.encode(APPSERVERS.get(server).seal(answer(server)));
            late.step(new Event.Received(NodeId.appserver(server), new Command(given)));
        }
        late.restore(core.snapshot());
        assertThat(late.step(new Event.Advanced()))
                .extracting(effect -> effect instanceof Effect.Persist persist
                        ? persist.item().getClass().getSimpleName()
                        : "")
                .contains("AcceptedContent");
    }

    @Test
    void onlyAnAnswerOfWhoGivesItCounts() {
        gives(0, answer(0));
        gives(1, answer(1));
        gives(1, APPSERVERS.get(2), answer(2));
        gives(1, APPSERVERS.get(1), answer(2));
        gives(2, APPSERVERS.get(1), answer(2));
        assertThat(accepts()).isEmpty();
    }

    /** It is the first one that the order takes. */
    @Test
    void theFirstAnswerOfOneCounts() {
        gives(3, answer(3, Hash.ZERO));
        gives(3, answer(3));
        gives(0, answer(0));
        gives(1, answer(1));
        assertThat(accepts()).isEmpty();
        gives(2, answer(2));
        assertThat(accepts()).hasSize(1);
    }

    @Test
    void reportsGoWhenItIsForeseenWhatTheQuestionDecides() {
        gives(0, answer(0));
        gives(1, answer(1));
        relayed.clear();
        gives(3, report(3, 2));
        assertThat(relayed).isEmpty();
        gives(2, answer(2));
        assertThat(relayed).as("the report and the answer").hasSize(2);
        gives(1, report(1, 3));
        assertThat(relayed).as("and every later one").hasSize(3);
    }

    @Test
    void whatIsAskedForAgainIsShownAtOnceAndOnce() {
        proved();
        endRound();
        assertThat(statements()).hasSize(1);
        step(new Event.Advanced());
        assertThat(statements()).hasSize(1);
        order(BFTSERVERS.get(0), statements().get(0));
        assertThat(core.certificate()).as("others have to commit").isEqualTo(CertificateNumber.NONE);
    }

    /** Its answers or its words may be lost, or with a question that ended. */
    @Test
    void whatTheOrderDoesNotDecideIsToldAtTheSecondRepeat() {
        order(BFTSERVERS.get(0), new Recover(0, START, Hash.ZERO, true, Epoch.NONE, CertificateNumber.NONE, 0, null));
        proved();
        step(new Event.Tick(1_001, true, true));
        assertThat(statements()).isEmpty();
        step(new Event.Tick(2_001, true, true));
        assertThat(statements()).hasSize(1);
    }

    /** Before that its own first statement has it, and nobody could decide anything. */
    @Test
    void nobodyIsRemindedBeforeCertificationHasBegun() {
        proved();
        BftServerCore next = new BftServerCore(settings(), disk, START);
        next.step(new Event.Tick(1, true, true));
        Recover own = new Recover(0, START, Hash.ZERO, true, Epoch.NONE, CertificateNumber.FIRST, 1, null);
        next.apply(Codec.encode(BFTSERVERS.get(0).seal(own)));
        next.step(new Event.Advanced());
        for (long now = 1_001; now < 5_000; now += 1_000) {
            assertThat(next.step(new Event.Tick(now, true, true)))
                    .noneMatch(effect -> effect instanceof Effect.Submit submit
                            && Signers.message(submit.command()) instanceof Recover);
        }
    }

    /** Whoever has the certificate answers the question no more. */
    @Test
    void whatOrderedAnswersDoNotDecideIsShownAtOnce() {
        proved();
        order(APPSERVERS.get(3), answer(3, Hash.ZERO));
        order(APPSERVERS.get(0), answer(0));
        assertThat(statements()).isEmpty();
        order(APPSERVERS.get(1), answer(1));
        assertThat(statements()).hasSize(1);
        order(APPSERVERS.get(2), answer(2));
        assertThat(statements()).hasSize(1);
    }

    private void convictThird() {
        Signed<Head> one = APPSERVERS.get(3).seal(new Head(3, 1, ROOT));
        Signed<Head> other = APPSERVERS.get(3).seal(new Head(3, 1, Hash.ZERO));
        order(APPSERVERS.get(0), new Verdict(0, new ForkedHeads(one, other), List.of()));
    }

    @Test
    void aVerdictThatEndsTheQuestionLeavesNothingUntold() {
        proved();
        Epoch epoch = question.epoch();
        convictThird();
        assertThat(question.epoch()).isEqualTo(epoch.next());
        assertThat(statements()).hasSize(1);
    }

    @Test
    void onlyAnswersToTheOpenQuestionCount() {
        endRound();
        gives(0, answer(0));
        convictThird();
        gives(1, answer(1));
        endRound();
        gives(2, answer(2));
        gives(0, answer(0));
        assertThat(accepts()).as("one is to the round before").isEmpty();
        gives(1, answer(1));
        assertThat(accepts()).hasSize(1);
    }
}
