package org.aspas.emulab.testbed.attack;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.node.StartException;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Evidence;
import org.aspas.client.api.AspasClient;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Notice;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of correct appservers, of which somebody may take over one after the other while they run, and let any stand still.
 * Who takes over a server ends it, and starts another program with its key and its store. Thread-safe.
 */
public final class AttackController {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final long seed;
    private final List<GatedMachine.Gate> gates;
    private final Map<Integer, Running> taken = new ConcurrentSkipListMap<>();
    private final Map<Integer, AspasClient> clients = new ConcurrentHashMap<>();
    private volatile @Nullable Running attack;

    /** Hears what happens. Many threads call it, so it returns quickly. */
    public interface Listener {
        void line(int accused, AttackEvent line);

        /** An appserver adopts a certificate. */
        void certificate(int server, Certificate certificate);

        /** A correct appserver holds evidence, perhaps not for the first time. */
        void evidence(Evidence evidence, String by);

        /**
         * A correct appserver gives the bftservers evidence that proves its case with findings of f+1 servers only.
         *
         * @param verdict the encoding of the signed verdict, with these findings
         */
        void findings(Evidence evidence, byte[] verdict);

        /** An appserver misbehaves, or something becomes of a client: {@link #report} may say something new. */
        void changed();
    }

    private static final class Running {
        final AttackTimeline chronicle;
        final String role;
        volatile boolean begun;

        Running(AttackTimeline chronicle, String role) {
            this.chronicle = chronicle;
            this.role = role;
        }
    }

    /** A stage on which all servers are correct. */
    public AttackController(int appservers, long seed) {
        this.seed = seed;
        this.gates = IntStream.range(0, appservers)
                .mapToObj(server -> new GatedMachine.Gate())
                .toList();
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    private void changed() {
        listeners.forEach(Listener::changed);
    }

    /** What an appserver is to run when it starts next. */
    public MachineMaker machine(int server) {
        GatedMachine.Gate gate = gates.get(server);
        Running byzantine = taken.get(server);
        MachineMaker maker = byzantine == null
                ? (settings, records, store, links) ->
                        new WatchedMachine(server, AppServerCore.recover(settings, records, store), new Watch())
                : new ByzantineMaker(byzantine.role, seed, () -> byzantine.begun, what -> {
                    byzantine.chronicle.misdeed(what);
                    changed();
                });
        return (settings, records, store, links) -> new GatedMachine(maker.make(settings, records, store, links), gate);
    }

    /** What the correct servers see goes to the listener, and to the chronicle of the present attack. */
    private final class Watch implements ServerWatch {
        @Override
        public void evidence(Evidence evidence, String by) {
            listeners.forEach(one -> one.evidence(evidence, by));
            chronicle().ifPresent(one -> one.evidence(evidence, by));
        }

        @Override
        public void verdict(int server, Evidence evidence) {
            chronicle().ifPresent(one -> one.verdict(server, evidence));
        }

        @Override
        public void findings(Evidence evidence, byte[] verdict) {
            listeners.forEach(one -> one.findings(evidence, verdict));
        }

        @Override
        public void certificate(int server, Certificate certificate) {
            listeners.forEach(one -> one.certificate(server, certificate));
            chronicle().ifPresent(one -> one.certificate(server, certificate));
        }
    }

    private Optional<AttackTimeline> chronicle() {
        return Optional.ofNullable(attack).map(one -> one.chronicle);
    }

    public void watch(int number, AspasClient client) {
        clients.put(number, client);
        client.events(event -> happened(number, event));
        client.listen(notice -> noticed(number, notice));
    }

    private void happened(int number, ClientEvent event) {
        chronicle().ifPresent(one -> {
            one.event(number, event);
            if (!(event instanceof ClientEvent.Confirmed)) {
                changed();
            }
        });
    }

    private void noticed(int number, Notice notice) {
        chronicle().ifPresent(one -> one.notice(number, notice));
    }

    /** The role of an appserver that somebody took over; empty for a correct one. */
    public Optional<String> role(int server) {
        return Optional.ofNullable(taken.get(server)).map(one -> one.role);
    }

    public Set<Integer> corrupt() {
        return Set.copyOf(taken.keySet());
    }

    /**
     * Takes over an appserver: it ends, starts again as a Byzantine one, and attacks once it is ready. Blocks until then. Of a real take-over
     * clients would see nothing: those that left it meanwhile are sent back.
     *
     * @param cluster whose machines this stage makes
     * @throws IllegalArgumentException when there is no such role
     * @throws IllegalStateException when the server is taken over already
     */
    public synchronized void corrupt(Cluster cluster, int server, String role, Duration patience)
            throws StartException, TimeoutException, InterruptedException {
        if (!Roles.isServer(role)) {
            throw new IllegalArgumentException("there is no role " + role + " of an appserver");
        }
        if (taken.containsKey(server)) {
            throw new IllegalStateException("appserver-" + server + " is taken over already");
        }
        AttackTimeline chronicle = new AttackTimeline(
                server, corrupt(), System::nanoTime, line -> listeners.forEach(one -> one.line(server, line)));
        Running next = new Running(chronicle, role);
        Map<Integer, AspasClient> there = new TreeMap<>();
        clients.forEach((number, client) -> {
            chronicle.starts(number, client.server());
            if (client.server() == server) {
                there.put(number, client);
            }
        });
        attack = next;
        cluster.stopAppserver(server);
        taken.put(server, next);
        cluster.startAppserver(server);
        cluster.awaitReady(server, patience);
        there.forEach((number, client) -> {
            client.moveTo(server);
            chronicle.starts(number, server);
        });
        chronicle.begin(role);
        next.begun = true;
        changed();
    }

    /** What became of the present attack so far; empty before the first. */
    public Optional<ByzantineReport> report() {
        Running now = attack;
        if (now == null || !now.begun) {
            return Optional.empty();
        }
        return Optional.of(now.chronicle.report(now.role, Roles.line(now.role), 0));
    }

    /** Lets an appserver stand still, with its sockets open. It takes nothing in and sends nothing until {@link #thaw}. */
    public void freeze(int server) {
        gates.get(server).shut();
    }

    public void thaw(int server) {
        gates.get(server).open();
    }

    public boolean isFrozen(int server) {
        return gates.get(server).isShut();
    }

    /** Thaws all servers; a cluster with a frozen server does not end. */
    public void thawAll() {
        gates.forEach(GatedMachine.Gate::open);
    }

    /**
     * A machine that stands still while its gate is shut, with its sockets open, as a process does that is stopped. For the thread
     * that drives it, which waits at the gate.
     */
    private record GatedMachine(AppServerMachine machine, Gate gate) implements AppServerMachine {
        /** Shut or open. Thread-safe. */
        static final class Gate {
            private volatile boolean shut;

            boolean isShut() {
                return shut;
            }

            void shut() {
                shut = true;
            }

            synchronized void open() {
                shut = false;
                notifyAll();
            }

            private void pass() {
                if (shut) {
                    await();
                }
            }

            private synchronized void await() {
                boolean interrupted = false;
                while (shut) {
                    try {
                        wait();
                    } catch (InterruptedException later) {
                        interrupted = true;
                    }
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public List<Effect> step(Event event) {
            gate.pass();
            return machine.step(event);
        }

        @Override
        public CoreStatus status() {
            return machine.status();
        }

        @Override
        public ObjectQueries objects() {
            return machine.objects();
        }
    }
}
