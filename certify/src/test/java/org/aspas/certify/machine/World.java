package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;

/**
 * A deployment in memory: honest appserver stubs with real signatures, and machines that are fed one sequence of commands
 * and compared after each. An appserver's logs are lists of dependencies; a log's root is a hash of its name, its branch
 * and its size, where a forked origin has one branch at some servers and another one at others.
 */
final class World {
    final Quorums quorums;
    final Keys keys;
    final MachineSettings settings = new MachineSettings(2, 4);
    final List<CertificationMachine> machines = new ArrayList<>();
    final List<List<VersionVector>> logs = new ArrayList<>();
    final List<VersionVector> held = new ArrayList<>();
    final Map<Long, ReadyToSign> certificates = new TreeMap<>();
    private final int[][] branch;
    private final long[] forkedAfter;
    private long commands;
    private boolean coldStarted;

    World(int f) {
        this.quorums = new Quorums(f, 1);
        this.keys = Keys.of(quorums);
        int servers = quorums.appservers();
        this.branch = new int[servers][servers];
        this.forkedAfter = new long[servers];
        for (int i = 0; i < servers; i++) {
            logs.add(new ArrayList<>());
            held.add(VersionVector.zero(servers));
        }
        for (int i = 0; i < quorums.bftservers(); i++) {
            machines.add(machine());
        }
        for (int i = 0; i < quorums.bftserverQuorum(); i++) {
            order(blank(i));
        }
        assertThat(first().isOpen()).isTrue();
    }

    /** A replica of a new deployment says that its record holds nothing. */
    Signed<Recover> blank(int replica) {
        return blank(replica, Epoch.NONE);
    }

    /** A replica says that its record holds nothing but an epoch. */
    Signed<Recover> blank(int replica, Epoch epoch) {
        return byBftserver(
                replica, new Recover(replica, Hash.ZERO, Hash.ZERO, true, epoch, CertificateNumber.NONE, 0, null));
    }

    /** What a replica's record says that holds the proof of a content. */
    Signed<Recover> holding(int replica, ReadyToSign content) {
        return byBftserver(
                replica,
                new Recover(
                        replica,
                        Hash.ZERO,
                        Hash.ZERO,
                        true,
                        Epoch.NONE,
                        content.number(),
                        content.proven().attempt(),
                        content.proven()));
    }

    /** All bftservers stop and start again: their machines are new, and certification has not begun. */
    void coldStart() {
        machines.replaceAll(any -> machine());
        coldStarted = true;
    }

    CertificationMachine machine() {
        return new CertificationMachine(keys.members(), settings);
    }

    CertificationMachine first() {
        return machines.get(0);
    }

    int servers() {
        return quorums.appservers();
    }

    /** An origin writes so many entries that depend on all that it holds. */
    void write(int origin, int entries) {
        for (int i = 0; i < entries; i++) {
            VersionVector dependencies = held.get(origin);
            logs.get(origin).add(dependencies);
            held.set(origin, dependencies.with(origin, logs.get(origin).size()));
        }
    }

    /** From here on the server sees another branch of the origin's log than the others. */
    void fork(int origin, int server) {
        branch[origin][server] = 1 + server;
        forkedAfter[origin] = logs.get(origin).size();
    }

    /** The server receives all that was written. */
    void receiveAll(int server) {
        VersionVector all = held.get(server);
        for (int origin = 0; origin < servers(); origin++) {
            all = all.with(origin, logs.get(origin).size());
        }
        held.set(server, all);
    }

    void receiveAll() {
        for (int server = 0; server < servers(); server++) {
            receiveAll(server);
        }
    }

    Hash root(int server, int origin, long size) {
        if (size == 0) {
            return MerkleTree.EMPTY_ROOT;
        }
        int seen = size > forkedAfter[origin] ? branch[origin][server] : 0;
        return Hash.sha256(("root " + origin + " " + seen + " " + size).getBytes(StandardCharsets.UTF_8));
    }

    List<Hash> roots(int server, VersionVector version) {
        List<Hash> roots = new ArrayList<>();
        for (int origin = 0; origin < servers(); origin++) {
            roots.add(root(server, origin, version.get(origin)));
        }
        return roots;
    }

    <M extends Message> Signed<M> byAppserver(int server, M message) {
        return keys.appservers().get(server).seal(message);
    }

    <M extends Message> Signed<M> byBftserver(int replica, M message) {
        return keys.bftservers().get(replica).seal(message);
    }

    Signed<VertObft> report(int server, VersionVector version) {
        List<Signed<Head>> heads = new ArrayList<>();
        for (int origin = 0; origin < servers(); origin++) {
            long size = version.get(origin);
            if (size > 0) {
                heads.add(byAppserver(origin, new Head(origin, size, root(server, origin, size))));
            }
        }
        return byAppserver(server, new VertObft(server, version, heads));
    }

    Stable answer(int server, Ask ask) {
        VersionVector closed = CausalClosure.of(
                VersionVector.zero(servers()),
                ask.version(),
                (origin, sequence) ->
                        new Cuts(ask.exclusions()).clip(logs.get(origin).get((int) sequence - 1)));
        List<Hash> closedRoots = roots(server, closed);
        Hash state = Hash.sha256(closedRoots.toString().getBytes(StandardCharsets.UTF_8));
        return new Stable(
                server,
                ask.epoch(),
                ask.round(),
                ask.previous(),
                ask.version(),
                roots(server, ask.version()),
                closed,
                closedRoots,
                state);
    }

    /** The same answer with this root of the state. */
    static Stable withState(Stable answer, Hash state) {
        return new Stable(
                answer.server(),
                answer.epoch(),
                answer.round(),
                answer.previous(),
                answer.version(),
                answer.roots(),
                answer.closed(),
                answer.closedRoots(),
                state);
    }

    /** Orders a command at every machine; all must agree on the answer, the outcomes and the state. */
    List<Outcome> order(Signed<?> command) {
        return order(Codec.encode(command));
    }

    List<Outcome> order(byte[] command) {
        byte[] answer = first().apply(command);
        List<Outcome> outcomes = first().drain();
        byte[] snapshot = first().snapshot();
        commands++;
        for (CertificationMachine other : machines.subList(1, machines.size())) {
            assertThat(other.apply(command)).as("answer %d", commands).isEqualTo(answer);
            assertThat(other.drain()).as("outcomes %d", commands).isEqualTo(outcomes);
            assertThat(other.snapshot()).as("snapshot %d", commands).isEqualTo(snapshot);
        }
        CertificationMachine copy = machine();
        copy.restore(snapshot);
        assertThat(copy.snapshot()).as("restored snapshot %d", commands).isEqualTo(snapshot);
        int replaced = (int) (commands % machines.size());
        machines.set(replaced, copy);
        outcomes.forEach(this::record);
        return outcomes;
    }

    private void record(Outcome outcome) {
        if (outcome instanceof ReadyToSign ready) {
            ReadyToSign before = certificates.put(ready.number().value(), ready);
            assertThat(before == null || (coldStarted && before.hash().equals(ready.hash())))
                    .as("second content for %s", ready.number())
                    .isTrue();
            assertThat(before != null || ready.number().value() == certificates.size())
                    .as("a gap before %s", ready.number())
                    .isTrue();
        }
    }

    void reportAll(int... silent) {
        for (int server = 0; server < servers(); server++) {
            if (!contains(silent, server)) {
                order(report(server, held.get(server)));
            }
        }
    }

    /** Time steps once. */
    void tick() {
        long next = first().tick() + 1;
        for (int replica = 0; replica < quorums.oneCorrectBftserver(); replica++) {
            order(byBftserver(replica, new Tick(replica, next)));
        }
        assertThat(first().tick()).isEqualTo(next);
    }

    void ticks(int count) {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    Ask question() {
        return first().openQuestion().orElseThrow();
    }

    /** All servers but the silent ones answer the question that is open when they are asked. */
    void answerAll(int... silent) {
        Ask ask = question();
        for (int server = 0; server < servers(); server++) {
            if (!contains(silent, server)) {
                order(byAppserver(server, answer(server, ask)));
            }
        }
    }

    /** All replicas accept the decided content, if there is one, and commit to it. */
    void acceptAll() {
        Optional<Decided> decided = first().openAcceptance();
        decided.ifPresent(open -> {
            for (int replica = 0; replica < quorums.bftservers(); replica++) {
                order(accept(replica, open));
            }
            for (int replica = 0; replica < quorums.bftservers(); replica++) {
                order(commit(replica, open));
            }
        });
    }

    Signed<Commit> commit(int replica, Decided open) {
        return byBftserver(replica, new Commit(replica, open.content().number(), open.attempt(), open.hash()));
    }

    Signed<Accept> accept(int replica, Decided open) {
        return byBftserver(replica, new Accept(replica, open.content().number(), open.attempt(), open.hash()));
    }

    /** Answers and accepts until no question is open, at most so many times. */
    void settle(int rounds, int... silent) {
        for (int i = 0; i < rounds && first().openQuestion().isPresent(); i++) {
            answerAll(silent);
            acceptAll();
        }
    }

    private static boolean contains(int[] among, int wanted) {
        for (int one : among) {
            if (one == wanted) {
                return true;
            }
        }
        return false;
    }
}
