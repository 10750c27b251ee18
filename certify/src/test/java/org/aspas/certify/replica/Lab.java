package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.machine.TotalOrder;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Tick;

/**
 * Four bftservers over an order in memory, with records that survive them, and appservers that always agree. Any replica
 * can be made to stop at any of its next steps: before or after an item is durable, before or after a message leaves.
 */
final class Lab {
    /** A replica stops here. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    final Quorums quorums = new Quorums(1, 1);
    final int n = quorums.bftservers();
    final Random random;
    final SequencedOrder order = new SequencedOrder(quorums.bftserverQuorum());
    final TreeMap<Integer, Replica> live = new TreeMap<>();
    final List<List<RecordItem>> disks = new ArrayList<>();
    /** All that replicas ever said of their records. */
    final List<Recover> statements = new ArrayList<>();

    final Set<Integer> liars = new TreeSet<>();
    /** Whether words come to others before they are ordered, now and then. */
    boolean early = true;

    final Stub appservers;
    private final List<Sealer> sealers;
    private final Membership members;
    private final Verifier verifier;
    private final TreeMap<Long, Map<Hash, Set<Integer>>> shares = new TreeMap<>();
    private long starts;

    Lab(long seed) {
        this.random = new Random(seed);
        Hash deployment = Hash.sha256(new byte[] {9});
        this.verifier = new Verifier(deployment);
        this.sealers = sealers(deployment, 2, n);
        List<Sealer> servers = sealers(deployment, 1, quorums.appservers());
        this.members = members(servers, sealers, verifier);
        this.appservers = new Stub(quorums, servers);
        for (int i = 0; i < n; i++) {
            disks.add(forgetful());
        }
    }

    /** A deployment with f = b = 1. */
    static Membership members(List<Sealer> appservers, List<Sealer> bftservers, Verifier verifier) {
        return new Membership(
                new Quorums(1, 1),
                appservers.stream().map(Sealer::publicKey).toList(),
                bftservers.stream().map(Sealer::publicKey).toList(),
                verifier);
    }

    static CertificateSigner.Outlet outlet(
            Consumer<RecordItem> persisted, Consumer<byte[]> submitted, Consumer<byte[]> published) {
        return new CertificateSigner.Outlet() {
            @Override
            public void persist(RecordItem item) {
                persisted.accept(item);
            }

            @Override
            public void submit(byte[] command) {
                submitted.accept(command);
            }

            @Override
            public void toAppservers(byte[] frame) {
                published.accept(frame);
            }
        };
    }

    private static List<Sealer> sealers(Hash deployment, int role, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Sealer(
                        SigningKey.of(
                                Hash.sha256(new byte[] {(byte) role, (byte) i}).toBytes()),
                        deployment))
                .toList();
    }

    /** A running bftserver. Outcomes wait until its signer gets to them, as behind a thread of its own. */
    final class Replica implements OrderedMachine {
        final int index;
        final CertificationMachine machine = new CertificationMachine(members, new MachineSettings(2, 8));
        final Deque<Outcome> outcomes = new ArrayDeque<>();
        final CertificateSigner signer;
        final List<RecordItem> disk;
        final TotalOrder member;
        /** How many steps are left; none when it is negative. */
        int fuse = -1;

        Replica(int index) {
            this.index = index;
            this.disk = liars.contains(index) ? forgetful() : disks.get(index);
            RecordState record = new RecordState();
            disk.forEach(record::apply);
            this.signer = new CertificateSigner(
                    index,
                    sealers.get(index),
                    members,
                    record,
                    Hash.sha256(("start " + starts++).getBytes(StandardCharsets.UTF_8)),
                    outlet(this::persist, this::submit, this::publish));
            this.member = order.join(index, this);
        }

        @Override
        public byte[] apply(byte[] command) {
            byte[] answer = machine.apply(command);
            outcomes.addAll(machine.drain());
            return answer;
        }

        @Override
        public byte[] snapshot() {
            return machine.snapshot();
        }

        @Override
        public void restore(byte[] snapshot) {
            machine.restore(snapshot);
            outcomes.addAll(machine.missedSince(CertificateNumber.NONE));
        }

        void step() {
            if (fuse >= 0 && fuse-- == 0) {
                throw new Crash();
            }
        }

        private void persist(RecordItem item) {
            step();
            disk.add(RecordItem.read(item.toBytes()).orElseThrow());
            step();
        }

        private void submit(byte[] command) {
            step();
            if (message(command) instanceof Recover statement) {
                statements.add(statement);
            }
            member.submit(command);
            step();
            tellOthers(this, command);
        }

        /** A word that another one gave comes at once, or later, or never: no thread of its own carries it. */
        private void hears(Frame.Sealed word) {
            guarded(this, () -> signer.hear(word.signed()));
        }

        private void publish(byte[] frame) {
            step();
            Message message = Lab.message(frame);
            if (message instanceof Share share) {
                signed(index, share);
            } else if (message instanceof BftReqStable ask) {
                appservers.asked(index, ask);
            }
            step();
        }

        void carryOut() {
            Outcome next = outcomes.poll();
            if (next != null) {
                signer.on(next);
            }
        }

        void repeat() {
            signer.join();
            machine.openAcceptance().ifPresent(signer::on);
            machine.openCommitment().ifPresent(signer::on);
            signer.askAgain();
        }

        void vote() {
            member.submit(Codec.encode(sealers.get(index).seal(new Tick(index, machine.tick() + 1))));
        }
    }

    /** Some hear an ACCEPT or a COMMIT long before it is ordered, or although it never is. */
    private void tellOthers(Replica from, byte[] command) {
        boolean word = message(command) instanceof Accept || message(command) instanceof Commit;
        if (early && word && Codec.decode(command).accepted().orElseThrow() instanceof Frame.Sealed sealed) {
            for (Replica other : List.copyOf(live.values())) {
                if (other != from && random.nextInt(3) > 0) {
                    other.hears(sealed);
                }
            }
        }
    }

    /** As of the first day. */
    private static List<RecordItem> forgetful() {
        return new ArrayList<>(List.of(RecordItem.FIRST_DAY));
    }

    /** A replica brings somebody's statement, again, into the order. */
    void replay(int by, Recover statement) {
        live.get(by).member.submit(Codec.encode(sealers.get(statement.replica()).seal(statement)));
    }

    static Message message(byte[] frame) {
        return Codec.decode(frame).accepted().orElseThrow().message();
    }

    /** Checks that nobody correct signs twice, and that no two certificates have one number. */
    private void signed(int replica, Share share) {
        long number = share.content().message().number().value();
        Hash hash = share.content().identity();
        assertThat(share.content().verify(verifier, sealers.get(replica).publicKey(), Domain.CERTIFICATE))
                .isTrue();
        Map<Hash, Set<Integer>> contents = shares.computeIfAbsent(number, any -> new TreeMap<>());
        contents.computeIfAbsent(hash, any -> new TreeSet<>()).add(replica);
        if (!liars.contains(replica)) {
            assertThat(contents.values().stream().filter(signers -> signers.contains(replica)))
                    .as("contents of %d that replica %d signed", number, replica)
                    .hasSize(1);
        }
        assertThat(contents.values().stream().filter(signers -> signers.size() >= quorums.bftserverQuorum()))
                .as("certificates %d", number)
                .hasSizeLessThanOrEqualTo(1);
        contents.forEach((content, signers) -> {
            if (signers.size() >= quorums.bftserverQuorum() && content.equals(hash)) {
                appservers.certified(share.content().message(), hash);
            }
        });
    }

    Replica start(int index) {
        Replica replica = new Replica(index);
        live.put(index, replica);
        guarded(replica, () -> {
            replica.signer.join();
            replica.signer.greet(replica::publish);
        });
        return replica;
    }

    void stop(int index) {
        Replica replica = live.remove(index);
        if (replica != null) {
            replica.member.close();
        }
    }

    void stopAll() {
        List.copyOf(live.keySet()).forEach(this::stop);
    }

    void guarded(Replica replica, Runnable action) {
        try {
            action.run();
        } catch (Crash crash) {
            stop(replica.index);
        }
    }

    /**
     * Random steps of those that run: some are slow, so that they lag far behind; now and then time passes and the
     * appservers speak. Ends early when nobody runs.
     */
    void run(int steps) {
        int slow = random.nextInt(n);
        int next = 0;
        for (int i = 0; i < steps && !live.isEmpty(); i++) {
            if (i >= next) {
                next = i + 20 + random.nextInt(60);
                everybodySpeaks();
            }
            List<Replica> running = List.copyOf(live.values());
            if (running.isEmpty()) {
                return;
            }
            Replica one = running.get(random.nextInt(running.size()));
            if (one.index == slow && random.nextInt(4) > 0) {
                continue;
            }
            step(one);
        }
    }

    private void everybodySpeaks() {
        List<Replica> running = List.copyOf(live.values());
        running.stream().limit(quorums.oneCorrectBftserver()).forEach(Replica::vote);
        appservers.speak(random, running.get(0).member);
        running.forEach(one -> guarded(one, one::repeat));
    }

    private void step(Replica one) {
        int what = random.nextInt(10);
        if (what < 4 && order.waiting() > 0) {
            // Nearly in the order of submission: with any order, the oldest of many would wait for ever.
            order.order(random.nextInt(Math.min(order.waiting(), 6)));
        } else if (what < 7) {
            guarded(one, () -> order.deliver(one.index));
        } else {
            guarded(one, one::carryOut);
        }
    }

    /** Lets all that run go on without chance until so many more certificates are there; whether they came. */
    boolean reaches(long number) {
        for (int round = 0; round < 400 && appservers.number() < number; round++) {
            live.values().stream().limit(quorums.oneCorrectBftserver()).forEach(Replica::vote);
            if (round % 2 == 0) {
                live.values().forEach(Replica::repeat);
                appservers.speak(random, live.firstEntry().getValue().member);
            }
            settle();
        }
        return appservers.number() >= number;
    }

    /** Runs until the first so many replicas have signed the next content; the others stop just before. Its number. */
    long runUntilSignedBy(int signers) {
        long next = appservers.number() + 1;
        return runUntil(
                next,
                signers,
                outcome -> outcome instanceof Outcome.ReadyToSign ready
                        && ready.number().value() == next);
    }

    /** Runs until the first so many replicas know that the next content was accepted; the others stop just before. */
    long runUntilProvenAt(int some) {
        long next = appservers.number() + 1;
        return runUntil(
                next,
                some,
                outcome -> outcome instanceof Outcome.Accepted accepted
                        && accepted.proven().number().value() == next);
    }

    /** Whether anybody signed this number. */
    boolean signed(long number) {
        return shares.containsKey(number);
    }

    private long runUntil(long next, int signers, Predicate<Outcome> stop) {
        for (int round = 0; round < 400 && live.size() > signers; round++) {
            live.values().stream().limit(quorums.oneCorrectBftserver()).forEach(Replica::vote);
            appservers.speak(random, live.firstEntry().getValue().member);
            order.settle();
            for (Replica replica : List.copyOf(live.values())) {
                while (!replica.outcomes.isEmpty() && live.containsKey(replica.index)) {
                    if (replica.index >= signers && stop.test(replica.outcomes.element())) {
                        stop(replica.index);
                    } else {
                        replica.carryOut();
                    }
                }
            }
        }
        assertThat(live).as("replicas that went on with %d", next).hasSize(signers);
        return next;
    }

    private void settle() {
        boolean moved = true;
        while (moved) {
            order.settle();
            moved = false;
            for (Replica replica : live.values()) {
                while (!replica.outcomes.isEmpty()) {
                    replica.carryOut();
                    moved = true;
                }
            }
            moved |= order.waiting() > 0 && order.canOrder();
        }
    }
}
