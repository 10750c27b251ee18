package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A correct server carries out an exclusion while it lacks entries that the excluding certificate covers. It enters updates
 * of its own before it can adopt that certificate, and crashes after that: when it starts again, the exclusion must come
 * before those entries, which depend on less than it had delivered before.
 *
 * <p>So the liar's word of another state is kept back until the others have more of one origin than the late server and the
 * liar; it convicts the liar, and the next certificate both excludes the liar and covers what the late server lacks.
 */
final class ExclusionFirst extends Schedule {
    private static final long ISLAND = Timeline.SECOND;
    private static final long LATE_AFTER = 300 * Timeline.MILLI;
    private static final long GIVEN_UP = 8 * Timeline.SECOND;
    private static final long LOOKS = 5 * Timeline.MILLI;
    private static final long WHOLE = Timeline.SECOND;
    private static final long AWAY = 300 * Timeline.MILLI;

    /** How far the order of events is. */
    private enum Step {
        /** Nothing is certified yet. */
        FIRST,
        /** No answer reaches the bftservers, and one origin's entries reach neither the liar nor, a little later, the late server. */
        ISLAND,
        /** The liar's word reaches the bftservers. */
        CONVICTING,
        /** The next certificate is made; it reaches neither the late server nor the liar, who would enter nothing more. */
        EXCLUDING,
        /** The late server is given it, but not the entries. */
        TOLD,
        /** All flows. */
        DONE
    }

    private final List<ClientNode> stopped = new ArrayList<>();
    private Step step = Step.FIRST;
    private int liar;
    private NodeId late;
    private int missed;
    private long lateFrom;
    private @Nullable Stable truth;
    private VersionVector lastOwn;
    private boolean ahead;
    private boolean excludedFirst;
    private boolean entered;
    private boolean crashed;
    private boolean restarted;

    @SuppressWarnings("NullAway.Init") // The parties are chosen before anything happens.
    ExclusionFirst(Scenario scenario) {
        super(scenario);
        on(Fact.Convicted.class, fact -> convicted(fact.server()));
        on(Fact.Alarmed.class, fact -> {
            if (step == Step.TOLD && fact.server() == late.index() && fact.alarm() instanceof Alarm.Excluded) {
                system.timeline.after(0, this::afterExclusion);
            }
        });
    }

    @Override
    void begin() {
        TreeSet<Integer> correct = new TreeSet<>(system.participants.correctAppservers());
        liar = new TreeSet<>(system.participants.liars()).first();
        late = NodeId.appserver(correct.first());
        missed = correct.last();
        lastOwn = VersionVector.zero(system.quorums.appservers());
        system.world.network().gate(this::keeps);
    }

    private void turn(Step next) {
        step = next;
        system.world.network().regate(this::keeps);
    }

    // ---- What reaches whom ----

    private boolean keeps(NodeId from, NodeId to, Wire wire) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)) {
            return false;
        }
        if (accepted.value() instanceof Frame.Sealed sealed) {
            return sealed.signed().message() instanceof Stable stable && keeps(stable);
        }
        Message message = ((Frame.Plain) accepted.value()).message();
        if (message instanceof Batch batch) {
            look(from, batch);
            return onIsland(to, batch.head().message().origin());
        }
        if (message instanceof CertifiedEntries entries) {
            return onIsland(to, entries.origin());
        }
        return isFirst(message) || (apart(to) && keepsExclusion(message));
    }

    private boolean keepsExclusion(Message message) {
        boolean excludes = (message instanceof Share share
                        && !share.content().message().exclusions().isEmpty())
                || (message instanceof CertificateReply reply && excludes(reply));
        return excludes && step.compareTo(Step.TOLD) < 0;
    }

    private static boolean excludes(CertificateReply reply) {
        Certificate certificate = reply.certificate();
        return certificate != null && !certificate.content().exclusions().isEmpty();
    }

    /** Watches for the first certificate; keeps nothing. */
    private boolean isFirst(Message message) {
        if (step == Step.FIRST && message instanceof Share) {
            step = Step.ISLAND;
            lateFrom = system.timeline.now() + LATE_AFTER;
            system.timeline.after(ISLAND, () -> turn(Step.CONVICTING));
        }
        return false;
    }

    /** The liar is cut off first: what its entries depend on, the late server has got by then. */
    private boolean onIsland(NodeId to, int origin) {
        if (origin != missed || !apart(to) || step == Step.FIRST || step == Step.DONE) {
            return false;
        }
        return !to.equals(late) || step != Step.ISLAND || system.timeline.now() >= lateFrom;
    }

    private boolean apart(NodeId server) {
        return server.equals(late) || server.equals(NodeId.appserver(liar));
    }

    private boolean keeps(Stable stable) {
        Stable first = truth;
        if (stable.server() == liar) {
            return step != Step.CONVICTING || first == null || !sameQuestion(stable, first) || sameState(stable, first);
        }
        if (step == Step.FIRST) {
            truth = stable;
            return false;
        }
        return step.compareTo(Step.EXCLUDING) < 0;
    }

    private static boolean sameQuestion(Stable one, Stable other) {
        return one.epoch().equals(other.epoch()) && one.round() == other.round();
    }

    private static boolean sameState(Stable one, Stable other) {
        return one.state().equals(other.state());
    }

    private void look(NodeId from, Batch batch) {
        if (from.equals(late) && batch.head().message().origin() == late.index()) {
            for (byte[] bytes : batch.entries()) {
                Codec.decode(bytes, Entry.class)
                        .accepted()
                        .ifPresent(entry -> lastOwn = lastOwn.join(entry.dependencies()));
            }
        }
    }

    // ---- What happens then ----

    private void convicted(int server) {
        if (step == Step.CONVICTING && server == liar) {
            step = Step.EXCLUDING;
            system.timeline.after(0, () -> {
                stopClients();
                turn(Step.EXCLUDING);
                waitUntilAhead();
            });
        }
    }

    /** From now on the late server enters nothing. */
    private void stopClients() {
        for (ClientNode client : system.clients) {
            if (client.up() && client.server().equals(late)) {
                client.crash();
                stopped.add(client);
            }
        }
    }

    private Optional<AppServerCore> lateCore() {
        return system.servers.get(late.index()).core();
    }

    /** Until the late server has delivered more of the liar's log than its own last entry depends on. */
    private void waitUntilAhead() {
        ahead = lateCore().isPresent() && lateCore().get().version().get(liar) > lastOwn.get(liar);
        if (ahead) {
            turn(Step.TOLD);
        } else if (system.timeline.now() > GIVEN_UP) {
            stopped.forEach(ClientNode::start);
            turn(Step.DONE);
        } else {
            system.timeline.after(LOOKS, this::waitUntilAhead);
        }
    }

    private void afterExclusion() {
        AppServerCore core = lateCore().orElseThrow();
        excludedFirst = core.newestCertificate()
                .filter(newest -> newest.content().exclusions().isEmpty())
                .isPresent();
        stopped.forEach(ClientNode::start);
        waitUntilEntered(core.version().get(late.index()));
    }

    private void waitUntilEntered(long before) {
        entered = lateCore()
                .filter(core -> core.version().get(late.index()) > before)
                .isPresent();
        if (entered) {
            turn(Step.DONE);
            system.timeline.after(WHOLE, this::crash);
        } else {
            system.timeline.after(LOOKS, () -> waitUntilEntered(before));
        }
    }

    private void crash() {
        AppServerNode server = system.servers.get(late.index());
        crashed = server.core()
                .flatMap(AppServerCore::newestCertificate)
                .filter(newest -> !newest.content().exclusions().isEmpty())
                .isPresent();
        server.crash();
        system.timeline.after(AWAY, () -> {
            server.start();
            restarted = true;
        });
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!ahead) {
            missing.add("the late server never had more of the liar's log than its own entries depend on; it is at "
                    + step);
        } else if (!excludedFirst || !entered) {
            missing.add("the late server entered nothing between the exclusion and its certificate");
        } else if (!crashed || !restarted) {
            missing.add("the late server did not crash after it had adopted the certificate that excludes");
        }
        return missing;
    }
}
