package org.aspas.certify.machine;

import java.util.List;
import java.util.Optional;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Digests;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.AssumptionBroken;
import org.aspas.certify.machine.Outcome.Convicted;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.Ticked;
import org.aspas.certify.message.Accused;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.WrongState;
import org.aspas.certify.quorum.Quorums;
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
    private Reports reports;
    private Goals goals;
    private History history;
    private Convictions convictions = new Convictions();
    private Optional<Round> question = Optional.empty();
    private Optional<Acceptance> pending = Optional.empty();
    private long epoch;
    private long due;
    private int patience;

    MachineState(Membership members, MachineSettings settings) {
        this.members = members;
        this.settings = settings;
        this.time = new OrderedTime(quorums().oneCorrectBftserver());
        this.reports = new Reports(quorums());
        this.goals = new Goals(origins());
        this.history = new History(origins());
    }

    private Quorums quorums() {
        return members.quorums();
    }

    private int origins() {
        return quorums().appservers();
    }

    OrderedTime time() {
        return time;
    }

    Reports reports() {
        return reports;
    }

    History history() {
        return history;
    }

    Convictions convictions() {
        return convictions;
    }

    Optional<Round> question() {
        return question;
    }

    Optional<Acceptance> pending() {
        return pending;
    }

    Optional<Ask> ask() {
        return question.map(round -> new Ask(
                round.epoch(),
                round.number(),
                history.hash(),
                history.number() + 1,
                round.goal(),
                convictions.exclusions()));
    }

    /** Whether a coming step of time may do something by itself: end a round, or let an epoch begin. */
    boolean awaitsTime() {
        return question.isPresent() || time.now() < due || goals.awaitTime(time.now());
    }

    void vote(int replica, List<Outcome> outcomes) {
        if (!time.vote(replica)) {
            return;
        }
        outcomes.add(new Ticked(time.now()));
        question.filter(round -> time.now() >= round.deadline()).ifPresent(round -> end(round, outcomes));
        beginWhenDue(outcomes);
    }

    void report(int server, VersionVector version, List<Outcome> outcomes) {
        reports.put(server, version);
        beginWhenDue(outcomes);
    }

    void answer(Round round, Signed<Stable> answer, List<Outcome> outcomes) {
        round.put(answer);
        round.tally(quorums()).decision().ifPresent(decision -> {
            decide(round, decision, outcomes);
            for (WrongState wrong : round.wrongStates(decision, quorums())) {
                convict(wrong, outcomes);
            }
        });
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

    void accept(Acceptance open, int replica, List<Outcome> outcomes) {
        if (open.put(replica) < quorums().bftserverQuorum()) {
            return;
        }
        pending = Optional.empty();
        outcomes.add(history.append(open.decided()));
        beginWhenDue(outcomes);
    }

    private void beginWhenDue(List<Outcome> outcomes) {
        if (pending.isEmpty() && convictions.settle(history.version())) {
            reports.exclude(convictions.servers(), convictions.cuts());
        }
        if (question.isPresent() || pending.isPresent() || time.now() < due || broken()) {
            return;
        }
        VersionVector certified = history.version();
        VersionVector goal = convictions.cuts().fix(goals.next(reports.stable(certified), certified, time.now()));
        if (goals.grows(goal) || !convictions.exclusions().equals(history.exclusions())) {
            epoch++;
            due = time.now() + settings.epochTicks();
            open(1, goal, outcomes);
        }
    }

    private void open(long round, VersionVector goal, List<Outcome> outcomes) {
        long deadline = time.now() + ((long) settings.roundTicks() << patience);
        question = Optional.of(new Round(epoch, round, goal, deadline));
        ask().ifPresent(outcomes::add);
    }

    /** Ends a round undecided: asks again for what remains of the goal, or gives the epoch up when nothing does. */
    private void end(Round round, List<Outcome> outcomes) {
        question = Optional.empty();
        patience = Math.min(patience + 1, MOST_PATIENCE);
        VersionVector goal = goals.lowered(
                round.goal(), history.version(), round.tally(quorums()), time.now(), settings.roundTicks());
        if (goals.grows(goal)) {
            open(round.number() + 1, goal, outcomes);
        } else {
            due = time.now() + settings.epochTicks();
        }
    }

    /** Ends a round decided. Where the closure held everything back there is nothing new to certify. */
    private void decide(Round round, Stable decision, List<Outcome> outcomes) {
        question = Optional.empty();
        patience = 0;
        goals.decided(round.goal());
        if (decision.closed().equals(history.version())
                && convictions.exclusions().equals(history.exclusions())) {
            return;
        }
        CertificateContent content = new CertificateContent(
                members.deployment(),
                history.number() + 1,
                history.hash(),
                decision.closed(),
                decision.closedRoots(),
                decision.state(),
                convictions.exclusions());
        Decided decided = new Decided(content, Codec.encode(content), Acceptance.FIRST_ATTEMPT);
        pending = Optional.of(new Acceptance(decided));
        outcomes.add(decided);
    }

    void write(SnapshotWriter writer) {
        time.write(writer);
        reports.write(writer);
        goals.write(writer);
        history.write(writer);
        convictions.write(writer);
        writer.number(epoch);
        writer.number(due);
        writer.number(patience);
        writer.flag(question.isPresent());
        question.ifPresent(round -> round.write(writer));
        writer.flag(pending.isPresent());
        pending.ifPresent(open -> open.write(writer));
    }

    static MachineState read(SnapshotReader reader, Membership members, MachineSettings settings) {
        MachineState state = new MachineState(members, settings);
        Quorums quorums = members.quorums();
        state.time = OrderedTime.read(reader, quorums.oneCorrectBftserver(), quorums.bftservers());
        state.reports = Reports.read(reader, quorums);
        state.goals = Goals.read(reader, quorums.appservers());
        state.history = History.read(reader, quorums.appservers());
        state.convictions = Convictions.read(reader, quorums.appservers());
        state.epoch = reader.number(0);
        state.due = reader.number(0);
        state.patience = reader.count(0, MOST_PATIENCE);
        state.question = reader.flag() ? Optional.of(Round.read(reader, quorums)) : Optional.empty();
        state.pending = reader.flag() ? Optional.of(Acceptance.read(reader, quorums.bftservers())) : Optional.empty();
        return state;
    }
}
