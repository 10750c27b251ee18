package org.aspas.certify.machine;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.AssumptionBroken;
import org.aspas.certify.machine.Outcome.Convicted;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.Opened;
import org.aspas.certify.machine.Outcome.Recovered;
import org.aspas.certify.machine.Outcome.Ticked;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.clock.VersionVector;

/**
 * The whole replicated state and its steps. Every step is given a command that was checked already; what it makes the
 * replicas do is added to a list.
 */
final class MachineState {
    /** A round takes at most 2 to this power times as long as a first one. */
    private static final int MOST_PATIENCE = 5;

    private final Membership members;
    private final MachineSettings settings;
    private OrderedTime time;
    private VersionReports reports;
    private TargetVersion target;
    private History history;
    private Convictions convictions = new Convictions();
    private Optional<Round> question = Optional.empty();
    private Optional<Round> decided = Optional.empty();
    private Disagreements disagreements;
    private Recovery recovery;
    private Ballots ballots;
    private Epoch epoch = Epoch.NONE;
    private long due;
    private int patience;

    MachineState(Membership members, MachineSettings settings) {
        this.members = members;
        this.settings = settings;
        this.time = new OrderedTime(quorums().oneCorrectBftserver());
        this.reports = new VersionReports(quorums());
        this.target = new TargetVersion(quorums().appservers());
        this.history = new History(quorums().appservers());
        this.disagreements = new Disagreements(quorums());
        this.recovery = new Recovery(quorums());
        this.ballots = new Ballots(quorums(), recovery);
    }

    private Quorums quorums() {
        return members.quorums();
    }

    OrderedTime time() {
        return time;
    }

    VersionReports reports() {
        return reports;
    }

    History history() {
        return history;
    }

    Convictions convictions() {
        return convictions;
    }

    /** The question that a STABLE answers, if its sender has not answered it: the open one, or the one decided last. */
    Optional<Round> awaiting(Stable answer) {
        return question.filter(round -> round.awaits(answer)).or(() -> decided.filter(round -> round.awaits(answer)));
    }

    /** Whether a STABLE says as much as the question that it answers asks for, and nothing that cannot be. */
    boolean consistent(Round asked, Stable answer) {
        return decided.filter(asked::equals).isPresent()
                ? asked.follows(answer, quorums())
                : successor().admits(asked, answer);
    }

    /** The content that replicas are to accept and commit to; empty while certification has not begun. */
    Optional<Ballot> pending() {
        return ballots.open();
    }

    Ballots ballots() {
        return ballots;
    }

    /** The number that the open question is for. */
    Optional<CertificateNumber> asked() {
        return question.map(any -> history.number().next());
    }

    /** What the open question will decide, if the order has these answers before its time is over. */
    Optional<Decided> foreseen(Collection<Stable> answers) {
        return question.flatMap(round -> successor().foreseen(round, answers)).map(ballots::foreseen);
    }

    Successor successor() {
        return new Successor(members, history, convictions);
    }

    /** The epoch that began last, or after which the first one will. */
    Epoch epoch() {
        return epoch;
    }

    boolean open() {
        return recovery.open();
    }

    Optional<Round> question() {
        return question;
    }

    /** Whether a coming step of time may do something by itself: end a round, or let an epoch begin. */
    boolean awaitsTime() {
        return question.isPresent() || time.now() < due || target.awaitTime(time.now());
    }

    void vote(int replica, List<Outcome> outcomes) {
        if (!time.vote(replica)) {
            return;
        }
        outcomes.add(new Ticked(time.now()));
        question.filter(this::over).ifPresent(round -> end(round, outcomes));
        beginWhenDue(outcomes);
    }

    void report(int server, VersionVector version, List<Outcome> outcomes) {
        reports.put(server, version);
        beginWhenDue(outcomes);
    }

    /** Takes an answer; to the question that was decided last it decides nothing any more, but may prove its sender wrong. */
    void answer(Round round, Signed<Stable> answer, List<Outcome> outcomes) {
        boolean late = decided.filter(round::equals).isPresent();
        round.put(answer);
        round.tally(quorums()).decision().ifPresent(decision -> {
            if (!late) {
                decide(round, decision, outcomes);
            }
            for (WrongState wrong : round.wrongStates(decision, quorums())) {
                convict(wrong, outcomes);
            }
        });
        settle(outcomes); // Words may have been ordered before.
        beginWhenDue(outcomes);
    }

    /** Excludes the appserver that proven evidence is against; the epoch that runs ends with it. */
    void convict(Evidence evidence, List<Outcome> outcomes) {
        if (!(evidence.accused() instanceof Accused.Server accused) || convictions.convicted(accused.index())) {
            return;
        }
        convictions.convict(accused.index(), Digests.evidence(evidence));
        outcomes.add(new Convicted(accused.index(), evidence));
        if (question.isPresent()) {
            question = Optional.empty();
            due = time.now();
        }
        if (broken()) {
            outcomes.add(new AssumptionBroken(List.copyOf(convictions.servers())));
        }
        beginWhenDue(outcomes);
    }

    /** Whether more than f are convicted: what the deployment promises rests on there being fewer. */
    private boolean broken() {
        return convictions.size() >= quorums().oneCorrectAppserver();
    }

    void accept(Signed<Accept> accept, List<Outcome> outcomes) {
        ballots.accept(accept, outcomes);
        settle(outcomes);
    }

    void commit(Signed<Commit> commit, List<Outcome> outcomes) {
        ballots.commit(commit);
        settle(outcomes);
    }

    private void settle(List<Outcome> outcomes) {
        ballots.settled().ifPresent(content -> {
            outcomes.add(history.append(content));
            beginWhenDue(outcomes);
        });
    }

    void recover(Recover statement, List<Outcome> outcomes) {
        outcomes.add(new Recovered(statement));
        ProvenContent proven = statement.proven();
        // Asked before anything changes: what begins to matter with this very statement was verified by nobody.
        ProvenContent rival = proven != null && ballots.isRival(proven) ? proven : null;
        if (proven != null && ballots.isNews(proven, history.number())) {
            history.endBefore(proven.content());
            question.ifPresent(this::foregone);
            if (!ballots.isPending(proven.hash())) {
                target.replaced(proven.content().version(), history.version());
            }
            ballots.learn(proven, outcomes);
            settle(outcomes);
        }
        if (recovery.put(statement)) {
            raiseEpoch(recovery.firstEpoch(), outcomes);
            ballots.begin(outcomes);
        } else if (recovery.open() && recovery.supportedEpoch().isAfter(epoch)) {
            raiseEpoch(recovery.firstEpoch(), outcomes);
        }
        ballots.retry(statement, rival, time.now(), outcomes);
        beginWhenDue(outcomes);
    }

    /** Whether what a statement proves would change anything; if so it was verified before the statement is taken. */
    boolean matters(ProvenContent proven) {
        return ballots.isNews(proven, history.number()) || ballots.isRival(proven);
    }

    /** A question ends because it is proved what follows; who answers late may still be proved wrong. */
    private void foregone(Round round) {
        disagreements.note(round.tally(quorums()));
        decided = question;
        question = Optional.empty();
        patience = 0;
    }

    private void raiseEpoch(Epoch first, List<Outcome> outcomes) {
        epoch = first;
        // Votes for steps of an earlier life, which anybody can repeat, are then for steps that have passed.
        time.reach(first.value());
        question = Optional.empty();
        outcomes.add(new Opened(first));
    }

    private void beginWhenDue(List<Outcome> outcomes) {
        if (!recovery.open() || ballots.pending().isPresent()) {
            return; // What is certified is not known yet, or about to change.
        }
        if (convictions.follow(history.version(), history.exclusions())) {
            reports.exclude(convictions.servers(), convictions.cuts());
        }
        if (question.isPresent() || time.now() < due || broken()) {
            return;
        }
        VersionVector certified = history.version();
        VersionVector goal = convictions.cuts().fix(target.next(reports.stable(certified), certified, time.now()));
        if (target.grows(goal) || !convictions.exclusions().equals(history.exclusions())) {
            // Never below ordered time, so that the time of the next life, which begins with its first epoch, lies
            // above too.
            epoch = Epoch.max(epoch, new Epoch(time.now())).next();
            due = time.now() + settings.epochTicks();
            open(1, goal, outcomes);
        }
    }

    private void open(long round, VersionVector goal, List<Outcome> outcomes) {
        long deadline = time.now() + ((long) settings.roundTicks() << patience);
        Round opened = new Round(epoch, round, goal, deadline);
        question = Optional.of(opened);
        outcomes.add(successor().ask(opened));
    }

    /** Whether a round's time is over: later while somebody has not answered, where an origin is asked for that failed. */
    private boolean over(Round round) {
        boolean complete = round.answered() >= quorums().appservers() - convictions.size();
        int patience = complete ? 0 : target.patience(round.goal(), history.version());
        return round.over(time.now(), settings.roundTicks(), patience);
    }

    /** Ends a round undecided: asks again for what remains of the goal, or gives the epoch up when nothing does. */
    private void end(Round round, List<Outcome> outcomes) {
        question = Optional.empty();
        disagreements.note(round.tally(quorums()));
        Tally tally = round.tallyWithout(disagreements::lies, quorums());
        if (patience == MOST_PATIENCE && !tally.complete()) {
            // As a last resort: whoever was asked in a higher epoch before a cold start answers nothing in this one.
            epoch = Recovery.beyond(epoch);
        }
        patience = Math.min(patience + 1, MOST_PATIENCE);
        VersionVector goal = target.lowered(round.goal(), history.version(), tally, time.now(), settings.roundTicks());
        if (target.grows(goal)) {
            open(epoch.equals(round.epoch()) ? round.number() + 1 : 1, goal, outcomes);
        } else {
            due = time.now() + settings.epochTicks();
        }
    }

    /** Ends a round decided. Where the closure held everything back there is nothing new to certify. */
    private void decide(Round round, Stable decision, List<Outcome> outcomes) {
        question = Optional.empty();
        decided = Optional.of(round);
        patience = 0;
        target.decided(round.goal(), history.version());
        successor().of(decision).ifPresent(content -> ballots.decided(content, outcomes));
    }

    void write(SnapshotWriter writer) {
        time.write(writer);
        reports.write(writer);
        target.write(writer);
        disagreements.write(writer);
        history.write(writer);
        convictions.write(writer);
        recovery.write(writer);
        writer.number(epoch.value());
        writer.number(due);
        writer.number(patience);
        writer.flag(question.isPresent());
        question.ifPresent(round -> round.write(writer));
        writer.flag(decided.isPresent());
        decided.ifPresent(round -> round.write(writer));
        ballots.write(writer);
    }

    static MachineState read(SnapshotReader reader, Membership members, MachineSettings settings) {
        MachineState state = new MachineState(members, settings);
        Quorums quorums = members.quorums();
        state.time = OrderedTime.read(reader, quorums.oneCorrectBftserver(), quorums.bftservers());
        state.reports = VersionReports.read(reader, quorums);
        state.target = TargetVersion.read(reader, quorums.appservers());
        state.disagreements = Disagreements.read(reader, quorums);
        state.history = History.read(reader, quorums.appservers());
        state.convictions = Convictions.read(reader, quorums.appservers());
        state.recovery = Recovery.read(reader, quorums);
        state.epoch = new Epoch(reader.number(0));
        state.due = reader.number(0);
        state.patience = reader.count(0, MOST_PATIENCE);
        state.question = reader.flag() ? Optional.of(Round.read(reader, quorums)) : Optional.empty();
        state.decided = reader.flag() ? Optional.of(Round.read(reader, quorums)) : Optional.empty();
        state.ballots = Ballots.read(reader, quorums, state.recovery);
        return state;
    }

    /**
     * Which servers dissented about the logs of which origins, in rounds that found no decision. Where f+1 servers agree on a
     * root, and no others on another one, a correct server among them has that root; so whoever says something else lies, or the
     * origin forked its log. Hence a correct server dissents about at most f origins for ever, and one that dissented about more
     * lies: rounds that end undecided are judged without its words from then on. So a liar can hold back f origins, while a
     * correct server is slow, and never all.
     *
     * <p>That a server lies is known to the machine alone and proved to nobody: it is not excluded, and its words still count
     * towards decisions.
     */
    static final class Disagreements {
        private final Quorums quorums;
        private final TreeMap<Integer, TreeSet<Integer>> about = new TreeMap<>();

        Disagreements(Quorums quorums) {
            this.quorums = quorums;
        }

        /** Remembers who dissents in this tally. */
        void note(Tally tally) {
            for (int origin = 0; origin < quorums.appservers(); origin++) {
                for (int server : tally.minority(origin)) {
                    about.computeIfAbsent(server, any -> new TreeSet<>()).add(origin);
                }
            }
        }

        /** Whether the server dissented about more origins than can lie. */
        boolean lies(int server) {
            return about.getOrDefault(server, new TreeSet<>()).size() >= quorums.oneCorrectAppserver();
        }

        void write(SnapshotWriter writer) {
            writer.number(about.size());
            about.forEach((server, origins) -> {
                writer.number(server);
                writer.number(origins.size());
                origins.forEach(writer::number);
            });
        }

        static Disagreements read(SnapshotReader reader, Quorums quorums) {
            Disagreements disagreements = new Disagreements(quorums);
            int next = 0;
            for (int left = reader.count(0, quorums.appservers()); left > 0; left--) {
                int server = reader.count(next, quorums.appservers() - 1);
                disagreements.about.put(server, origins(reader, quorums.appservers()));
                next = server + 1;
            }
            return disagreements;
        }

        private static TreeSet<Integer> origins(SnapshotReader reader, int servers) {
            TreeSet<Integer> origins = new TreeSet<>();
            int next = 0;
            for (int left = reader.count(1, servers); left > 0; left--) {
                int origin = reader.count(next, servers - 1);
                origins.add(origin);
                next = origin + 1;
            }
            return origins;
        }
    }

    /** Ordered time: step k+1 passes when enough distinct replicas voted for it (the protocol page, docs/protocol.md §5.2). */
    static final class OrderedTime {
        private final int needed;
        private final TreeSet<Integer> voters = new TreeSet<>();
        private long now;

        /** Time at step 0, where each step takes this many votes. */
        OrderedTime(int needed) {
            this.needed = needed;
        }

        long now() {
            return now;
        }

        /** Whether the replica's vote for this step would count. */
        boolean awaits(int replica, long k) {
            return k - 1 == now && !voters.contains(replica);
        }

        /** Counts a vote for the next step; true when the step passes with it. */
        boolean vote(int replica) {
            voters.add(replica);
            if (voters.size() < needed) {
                return false;
            }
            voters.clear();
            now++;
            return true;
        }

        /** Goes to a step at once, unless time is there already; votes for steps before it count no more. */
        void reach(long step) {
            if (step > now) {
                voters.clear();
                now = step;
            }
        }

        void write(SnapshotWriter writer) {
            writer.number(now);
            writer.number(voters.size());
            voters.forEach(writer::number);
        }

        static OrderedTime read(SnapshotReader reader, int needed, int replicas) {
            OrderedTime time = new OrderedTime(needed);
            time.now = reader.number(0, Long.MAX_VALUE / 2);
            int votes = reader.count(0, needed - 1);
            int next = 0;
            for (int i = 0; i < votes; i++) {
                int voter = reader.count(next, replicas - 1);
                time.voters.add(voter);
                next = voter + 1;
            }
            return time;
        }
    }

    /**
     * What may follow on the end of the chain: which answers to the open question may be counted, and what content an answer makes.
     */
    record Successor(Membership members, History history, Convictions convictions) {
        Ask ask(Round asked) {
            return new Ask(
                    asked.epoch(),
                    asked.number(),
                    history.hash(),
                    history.number().next(),
                    asked.goal(),
                    convictions.exclusions());
        }

        /** Whether an answer says as much as the open question asks for, and nothing that cannot be. */
        boolean admits(Round asked, Stable answer) {
            return answer.previous().equals(history.hash())
                    && answer.version().equals(asked.goal())
                    && StableCheck.fit(answer, members.quorums().appservers())
                    && StableCheck.plausible(answer, history.version(), history.roots());
        }

        /** What an answer that is decided makes the next content; empty where the closure held everything back, for then there is nothing new to certify. */
        Optional<CertificateContent> of(Stable decision) {
            return decision.closed().equals(history.version())
                            && convictions.exclusions().equals(history.exclusions())
                    ? Optional.empty()
                    : Optional.of(new CertificateContent(
                            members.deployment(),
                            history.number().next(),
                            history.hash(),
                            decision.closed(),
                            decision.closedRoots(),
                            decision.state(),
                            convictions.exclusions()));
        }

        /**
         * The content that the open question will decide, if the order has these answers before the question's time is over.
         *
         * @param answers of distinct servers, to any questions; those that the order would refuse do not count
         */
        Optional<CertificateContent> foreseen(Round asked, Collection<Stable> answers) {
            List<Stable> valid = answers.stream()
                    .filter(answer ->
                            asked.asks(answer) && !convictions.convicted(answer.server()) && admits(asked, answer))
                    .toList();
            return new Tally(members.quorums(), valid).decision().flatMap(this::of);
        }
    }

    /** The newest valid report of each appserver. */
    static final class VersionReports {
        private final Quorums quorums;
        private final TreeMap<Integer, VersionVector> newest = new TreeMap<>();
        private VersionVector highest;

        VersionReports(Quorums quorums) {
            this.quorums = quorums;
            this.highest = VersionVector.zero(quorums.appservers());
        }

        /** Whether any component of a report of this server goes forward. */
        boolean advances(int server, VersionVector report) {
            VersionVector before = newest.get(server);
            return before == null || !before.dominates(report);
        }

        /**
         * Takes a report. A component that goes back is ignored, and holds up no other: a server that repaired the log of an
         * origin that lied to it holds less of that origin than it once said.
         */
        void put(int server, VersionVector report) {
            newest.merge(server, report, VersionVector::join);
            highest = highest.join(report);
        }

        /** Forgets who is convicted, and reads all others with their cuts. */
        void exclude(Set<Integer> convicted, Cuts cuts) {
            newest.keySet().removeAll(convicted);
            newest.replaceAll((server, report) -> cuts.fix(report));
            highest = VersionVector.zero(quorums.appservers());
            newest.values().forEach(report -> highest = highest.join(report));
        }

        /** The join of all reports: how far each origin is known to have signed. */
        VersionVector highest() {
            return highest;
        }

        /** The version that a quorum holds, at least the floor. */
        VersionVector stable(VersionVector floor) {
            return StableVersion.of(quorums, newest.values(), floor);
        }

        void write(SnapshotWriter writer) {
            writer.number(newest.size());
            newest.forEach((server, report) -> {
                writer.number(server);
                writer.version(report);
            });
        }

        static VersionReports read(SnapshotReader reader, Quorums quorums) {
            VersionReports reports = new VersionReports(quorums);
            int size = reader.count(0, quorums.appservers());
            int next = 0;
            for (int i = 0; i < size; i++) {
                int server = reader.count(next, quorums.appservers() - 1);
                reports.put(server, reader.version());
                next = server + 1;
            }
            return reports;
        }
    }
}
