package org.aspas.certify.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;

/** The states of the certification machine that were met, and what each command makes of each: by the production class. */
final class Machines {
    /** The command changed nothing. */
    static final long REJECTED = -1;

    private static final int DECISION_STEPS = 16;
    private static final MachineSettings SETTINGS = new MachineSettings(1, 1000);

    /** A state of the machine. */
    record Node(byte[] snapshot, MachineSnapshot view, long number, boolean open, int repeated, int missed) {}

    private final Lexicon lexicon;
    private final List<Node> nodes = new ArrayList<>();
    private final Interner<String> views = new Interner<>();
    private final LongTable steps = new LongTable();
    private final List<List<Outcome>> outcomes = new ArrayList<>();
    private final Interner<String> outcomeNames = new Interner<>();
    private final int initial;
    private CertificationMachine spare;
    private int spareName = -1;
    private long executed;

    Machines(Lexicon lexicon) {
        this.lexicon = lexicon;
        this.initial = node(machine());
    }

    private CertificationMachine machine() {
        return new CertificationMachine(lexicon.members, SETTINGS);
    }

    int initial() {
        return initial;
    }

    Node node(int name) {
        return nodes.get(name);
    }

    int size() {
        return nodes.size();
    }

    long executed() {
        return executed;
    }

    List<Outcome> outcomes(int name) {
        return outcomes.get(name);
    }

    private int node(CertificationMachine machine) {
        byte[] snapshot = machine.snapshot();
        MachineSnapshot view = MachineSnapshot.read(machine, lexicon);
        int name = views.name(view.describe(Names.SAME));
        if (name == nodes.size()) {
            List<Outcome> repeated = new ArrayList<>();
            machine.openAcceptance().ifPresent(repeated::add);
            machine.openCommitment().ifPresent(repeated::add);
            nodes.add(new Node(
                    snapshot,
                    view,
                    machine.certificate().value(),
                    machine.isOpen(),
                    outcomes(repeated),
                    outcomes(machine.missedSince(CertificateNumber.NONE))));
        }
        return name;
    }

    private int outcomes(List<Outcome> list) {
        StringBuilder text = new StringBuilder();
        list.forEach(one -> text.append(lexicon.describe(one)).append('\n'));
        int name = outcomeNames.name(text.toString());
        if (name == outcomes.size()) {
            outcomes.add(List.copyOf(list));
        }
        return name;
    }

    /** The next state and the outcomes, as one number for {@link #next} and {@link #made}; or {@link #REJECTED}. */
    long order(int from, int word) {
        long key = LongTable.key(from, word);
        long known = steps.get(key);
        if (known == LongTable.ABSENT) {
            CertificationMachine machine = untouched(from);
            boolean taken = machine.apply(lexicon.frame(word))[0] == 1;
            known = taken ? result(machine, machine.drain()) : REJECTED;
            if (!taken) {
                // What is rejected changes nothing.
                spare = machine;
                spareName = from;
            }
            steps.put(key, known);
        }
        return known;
    }

    /** Time passes until an attempt may be replaced, at least a step: b+1 replicas vote for each. */
    long tick(int from) {
        long key = LongTable.key(from, -1);
        long known = steps.get(key);
        if (known == LongTable.ABSENT) {
            CertificationMachine machine = restored(from);
            do {
                tick(machine);
            } while (MachineSnapshot.read(machine, lexicon).waits());
            known = result(machine, machine.drain());
            steps.put(key, known);
        }
        return known;
    }

    /**
     * The appservers report, are asked and answer, until a content is decided: one of those that may follow.
     *
     * @param variant which one, from 0
     * @return as {@link #order}; {@link #REJECTED} when nothing can be decided
     */
    long decide(int from, int variant) {
        long key = LongTable.key(from, -2 - variant);
        long known = steps.get(key);
        if (known == LongTable.ABSENT) {
            known = decided(restored(from), variant);
            steps.put(key, known);
        }
        return known;
    }

    private long decided(CertificationMachine machine, int variant) {
        if (!machine.isOpen() || machine.openAcceptance().isPresent()) {
            return REJECTED;
        }
        VersionVector goal = VersionVector.of(machine.certificate().next().value(), 0, 0, 0);
        for (int i = 0; i < DECISION_STEPS && machine.openAcceptance().isEmpty(); i++) {
            Optional<Outcome.Ask> ask = machine.openQuestion();
            for (int server = 0; server < lexicon.quorums.appserverQuorum(); server++) {
                apply(machine, server, ask.isPresent() ? stable(server, ask.get(), variant) : report(server, goal));
            }
            if (machine.openQuestion().isEmpty() && machine.openAcceptance().isEmpty()) {
                tick(machine);
            }
        }
        if (machine.openAcceptance().isEmpty()) {
            return REJECTED;
        }
        lexicon.contentName(machine.openAcceptance().get().content());
        return result(machine, machine.drain());
    }

    private void apply(CertificationMachine machine, int server, Message message) {
        machine.apply(
                Optional.of(new Frame.Sealed(lexicon.appservers.get(server).seal(message))));
    }

    private void tick(CertificationMachine machine) {
        long next = machine.tick() + 1;
        for (int replica = 0; replica < lexicon.quorums.oneCorrectBftserver(); replica++) {
            machine.apply(
                    Optional.of(new Frame.Sealed(lexicon.bftservers.get(replica).seal(new Tick(replica, next)))));
        }
    }

    private VertObft report(int server, VersionVector version) {
        Signed<Head> head = lexicon.appservers.get(0).seal(new Head(0, version.get(0), root(version.get(0))));
        return new VertObft(server, version, List.of(head));
    }

    private static Stable stable(int server, Outcome.Ask ask, int variant) {
        VersionVector version = ask.version();
        List<Hash> roots =
                List.of(root(version.get(0)), MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT);
        byte[] state = new byte[Hash.LENGTH];
        state[0] = (byte) variant;
        return new Stable(
                server, ask.epoch(), ask.round(), ask.previous(), version, roots, version, roots, Hash.of(state));
    }

    private static Hash root(long size) {
        return size == 0 ? MerkleTree.EMPTY_ROOT : Hash.sha256(("root " + size).getBytes(StandardCharsets.UTF_8));
    }

    private CertificationMachine untouched(int from) {
        CertificationMachine held = spare;
        spare = null;
        if (held != null && spareName == from) {
            executed++;
            return held;
        }
        return restored(from);
    }

    private CertificationMachine restored(int from) {
        executed++;
        CertificationMachine machine = machine();
        machine.restore(nodes.get(from).snapshot());
        return machine;
    }

    private long result(CertificationMachine machine, List<Outcome> made) {
        return LongTable.key(node(machine), outcomes(made));
    }

    static int next(long result) {
        return (int) (result >>> 32);
    }

    static int made(long result) {
        return (int) result;
    }
}
