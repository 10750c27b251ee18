package org.aspas.certify.machine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Accepted;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.Opened;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;

/**
 * The certification machine (paper §3.5; the protocol page, docs/protocol.md §5). A command is an encoded frame that holds
 * one signed VERTOBFT, STABLE, TICK, ACCEPT, COMMIT, RECOVER or VERDICT; all else, and whatever is not rightly signed, changes
 * nothing and is counted. Each answer is a {@link CommandReply}. Certification begins when 2b+1 replicas have said what their
 * durable records hold, and goes on from there. One content is decided at a time: 2b+1 replicas accept it, 2b+1 commit to
 * the proof of that, then it is signed and the next epoch may begin. Words that are ordered before their content wait for it.
 *
 * <p>Its shell takes the outcomes by {@link #drain()} after every command and does them in order. After {@link #restore}
 * it asks {@link #missedSince} for what it may have missed. Not thread-safe.
 */
public final class CertificationMachine implements OrderedMachine {
    /**
     * How many of the newest contents stay for replicas that sign later. Only the last one can still need signatures: a
     * content is decided from the words of f+1 appservers that have adopted the certificate before it.
     */
    public static final int RETAINED = 8;

    private static final long FORMAT = 5;

    private final Membership members;
    private final MachineSettings settings;
    private final CommandCheck check;
    private final VerdictCheck verdicts;
    private final Map<Rejection, Long> rejected = new EnumMap<>(Rejection.class);
    private List<Outcome> outcomes = new ArrayList<>();
    private MachineState state;

    /** A machine before its first command, equal at all replicas that are given equal members and settings. */
    public CertificationMachine(Membership members, MachineSettings settings) {
        this.members = members;
        this.settings = settings;
        this.check = new CommandCheck(members);
        this.verdicts = new VerdictCheck(members);
        this.state = new MachineState(members, settings);
    }

    @Override
    public byte[] apply(byte[] command) {
        return apply(Codec.decode(command).accepted());
    }

    /**
     * Executes a command as {@link #apply(byte[])} does, given what its bytes decode to.
     *
     * @param frame what {@link Codec#decode(byte[])} accepts of the command, which may be verified already; empty when it
     *     accepts nothing
     */
    public byte[] apply(Optional<Frame> frame) {
        Optional<Rejection> rejection = frame.isPresent() && frame.get() instanceof Frame.Sealed sealed
                ? apply(sealed.signed())
                : Optional.of(Rejection.MALFORMED);
        rejection.ifPresent(reason -> rejected.merge(reason, 1L, Long::sum));
        return new CommandReply(rejection.isEmpty(), tick(), certificate()).toBytes();
    }

    /**
     * Executes a decoded command, as {@link #apply(byte[])} does.
     *
     * @return why the command changed nothing, or empty when it was taken
     */
    Optional<Rejection> apply(Signed<? extends Message> signed) {
        Message message = signed.message();
        if (message instanceof VertObft report) {
            return report(report, signed);
        }
        if (message instanceof Stable stable) {
            return taken(
                    check.stable(state, stable, signed),
                    () -> state.awaiting(stable)
                            .ifPresent(round -> state.answer(round, typed(signed, stable), outcomes)));
        }
        if (message instanceof Verdict verdict) {
            return taken(verdicts.verdict(state, verdict, signed), () -> state.convict(verdict.evidence(), outcomes));
        }
        if (message instanceof Tick tick) {
            return taken(check.tick(state, tick, signed), () -> state.vote(tick.replica(), outcomes));
        }
        if (message instanceof Accept accept) {
            return taken(
                    check.accept(state, accept, signed),
                    () -> signed.as(Accept.class).ifPresent(word -> state.accept(word, outcomes)));
        }
        if (message instanceof Commit commit) {
            return taken(
                    check.commit(state, commit, signed),
                    () -> signed.as(Commit.class).ifPresent(word -> state.commit(word, outcomes)));
        }
        if (message instanceof Recover recover) {
            return taken(check.recover(state, recover, signed), () -> state.recover(recover, outcomes));
        }
        return Optional.of(Rejection.NOT_A_COMMAND);
    }

    private static Signed<Stable> typed(Signed<?> signed, Stable stable) {
        return new Signed<>(stable, signed.payload(), signed.signature());
    }

    private Optional<Rejection> report(VertObft report, Signed<?> signed) {
        if (!members.isAppserver(report.server())) {
            return Optional.of(Rejection.UNKNOWN_SIGNER);
        }
        Optional<VersionVector> claimed = check.claimed(report);
        if (claimed.isEmpty()) {
            return Optional.of(Rejection.INCONSISTENT);
        }
        VersionVector version = state.convictions().cuts().fix(claimed.get());
        return taken(
                check.report(state, report, version, signed), () -> state.report(report.server(), version, outcomes));
    }

    private static Optional<Rejection> taken(Optional<Rejection> rejection, Runnable step) {
        if (rejection.isEmpty()) {
            step.run();
        }
        return rejection;
    }

    /** Takes the outcomes since the last call, in order. */
    public List<Outcome> drain() {
        List<Outcome> taken = outcomes;
        outcomes = new ArrayList<>();
        return taken;
    }

    /** The current step of ordered time; a replica votes for the next one. */
    public long tick() {
        return state.time().now();
    }

    /**
     * Whether a coming step of time may do something by itself: end a round, or let an epoch begin. While not, nothing is
     * lost when the replicas vote seldom.
     */
    public boolean awaitsTime() {
        return state.awaitsTime();
    }

    /** The number of the newest content that 2b+1 replicas committed to. */
    public CertificateNumber certificate() {
        return state.history().number();
    }

    /** The question that is open, if any; asking it again does no harm. */
    public Optional<Ask> openQuestion() {
        return state.question().map(state.successor()::ask);
    }

    /**
     * What the open question will decide, if the order has these answers before the question's time is over. It changes nothing.
     *
     * @param answers of distinct appservers, to any questions, their signatures verified
     * @return empty while 2f+1 of them do not say the same, or when there is nothing new to certify
     */
    public Optional<Decided> foreseen(Collection<Stable> answers) {
        return state.foreseen(answers);
    }

    /** Whether so many have answered the open question that it would be decided if it could. */
    public boolean answeredInVain() {
        return state.question()
                .filter(round -> round.answered() >= members.quorums().appserverQuorum())
                .isPresent();
    }

    /** Whether 2b+1 replicas have said what their records hold, so that certification has begun. */
    public boolean isOpen() {
        return state.open();
    }

    /** The decided content that lacks accepts or commitments, if any; doing that again does no harm. */
    public Optional<Decided> openAcceptance() {
        return state.pending().map(Ballot::decided);
    }

    /** The proof of the open content that lacks commitments, if any; doing that again does no harm. */
    public Optional<Accepted> openCommitment() {
        return state.pending().flatMap(Ballot::proven).map(Accepted::new);
    }

    /** What a replica that has signed up to a number may have missed, in order. Doing any of it again does no harm. */
    public List<Outcome> missedSince(CertificateNumber number) {
        List<Outcome> missed = new ArrayList<>();
        if (isOpen()) {
            missed.add(new Opened(state.epoch()));
        }
        missed.addAll(signableAfter(number));
        openAcceptance().ifPresent(missed::add);
        openCommitment().ifPresent(missed::add);
        openQuestion().ifPresent(missed::add);
        return missed;
    }

    /**
     * The contents with a higher number that 2b+1 replicas committed to, in order, as far as they are among the {@link #RETAINED} newest; a gap
     * after the given number shows by the first one's number.
     */
    public List<ReadyToSign> signableAfter(CertificateNumber number) {
        return state.history().after(number);
    }

    /** Who is convicted, in order; more than f mean that certification has stopped. */
    public List<Integer> convicted() {
        return List.copyOf(state.convictions().servers());
    }

    /** How many commands were rejected here for each reason: this replica's own count, no part of the state. */
    public Map<Rejection, Long> rejections() {
        return Map.copyOf(rejected);
    }

    @Override
    public byte[] snapshot() {
        SnapshotWriter writer = new SnapshotWriter();
        writer.number(FORMAT);
        writer.hash(members.deployment());
        state.write(writer);
        return writer.toBytes();
    }

    /** {@inheritDoc} Outcomes that were not taken are dropped: they belong to the state that is replaced. */
    @Override
    public void restore(byte[] snapshot) {
        SnapshotReader reader = new SnapshotReader(snapshot, members.quorums().appservers());
        reader.number(FORMAT, FORMAT);
        if (!reader.hash().equals(members.deployment())) {
            throw new IllegalArgumentException("the snapshot is of another deployment");
        }
        MachineState restored = MachineState.read(reader, members, settings);
        reader.end();
        state = restored;
        outcomes = new ArrayList<>();
    }

    /**
     * The machine's answer to every command.
     *
     * @param taken whether the command changed the machine
     * @param tick the current step of ordered time
     * @param certificate the number of the newest content that 2b+1 replicas committed to
     */
    private record CommandReply(boolean taken, long tick, CertificateNumber certificate) {
        private static final int LENGTH = 17;

        /** The 17 bytes of the answer: whether it was taken (1 or 0), the step and the number, both as 8 bytes, big-endian. */
        public byte[] toBytes() {
            return ByteBuffer.allocate(LENGTH)
                    .put((byte) (taken ? 1 : 0))
                    .putLong(tick)
                    .putLong(certificate.value())
                    .array();
        }
    }

    /** Whether a VERDICT convicts: by its evidence alone, or by f+1 appservers that recomputed. */
    private static final class VerdictCheck {
        private final Membership members;
        private final EvidenceJudge judge;

        VerdictCheck(Membership members) {
            this.members = members;
            this.judge = new EvidenceJudge(
                    members.quorums(),
                    members.appservers(),
                    members.bftservers(),
                    members.admits(),
                    members.verifier());
        }

        Optional<Rejection> verdict(MachineState state, Verdict verdict, Signed<?> signed) {
            if (!members.isAppserver(verdict.server())) {
                return Optional.of(Rejection.UNKNOWN_SIGNER);
            }
            Convictions convictions = state.convictions();
            if (convictions.convicted(verdict.server())) {
                return Optional.of(Rejection.EXCLUDED);
            }
            if (!(verdict.evidence().accused() instanceof Accused.Server accused)
                    || !members.isAppserver(accused.index())) {
                return Optional.of(Rejection.INCONSISTENT);
            }
            if (convictions.convicted(accused.index())) {
                return Optional.of(Rejection.STALE);
            }
            if (!members.byAppserver(verdict.server(), signed, Domain.VERDICT)) {
                return Optional.of(Rejection.BAD_SIGNATURE);
            }
            Judgement judgement = judge.judge(verdict.evidence());
            boolean proved = judgement instanceof Judgement.Guilty
                    || (judgement instanceof Judgement.NeedsReplay && agreed(verdict, accused, convictions));
            return proved ? Optional.empty() : Optional.of(Rejection.UNPROVED);
        }

        private boolean agreed(Verdict verdict, Accused.Server accused, Convictions convictions) {
            Hash evidence = Digests.evidence(verdict.evidence());
            Set<Integer> judges = new TreeSet<>();
            for (Signed<Blacklist> signed : verdict.verdicts()) {
                Blacklist word = signed.message();
                boolean counts = members.isAppserver(word.server())
                        && word.server() != accused.index()
                        && !convictions.convicted(word.server())
                        && word.finding() == Blacklist.Finding.GUILTY
                        && word.evidence().equals(evidence)
                        && word.accused().equals(accused)
                        && members.byAppserver(word.server(), signed, Domain.BLACKLIST);
                if (counts) {
                    judges.add(word.server());
                }
            }
            return judges.size() >= members.quorums().oneCorrectAppserver();
        }
    }
}
